#include "edits/act_log.h"
#include "edits/in_question.h"
#include "edits/resolve.h"
#include "tests/edits/edits_fixture.h"
#include "tests/support/processor_time.h"

namespace loci {
namespace {

using Ids = std::vector<std::string>;

// What is asked about, and what had gone before it.
class Questions : public Rows {
 protected:
  static constexpr const char* day = "archive/2026-11-20.md";

  // Nine entries; e5 was made of a fact of the archive, "f-e5".
  void nine_entries() {
    write(day, entry_of("f-e5", "f-e5"));
    save(file, numbered(9));
    settle_in_ledger("r1", "e5", hash_of_text("fact number 5"));
    look({file, day});
  }

  // ... which says other words of the person's since, that no run has filed.
  std::string reworded(const std::set<int>& without = {}) {
    std::string bytes = numbered(9, without);
    if (const size_t at = bytes.find("fact number 5"); at != std::string::npos) bytes.replace(at, 13, "my own words");
    return bytes;
  }

  // How often it is said, but for what only the history has.
  std::ptrdiff_t times_said(const std::string& text) {
    EXPECT_TRUE(memory->bring_up_to_date());
    const std::vector<Entry> entries = memory->reader().value()->list(EntryFilter{}, 10000).value();
    return std::ranges::count_if(entries, [&](const Entry& one) { return one.text == text && one.layer != Layer::L2; });
  }
};

INSTANTIATE_TEST_SUITE_P(WithAndWithoutARestart, Questions, testing::Bool(),
                         [](const auto& row) { return row.param ? "Restarted" : "OneProcess"; });

TEST_P(Questions, WhatAnEntryInQuestionSaidBeforeAPersonRewordedItIsNotFoundMeanwhile) {
  nine_entries();
  save(file, reworded());
  perhaps_restart();
  save(file, reworded({1, 2, 3, 5}));
  EXPECT_EQ(times_said("f-e5"), 0);
  EXPECT_EQ(times_said("my own words"), 1);
  perhaps_restart();
  settle();
  EXPECT_EQ(times_said("f-e5"), 0);
  EXPECT_TRUE(facts_in_question(*memory)->contains("f-e5"));
  EXPECT_EQ(pending_in_question(*memory).value(), 1);
}

TEST_P(Questions, NorIsWhatWasPutIntoItBeforeItWasReworded) {
  write(day, entry_of("f-e5", "f-e5") + entry_of("f-e6", "f-e6"));
  save(file, numbered(9, {6}) + entry_of("e6", "fact number 6", "f-e6"));
  settle_in_ledger("r1", "e5", hash_of_text("fact number 5"));
  settle_in_ledger("r1", "e6", hash_of_text("fact number 6"));
  look({file, day});
  std::string both = numbered(9, {6});
  save(file, both.replace(both.find("fact number 5"), 13, "fact number 5 fact number 6"));
  settle();
  perhaps_restart();
  save(file, reworded({6}));
  save(file, reworded({1, 2, 3, 5, 6}));
  EXPECT_EQ(times_said("f-e6"), 0);
  EXPECT_EQ(times_said("my own words"), 1);
  perhaps_restart();
  settle();
  EXPECT_EQ(times_said("f-e6"), 0);
  EXPECT_EQ(pending_in_question(*memory).value(), 1);
}

TEST_P(Questions, WhatIsRewordedMeanwhileIsListedAndSoIsWhatBecameOfIt) {
  for (const bool keep : {true, false}) {
    const std::string path = keep ? "consolidated/kept.md" : "consolidated/restored.md", id = keep ? "k" : "r";
    const auto nine = [&](const std::string& sixth, bool all) {
      std::string bytes;
      for (int i = all ? 1 : 5; i <= 9; ++i)
        bytes += entry_of(id + std::to_string(i), i == 6 ? sixth : id + " number " + std::to_string(i));
      return bytes;
    };
    save(path, nine("as it was", true));
    ASSERT_EQ(save(path, nine("as it was", false)).waiting.size(), 1U);
    perhaps_restart();
    save(path, nine("other words", false));
    ASSERT_TRUE(keep ? keep_edits(*memory, path) : restore_entries(*memory, path));
    std::map<std::string, int> outcomes;
    const auto acts = acts_of(memory->vault()).value();
    for (const Act& act : acts)
      if (act.file == path && !act.entry.empty()) ++outcomes[act.what + " " + act.outcome];
    EXPECT_EQ(outcomes, (std::map<std::string, int>{{"changed " + std::string(keep ? "theirs" : "restored"), 1},
                                                    {"removed " + std::string(keep ? "deleted" : "restored"), 4}}));
  }
}

// Search and replace in a whole folder changes the archive as well.
TEST_P(Questions, WhatRestsInTheFileRestsThereThoughItsOwnWordsWereChangedToo) {
  std::string facts;
  for (int i = 1; i <= 4; ++i) {
    const std::string id = "e" + std::to_string(i);
    facts += entry_of("f-" + id, "f-" + id);
    settle_in_ledger("r1", id, hash_of_text("fact number " + std::to_string(i)));
  }
  write(day, facts);
  save(file, numbered(9));
  look({file, day});
  EXPECT_EQ(memory->reader().value()->pending_facts().value().size(), 0U);
  for (size_t at = 0; (at = facts.find("\nf-e", at)) != std::string::npos; at += 3) facts.replace(at, 3, "\nfact of");
  write(day, facts);
  std::string bytes = numbered(9);
  for (int i = 1; i <= 4; ++i) bytes.replace(bytes.find("fact number " + std::to_string(i)), 11, "word number");
  EXPECT_EQ(save(file, bytes).waiting.size(), 1U);
  perhaps_restart();
  look({file, day});
  EXPECT_EQ(memory->reader().value()->pending_facts().value().size(), 4U);
  EXPECT_EQ(pending_in_question(*memory).value(), 4);
}

TEST_P(Questions, ThoseWordsGoWithTheEntryIfItIsNotMeantToStay) {
  nine_entries();
  save(file, reworded());
  save(file, reworded({1, 2, 3, 5}));
  perhaps_restart();
  ASSERT_TRUE(keep_edits(*memory, file));
  EXPECT_EQ(times_said("f-e5"), 0);
  EXPECT_EQ(times_said("my own words"), 0);
}

TEST_P(Questions, ThoseWordsStandInTheEntryAgainIfItIs) {
  nine_entries();
  save(file, reworded());
  save(file, reworded({1, 2, 3, 5}));
  perhaps_restart();
  ASSERT_TRUE(restore_entries(*memory, file));
  settle();
  EXPECT_EQ(times_said("f-e5"), 0);
  EXPECT_EQ(times_said("my own words"), 1);
}

TEST_P(Questions, AnEntryThatIsAbsentForAWhileHidesWhatItSaidBeforeToo) {
  nine_entries();
  save(file, reworded());
  save(file, reworded({5}));
  EXPECT_EQ(times_said("f-e5"), 0);
  EXPECT_EQ(times_said("my own words"), 1);
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{"e5"});
  EXPECT_EQ(times_said("f-e5"), 0);
  EXPECT_EQ(times_said("my own words"), 0);
}

TEST_P(Questions, WhatWasNotedBeforeAProcessWasKilledIsNoFurtherChange) {
  nine_entries();
  write(file, numbered(9, {1, 2, 3}));
  {
    auto state = EditState::open(memory->vault(), std::chrono::milliseconds(0));
    const auto versions = versions_of(memory->vault(), file);
    state->record(file).absent = {{"e1", hash_of_text("fact number 1"), {}, memory->now(), versions->back().hash}};
    ASSERT_TRUE(state->save());
  }
  perhaps_restart();
  EXPECT_TRUE(look({file}).waiting.empty());
  EXPECT_EQ(settle().deleted, (Ids{"e1", "e2", "e3"}));
}

TEST_P(Questions, WhatLociWroteMeanwhileComesBackWithWhatIsRestored) {
  nine_entries();
  save(file, numbered(9, {1, 2, 3, 4}));
  std::string bytes = numbered(9, {1, 2, 3, 4});
  loci_writes(file, bytes.replace(bytes.find("fact number 6"), 13, "written by loci"));
  perhaps_restart();
  save(file, numbered(9, {1, 2, 3, 4, 6}));
  ASSERT_TRUE(restore_entries(*memory, file));
  EXPECT_NE(read(file).find("written by loci"), std::string::npos);
  EXPECT_EQ(read(file).find("fact number 6"), std::string::npos);
  EXPECT_NE(read(file).find("fact number 1"), std::string::npos);
}

TEST_P(Questions, AFileThatIsRemovedMeanwhileIsStillAskedAboutAsAWhole) {
  nine_entries();
  save(file, numbered(9, {1, 2, 3, 4}));
  std::string bytes = numbered(9, {1, 2, 3, 4});
  loci_writes(file, bytes.replace(bytes.find("fact number 6"), 13, "written by loci"));
  look({file});
  ASSERT_TRUE(std::filesystem::remove(folder / "vault" / file));
  perhaps_restart();
  ASSERT_EQ(look({file}).waiting.size(), 1u);
  ASSERT_TRUE(restore_entries(*memory, file));
  for (int i = 1; i <= 9; ++i)
    EXPECT_NE(read(file).find(i == 6 ? "written by loci" : "fact number " + std::to_string(i)), std::string::npos) << i;
}

// Of the file as it was when it was asked about, in which loci has written since.
TEST_P(Questions, WhatIsTakenOutBehindALaterWriteIsAskedAboutWithTheRest) {
  nine_entries();
  save(file, numbered(9, {1, 2, 3, 4}));
  std::string bytes = numbered(9, {1, 2, 3, 4});
  loci_writes(file, bytes.replace(bytes.find("fact number 6"), 13, "written by loci"));
  perhaps_restart();
  look({file});
  bytes.erase(bytes.find(entry_of("e5", "fact number 5")), entry_of("e5", "fact number 5").size());
  const Understood understood = save(file, bytes);
  ASSERT_EQ(understood.waiting.size(), 1u);
  EXPECT_EQ(understood.waiting[0].gone.size(), 5u);
  EXPECT_TRUE(facts_in_question(*memory)->contains("f-e5"));
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{});
  EXPECT_TRUE(facts_in_question(*memory)->contains("f-e5"));
  EXPECT_EQ(keep_edits(*memory, file)->deleted.size(), 5u);
}

// An old buffer that was edited: what loci wrote since is put back, and what was taken out of it is still out.
TEST_P(Questions, WhatIsTakenOutOfAnOlderBufferMeanwhileIsAskedAboutWithTheRest) {
  nine_entries();
  save(file, numbered(9, {1, 2, 3, 4}));
  loci_writes(file, numbered(9, {1, 2, 3, 4}) + entry_of("e10", "written by loci"));
  perhaps_restart();
  look({file});
  save(file, numbered(9, {1, 2, 3, 4, 5}));
  ASSERT_NE(read(file).find("written by loci"), std::string::npos);
  perhaps_restart();
  const Understood understood = settle();
  ASSERT_EQ(understood.waiting.size(), 1u);
  EXPECT_EQ(understood.waiting[0].gone.size(), 5u);
  EXPECT_TRUE(facts_in_question(*memory)->contains("f-e5"));
  EXPECT_EQ(keep_edits(*memory, file)->deleted.size(), 5u);
}

TEST_P(Questions, WhatIsPutBackMeanwhileIsAskedAboutNoMore) {
  nine_entries();
  save(file, numbered(9, {1, 2, 3, 4}));
  loci_writes(file, numbered(9, {1, 2, 3, 4}) + entry_of("e10", "written by loci"));
  const std::string standing = read(file);
  save(file, numbered(9, {1, 2, 3, 4, 5}) + entry_of("e10", "written by loci"));
  perhaps_restart();
  const Understood understood = save(file, standing);
  ASSERT_EQ(understood.waiting.size(), 1u);
  EXPECT_EQ(understood.waiting[0].gone.size(), 4u);
  EXPECT_EQ(std::ranges::count(understood.waiting[0].gone, "e5", &Absence::id), 0);
}

TEST_P(Questions, WordsAreFiledOnceHoweverOftenTheyAreLookedAt) {
  nine_entries();
  save(file, reworded());
  save(file, reworded({1, 2, 3, 5}));
  for (int i = 0; i < 3; ++i) {
    perhaps_restart();
    settle();
  }
  EXPECT_EQ(times_said("my own words"), 1);
}

TEST_P(Questions, WhatWasAbsentForLongEnoughIsNoMatterOfALaterQuestion) {
  save(file, numbered(9));
  save(file, numbered(9, {9}));
  pass(std::chrono::minutes(11));
  perhaps_restart();
  const Understood understood = save(file, numbered(9, {1, 2, 3, 4, 9}));
  EXPECT_EQ(understood.deleted, Ids{"e9"});
  ASSERT_EQ(understood.waiting.size(), 1u);
  EXPECT_EQ(understood.waiting[0].gone.size(), 4u);
}

TEST_P(Questions, WhatWentAMomentBeforeIsAskedAboutWithTheRest) {
  save(file, numbered(9));
  save(file, numbered(9, {9}));
  perhaps_restart();
  save(file, numbered(9, {1, 2, 3, 4, 9}));
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{});
  const auto open = open_questions(*memory);
  ASSERT_TRUE(open);
  ASSERT_EQ(open->size(), 1u);
  EXPECT_EQ(open->front().question.removed, 5u);
  EXPECT_EQ(open->front().question.touched, 5u);
  ASSERT_EQ(open->front().changes.size(), 5u);
  EXPECT_NE(std::ranges::find(open->front().changes, "fact number 9", &EntryChange::before), open->front().changes.end());
}

TEST_P(Questions, AndComesBackWithIt) {
  save(file, numbered(9));
  save(file, numbered(9, {9}));
  save(file, numbered(9, {1, 2, 3, 4, 9}));
  perhaps_restart();
  ASSERT_TRUE(restore_entries(*memory, file));
  EXPECT_EQ(settle().deleted, Ids{});
  EXPECT_EQ(texts(*memory).size(), 9u);
}

TEST_P(Questions, OrGoesWithIt) {
  save(file, numbered(9));
  save(file, numbered(9, {9}));
  save(file, numbered(9, {1, 2, 3, 4, 9}));
  perhaps_restart();
  EXPECT_EQ(keep_edits(*memory, file)->deleted.size(), 5u);
  EXPECT_EQ(settle().deleted, Ids{});
  EXPECT_EQ(texts(*memory).size(), 4u);
}

TEST_P(Questions, AndIsAbsentAsBeforeIfTheRestIsPutBackByHand) {
  save(file, numbered(9));
  save(file, numbered(9, {9}));
  save(file, numbered(9, {1, 2, 3, 4, 9}));
  perhaps_restart();
  EXPECT_TRUE(save(file, numbered(9, {9})).waiting.empty());
  EXPECT_EQ(settle().deleted, Ids{"e9"});
}

TEST_P(Questions, ALineOfTheCoreThatWentAMomentBeforeComesBackWithTheRest) {
  const auto core_without = [](const std::set<int>& without) {
    std::string lines;
    for (int i = 1; i <= 9; ++i)
      if (!without.contains(i))
        lines += "<!--m {\"ref\":\"e" + std::to_string(i) + "\"}-->\n- fact number " + std::to_string(i) + "\n";
    return "Mine.\n\n<!-- loci:core begin -->\n" + lines + "<!-- loci:core end -->\n";
  };
  save(file, numbered(9));
  save("MEMORY.md", core_without({}));
  save("MEMORY.md", core_without({9}));
  save("MEMORY.md", core_without({1, 2, 3, 4, 9}));
  perhaps_restart();
  ASSERT_TRUE(restore_entries(*memory, "MEMORY.md"));
  EXPECT_EQ(settle().demoted, Ids{});
  for (int i = 1; i <= 9; ++i) EXPECT_NE(read("MEMORY.md").find("- fact number " + std::to_string(i)), std::string::npos) << i;
}

// The first third of a file that loci wrote in one go, as a first run does, is taken out of it.
class AskedAboutMany : public EditsTest {
 protected:
  static std::string path_of(int count) { return "consolidated/of-" + std::to_string(count) + ".md"; }

  static std::string entries(int count, bool all) {
    std::string bytes = "One more.\n\n";
    for (int i = 0; i < count; ++i)
      if (all || i >= count / 3)
        bytes += entry_of("e" + std::to_string(count) + "-" + std::to_string(i), "jar " + std::to_string(i) + ".");
    return bytes;
  }

  void ask_about_third_of(int count) {
    const std::string path = path_of(count);
    save(path, "One more.\n\n");
    loci_writes(path, entries(count, true));
    look({path});
    EXPECT_EQ(save(path, entries(count, false)).waiting.size(), 1U);
  }

  std::chrono::nanoseconds time_of_a_save(int count) {
    ask_about_third_of(count);
    write(path_of(count), entries(count, false) + "And one more.\n");
    EXPECT_TRUE(memory->take_in({path_of(count)}));
    const auto time = processor_time_of([&] { EXPECT_EQ(look({path_of(count)}).waiting.size(), 1U); });
    EXPECT_TRUE(restore_entries(*memory, path_of(count)));
    return time;
  }

  std::chrono::nanoseconds time_of_keeping(int count) {
    ask_about_third_of(count);
    return processor_time_of([&] { EXPECT_TRUE(keep_edits(*memory, path_of(count))); });
  }
};

// Eight times the file; it was more than thirty times the time.
TEST_F(AskedAboutMany, ASaveTakesTimeThatGrowsAsTheFileDoes) {
  const auto few = time_of_a_save(200), many = time_of_a_save(1600);
  EXPECT_LT(many, 24 * few);
}

TEST_F(AskedAboutMany, SoDoesTheAnswer) {
  const auto few = time_of_keeping(200), many = time_of_keeping(1600);
  EXPECT_LT(many, 24 * few);
}

}  // namespace
}  // namespace loci
