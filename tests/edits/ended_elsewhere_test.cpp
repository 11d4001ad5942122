#include "edits/ended_elsewhere.h"

#include "edits/resolve.h"
#include "memory/forget.h"
#include "memory/restore.h"
#include "memory/vault_logs.h"
#include "tests/edits/edits_fixture.h"

namespace loci {
namespace {

constexpr const char* day = "archive/2026-11-21.md";
constexpr const char* tombstones_elsewhere = ".loci/tombstones/other.jsonl";

// What another machine has forgotten comes as a line of its log, and nothing else.
class EndedElsewhereTest : public EditsTest {
 protected:
  // c1 rests on `from`, all of which are facts of the archive, settled in it.
  void fold(const std::vector<std::string>& from, const std::string& text) {
    std::string facts, list;
    for (const std::string& fact : from) {
      facts += entry_of(fact, "Fact " + fact + ".");
      list += (list.empty() ? "" : "\",\"") + fact;
    }
    write(day, facts);
    write(file, entry_of("c1", text, list));
    for (const std::string& fact : from)
      ASSERT_TRUE(append_ledger(memory->vault(), {{1,
                                                   "run",
                                                   clock.now(),
                                                   fact,
                                                   hash_of_text("Fact " + fact + "."),
                                                   LedgerEntry::Outcome::added,
                                                   "c1",
                                                   hash_of_text(text),
                                                   {},
                                                   {}}}));
    look({day, file, ".loci/ledger/test.jsonl"});
  }

  Understood ends(const std::string& fact, const std::string& more = R"("reason":"deleted")") {
    pass(std::chrono::minutes(1));
    write(tombstones_elsewhere, R"({"at":")" + format_rfc3339(clock.now()) + R"(","id":")" + fact + R"(","text_hash":")" +
                                    hash_of_text("Fact " + fact + ".") + R"(","by":"user",)" + more + "}\n");
    return look({tombstones_elsewhere});
  }

  // As forgetting the entry there would have it, or correcting it.
  Understood ends_with_its_entry(const std::string& how) {
    pass(std::chrono::minutes(1));
    const std::string at = format_rfc3339(clock.now());
    const auto line = [&](const std::string& id, const std::string& text) {
      return R"({"at":")" + at + R"(","id":")" + id + R"(","text_hash":")" + hash_of_text(text) + R"(","by":"user",)" + how + "}\n";
    };
    write(tombstones_elsewhere, line("c1", "Made of one.") + line("f1", "Fact f1."));
    return look({tombstones_elsewhere});
  }

  bool is_found() {
    const auto found = find_entry(*memory, "c1");
    return found && found->active && found->text == "My own words.";
  }

  std::vector<std::string> pending() {
    memory->drop_reader();
    std::vector<std::string> ids;
    const auto facts = memory->reader().value()->pending_facts().value();
    for (const auto& fact : facts) ids.push_back(fact.entry.id);
    return ids;
  }
};

using Ids = std::vector<std::string>;

TEST_F(EndedElsewhereTest, OfWhatWasMadeOfAPurgedFactNoCopyIsKept) {
  fold({"f1"}, "The key is 4711.");
  pass(std::chrono::minutes(1));
  write(tombstones_elsewhere,
        R"({"at":")" + format_rfc3339(clock.now()) + R"(","id":"f1","text_hash":"","by":"user","reason":"deleted"})" + "\n");
  EXPECT_EQ(look({tombstones_elsewhere}).ended, Ids{"c1"});
  for (const char* place : {"vault/.loci/removed", "vault/consolidated"})
    for (const auto& [name, bytes] : folder.contents(place)) EXPECT_FALSE(bytes.contains("4711")) << name;
}

TEST_F(EndedElsewhereTest, WhatWasMadeOfAForgottenFactAloneGoes) {
  fold({"f1"}, "Made of one.");
  EXPECT_EQ(ends("f1").ended, Ids{"c1"});
  EXPECT_EQ(read(file).find("Made of one."), std::string::npos);
  const auto lines = tombstones();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].at, lines[1].at);  // restored together, and the same on every machine
  EXPECT_EQ(look().ended, Ids{});       // once
  EXPECT_EQ(tombstones().size(), 2u);
}

TEST_F(EndedElsewhereTest, WhatElseItRestedOnIsPendingAgain) {
  fold({"f1", "f2"}, "Made of two.");
  EXPECT_EQ(pending(), Ids{});
  EXPECT_EQ(ends("f1").ended, Ids{"c1"});
  EXPECT_EQ(read(file).find("Made of two."), std::string::npos);
  EXPECT_EQ(pending(), Ids{"f2"});
  const auto once = read(".loci/ledger/test.jsonl");
  EXPECT_EQ(look().ended, Ids{});
  EXPECT_EQ(read(".loci/ledger/test.jsonl"), once);
}

TEST_F(EndedElsewhereTest, WhatItHadOverruledIsNotPendingAgain) {
  fold({"f1"}, "Fact f1.");
  write(day, entry_of("f1", "Fact f1.") + R"(<!--m {"id":"f2","sum":")" + sum_from_hash(text_hash("Fact f2.")) +
                 R"(","source":"user","kind":"fact","corrects":"c1"}-->)" + "\nFact f2.\n\n");
  write(file, entry_of("c1", "Fact f2.", R"(f1","f2)"));
  const std::string hash = hash_of_text("Fact f2.");
  clock.advance(std::chrono::seconds(1));
  ASSERT_TRUE(
      append_ledger(memory->vault(), {{1, "run2", clock.now(), "f2", hash, LedgerEntry::Outcome::replaced, "c1", hash, {}, {}}}));
  look({day, file, ".loci/ledger/test.jsonl"});
  EXPECT_EQ(ends("f2").ended, Ids{"c1"});
  EXPECT_EQ(pending(), Ids{});
}

TEST_F(EndedElsewhereTest, TheLineThatShowedItGoesFromTheCore) {
  fold({"f1"}, "Made of one.");
  write("MEMORY.md", "<!-- loci:core begin -->\n<!--m {\"ref\":\"c1\"}-->\n- Made of one.\n<!-- loci:core end -->\n");
  ASSERT_TRUE(append_promotion(memory->vault(), {1, "run", clock.now(), {{"c1", hash_of_text("Made of one.")}}}));
  look({"MEMORY.md", ".loci/ledger/test.jsonl"});
  ends("f1");
  EXPECT_EQ(read("MEMORY.md").find("Made of one."), std::string::npos);
}

TEST_F(EndedElsewhereTest, ACorrectionTakesThePlaceOfWhatWasMadeOfTheOldText) {
  fold({"f1"}, "Made of one.");
  write("archive/2026-11-22.md", entry_of("f9", "Right."));
  EXPECT_EQ(ends("f1", R"("reason":"corrected","superseded_by":"f9")").ended, Ids{"c1"});
  EXPECT_EQ(read(file).find("Made of one."), std::string::npos);
  const auto logs = read_logs(memory->vault()).value();
  const auto own = std::ranges::find(logs.tombstones, "c1", &Tombstone::id);
  ASSERT_NE(own, logs.tombstones.end());
  EXPECT_EQ(own->reason, Tombstone::Reason::corrected);
  EXPECT_EQ(own->superseded_by, "f9");
}

class PersonsWords : public EndedElsewhereTest, public testing::WithParamInterface<bool> {};

INSTANTIATE_TEST_SUITE_P(KeptOrNot, PersonsWords, testing::Bool(), [](const auto& row) { return row.param ? "Kept" : "TakenOut"; });

TEST_P(PersonsWords, StayAndAreAskedAbout) {
  fold({"f1", "f2"}, "Made of two.");
  std::string bytes = read(file);
  bytes.replace(bytes.find("Made of two."), 12, "My own words.");
  save(file, bytes);
  EXPECT_EQ(ends("f1").ended, Ids{});
  EXPECT_NE(read(file).find("My own words."), std::string::npos);
  const auto asked = after_forget(*memory);
  ASSERT_TRUE(asked && asked->size() == 1u);
  EXPECT_TRUE(asked->front().rests);
  ASSERT_TRUE(answer_about_entry(*memory, "c1", GetParam()));
  EXPECT_EQ(read(file).find("My own words.") != std::string::npos, GetParam());
  EXPECT_TRUE(after_forget(*memory).value().empty());
  EXPECT_EQ(read(file).find(R"("from":["f2"])") != std::string::npos, GetParam());
}

TEST_P(PersonsWords, ThatTookInAnotherEntryAreAskedAboutWhenItsFactEnds) {
  fold({"f1"}, "Made of one.");
  write("archive/2026-11-22.md", entry_of("f2", "Fact f2."));
  ASSERT_TRUE(
      append_ledger(memory->vault(),
                    {{1, "act", clock.now(), "f2", hash_of_text("Fact f2."), LedgerEntry::Outcome::merged, "c2", {}, "c1", {}}}));
  std::string bytes = read(file);
  bytes.replace(bytes.find("Made of one."), 12, "My own words.");
  write(file, bytes);
  look({file, "archive/2026-11-22.md", ".loci/ledger/test.jsonl"});
  EXPECT_TRUE(after_forget(*memory).value().empty());
  EXPECT_EQ(ends("f2").ended, Ids{});
  EXPECT_EQ(read(file), bytes);
  const auto asked = after_forget(*memory);
  ASSERT_TRUE(asked && asked->size() == 1u);
  EXPECT_TRUE(asked->front().rests);
  ASSERT_TRUE(answer_about_entry(*memory, "c1", GetParam()));
  look();
  EXPECT_EQ(read(file).find("My own words.") != std::string::npos, GetParam());
  EXPECT_EQ(is_found(), GetParam());
  EXPECT_TRUE(after_forget(*memory).value().empty());
}

class EndedInOneWay : public EndedElsewhereTest, public testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(ForgottenOrCorrected, EndedInOneWay,
                         testing::Values(R"("reason":"deleted")", R"("reason":"corrected","superseded_by":"f8")"));

TEST_P(EndedInOneWay, WordsThatWereTypedBeforeTheirEntryEndedElsewhereStandAndAreAskedAbout) {
  fold({"f1"}, "Made of one.");
  std::string bytes = read(file);
  bytes.replace(bytes.find("Made of one."), 12, "My own words.");
  save(file, bytes);
  EXPECT_EQ(ends_with_its_entry(GetParam()).ended, Ids{});
  look();
  EXPECT_EQ(read(file), bytes);
  EXPECT_TRUE(is_found());
  const auto asked = after_forget(*memory);
  ASSERT_TRUE(asked && asked->size() == 1u);
  EXPECT_TRUE(asked->front().edited);
}

TEST_F(EndedElsewhereTest, WordsThatWereKnownWhenTheirEntryWasForgottenHereAreNotFoundAgain) {
  fold({"f1"}, "Made of one.");
  const std::string bytes = read(file);
  std::string words = bytes, others = bytes;
  words.replace(bytes.find("Made of one."), 12, "My own words.");
  others.replace(bytes.find("Made of one."), 12, "Other words.");
  save(file, words);
  save(file, others);
  ASSERT_TRUE(forget(*memory, {"c1"}, {}));
  save(file, words);
  look();
  EXPECT_FALSE(is_found());
  const auto asked = after_forget(*memory);
  ASSERT_TRUE(asked && asked->size() == 1u);
  EXPECT_FALSE(asked->front().edited);
}

// A run has filed a person's words as a fact of their own, and nobody has told it of the deletion.
class FiledWords : public EndedElsewhereTest {
 protected:
  void SetUp() override {
    fold({"f1"}, "Made of one.");
    const std::string words = "My own words.";
    write("archive/2026-11-22.md", entry_of("f9", words));
    write(file, entry_of("c1", words, "f1\",\"f9"));
    const std::string hash = hash_of_text(words);
    ASSERT_TRUE(
        append_ledger(memory->vault(), {{1, "run2", clock.now(), "f9", hash, LedgerEntry::Outcome::replaced, "c1", hash, {}, {}}}));
    look({"archive/2026-11-22.md", file, ".loci/ledger/test.jsonl"});
  }
};

TEST_F(FiledWords, StandWhenTheirEntryWasForgottenElsewhereAndAreAskedAbout) {
  for (const std::string how : {R"("reason":"deleted")", R"("reason":"corrected","superseded_by":"f8")"}) {
    EXPECT_EQ(ends_with_its_entry(how).ended, Ids{});
    EXPECT_TRUE(is_found());
    const auto asked = after_forget(*memory);
    ASSERT_TRUE(asked && asked->size() == 1u);
    EXPECT_TRUE(asked->front().edited);
  }
}

TEST_F(FiledWords, StandWithoutWhatWasForgottenOnceAPersonKeepsThem) {
  ends_with_its_entry(R"("reason":"deleted")");
  ASSERT_TRUE(answer_about_entry(*memory, "c1", true));
  EXPECT_TRUE(is_found());
  EXPECT_TRUE(after_forget(*memory).value().empty());
  EXPECT_NE(read(file).find(R"("from":["f9"])"), std::string::npos) << read(file);
}

TEST_F(FiledWords, GoWithTheFactThatSaysThemIfAPersonDoesNot) {
  ends_with_its_entry(R"("reason":"deleted")");
  ASSERT_TRUE(answer_about_entry(*memory, "c1", false));
  EXPECT_EQ(read(file).find("My own words."), std::string::npos);
  EXPECT_TRUE(texts(*memory).empty());
  EXPECT_TRUE(after_forget(*memory).value().empty());
}

TEST_F(FiledWords, AreNotBroughtBackByTheNewsOfAnEndThatKnewThem) {
  const std::string at = format_rfc3339(clock.now());
  pass(std::chrono::minutes(1));
  std::string lines;
  for (const auto& [id, text] : {std::pair{"c1", "My own words."}, {"f1", "Fact f1."}, {"f9", "My own words."}})
    lines += R"({"at":")" + at + R"(","id":")" + id + R"(","text_hash":")" + hash_of_text(text) +
             R"(","by":"user","reason":"deleted"})" + "\n";
  write(tombstones_elsewhere, lines);
  look({tombstones_elsewhere});
  EXPECT_FALSE(is_found());
}

TEST_F(EndedElsewhereTest, WhatWasRestoredStands) {
  fold({"f1"}, "Made of one.");
  ends("f1");
  ASSERT_TRUE(restore(*memory, "f1"));
  EXPECT_NE(read(file).find("Made of one."), std::string::npos);
  EXPECT_EQ(look().ended, Ids{});
  EXPECT_NE(read(file).find("Made of one."), std::string::npos);
}

}  // namespace
}  // namespace loci
