#include "edits/act_log.h"
#include "edits/doubtful.h"
#include "edits/resolve.h"
#include "edits/take_back.h"
#include "memory/correct.h"
#include "memory/forget.h"
#include "memory/promoted_lines.h"
#include "memory/restore.h"
#include "memory/status.h"
#include "parser/core_file.h"
#include "tests/edits/edits_fixture.h"
#include "tests/support/interrupting_file_system.h"
#include "vault/rewrite/replace.h"
#include "vault/rewrite/versions.h"

namespace loci {
namespace {

using Ids = std::vector<std::string>;

constexpr const char* core = "MEMORY.md";

std::string line_of(const std::string& ref, const std::string& text) {
  return "<!--m {\"ref\":\"" + ref + "\"}-->\n- " + text + "\n";
}

std::string core_of(const std::string& lines) {
  return "# Memory\n\nAnything here is mine.\n\n<!-- loci:core begin -->\n" + lines + "<!-- loci:core end -->\n\nAnd this.\n";
}

class CoreRows : public EditsTest, public testing::WithParamInterface<bool> {
 protected:
  CoreRows() {
    save(file, numbered(9));
    save(core, core_of(lines(3)));
  }

  void perhaps_restart() {
    if (GetParam()) restart();
  }

  static std::string lines(int count, const std::set<int>& without = {}) {
    std::string bytes;
    for (int i = 1; i <= count; ++i)
      if (!without.contains(i)) bytes += line_of("e" + std::to_string(i), "fact number " + std::to_string(i));
    return bytes;
  }

  // A run of this or another machine promoted these lines.
  void promote(const std::string& run, const std::vector<std::pair<std::string, std::string>>& promoted,
               const std::string& host = "test", const std::string& dropped = {}) {
    std::string list;
    for (const auto& [ref, text] : promoted)
      list +=
          std::string(list.empty() ? "" : ",") + R"({"ref":")" + ref + R"(","line_hash":")" + hash_of_text("- " + text) + R"("})";
    const std::string name = ".loci/ledger/" + host + ".jsonl";
    clock.advance(std::chrono::seconds(1));
    folder.append("vault/" + name, R"({"gen":1,"run":")" + run + R"(","at":")" + format_rfc3339(clock.now()) + R"(","promoted":[)" +
                                       list + "]" + (dropped.empty() ? "" : R"(,"dropped":[")" + dropped + R"("])") + "}\n");
    look({name});
  }

  bool is_demoted(const std::string& id) {
    return std::ranges::any_of(tombstones(), [&](const Tombstone& tombstone) {
      return tombstone.id == id && tombstone.reason == Tombstone::Reason::demoted && tombstone.by == "user";
    });
  }
};

INSTANTIATE_TEST_SUITE_P(WithAndWithoutARestart, CoreRows, testing::Bool(),
                         [](const auto& row) { return row.param ? "Restarted" : "OneProcess"; });

TEST_P(CoreRows, AChangedLineCorrectsTheEntryThatItShows) {
  EXPECT_EQ(save(core, core_of(lines(3, {2}) + line_of("e2", "Fact 2 was wrong."))).corrected, Ids{"e2"});
  perhaps_restart();
  EXPECT_FALSE(find_entry(*memory, "e2"));
  const std::string right = id_saying("Fact 2 was wrong.");
  EXPECT_EQ(find_entry(*memory, right)->source, Source::correction);
  EXPECT_EQ(read(core), core_of(lines(3, {2}) + line_of(right, "Fact 2 was wrong.")));
  look({core});
  EXPECT_EQ(settle().corrected, Ids{});
  EXPECT_EQ(settle().demoted, Ids{});
  EXPECT_FALSE(is_demoted("e2"));
}

TEST_P(CoreRows, ALineThatWasTakenOutWithoutItsCommentIsNotPutBack) {
  save(core, core_of(""));
  loci_writes(core, core_of(lines(1)));
  promote("run", {{"e1", "fact number 1"}});
  const std::string without = core_of("<!--m {\"ref\":\"e1\"}-->\n");
  save(core, without);
  perhaps_restart();
  EXPECT_EQ(read(core), without);
  settle();
  EXPECT_TRUE(is_demoted("e1"));
}

TEST_P(CoreRows, ALineShowsAtOnceWhatItsEntrySaysWhenTheEditOfThatIsTakenBack) {
  settle_in_ledger("run", "e2", hash_of_text("fact number 2"));
  promote("run", {{"e1", "fact number 1"}, {"e2", "fact number 2"}});
  const std::string before = read(file), shown = read(core);
  const auto edited = [&](std::string bytes) { return bytes.replace(bytes.find("fact number 2"), 13, "my own words"); };
  save(file, edited(before));
  ASSERT_EQ(read(core), edited(shown));
  perhaps_restart();
  const auto back = take_back(*memory, acts_of(memory->vault())->back().id);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->files, (Ids{file, core}));
  EXPECT_EQ(read(core), shown);

  save(file, edited(numbered(9, {6, 7, 8, 9})));
  ASSERT_EQ(read(core), edited(shown));
  perhaps_restart();
  ASSERT_TRUE(restore_entries(*memory, file));
  EXPECT_EQ(read(core), shown);
}

// As if git had stood on another branch just while it was written.
TEST_P(CoreRows, ALineThatLociWroteUnseenIsNobodysCorrection) {
  promote("first", {{"e2", "fact number 2"}});
  const std::string unseen = core_of(lines(3, {2}) + line_of("e2", "Fact 2, as it was for a moment."));
  promote("second", {{"e2", "Fact 2, as it was for a moment."}});
  promote("third", {{"e2", "Fact 2, as it is."}});
  write(core, unseen);
  loci_writes(core, core_of(lines(3, {2}) + line_of("e2", "Fact 2, as it is.")));
  perhaps_restart();
  EXPECT_EQ(settle().corrected, Ids{});
  EXPECT_TRUE(find_entry(*memory, "e2"));
  EXPECT_EQ(save(core, unseen).corrected, Ids{"e2"});  // by somebody who has seen what it is
}

// By somebody elsewhere, say, who has seen them all and goes back to one of them.
TEST_P(CoreRows, ALineThatSaysWhatWasPromotedForAWhileIsACorrectionAllTheSame) {
  promote("first", {{"e2", "Fact 2, as it was for a while."}});
  promote("second", {{"e2", "Fact 2, as it is."}});
  perhaps_restart();
  EXPECT_EQ(save(core, core_of(lines(3, {2}) + line_of("e2", "Fact 2, as it was for a while."))).corrected, Ids{"e2"});
}

TEST_P(CoreRows, AnOldBufferWithACommentLeftOfWhatWasMadeAgainLacksNothingThatCameSince) {
  save(core, core_of(lines(1)));
  loci_writes(core, core_of(lines(3)));
  loci_writes(core, core_of(lines(1)));
  loci_writes(core, core_of(lines(4)));
  promote("run", {{"e2", "fact number 2"}, {"e3", "fact number 3"}, {"e4", "fact number 4"}});
  save(core, core_of(lines(1) + "<!--m {\"ref\":\"e2\"}-->\n" + line_of("e3", "fact number 3")));
  perhaps_restart();
  EXPECT_EQ(settle().demoted, Ids{"e2"});
  EXPECT_TRUE(read(core).contains("fact number 4"));
}

TEST_P(CoreRows, ALineThatIsRewordedIsACorrectionThoughGitIsBringingItsPromotion) {
  write(".git/HEAD", "ref: refs/heads/main\n");
  loci_writes(core, core_of(lines(4)));
  look({core});
  write(core, core_of(lines(3) + line_of("e4", "Fact 4 was wrong.")));
  bool is_armed = false;
  InterruptingFileSystem files([&](size_t, const std::string& call) {
    if (is_armed && call.starts_with("read_all ") && call.ends_with("/MEMORY.md")) write(".git/index.lock", "");
  });
  Memory interrupted = Memory::open(folder / "vault", environment_in(folder), files, clock).value();
  is_armed = true;
  EXPECT_TRUE(understand(interrupted)->again_in);
  is_armed = false;
  std::filesystem::remove(folder / "vault/.git/index.lock");
  promote("run", {{"e4", "fact number 4"}});
  perhaps_restart();
  EXPECT_EQ(look({core}).corrected, Ids{"e4"});
  EXPECT_NE(id_saying("Fact 4 was wrong."), "");
}

// In an editor that saves while loci writes down what an earlier save of it meant.
TEST_P(CoreRows, ALineThatIsRewordedWhileAnotherCorrectionIsWrittenIsACorrectionToo) {
  write(core, core_of(lines(1) + line_of("e2", "Fact 2 was wrong.") + line_of("e3", "fact number 3")));
  bool is_saved = false;
  InterruptingFileSystem files([&](size_t, const std::string& call) {
    if (is_saved || !call.starts_with("rename") || !call.contains("/memory.md")) return;
    is_saved = true;
    write(core, core_of(lines(1) + line_of("e2", "Fact 2 was wrong.") + line_of("e3", "Fact 3 was wrong.")));
  });
  Memory interrupted = Memory::open(folder / "vault", environment_in(folder), files, clock).value();
  EXPECT_EQ(understand(interrupted)->corrected, Ids{"e2"});
  ASSERT_TRUE(is_saved);
  perhaps_restart();
  look();
  EXPECT_NE(id_saying("Fact 2 was wrong."), "");
  EXPECT_NE(id_saying("Fact 3 was wrong."), "");
  EXPECT_FALSE(find_entry(*memory, "e3"));
}

TEST_P(CoreRows, ALineThatIsTakenOutWhileItCorrectsItsEntryIsNotPutBack) {
  write(core, core_of(lines(3, {2}) + line_of("e2", "Fact 2 was wrong.")));
  bool is_out = false;
  InterruptingFileSystem files([&](size_t, const std::string& call) {
    if (is_out || !call.starts_with("rename") || !call.contains("/memory.md")) return;
    is_out = true;
    write(core, core_of(lines(3, {2})));
  });
  Memory interrupted = Memory::open(folder / "vault", environment_in(folder), files, clock).value();
  EXPECT_EQ(understand(interrupted)->corrected, Ids{"e2"});
  ASSERT_TRUE(is_out);
  perhaps_restart();
  look();
  EXPECT_EQ(read(core), core_of(lines(3, {2})));
  EXPECT_NE(id_saying("Fact 2 was wrong."), "");
}

TEST_P(CoreRows, WhatAPersonTypedIntoACopyIsNoneOfTheEntryWhoseLineTheyCorrect) {
  save("consolidated/copies.md", entry_of("e2", "fact number 2"));
  write("consolidated/copies.md",
        entry_of("e2", "fact number 2").replace(entry_of("e2", "fact number 2").rfind("fact"), 13, "What I say."));
  write(core, core_of(lines(3, {2}) + line_of("e2", "Fact 2 was wrong.")));
  perhaps_restart();
  ASSERT_TRUE(memory->bring_up_to_date());
  EXPECT_EQ(look().corrected, Ids{"e2"});
  EXPECT_EQ(read("consolidated/copies.md"), "What I say.\n\n");
  EXPECT_TRUE(find_entry(*memory, id_saying("What I say.")));
  EXPECT_NE(read(file).find("Fact 2 was wrong."), std::string::npos);
  EXPECT_EQ(settle().corrected, Ids{});
  EXPECT_TRUE(find_entry(*memory, id_saying("What I say.")));
}

TEST_P(CoreRows, OfALineThatWasCopiedAndRewordedInBothPlacesOneCorrectsAndTheOtherIsTheirOwn) {
  promote("r1", {{"e1", "fact number 1"}, {"e2", "fact number 2"}, {"e3", "fact number 3"}});
  write(core, core_of(lines(3, {2}) + line_of("e2", "Something else.") + line_of("e2", "fact number 22")));
  perhaps_restart();
  EXPECT_EQ(look().corrected, Ids{"e2"});
  EXPECT_TRUE(find_entry(*memory, id_saying("fact number 22")));
  const auto entries = memory->reader().value()->list(EntryFilter{}, 100).value();
  EXPECT_TRUE(std::ranges::any_of(
      entries, [](const Entry& entry) { return entry.text == "Something else." && entry.place == Place::core; }));
  const std::string after = read(core);
  EXPECT_THAT(after, testing::HasSubstr("- Something else.\n"));
  EXPECT_THAT(after, testing::Not(testing::HasSubstr("\"e2\"")));
  EXPECT_EQ(settle().corrected, Ids{});
  EXPECT_EQ(read(core), after);
}

TEST_P(CoreRows, ALineThatIsEmptiedInOneSaveAndTypedAnewInTheNextIsACorrection) {
  save(core, core_of(lines(3, {2}) + "<!--m {\"ref\":\"e2\"}-->\n"));
  perhaps_restart();
  EXPECT_EQ(save(core, core_of(lines(3, {2}) + line_of("e2", "Fact 2 was wrong."))).corrected, Ids{"e2"});
  EXPECT_NE(id_saying("Fact 2 was wrong."), "");
  EXPECT_EQ(settle().demoted, Ids{});
}

TEST_P(CoreRows, ALineThatIsEmptiedAndTypedAgainIsNone) {
  save(core, core_of(lines(3, {2})));
  perhaps_restart();
  EXPECT_EQ(save(core, core_of(lines(3))).corrected, Ids{});
  EXPECT_EQ(settle().demoted, Ids{});
  EXPECT_TRUE(find_entry(*memory, "e2"));
}

TEST_P(CoreRows, AnAddedLineIsKeptAsItStands) {
  const std::string bytes = core_of("- My own line.\n" + lines(3));
  save(core, bytes);
  perhaps_restart();
  const Understood observed = settle();
  EXPECT_EQ(observed.corrected, Ids{});
  EXPECT_EQ(observed.demoted, Ids{});
  EXPECT_EQ(read(core), bytes);
  EXPECT_EQ(tombstones().size(), 0u);
}

TEST_P(CoreRows, ARemovedLineIsDemotedAndItsEntryStays) {
  save(core, core_of(lines(3, {2})));
  perhaps_restart();
  EXPECT_EQ(settle().demoted, Ids{"e2"});
  EXPECT_TRUE(is_demoted("e2"));
  EXPECT_TRUE(find_entry(*memory, "e2"));
  EXPECT_EQ(settle().demoted, Ids{});
}

TEST_P(CoreRows, ALineThatWasRemovedIsDemotedWhateverARunMadeOfItsEntryMeanwhile) {
  promote("r1", {{"e2", "fact number 2"}});
  save(core, core_of(lines(3, {2})));
  perhaps_restart();
  settle_in_ledger("r2", "e2", {}, "e5");  // merged
  EXPECT_EQ(settle().demoted, Ids{"e2"});
  EXPECT_TRUE(is_demoted("e2"));
}

TEST_P(CoreRows, ALineThatWasRemovedIsDemotedThoughItsEntryIsAskedAbout) {
  save(core, core_of(lines(3, {2})));
  save(file, numbered(9, {1, 2, 3, 4}));
  perhaps_restart();
  settle();
  EXPECT_TRUE(is_demoted("e2"));
}

TEST_P(CoreRows, ALineIsGoneSinceItWasTakenOutWhateverLociHasTakenOutOfTheFileSince) {
  save(file, numbered(9, {1}));
  write(core, core_of(lines(3, {2})));
  set_saved_at(core, clock.now());
  pass(std::chrono::minutes(10));
  perhaps_restart();
  EXPECT_EQ(look().deleted, Ids{"e1"});
  ASSERT_EQ(read(core), core_of(lines(3, {1, 2})));
  EXPECT_TRUE(is_demoted("e2"));
}

TEST_P(CoreRows, ALineThatMovedIsNeitherDemotedNorACorrection) {
  save(core, core_of(lines(3, {1}) + lines(1)));
  perhaps_restart();
  EXPECT_EQ(settle().demoted, Ids{});
  EXPECT_EQ(tombstones().size(), 0u);
}

TEST_P(CoreRows, ALineThatIsMovedOutOfTheCoreIsDemotedAndAPersonsOwn) {
  promote("r1", {{"e1", "fact number 1"}, {"e2", "fact number 2"}, {"e3", "fact number 3"}});
  save(core, core_of(line_of("e1", "my own words") + lines(3, {1})));  // the correction has given it another ref
  const std::string ref = id_saying("my own words");
  save(core, core_of(lines(3, {1})) + line_of(ref, "my own words"));
  perhaps_restart();
  EXPECT_EQ(read(core), core_of(lines(3, {1})) + "- my own words\n");
  EXPECT_EQ(settle().demoted, Ids{ref});
  EXPECT_EQ(read(core), core_of(lines(3, {1})) + "- my own words\n");
  EXPECT_TRUE(find_entry(*memory, ref));
}

TEST_P(CoreRows, ALineThatIsMovedOutOfTheCoreAndRewordedInOneSaveIsFound) {
  promote("r1", {{"e1", "fact number 1"}, {"e2", "fact number 2"}, {"e3", "fact number 3"}});
  save(core, core_of(lines(3, {1})) + line_of("e1", "my own words"));
  perhaps_restart();
  EXPECT_EQ(settle().demoted, Ids{"e1"});
  EXPECT_EQ(read(core), core_of(lines(3, {1})) + "- my own words\n");
  const auto entries = memory->reader().value()->list(EntryFilter{}, 100).value();
  EXPECT_TRUE(
      std::ranges::any_of(entries, [](const Entry& entry) { return entry.text == "my own words" && entry.place == Place::core; }));
}

TEST_P(CoreRows, ALineThatAnotherMachinePromotedOtherwiseIsNoEdit) {
  promote("run1", {{"e1", "fact number 1"}, {"e2", "fact number 2"}, {"e3", "fact number 3"}});
  promote("run2", {{"e1", "fact number 1"}, {"e2", "In other words."}}, "zebra", "e3");
  save(core, core_of(lines(1) + line_of("e2", "In other words.")));
  perhaps_restart();
  const Understood observed = settle();
  EXPECT_EQ(observed.corrected, Ids{});
  EXPECT_EQ(observed.demoted, Ids{});
  EXPECT_EQ(tombstones().size(), 0u);
}

TEST_P(CoreRows, ASaveThatKeepsPartOfTheLastPromotionDemotesWhatIsGone) {
  promote("run1", {{"e1", "fact number 1"}});
  promote("run2", {{"e1", "fact number 1"}, {"e2", "fact number 2"}, {"e3", "fact number 3"}});
  save(core, core_of(lines(2)));
  perhaps_restart();
  EXPECT_EQ(settle().demoted, Ids{"e3"});
}

TEST_P(CoreRows, AnOldBufferInWhichAPersonWroteOutsideTheMarkersDemotesNothing) {
  loci_writes(core, core_of(lines(5)));
  look({core});
  EXPECT_EQ(save(core, "Typed meanwhile.\n\n" + core_of(lines(3))).put_back, Ids{core});
  perhaps_restart();
  EXPECT_EQ(settle().demoted, Ids{});
  EXPECT_EQ(read(core), "Typed meanwhile.\n\n" + core_of(lines(5)));
}

TEST_P(CoreRows, AnOldBufferLacksWhatAnotherMachinePromotedSince) {
  write(core, core_of(lines(5)));
  promote("run1", {{"e4", "fact number 4"}, {"e5", "fact number 5"}}, "other");
  look({core});
  std::string edited = core_of(lines(3));
  edited.replace(edited.find("fact number 2"), 13, "My words.");
  EXPECT_EQ(save(core, edited).put_back, Ids{core});
  perhaps_restart();
  EXPECT_EQ(settle().demoted, Ids{});
  for (const char* text : {"My words.", "fact number 1", "fact number 3", "fact number 4", "fact number 5"})
    EXPECT_TRUE(read(core).contains(std::string("- ") + text)) << text;
}

TEST_P(CoreRows, AndWhatAPersonDidThereInTheSameBreath) {
  promote("run0", {{"e1", "fact number 1"}, {"e2", "fact number 2"}, {"e3", "fact number 3"}});
  const std::string opened = read(core);
  promote("run1", {{"e4", "fact number 4"}, {"e5", "fact number 5"}}, "other");
  save(core, core_of(lines(5, {1}) + "- A line of their own.\n"));
  perhaps_restart();
  settle();
  std::string edited = opened;
  edited.replace(edited.find("fact number 2"), 13, "My words.");
  save(core, edited);
  perhaps_restart();
  settle();
  for (const char* text : {"My words.", "fact number 3", "fact number 4", "fact number 5", "A line of their own."})
    EXPECT_TRUE(read(core).contains(std::string("- ") + text)) << text;
  EXPECT_FALSE(read(core).contains("- fact number 1"));
}

TEST_P(CoreRows, ALineOfAnEndedEntryThatIsRewordedWhileNoVersionIsKnownIsListed) {
  promote("run1", {{"e1", "fact number 1"}, {"e2", "fact number 2"}, {"e3", "fact number 3"}});
  std::string edited = read(core);
  edited.replace(edited.find("fact number 2"), 13, "My words.");
  ASSERT_TRUE(forget(*memory, {"e2"}, {}));
  std::filesystem::remove_all(memory->vault().state_folder());
  restart();
  write(core, edited);
  look();
  perhaps_restart();
  EXPECT_EQ(std::ranges::count(texts(*memory), "My words."), 1);
  std::vector<Problem> problems;
  add_doubtful_acts(memory->vault(), problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].code, "edited-after-forget");
}

TEST_P(CoreRows, AndOneThatIsRewordedInABufferFromBeforeItsEndCameFromAnotherMachine) {
  promote("run1", {{"e1", "fact number 1"}, {"e2", "fact number 2"}, {"e3", "fact number 3"}});
  std::string edited = read(core);
  edited.replace(edited.find("fact number 2"), 13, "My words.");
  ASSERT_TRUE(forget(*memory, {"e2"}, {}));
  std::filesystem::remove_all(memory->vault().state_folder());
  restart();
  look();
  write(core, edited);
  look({core});
  perhaps_restart();
  EXPECT_EQ(std::ranges::count(texts(*memory), "My words."), 1);
  std::vector<Problem> problems;
  add_doubtful_acts(memory->vault(), problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].code, "edited-after-forget");
}

// Without a version it is known by its promotion.
TEST_P(CoreRows, ALineThatIsRewordedWhileTheVersionsAreLostIsAnActLikeAnyOther) {
  promote("run1", {{"e1", "fact number 1"}, {"e2", "fact number 2"}, {"e3", "fact number 3"}});
  settle_in_ledger("run1", "e2", hash_of_text("fact number 2"));
  const std::string opened = read(core);
  std::filesystem::remove_all(memory->vault().state_folder());
  restart();
  std::string edited = opened;
  write(core, edited.replace(edited.find("fact number 2"), 13, "My words."));
  const auto understood = look();
  EXPECT_EQ(understood.corrected, Ids{"e2"});
  EXPECT_TRUE(understood.waiting.empty()) << "nobody is asked about what gave way to that";
  save(core, opened);
  perhaps_restart();
  settle();
  EXPECT_TRUE(read(core).contains("- fact number 2")) << "it was undone";
  EXPECT_EQ(std::ranges::count(texts(*memory), "My words."), 0);
}

TEST_P(CoreRows, MarkersThatAreMissingOrDoubledAreAProblemAndDecideNothing) {
  const std::string without_end = "<!-- loci:core begin -->\n" + lines(1);
  for (const std::string& bytes : {without_end, core_of(lines(1)) + core_of(lines(1)), std::string("mine\n")}) {
    save(core, bytes);
    perhaps_restart();
    EXPECT_EQ(settle().demoted, Ids{});
    EXPECT_EQ(read(core), bytes);
  }
  write(core, without_end);
  const auto problems = vault_problems(memory->vault()).value();
  EXPECT_EQ(std::ranges::count(problems, std::string("core-markers"), &Problem::code), 1);
  save(core, core_of(lines(3)));
  EXPECT_EQ(settle().demoted, Ids{});
}

TEST_P(CoreRows, AMissingFileDecidesNothing) {
  std::filesystem::remove(folder / "vault/MEMORY.md");
  look({core});
  perhaps_restart();
  const Understood observed = settle();
  EXPECT_EQ(observed.demoted, Ids{});
  EXPECT_TRUE(observed.waiting.empty());
}

TEST_P(CoreRows, ManyLinesRemovedAtOnceWaitForAPerson) {
  save(core, core_of(lines(9)));
  EXPECT_EQ(save(core, core_of(lines(5))).waiting.size(), 1u);
  perhaps_restart();
  EXPECT_EQ(settle().demoted, Ids{});
  EXPECT_TRUE(save(core, core_of(lines(9))).waiting.empty());
}

TEST_P(CoreRows, ALineThatForgetTookOutIsNotDemoted) {
  ASSERT_TRUE(forget(*memory, {"e2"}, {}));
  EXPECT_EQ(read(core), core_of(lines(3, {2})));
  look({core, file});
  perhaps_restart();
  EXPECT_EQ(settle().demoted, Ids{});
  EXPECT_FALSE(is_demoted("e2"));
}

// A run has shortened it.
TEST_P(CoreRows, OfALineThatSaidLessThanItsEntryTheLastWordsCount) {
  settle_in_ledger("r1", "e2", hash_of_text("fact number 2"));
  promote("r1", {{"e2", "number 2"}});
  const auto core_saying = [](const std::string& text) { return core_of(lines(3, {2}) + line_of("e2", text)); };
  EXPECT_EQ(save(core, core_saying("number 2")).corrected, Ids{});
  const auto before = texts(*memory);
  const auto said = [&](const std::string& text) {
    perhaps_restart();
    EXPECT_EQ(save(core, core_saying(text)).corrected, Ids{"e2"});
    EXPECT_EQ(read(core), core_saying(text));
    auto now = texts(*memory);
    std::erase_if(now, [&](const std::string& one) { return std::ranges::find(before, one) != before.end(); });
    return now;
  };
  EXPECT_EQ(said("My."), Texts{"My."});
  EXPECT_EQ(said("My words."), Texts{"My words."});
  EXPECT_EQ(said("My own words."), Texts{"My own words."});
}

// The line says what was saved last, whoever's buffer that was; what it said before is in the list.
TEST_P(CoreRows, AnOldBufferTakesWordsOfALineBackAsOneOfConsolidatedDoes) {
  promote("r1", {{"e2", "fact number 2"}, {"e3", "fact number 3"}});
  save(core, core_of(lines(3, {3}) + line_of("e3", "What I say.")));
  pass(std::chrono::minutes(3));
  perhaps_restart();
  save(core, "Typed above.\n" + core_of(lines(3)));
  settle();
  EXPECT_TRUE(read(core).contains("Typed above."));
  EXPECT_TRUE(read(core).contains("- fact number 3\n"));
  EXPECT_EQ(std::ranges::count(texts(*memory), "What I say."), 0);
  const Act act = acts_of(memory->vault()).value().back();
  EXPECT_EQ(act.outcome, "corrected");
  ASSERT_TRUE(take_back(*memory, act.id));
  EXPECT_TRUE(read(core).contains("- What I say.\n"));
  EXPECT_FALSE(read(core).contains("fact number 3"));
}

TEST_P(CoreRows, ALineThatSaidLessThanItsEntryDoesNotShowWhatGivesWayToItsFormerWords) {
  settle_in_ledger("r1", "e2", hash_of_text("fact number 2"));
  promote("r1", {{"e2", "number 2"}});
  const auto core_saying = [](const std::string& text) { return core_of(lines(3, {2}) + line_of("e2", text)); };
  save(core, core_saying("number 2"));
  std::string former;
  for (const char* words : {"My words.", "My own words."}) {
    EXPECT_EQ(save(core, core_saying(words)).corrected, Ids{"e2"});
    ASSERT_TRUE(memory->bring_up_to_date());
    const auto entries = memory->reader().value()->list(EntryFilter{}, 100).value();
    const auto filed = std::ranges::find_if(entries, [&](const Entry& one) { return one.text == words && one.ref.empty(); });
    ASSERT_NE(filed, entries.end());
    if (former.empty()) former = filed->id;
  }
  perhaps_restart();
  ASSERT_TRUE(restore(*memory, former));
  EXPECT_EQ(read(core).find("My own words."), std::string::npos);
}

// The line said less than its entry, which stands.
TEST_P(CoreRows, WhatWasForgottenDoesNotComeBackWithTheLineOfAnOldBuffer) {
  settle_in_ledger("r1", "e2", hash_of_text("fact number 2"));
  promote("r1", {{"e2", "number 2"}});
  const std::string shortened = core_of(lines(3, {2}) + line_of("e2", "number 2"));
  EXPECT_EQ(save(core, shortened).corrected, Ids{});
  const std::string reworded = core_of(lines(3, {2}) + line_of("e2", "My words."));
  EXPECT_EQ(save(core, reworded).corrected, Ids{"e2"});
  ASSERT_TRUE(memory->bring_up_to_date());
  const auto entries = memory->reader().value()->list(EntryFilter{}, 100).value();
  const auto filed = std::ranges::find_if(entries, [](const Entry& one) { return one.corrects == "e2"; });
  ASSERT_NE(filed, entries.end());
  ASSERT_TRUE(forget(*memory, {filed->id}, {}));
  ASSERT_EQ(read(core).find("My words."), std::string::npos);
  look({core, file});
  perhaps_restart();
  save(core, "Typed above.\n" + reworded);
  EXPECT_EQ(read(core), "Typed above.\n" + core_of(lines(3, {2})));
}

TEST_P(CoreRows, ALineThatShowsNothingAnyMoreCorrectsNothing) {
  save(core, core_of(lines(3) + line_of("gone", "Nobody knows.")));
  save(core, core_of(lines(3) + line_of("gone", "Nobody knows this.")));
  perhaps_restart();
  EXPECT_EQ(settle().corrected, Ids{});
  EXPECT_EQ(settle().again_in, std::nullopt);
  EXPECT_EQ(read(core).find("gone"), std::string::npos) << "it is the person's own line";
}

TEST_P(CoreRows, ALineWithSeveralParagraphsOfWordsCorrectsWithAllOfThem) {
  EXPECT_EQ(save(core, core_of(lines(3, {2}) + line_of("e2", "First words,\n  and second ones."))).corrected, Ids{"e2"});
  perhaps_restart();
  id_saying("First words,\nand second ones.");
}

// What an editor does that does not read the file again: its buffer has the refs that the lines had when it was opened.
class UndoneInCore : public CoreRows {
 protected:
  void SetUp() override {
    CoreRows::SetUp();
    loci_writes(core, core_of(lines(4)));
    promote("run", {{"e1", "fact number 1"}, {"e2", "fact number 2"}, {"e3", "fact number 3"}, {"e4", "fact number 4"}});
  }

  void save_lines(const std::vector<std::string>& texts) {
    std::string bytes;
    for (size_t i = 0; i < texts.size(); ++i)
      if (!texts[i].empty()) bytes += line_of("e" + std::to_string(i + 1), texts[i]);
    save(core, core_of(bytes));
    perhaps_restart();
  }

  // What the lines say, in order, without their refs; each is the line of the one entry that says it.
  std::vector<std::string> shown() {
    settle();
    std::vector<std::string> texts;
    const auto now = read_core(read(core));
    for (const CoreLine& line : now.value().lines) {
      texts.push_back(line.text.substr(2));
      const auto entry = find_entry(*memory, line.ref);
      EXPECT_TRUE(entry && entry->text == texts.back()) << line.ref << " " << texts.back();
    }
    return texts;
  }
};

INSTANTIATE_TEST_SUITE_P(WithAndWithoutARestart, UndoneInCore, testing::Bool(),
                         [](const auto& row) { return row.param ? "Restarted" : "OneProcess"; });

using Lines = std::vector<std::string>;

TEST_P(UndoneInCore, ALineThatWasRewordedSaysAgainWhatItSaid) {
  save_lines({"fact number 1", "My words.", "fact number 3", "fact number 4"});
  ASSERT_FALSE(read(core).contains("\"e2\"")) << "its entry gave way";
  save_lines({"fact number 1", "fact number 2", "fact number 3", "fact number 4"});
  EXPECT_EQ(shown(), (Lines{"fact number 1", "fact number 2", "fact number 3", "fact number 4"}));
  EXPECT_EQ(std::ranges::count(texts(*memory), "My words."), 0);
}

TEST_P(UndoneInCore, AndDoneOnceMoreItSaysTheNewWords) {
  for (const char* words : {"My words.", "fact number 2", "My words.", "fact number 2", "My words."})
    save_lines({"fact number 1", words, "fact number 3", "fact number 4"});
  EXPECT_EQ(shown(), (Lines{"fact number 1", "My words.", "fact number 3", "fact number 4"}));
  EXPECT_EQ(std::ranges::count(texts(*memory), "fact number 2"), 0);
}

TEST_P(UndoneInCore, SeveralLinesAreUndoneTogether) {
  save_lines({"First words.", "Second words.", "fact number 3", "fact number 4"});
  save_lines({"fact number 1", "fact number 2", "fact number 3", "fact number 4"});
  EXPECT_EQ(shown(), (Lines{"fact number 1", "fact number 2", "fact number 3", "fact number 4"}));
}

TEST_P(UndoneInCore, ALineIsUndoneInTheSaveThatRewordsAnotherOne) {
  save_lines({"fact number 1", "My words.", "fact number 3", "fact number 4"});
  save_lines({"Other words.", "fact number 2", "fact number 3", "fact number 4"});
  EXPECT_EQ(shown(), (Lines{"Other words.", "fact number 2", "fact number 3", "fact number 4"}));
  EXPECT_EQ(std::ranges::count(texts(*memory), "My words."), 0);
}

TEST_P(UndoneInCore, OneStepOfSeveralIsUndone) {
  save_lines({"fact number 1", "First words.", "fact number 3", "fact number 4"});
  save_lines({"fact number 1", "First and second words.", "fact number 3", "fact number 4"});
  save_lines({"fact number 1", "First words.", "fact number 3", "fact number 4"});
  EXPECT_EQ(shown(), (Lines{"fact number 1", "First words.", "fact number 3", "fact number 4"}));
}

TEST_P(UndoneInCore, TextsThatTwoLinesSwappedAreSwappedBack) {
  save_lines({"fact number 2", "fact number 1", "fact number 3", "fact number 4"});
  EXPECT_EQ(shown(), (Lines{"fact number 2", "fact number 1", "fact number 3", "fact number 4"}));
  save_lines({"fact number 1", "fact number 2", "fact number 3", "fact number 4"});
  EXPECT_EQ(shown(), (Lines{"fact number 1", "fact number 2", "fact number 3", "fact number 4"}));
}

TEST_P(UndoneInCore, WhatElseWasTypedInTheBufferStands) {
  save_lines({"fact number 1", "My words.", "fact number 3", "fact number 4"});
  save_lines({"fact number 1", "fact number 2", "Other words.", "fact number 4"});
  EXPECT_EQ(shown(), (Lines{"fact number 1", "fact number 2", "Other words.", "fact number 4"}));
}

TEST_P(UndoneInCore, WhatLociHasShownSinceStays) {
  save_lines({"fact number 1", "My words.", "fact number 3", "fact number 4"});
  settle();
  std::string bytes = read(core);
  loci_writes(core, bytes.insert(bytes.find("<!-- loci:core end"), line_of("e5", "fact number 5")));
  promote("later", {{"e5", "fact number 5"}});
  save_lines({"fact number 1", "fact number 2", "fact number 3", "fact number 4"});
  EXPECT_EQ(shown(), (Lines{"fact number 1", "fact number 2", "fact number 3", "fact number 4", "fact number 5"}));
}

TEST_P(UndoneInCore, WhatAnotherLineHasComeToSayMeanwhileStays) {
  save_lines({"fact number 1", "My words.", "fact number 3", "fact number 4"});
  std::string bytes = read(file);
  save(file, bytes.replace(bytes.find("fact number 3"), 13, "Fact 3 is other."));
  settle();
  ASSERT_TRUE(read(core).contains("- Fact 3 is other.\n"));
  save_lines({"fact number 1", "Others.", "fact number 3", "fact number 4"});
  EXPECT_EQ(shown(), (Lines{"fact number 1", "Others.", "Fact 3 is other.", "fact number 4"}));
}

TEST_P(UndoneInCore, WhatAPersonsCommandGaveTheEntrySinceIsNotTakenBackByAnOldBuffer) {
  save_lines({"fact number 1", "My words.", "fact number 3", "fact number 4"});
  ASSERT_TRUE(correct(*memory, id_saying("My words."), "By command."));
  save_lines({"fact number 1", "fact number 2", "fact number 3", "Typed here."});
  EXPECT_EQ(shown(), (Lines{"fact number 1", "By command.", "fact number 3", "Typed here."}));
}

TEST_P(UndoneInCore, ALineThatWasRewordedAndThenTakenOutIsDemoted) {
  save_lines({"fact number 1", "My words.", "fact number 3", "fact number 4"});
  save_lines({"fact number 1", "", "fact number 3", "fact number 4"});
  EXPECT_EQ(shown(), (Lines{"fact number 1", "fact number 3", "fact number 4"}));
  id_saying("My words.");  // it is not shown, and holds
}

TEST_P(UndoneInCore, AndStandsAgainWhenThatIsUndone) {
  save_lines({"fact number 1", "My words.", "fact number 3", "fact number 4"});
  save_lines({"fact number 1", "", "fact number 3", "fact number 4"});
  save_lines({"fact number 1", "My words.", "fact number 3", "fact number 4"});
  EXPECT_EQ(shown(), (Lines{"fact number 1", "My words.", "fact number 3", "fact number 4"}));
}

TEST_P(UndoneInCore, AlsoWithItsFirstWordsAndLate) {
  save_lines({"fact number 1", "My words.", "fact number 3", "fact number 4"});
  save_lines({"fact number 1", "", "fact number 3", "fact number 4"});
  settle();
  save_lines({"fact number 1", "fact number 2", "fact number 3", "fact number 4"});
  EXPECT_EQ(shown(), (Lines{"fact number 1", "fact number 2", "fact number 3", "fact number 4"}));
  EXPECT_EQ(std::ranges::count(texts(*memory), "My words."), 0);
}

TEST_P(UndoneInCore, AnotherLineThatWasTakenOutSinceIsPutBack) {
  save_lines({"fact number 1", "My words.", "fact number 3", "fact number 4"});
  save_lines({"fact number 1", "My words.", "", "fact number 4"});
  save_lines({"fact number 1", "My words.", "fact number 3", "fact number 4"});
  EXPECT_EQ(shown(), (Lines{"fact number 1", "My words.", "fact number 3", "fact number 4"}));
}

TEST_P(UndoneInCore, ACopyOfTheLineAsItWasIsKeptBesideIt) {
  save_lines({"fact number 1", "My words.", "fact number 3", "fact number 4"});
  settle();
  std::string bytes = read(core);
  save(core, bytes.insert(bytes.find("<!-- loci:core end"), line_of("e2", "fact number 2")));
  settle();
  EXPECT_TRUE(read(core).contains("- My words.\n"));
  EXPECT_TRUE(read(core).contains("- fact number 2\n"));
}

TEST_P(UndoneInCore, EachStepIsAnActAndIsTakenBack) {
  save_lines({"fact number 1", "My words.", "fact number 3", "fact number 4"});
  save_lines({"fact number 1", "fact number 2", "fact number 3", "fact number 4"});
  settle();
  const auto acts = acts_of(memory->vault()).value();
  ASSERT_EQ(acts.size(), 2U);
  EXPECT_EQ(acts[1].outcome, "corrected");
  ASSERT_TRUE(take_back(*memory, acts[1].id));
  EXPECT_EQ(shown(), (Lines{"fact number 1", "My words.", "fact number 3", "fact number 4"}));
}

// By a run, say, that began before the rewording was looked at.
TEST_P(UndoneInCore, ARewordingThatLociHasWrittenOverBeforeAnybodyLookedAtIt) {
  const std::string opened = read(core);
  std::string reworded = opened, written;
  reworded.replace(reworded.find("fact number 2"), 13, "My words.");
  written = reworded;
  written.insert(written.find("<!-- loci:core end"), line_of("e5", "fact number 5"));
  write(core, reworded);
  ASSERT_TRUE(replace_file(memory->vault(), core, reworded, written));
  promote("later", {{"e5", "fact number 5"}});
  perhaps_restart();
  write(core, opened);
  look({core});
  EXPECT_EQ(shown(), (Lines{"fact number 1", "fact number 2", "fact number 3", "fact number 4", "fact number 5"}));
  EXPECT_EQ(std::ranges::count(texts(*memory), "My words."), 0);
}

// Whoever brings lines in step by another command knows of no rewording that is being understood.
TEST_P(UndoneInCore, ARewordingWhoseUndoAnotherProcessHasWrittenOver) {
  std::string reworded = read(core);
  reworded.replace(reworded.find("fact number 2"), 13, "My words.");
  ASSERT_TRUE(note_found(memory->vault(), core, reworded, clock.now()));
  bool is_corrected = false;
  InterruptingFileSystem files([&](size_t, const std::string& call) {
    if (is_corrected || !call.starts_with("write_once") || !call.contains("acts.jsonl")) return;
    is_corrected = true;
    Memory other = open();
    EXPECT_TRUE(bring_lines_in_step(other, {}));
  });
  Memory interrupted = Memory::open(folder / "vault", environment_in(folder), files, clock).value();
  EXPECT_TRUE(understand(interrupted));
  EXPECT_TRUE(is_corrected);
  perhaps_restart();
  look({core});
  EXPECT_EQ(shown(), (Lines{"fact number 1", "fact number 2", "fact number 3", "fact number 4"}));
  EXPECT_EQ(std::ranges::count(texts(*memory), "My words."), 0);
}

// At any moment of what follows from the rewording.
TEST_P(UndoneInCore, ARewordingThatIsUndoneWhileItIsUnderstoodIsUndone) {
  // The calls of the file system until it is understood; at one of them, from 1, it is undone.
  const auto undo_at = [&](int which) {
    const std::string opened = read(core), words = "Words " + std::to_string(which) + ".";
    std::string reworded = opened;
    write(core, reworded.replace(reworded.find("fact number 2"), 13, words));
    int calls = 0;
    bool is_armed = false;
    InterruptingFileSystem files([&](size_t, const std::string&) {
      if (is_armed && ++calls == which) write(core, opened);
    });
    Memory interrupted = Memory::open(folder / "vault", environment_in(folder), files, clock).value();
    is_armed = true;
    (void)understand(interrupted);
    is_armed = false;
    if (which == 0 || calls < which) write(core, opened);
    perhaps_restart();
    look({core});
    EXPECT_EQ(shown(), (Lines{"fact number 1", "fact number 2", "fact number 3", "fact number 4"})) << which;
    EXPECT_EQ(std::ranges::count(texts(*memory), words), 0) << which;
    return calls;
  };
  const int all = undo_at(0);
  ASSERT_GT(all, 100) << "it was corrected in between";
  for (int which = 1; which <= all && !HasFailure(); which += 11) undo_at(which);
}

// Nothing shows that whoever saves the old words has seen the agent's.
TEST_P(UndoneInCore, WordsThatAnAgentGaveTheEntryAreNoneOfTheirs) {
  const std::string made = correct(*memory, "e2", "The agent's words.", {Source::agent, "agent"})->id;
  ASSERT_TRUE(read(core).contains(made));
  save_lines({"fact number 1", "fact number 2", "fact number 3", "fact number 4"});
  EXPECT_EQ(shown(), (Lines{"fact number 1", "The agent's words.", "fact number 3", "fact number 4"}));
}

// By an editor that saves while its person types, and does not read the file again.
TEST_P(CoreRows, ALineThatIsTypedInSeveralSavesOfAnOldBufferStaysOne) {
  loci_writes(core, core_of(lines(4)));
  promote("run", {{"e1", "fact number 1"}, {"e2", "fact number 2"}, {"e3", "fact number 3"}, {"e4", "fact number 4"}});
  for (const char* words : {"Prefers", "Prefers black", "Prefers black tea", "Prefers black tea at five."}) {
    save(core, core_of(lines(4, {2}) + line_of("e2", words)));
    perhaps_restart();
  }
  settle();
  const std::string bytes = read(core);
  EXPECT_EQ(bytes.find("Prefers"), bytes.rfind("Prefers"));
  EXPECT_TRUE(bytes.contains("- Prefers black tea at five.\n"));
  id_saying("Prefers black tea at five.");
}

TEST_P(CoreRows, ALineAndItsEntryThatAreTakenOutAreTwoActsAndEachIsTakenBack) {
  save(core, core_of(lines(3, {2})));
  save(file, numbered(9, {2}));
  perhaps_restart();
  settle();
  const auto acts = acts_of(memory->vault()).value();
  ASSERT_EQ(acts.size(), 2U);
  EXPECT_EQ(acts[0].file + " " + acts[0].outcome, "MEMORY.md demoted");
  EXPECT_EQ(acts[1].file + " " + acts[1].outcome, std::string(file) + " deleted");
  EXPECT_EQ(take_back(*memory, acts[0].id).error().code, ErrorCode::refused) << "there is no entry to show";
  ASSERT_TRUE(take_back(*memory, acts[1].id));
  EXPECT_TRUE(read(file).contains("fact number 2"));
  EXPECT_FALSE(read(core).contains("fact number 2")) << "that is the other act";
  ASSERT_TRUE(take_back(*memory, acts[0].id));
  EXPECT_TRUE(read(core).contains("fact number 2"));
}

// What stands in this file is thought to be in every conversation: a line that is left out of them is no secret.
TEST_P(CoreRows, ALineOfYourOwnThatSaysWhatWasDeletedIsAskedAbout) {
  for (const bool keep : {true, false}) {
    const std::string words = keep ? "Stays after all." : "Goes for good.", id = keep ? "kept" : "gone";
    save(file, numbered(9) + entry_of(id, words));
    save(core, core_of(lines(3)) + "\n- " + words + "\n");
    ASSERT_TRUE(forget(*memory, {id}, {}));
    perhaps_restart();
    look();
    const auto asked = after_forget(*memory).value();
    ASSERT_EQ(asked.size(), 1U);
    EXPECT_EQ(asked.front().file, core);
    ASSERT_TRUE(answer_about_entry(*memory, asked.front().id, keep));
    EXPECT_TRUE(after_forget(*memory).value().empty());
    EXPECT_EQ(std::ranges::count(texts(*memory), words), keep ? 1 : 0);
    EXPECT_EQ(read(core).contains(words), keep);
    EXPECT_TRUE(read(core).starts_with(core_of(lines(3)))) << "nothing else goes";
  }
}

}  // namespace
}  // namespace loci
