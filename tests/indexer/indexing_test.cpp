// What becomes of files in the index: entries, their places, their ids, and what a change of a file changes.
#include <gmock/gmock.h>

#include "parser/text_hash.h"
#include "tests/indexer/indexed_vault.h"
#include "tests/indexer/locked_file.h"
#include "vault/logs/logs.h"

namespace loci {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(AnIndex, HasWhatAFileSays) {
  IndexedVault vault;
  vault.write("archive/2026-05-01.md",
              "# Monday\n\n## Morning\n\n" + fact("f1", "Deploys happen on Fridays.",
                                                  R"("tags":["deploy"],"project":"atlas","task":"t1","confidence":0.8,)"
                                                  R"("category":"rule","session":"s1","turn":3,"corrects":"f0")"));
  vault.reconcile();
  const Entry entry = vault.entry("f1");
  EXPECT_EQ(entry.text, "Deploys happen on Fridays.");
  EXPECT_EQ(entry.place, Place::archive);
  EXPECT_EQ(entry.layer, Layer::L1);
  EXPECT_EQ(entry.kind, EntryKind::fact);
  EXPECT_EQ(entry.source, Source::agent);
  EXPECT_EQ(entry.confidence, 0.8);
  EXPECT_EQ(entry.at, parse_time("2026-05-01T10:00:00Z"));
  EXPECT_THAT(entry.section, ElementsAre("Monday", "Morning"));
  EXPECT_THAT(entry.tags, ElementsAre("deploy"));
  EXPECT_EQ(entry.project, "atlas");
  EXPECT_EQ(entry.task, "t1");
  EXPECT_EQ(entry.session, "s1");
  EXPECT_EQ(entry.turn, 3);
  EXPECT_EQ(entry.category, "rule");
  EXPECT_EQ(entry.corrects, "f0");
  EXPECT_TRUE(entry.has_metadata);
  EXPECT_TRUE(entry.active);
  EXPECT_TRUE(entry.pending);
  EXPECT_FALSE(entry.edited);
  EXPECT_THAT(entry.places, ElementsAre(EntryPlace{"archive/2026-05-01.md", 6, 6}));
}

TEST(AnIndex, HasTextWithoutMetadataAsTheUsersUnderItsHash) {
  IndexedVault vault;
  vault.write("notes/2026-04-02 trip.md", "---\ntags: [travel]\n---\nPack the tent. #list\n");
  vault.reconcile();
  const auto all = vault.reader().list({}, 10).value();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_THAT(all[0].id, testing::StartsWith("h-"));
  EXPECT_EQ(all[0].source, Source::user);
  EXPECT_EQ(all[0].at, parse_time("2026-04-02"));
  EXPECT_THAT(all[0].tags, ElementsAre("travel", "list"));
  EXPECT_FALSE(all[0].has_metadata);
}

TEST(AnIndex, BelievesLittleOfANoteAndLessOfAnUntrustedOne) {
  IndexedVault vault;

  vault.write("notes/a.md", "<!--m {\"id\":\"n1\",\"source\":\"correction\"}-->\nTrust me.\n");
  vault.write("consolidated/memory.md", "<!--m {\"id\":\"c1\",\"source\":\"correction\"}-->\nTrust this.\n");
  vault.reconcile();
  EXPECT_EQ(vault.entry("n1").source, Source::user);
  EXPECT_EQ(vault.entry("c1").source, Source::correction);
}

TEST(AnIndex, TakesATextThatDiffersFromItsSumForThePersons) {
  IndexedVault vault;
  vault.write("archive/2026-05-01.md", fact("f1", "Edited by hand.", R"("sum":"00000000")"));
  vault.reconcile();
  EXPECT_EQ(vault.entry("f1").source, Source::user);
  EXPECT_TRUE(vault.entry("f1").edited);
}

TEST(AnIndex, DatesAConsolidatedEntryByTheDayThatWasSaidLast) {
  IndexedVault vault;
  vault.write("consolidated/memory.md",
              "<!--m {\"id\":\"c1\",\"first_seen\":\"2026-02-03\",\"updated\":\"2026-03-01\"}-->\nWorks at Contoso.\n\n"
              "<!--m {\"id\":\"c2\",\"first_seen\":\"2026-02-03\"}-->\nHas no day.\n");
  vault.write("archive/2026-05-01.md", fact("f1", "A fact has its own day.", R"("updated":"2026-01-01")"));
  vault.reconcile();
  EXPECT_EQ(vault.entry("c1").at, parse_time("2026-03-01"));
  EXPECT_EQ(vault.entry("c2").at, std::nullopt);
  EXPECT_EQ(vault.entry("f1").at, parse_time("2026-05-01T10:00:00Z"));
}

// `changed` of `all` entries of one file differ from their sums.
std::string consolidated_file(int changed, int all) {
  std::string bytes;
  for (int i = 0; i < all; ++i) {
    const std::string text = "Entry number " + std::to_string(i) + ".";
    const std::string sum = i < changed ? "00000000" : sum_from_hash(stored_text_hash(text));
    bytes += fact("c" + std::to_string(i), text, R"("sum":")" + sum + '"');
  }
  return bytes;
}

TEST(AnIndex, TakesAConsolidatedFileOfWhichMuchChangedAtOnceForNobodys) {
  IndexedVault vault;
  const auto sources_with = [&](int changed) {
    vault.write("consolidated/memory.md", consolidated_file(changed, 20));
    vault.reconcile();
    return std::pair(vault.entry("c0").source, vault.entry("c19").source);
  };
  EXPECT_EQ(sources_with(0), std::pair(Source::agent, Source::agent));
  EXPECT_EQ(sources_with(3), std::pair(Source::user, Source::agent));
  EXPECT_EQ(sources_with(4), std::pair(Source::agent, Source::agent)) << "a reformat, or an old file put back";
  EXPECT_TRUE(vault.entry("c0").edited);
  EXPECT_EQ(sources_with(2), std::pair(Source::user, Source::agent));
}

TEST(AnIndex, HasTheSameTextInSeveralPlacesOnce) {
  IndexedVault vault;
  vault.write("b.md", "same words\n\n- same words\n");
  vault.write("a.md", "# top\n\nsame words\n");
  vault.reconcile();
  const auto all = vault.reader().list({}, 10).value();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_THAT(all[0].places, ElementsAre(EntryPlace{"a.md", 3, 3}, EntryPlace{"b.md", 1, 1}, EntryPlace{"b.md", 3, 3}));
  EXPECT_THAT(all[0].section, ElementsAre("top"));

  vault.remove("a.md");
  vault.reconcile();
  const auto rest = vault.reader().list({}, 10).value();
  ASSERT_EQ(rest.size(), 1u);
  EXPECT_THAT(rest[0].places, ElementsAre(EntryPlace{"b.md", 1, 1}, EntryPlace{"b.md", 3, 3}));
  EXPECT_THAT(rest[0].section, IsEmpty());
}

TEST(AnIndex, KnowsLinesThatShowTheSameWordsForLinesInWhateverOrderTheyCame) {
  const std::string of_fact = "<!--m {\"ref\":\"f1\"}-->\n- Deploys happen on Fridays.\n";
  const std::string of_entry = "<!--m {\"ref\":\"c1\"}-->\n- Deploys happen on Fridays.\n";
  const std::string other = "<!--m {\"ref\":\"c2\"}-->\n- Ana works in Berlin.\n";
  IndexedVault vault;
  vault.write("MEMORY.md", other + of_entry);
  vault.reconcile();
  vault.write("MEMORY.md", of_fact + other + of_entry);
  vault.reconcile();
  EXPECT_EQ(vault.differences(), "");
  EXPECT_EQ(vault.found("deploys"), std::vector<std::string>{}) << "a line that shows an entry is none itself";
}

TEST(AText, IsFoundInTheRowsOfAllEntriesThatSayExactlyIt) {
  IndexedVault vault;
  vault.write("archive/a.md", fact("f1", "Tea is good.") + fact("f2", "Tea is good.") + fact("f3", "tea is good"));
  vault.write("MEMORY.md", "<!--m {\"ref\":\"f4\"}-->\n- Tea is bad.\n\n- Ana works in Berlin.\n");
  vault.reconcile();
  auto reader = vault.reader();
  const auto ids = [&](const std::string& text) {
    const auto rows = reader.rows_with_text(stored_text_hash(text)).value();
    std::vector<std::string> found;
    for (const RowId row : rows) found.push_back(reader.id_of(row));
    return found;
  };
  EXPECT_THAT(ids("Tea is good."), UnorderedElementsAre("f1", "f2")) << "and none that differs in marks";
  EXPECT_THAT(ids("Tea is bad."), IsEmpty()) << "a line that shows an entry is none itself";
  EXPECT_THAT(ids("Ana works in Berlin."), testing::SizeIs(1));
  EXPECT_THAT(ids("Coffee is good."), IsEmpty());
}

TEST(AnId, BelongsToTheFirstEntryByPathAndTheOtherIsTextWithoutMetadata) {
  IndexedVault vault;
  vault.write("archive/b.md", fact("f1", "the second"));
  vault.reconcile();
  EXPECT_EQ(vault.entry("f1").text, "the second");
  vault.write("archive/a.md", fact("f1", "the first"));
  vault.reconcile();
  EXPECT_EQ(vault.entry("f1").text, "the first");
  ASSERT_THAT(vault.found("second"), ElementsAre("the second"));
  const auto problems = vault.reader().problems();
  EXPECT_THAT(problems,
              ElementsAre(AllOf(Field(&Problem::file, "archive/b.md"), Field(&Problem::line, 2),
                                Field(&Problem::code, "duplicate-id"), Field(&Problem::message, HasSubstr("archive/a.md:2")))));

  vault.remove("archive/a.md");
  vault.reconcile();
  EXPECT_EQ(vault.entry("f1").text, "the second");
  EXPECT_THAT(vault.reader().problems(), IsEmpty());
}

TEST(AnId, ThatBothSidesOfAConflictHaveIsNoProblemBesideTheConflict) {
  IndexedVault vault;
  vault.write("consolidated/a.md", "<<<<<<< HEAD\n" + fact("f1", "ours") + "=======\n" + fact("f1", "theirs") + ">>>>>>> there\n");
  vault.write("consolidated/b.md", fact("f1", "a copy"));
  vault.reconcile();
  EXPECT_THAT(vault.reader().problems(),
              ElementsAre(AllOf(Field(&Problem::file, "consolidated/a.md"), Field(&Problem::code, "conflict-markers")),
                          AllOf(Field(&Problem::file, "consolidated/b.md"), Field(&Problem::code, "duplicate-id"))));
  vault.write("consolidated/a.md", fact("f1", "ours") + fact("f1", "theirs"));
  vault.reconcile();
  EXPECT_THAT(vault.reader().problems(), testing::Each(Field(&Problem::code, "duplicate-id")));
  EXPECT_EQ(vault.reader().problems().size(), 2u);
}

TEST(AnId, ThatACopyWithTheSameWordsHasTooIsNoProblem) {
  IndexedVault vault;
  vault.write("consolidated/a.md", fact("f1", "the same"));
  vault.write("consolidated/b.md", fact("f1", "the same"));
  vault.reconcile();
  EXPECT_THAT(vault.reader().problems(), IsEmpty());
  EXPECT_THAT(vault.entry("f1").places, ElementsAre(EntryPlace{"consolidated/a.md", 2, 2}, EntryPlace{"consolidated/b.md", 2, 2}));
  vault.write("consolidated/a.md", fact("f1", "another"));
  vault.reconcile();
  EXPECT_THAT(vault.reader().problems(), ElementsAre(Field(&Problem::code, "duplicate-id")));
  EXPECT_EQ(vault.entry("f1").places.size(), 1u);
}

TEST(AnId, ThatACopyInTheSameFileHasTooIsNoProblemWhileItSaysTheSame) {
  for (const std::string file : {"archive/a.md", "consolidated/a.md", "notes/a.md"}) {
    SCOPED_TRACE(file);
    IndexedVault vault;
    const std::string one = fact("f1", "the same"), other = fact("f2", "another"), reworded = fact("f1", "my own");
    vault.write(file, one + other);
    vault.reconcile();
    vault.write(file, one + other + one);
    vault.reconcile();
    EXPECT_THAT(vault.reader().problems(), IsEmpty());
    EXPECT_THAT(vault.found("same"), ElementsAre("the same"));
    EXPECT_THAT(vault.entry("f1").places, ElementsAre(EntryPlace{file, 2, 2}, EntryPlace{file, 8, 8}));
    EXPECT_EQ(vault.differences(), "");
    const std::vector<std::pair<std::string, size_t>> saves = {
        {one + other + reworded, 1}, {reworded + other + one, 1}, {one + reworded + one, 1},           {reworded + one + one, 2},
        {one + one + reworded, 1},   {other + one + one, 0},      {one + other + reworded + other, 1},
    };
    for (const auto& [now, others] : saves) {  // that say something else than the first
      vault.write(file, now);
      vault.reconcile();
      EXPECT_EQ(vault.differences(), "") << now;
      EXPECT_EQ(vault.reader().problems().size(), others) << now;
    }
    EXPECT_THAT(vault.reader().problems(), ElementsAre(AllOf(Field(&Problem::line, 8), Field(&Problem::code, "duplicate-id"))));
    EXPECT_EQ(vault.entry("f1").text, "the same");
    vault.write(file, reworded + other);
    vault.reconcile();
    EXPECT_EQ(vault.entry("f1").text, "my own");
    EXPECT_THAT(vault.reader().problems(), IsEmpty());
    EXPECT_EQ(vault.differences(), "");
  }
}

TEST(AnId, ThatTwoFilesClaimTwiceEachIsTheFirstsHoweverTheyChange) {
  IndexedVault vault;
  const std::string one = fact("f1", "the same"), reworded = fact("f1", "my own"), other = fact("f2", "another");
  const std::vector<std::string> texts = {one, reworded, one + one, one + reworded, reworded + one, other, other + one + reworded,
                                          ""};
  for (size_t step = 0; step < 200; ++step) {
    vault.write(step % 3 == 0 ? "consolidated/a.md" : "consolidated/b.md", texts[step * step % 7 * (step % 5) % texts.size()]);
    vault.reconcile();
    ASSERT_EQ(vault.differences(), "") << step;
  }
}

TEST(AnId, OfAMemoryIsNotTakenByANoteThatCopiesIt) {
  const std::vector<std::string> memories = {"archive/m.md", "consolidated/m.md", "MEMORY.md", "user.md"};
  for (const auto& memory : memories) {
    for (const bool note_comes_first : {false, true}) {
      IndexedVault vault;
      const std::vector<std::pair<std::string, std::string>> files = {{memory, fact("f1", "as it was stored")},
                                                                      {"AAA.md", fact("f1", "a note's words")}};
      for (const size_t i : {note_comes_first ? 1u : 0u, note_comes_first ? 0u : 1u}) {
        vault.write(files[i].first, files[i].second);
        vault.reconcile();
      }
      const auto entry = vault.entry("f1");
      EXPECT_EQ(entry.text, "as it was stored") << memory;
      EXPECT_EQ(entry.source, Source::agent) << memory;
      EXPECT_EQ(entry.places.front().file, memory);
      EXPECT_THAT(vault.found("note's words"), ElementsAre("a note's words"));
      EXPECT_THAT(vault.reader().problems(),
                  ElementsAre(AllOf(Field(&Problem::file, "AAA.md"), Field(&Problem::code, "duplicate-id"),
                                    Field(&Problem::message, HasSubstr("f1 already stands at " + memory + ":2")))));
      EXPECT_EQ(vault.differences(), "");

      vault.remove(memory);
      vault.reconcile();
      EXPECT_EQ(vault.entry("f1").text, "a note's words") << memory;
      EXPECT_THAT(vault.reader().problems(), IsEmpty());
    }
  }
}

size_t places_of(const std::vector<Entry>& entries) {
  size_t places = 0;
  for (const Entry& entry : entries) places += entry.places.size();
  return places;
}

// A copy says no more of itself than its original does, wherever it stands: in another file it is one more place of the entry.
TEST(ACopy, IsAsPrivateAndAsMuchWorthAsItsOriginal) {
  const std::string original = fact("f1", "Ana sees a therapist.", R"("tags":["private"],"project":"home")") + '\n';
  for (const std::string copy : {"archive/2026-05-01.bravo.md", "archive/2026-05-01.md", "notes/kept.md"}) {
    IndexedVault vault;
    vault.write("archive/2026-05-01.md", original);
    vault.reconcile();
    vault.append(copy, original);
    vault.reconcile();
    const auto all = vault.reader().list({}, 10).value();
    EXPECT_EQ(places_of(all), 2u) << copy;
    for (const Entry& entry : all) {
      EXPECT_EQ(entry.source, Source::agent) << copy << ' ' << entry.id;
      EXPECT_THAT(entry.tags, ElementsAre("private")) << copy << ' ' << entry.id;
      EXPECT_EQ(entry.project, "home") << copy << ' ' << entry.id;
    }
    EXPECT_EQ(vault.differences(), "") << copy;
  }
}

TEST(ACopy, OfAConversationIsNoFact) {
  const std::string answer = fact("t1", "K2 is 8611 m tall.", R"("kind":"turn","role":"assistant","session":"s1","turn":1)");
  IndexedVault vault;
  vault.write("archive/sessions/2026-05-01-s1.md", answer);
  vault.write("archive/sessions/2026-05-01-s1.bravo.md", answer);
  vault.reconcile();
  const auto all = vault.reader().list({}, 10).value();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(places_of(all), 2u);
  for (const Entry& entry : all) {
    EXPECT_EQ(entry.kind, EntryKind::turn) << entry.id;
    EXPECT_EQ(entry.layer, Layer::L2) << entry.id;
    EXPECT_EQ(entry.session, "s1") << entry.id;
  }
}

TEST(ACopy, WithOtherWordsIsThePersonsWhoWroteThem) {
  IndexedVault vault;
  vault.write("archive/a.md", fact("f1", "Ana lives in Rome.", R"("sum":"00000000","tags":["private"])"));
  vault.write("archive/b.md", fact("f1", "Ana lives in Oslo.", R"("sum":"00000000","tags":["private"])"));
  vault.reconcile();
  const auto all = vault.reader().list({}, 10).value();
  ASSERT_EQ(all.size(), 2u);
  for (const Entry& entry : all) {
    EXPECT_EQ(entry.source, Source::user);
    EXPECT_THAT(entry.tags, ElementsAre("private"));
  }
}

TEST(ATextWithoutMetadata, IsAMemoryEvenIfANoteThatSortsBeforeHasItToo) {
  for (const bool note_comes_first : {false, true}) {
    IndexedVault vault;
    for (const bool note : {note_comes_first, !note_comes_first}) {
      vault.write(note ? "aaa.md" : "consolidated/m.md", "the same words\n");
      vault.reconcile();
    }
    const auto all = vault.reader().list({}, 10).value();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].place, Place::consolidated);
    EXPECT_THAT(all[0].places, ElementsAre(EntryPlace{"consolidated/m.md", 1, 1}, EntryPlace{"aaa.md", 1, 1}));
    EXPECT_EQ(vault.differences(), "");
  }
}

TEST(AnId, ThatLooksLikeAHashIsAlwaysTheHashs) {
  IndexedVault vault;
  vault.write("archive/a.md", fact("h-00000000000000000000", "forged"));
  vault.reconcile();
  const auto all = vault.reader().list({}, 10).value();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].id, "h-" + all[0].hash.substr(0, 20));
  EXPECT_TRUE(all[0].has_metadata);
}

TEST(AFileThatIsRenamed, KeepsTheRowsOfItsEntries) {
  for (const bool to_later : {false, true}) {
    IndexedVault vault;
    vault.write("archive/m.md", fact("f1", "one") + fact("f2", "two") + "plain\n");
    vault.reconcile();
    const RowId before = vault.entry("f1").row;
    vault.rename("archive/m.md", to_later ? "archive/z.md" : "archive/a.md");
    const auto report = vault.reconcile();
    EXPECT_EQ(vault.entry("f1").row, before);
    EXPECT_EQ(vault.entry("f1").places.front().file, to_later ? "archive/z.md" : "archive/a.md");
    EXPECT_EQ(report.entries_added + report.entries_changed + report.entries_removed, 0u);
  }
}

TEST(ARemovedFile, TakesItsEntriesAlong) {
  IndexedVault vault;
  vault.write("archive/a.md", fact("f1", "one"));
  vault.write("archive/b.md", fact("f2", "two"));
  vault.reconcile();
  vault.remove("archive/a.md");
  const auto report = vault.reconcile();
  EXPECT_EQ(report.files_removed, 1u);
  EXPECT_EQ(report.entries_removed, 1u);
  EXPECT_THAT(vault.found("one"), IsEmpty());
  EXPECT_THAT(vault.found("two"), ElementsAre("two"));
}

TEST(AChangedFile, RewritesOnlyTheEntriesThatChanged) {
  IndexedVault vault;
  std::string day;
  for (int i = 0; i < 200; ++i) day += fact("f" + std::to_string(i), "entry number " + std::to_string(i));
  vault.write("archive/2026-05-01.md", day);
  vault.reconcile();
  const auto place = day.find("entry number 100");
  day.replace(place, 5, "ENTRY");
  vault.write("archive/2026-05-01.md", "A new line on top.\n\n" + day);
  const auto report = vault.reconcile();
  EXPECT_EQ(report.entries_added, 1u);
  EXPECT_EQ(report.entries_changed, 1u);
  EXPECT_EQ(report.entries_removed, 0u);
  EXPECT_EQ(vault.entry("f199").places.front().line, 3 * 199 + 2 + 2);
}

TEST(AnAppendedFile, IsReadOnFromWhereItGrew) {
  IndexedVault vault;
  vault.write("archive/2026-05-01.md", "# day\n\n" + fact("f1", "one") + fact("f2", "two"));
  vault.reconcile();
  vault.append("archive/2026-05-01.md", fact("f3", "three") + fact("f1", "claims an id from above"));
  const auto report = vault.reconcile();
  EXPECT_EQ(report.entries_added, 2u);
  EXPECT_EQ(report.entries_changed, 0u);
  EXPECT_EQ(vault.entry("f1").text, "one");
  EXPECT_THAT(vault.entry("f3").section, ElementsAre("day"));
  EXPECT_THAT(vault.found("claims"), ElementsAre("claims an id from above"));
  EXPECT_EQ(vault.differences(), "");
}

TEST(AnIdInSeveralFiles, IsOneEntryWhereTheySayTheSame) {
  IndexedVault vault;
  const std::string ann = "archive/2026-05-01.ann.md", bob = "archive/2026-05-01.bob.md", cat = "archive/2026-05-01.cat.md";
  const auto files_of = [&](const std::string& id) {
    std::vector<std::string> files;
    for (const EntryPlace& place : vault.entry(id).places) files.push_back(place.file);
    return files;
  };
  const auto settles = [&](const std::vector<std::string>& files, const std::vector<std::string>& texts) {
    vault.reconcile();
    EXPECT_EQ(files_of("i-1"), files);
    EXPECT_THAT(vault.found("wagon"), testing::UnorderedElementsAreArray(texts));
    EXPECT_EQ(vault.differences(), "");
  };
  for (const std::string& file : {ann, bob, cat}) vault.write(file, fact("i-1", "the red wagon"));
  settles({ann, bob, cat}, {"the red wagon"});
  vault.write(bob, fact("i-1", "the blue wagon"));
  settles({ann, cat}, {"the red wagon", "the blue wagon"});
  vault.write(ann, fact("i-1", "the blue wagon"));  // now it is the third that says something else
  settles({ann, bob}, {"the red wagon", "the blue wagon"});
  vault.append(bob, fact("i-2", "a green wagon"));
  settles({ann, bob}, {"the red wagon", "the blue wagon", "a green wagon"});
  vault.remove(ann);
  settles({bob}, {"the red wagon", "the blue wagon", "a green wagon"});
  vault.remove(bob);
  settles({cat}, {"the red wagon"});
}

TEST(AnAppendedFile, InheritsATextThatStandsInItsOldPart) {
  IndexedVault vault;
  vault.write("archive/a.md", "# A\n\nshared\n\n" + fact("x1", "moves"));
  vault.write("archive/b.md", "# B\n\nshared\n\n" + fact("x2", "stays") + fact("x3", "stays too"));
  vault.reconcile();
  vault.remove("archive/a.md");
  vault.append("archive/b.md", fact("x1", "moves"));
  vault.reconcile();
  const auto all = vault.reader().list({}, 10).value();
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].text, "shared");
  EXPECT_THAT(all[0].section, ElementsAre("B"));
  EXPECT_EQ(vault.differences(), "");
}

TEST(AnAppendedFile, CountsAHeadingOnceForASession) {
  IndexedVault vault;
  vault.write("archive/sessions/a.md", "# the heading\n\n" + turn("t1", "s1", 1, "one") + turn("t2", "s1", 2, "two"));
  vault.reconcile();
  vault.append("archive/sessions/a.md", turn("t3", "s1", 3, "three") + turn("u1", "s2", 1, "other"));
  EXPECT_EQ(vault.reconcile().entries_changed, 0u);
  auto reader = vault.reader();
  const auto context_length = [&](const char* id) { return reader.columns(vault.entry(id).row).context_length; };
  EXPECT_EQ(context_length("t1"), 2u);
  EXPECT_EQ(context_length("t2"), 0u);
  EXPECT_EQ(context_length("t3"), 0u);
  EXPECT_EQ(context_length("u1"), 2u);
}

TEST(AnAppendedFile, KeepsItsClaimToAnIdThatAnotherFileHas) {
  IndexedVault vault;
  vault.write("archive/a.md", fact("f1", "the first"));
  vault.write("archive/b.md", fact("f1", "the second") + fact("f2", "two"));
  vault.reconcile();
  vault.append("archive/b.md", fact("f3", "three"));
  vault.reconcile();
  EXPECT_EQ(vault.reader().problems().size(), 1u);
  vault.remove("archive/a.md");
  vault.reconcile();
  EXPECT_EQ(vault.entry("f1").text, "the second");
}

TEST(AnAppendedFile, MayGoOnWithItsLastParagraph) {
  IndexedVault vault;
  vault.write("a.md", "first\n\nlast words");
  vault.reconcile();
  vault.append("a.md", " and more\nof them\n");
  vault.reconcile();
  EXPECT_THAT(vault.found("words"), ElementsAre("last words and more\nof them"));
  EXPECT_EQ(vault.differences(), "");
}

TEST(AReconcile, WithNothingChangedReadsNoFile) {
  IndexedVault vault;
  vault.write("archive/a.md", fact("f1", "one"));
  EXPECT_TRUE(vault.reconcile().rebuilt);
  const auto report = vault.reconcile();
  EXPECT_FALSE(report.rebuilt);
  EXPECT_EQ(report.files_seen, 1u);
  EXPECT_EQ(report.files_read, 0u);
  EXPECT_EQ(report.files_changed, 0u);
}

TEST(AReconcile, NeverWritesToTheVault) {
  IndexedVault vault;
  vault.write("archive/a.md", fact("f1", "one") + "# unfinished");
  vault.write("notes/b.md", "\xEF\xBB\xBFtext\r\n\r\n");
  vault.write(".loci/tombstones/aaaa.jsonl", "{\"torn");
  const auto before = vault.folder.contents("vault");
  vault.reconcile();
  vault.append("notes/b.md", "more");
  const auto after_append = vault.folder.contents("vault");
  vault.reconcile();
  vault.reader().problems();
  vault.differences();
  EXPECT_EQ(vault.folder.contents("vault"), after_append);
  EXPECT_NE(before, after_append);
}

TEST(AReconcileByPath, LooksAtThesePathsAndTheLogs) {
  IndexedVault vault;
  vault.write("archive/a.md", fact("f1", "one"));
  vault.write("archive/b.md", fact("f2", "two"));
  vault.reconcile();
  vault.append("archive/a.md", fact("f3", "three"));
  vault.append("archive/b.md", fact("f4", "four"));
  vault.write(".loci/tombstones/aaaa.jsonl",
              format(Tombstone{vault.clock.now(), "f2", "", Tombstone::Reason::deleted, "user", ""}));
  const auto report = vault.reconcile({"archive/a.md", "archive/none.md"});
  EXPECT_EQ(report.files_changed, 1u);
  EXPECT_THAT(vault.found("three"), ElementsAre("three"));
  EXPECT_THAT(vault.found("four"), IsEmpty());
  EXPECT_FALSE(vault.entry("f2").active);
}

TEST(ARacyFile, IsHashedAgainUntilItsTimesCanBeBelieved) {
  IndexedVault vault;
  vault.write("archive/a.md", fact("f1", "one"));
  vault.clock.advance(std::chrono::seconds(-61));  // the file was modified one second after it is indexed
  vault.reconcile();
  auto stale = find_stale(*vault.vault, *std::make_unique<IndexReader>(vault.reader())).value();
  EXPECT_THAT(stale.changed, IsEmpty());
  EXPECT_FALSE(stale.unconfirmed);  // nothing to write down yet

  // The same size, the same modification time: a change within one tick.
  const auto stamp = std::filesystem::last_write_time(vault.folder / "vault/archive/a.md");
  vault.folder.write("vault/archive/a.md", fact("f1", "two"));
  std::filesystem::last_write_time(vault.folder / "vault/archive/a.md", stamp);
  EXPECT_EQ(vault.reconcile().entries_changed, 1u);
  EXPECT_EQ(vault.entry("f1").text, "two");

  vault.clock.advance(std::chrono::hours(1));
  auto reader = vault.reader();
  EXPECT_TRUE(find_stale(*vault.vault, reader)->unconfirmed);
  EXPECT_EQ(vault.reconcile().files_changed, 0u);
  auto settled = vault.reader();
  EXPECT_FALSE(find_stale(*vault.vault, settled)->unconfirmed);
}

TEST(AnUnreadableFile, KeepsItsEntriesAndSaysSo) {
  LockedFile files;
  IndexedVault vault(files);
  vault.write("archive/a.md", fact("f1", "one"));
  vault.write("archive/b.md", fact("f2", "two"));
  vault.reconcile();
  files.locked = "archive/a.md";
  vault.append("archive/a.md", fact("f3", "three"));
  vault.append("archive/b.md", fact("f4", "four"));
  vault.reconcile();
  EXPECT_EQ(vault.entry("f1").text, "one");
  EXPECT_EQ(vault.entry("f4").text, "four");
  EXPECT_THAT(vault.reader().problems(),
              ElementsAre(AllOf(Field(&Problem::file, "archive/a.md"), Field(&Problem::code, "unreadable"))));
  auto reader = vault.reader();
  EXPECT_THAT(find_stale(*vault.vault, reader)->changed, IsEmpty());
  EXPECT_EQ(vault.differences(), "");

  files.locked.clear();
  vault.reconcile();
  EXPECT_EQ(vault.entry("f3").text, "three");
  EXPECT_THAT(vault.reader().problems(), IsEmpty());
}

TEST(AnUnreadableFile, IsOneThatThereIsNotEnoughMemoryFor) {
  LockedFile files;
  IndexedVault vault(files);
  vault.write("archive/a.md", fact("f1", "one"));
  files.too_much = "archive/b.md";
  vault.write("archive/b.md", fact("f2", "two"));
  vault.reconcile();
  EXPECT_THAT(vault.reader().problems(),
              ElementsAre(AllOf(Field(&Problem::file, "archive/b.md"), Field(&Problem::code, "unreadable"),
                                Field(&Problem::message, HasSubstr("not enough memory")))))
      << "on the thread that reads ahead";
  files.too_much = "archive/a.md";
  vault.append("archive/a.md", fact("f3", "three"));
  vault.reconcile();
  EXPECT_EQ(vault.entry("f1").text, "one");
  EXPECT_EQ(vault.entry("f2").text, "two");
  files.too_much.clear();
  vault.reconcile();
  EXPECT_EQ(vault.entry("f3").text, "three");
  EXPECT_THAT(vault.reader().problems(), IsEmpty());
}

TEST(AnUnreadableFile, OfAFreshIndexIsReportedAndReadLater) {
  LockedFile files;
  IndexedVault vault(files);
  vault.write("archive/a.md", fact("f1", "one"));
  files.locked = "archive/a.md";
  vault.reconcile();
  EXPECT_EQ(vault.reader().problems().size(), 1u);
  files.locked.clear();
  vault.reconcile();
  EXPECT_EQ(vault.entry("f1").text, "one");
}

TEST(AnIndex, ListsTheProblemsOfTheVault) {
  IndexedVault vault;
  vault.write("archive/a.md", "<!--m {\"id\":1}-->\ntext\n");
  vault.write("archive/big.md", std::string(9 << 20, 'x'));
  vault.write(".loci/ledger/aaaa.jsonl", "{\"torn");
  vault.reconcile();
  const auto problems = vault.reader().problems();
  EXPECT_THAT(problems, Contains(AllOf(Field(&Problem::file, "archive/a.md"), Field(&Problem::line, 1),
                                       Field(&Problem::code, "bad-metadata"))));
  EXPECT_THAT(problems, Contains(AllOf(Field(&Problem::file, "archive/big.md"), Field(&Problem::code, "too-large"))));
  EXPECT_THAT(problems, Contains(Field(&Problem::file, ".loci/ledger/aaaa.jsonl")));
  EXPECT_THAT(vault.found("text"), ElementsAre("text"));

  vault.write("archive/a.md", "text\n");
  vault.remove("archive/big.md");
  vault.remove(".loci/ledger/aaaa.jsonl");
  vault.reconcile();
  EXPECT_THAT(vault.reader().problems(), IsEmpty());
}

TEST(AnIndex, IsPrivate) {
  IndexedVault vault;
  vault.write("a.md", "secret\n");
  vault.reconcile();
  for (const auto& file : std::filesystem::directory_iterator(vault.vault->state_folder()))
    EXPECT_EQ(file.status().permissions() & std::filesystem::perms::all,
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write)
        << file.path();
}

TEST(AnIndex, KnowsHowManyEntriesItHas) {
  IndexedVault vault;
  vault.write("empty.md", "");
  vault.reconcile();
  EXPECT_EQ(vault.reader().info().entries, 0);
  vault.write("archive/a.md", fact("f1", "one") + fact("f2", "two"));
  vault.write("archive/b.md", fact("f3", "three"));
  vault.reconcile();
  EXPECT_EQ(vault.reader().info().entries, 3);
  vault.write("archive/a.md", fact("f1", "one, said otherwise"));
  vault.remove("archive/b.md");
  vault.reconcile();
  EXPECT_EQ(vault.reader().info().entries, 1);
}

TEST(AnIndex, KnowsWhenASweepLastFoundNothingToDo) {
  IndexedVault vault;
  vault.write("a.md", "text\n");
  vault.clock.set("2026-06-01T08:00:00Z");
  vault.reconcile();
  EXPECT_EQ(vault.reader().info().checked_at, parse_time("2026-06-01T08:00:00Z"));
  vault.clock.set("2026-06-02T08:00:00Z");
  vault.reconcile();
  EXPECT_EQ(vault.reader().info().checked_at, parse_time("2026-06-02T08:00:00Z"));
}

TEST(Staleness, NamesWhatTheIndexDoesNotKnow) {
  IndexedVault vault;
  vault.write("archive/a.md", fact("f1", "one"));
  vault.write("archive/b.md", fact("f2", "two"));
  vault.reconcile();
  auto reader = vault.reader();
  EXPECT_THAT(find_stale(*vault.vault, reader)->changed, IsEmpty());
  vault.append("archive/a.md", "more\n");
  vault.remove("archive/b.md");
  vault.write("archive/c.md", "new\n");
  vault.write(".loci/tombstones/aaaa.jsonl", "");
  EXPECT_THAT(find_stale(*vault.vault, reader)->changed,
              ElementsAre("archive/a.md", "archive/b.md", "archive/c.md", ".loci/tombstones/aaaa.jsonl"));
}

TEST(AThread, LinksActiveTurnsInOrderOverFiles) {
  IndexedVault vault;
  vault.write("archive/sessions/a.md", "# late\n\n" + turn("t3", "s1", 3, "three") + turn("t1", "s1", 1, "one"));
  vault.write("archive/sessions/b.md", "# early\n\n" + turn("t2", "s1", 2, "two two") + turn("u1", "s2", 1, "other"));
  vault.reconcile();
  auto reader = vault.reader();
  const auto columns = [&](const char* id) { return reader.columns(vault.entry(id).row); };
  const auto row = [&](const char* id) { return vault.entry(id).row; };
  EXPECT_EQ(columns("t2").previous, row("t1"));
  EXPECT_EQ(columns("t2").next, row("t3"));
  EXPECT_EQ(columns("t1").previous, 0u);
  EXPECT_EQ(columns("t3").next, 0u);
  EXPECT_EQ(columns("u1").next, 0u);
  EXPECT_EQ(reader.session_of(columns("t2").thread), "s1");
  // A heading counts once for each file and session.
  EXPECT_EQ(reader.thread(columns("t2").thread).length, 1u + 1u + 2u + 1u + 1u);
  EXPECT_EQ(reader.thread(columns("t2").thread).entries, 3u);
  EXPECT_EQ(reader.statistics().turns.entries, 4u);
  EXPECT_EQ(reader.statistics().turns.threads, 2u);
  EXPECT_EQ(reader.statistics().turns.text_length, 5u);
  EXPECT_EQ(reader.statistics().turns.window_length, (1u + 2u) + (1u + 2u + 1u) + (2u + 1u) + 1u);
}

TEST(AThread, CountsEachHeadingOnce) {
  IndexedVault vault;
  vault.write("archive/sessions/a.md", "# one\n\n" + turn("t1", "s1", 1, "x") + turn("t2", "s1", 2, "x") + "# two more\n\n" +
                                           turn("t3", "s1", 3, "x") + turn("t4", "s1", 4, "x"));
  vault.reconcile();
  auto reader = vault.reader();
  std::vector<std::uint32_t> lengths;
  for (const char* id : {"t1", "t2", "t3", "t4"}) lengths.push_back(reader.columns(vault.entry(id).row).context_length);
  EXPECT_THAT(lengths, ElementsAre(1, 0, 2, 0));
}

TEST(AThread, PassesOverATurnThatWasDeleted) {
  IndexedVault vault;
  vault.write("archive/sessions/a.md", turn("t1", "s1", 1, "one") + turn("t2", "s1", 2, "two") + turn("t3", "s1", 3, "three"));
  vault.reconcile();
  vault.write(".loci/tombstones/aaaa.jsonl",
              format(Tombstone{vault.clock.now(), "t2", "", Tombstone::Reason::deleted, "user", ""}));
  vault.reconcile();
  auto reader = vault.reader();
  EXPECT_EQ(reader.columns(vault.entry("t1").row).next, vault.entry("t3").row);
  EXPECT_EQ(reader.columns(vault.entry("t3").row).previous, vault.entry("t1").row);
  EXPECT_EQ(reader.statistics().turns.entries, 2u);
  EXPECT_EQ(vault.differences(), "");
}

TEST(AnEmptyVault, HasAnIndexToo) {
  IndexedVault vault;
  vault.reconcile();
  auto reader = vault.reader();
  EXPECT_THAT(reader.recent({}, 10).value(), IsEmpty());
  EXPECT_THAT(reader.list({}, 10).value(), IsEmpty());
  EXPECT_THAT(reader.match("\"x\"")->rows, IsEmpty());
  EXPECT_EQ(reader.facts().total, 0);
  EXPECT_EQ(vault.differences(), "");
}

}  // namespace
}  // namespace loci
