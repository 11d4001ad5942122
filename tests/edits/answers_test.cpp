#include "edits/answers.h"

#include "edits/resolve.h"
#include "edits/take_back.h"
#include "memory/correct.h"
#include "memory/forget.h"
#include "tests/edits/edits_fixture.h"
#include "vault/logs/chronicle.h"

namespace loci {
namespace {

using Ids = std::vector<std::string>;

constexpr const char* core = "MEMORY.md";

// Twice: with one process throughout, and with another one for what takes the answer back.
class AnAnswer : public Rows {
 protected:
  static std::string core_of(const std::string& lines) {
    return "Mine.\n\n<!-- loci:core begin -->\n" + lines + "<!-- loci:core end -->\n";
  }
  static std::string line_of(int number, const std::string& text) {
    return "<!--m {\"ref\":\"e" + std::to_string(number) + "\"}-->\n- " + text + "\n";
  }
  static std::string lines(int first, int last) {
    std::string bytes;
    for (int i = first; i <= last; ++i) bytes += line_of(i, "fact number " + std::to_string(i));
    return bytes;
  }

  // What a person is asked, as they read it.
  std::string asked() {
    std::string text;
    const auto open = open_questions(*memory);
    EXPECT_TRUE(open);
    for (const OpenQuestion& one : *open) {
      text += one.question.file + " since " + format_rfc3339(one.question.since) + "\n";
      for (const EntryChange& change : one.changes) text += change.id + ": " + change.before + " -> " + change.after + "\n";
    }
    return text;
  }

  std::string text_of(const std::string& id) {
    const auto entry = find_entry(*memory, id);
    return entry ? entry->text : entry.error().message;
  }

  // The answer, taken back: everything is as it was, and stays so.
  void take_back_and_compare(const std::string& act, const std::string& was_asked, const std::string& name,
                             const std::string& bytes) {
    perhaps_restart();
    const auto back = take_back(*memory, act);
    ASSERT_TRUE(back) << back.error().message;
    for (int i = 0; i < 2; ++i) {
      perhaps_restart();
      EXPECT_EQ(settle().deleted, Ids{});
      EXPECT_EQ(asked(), was_asked);
      EXPECT_EQ(std::filesystem::exists(folder / "vault" / name) ? read(name) : std::string("gone"), bytes);
    }
    EXPECT_EQ(Chronicle::read(memory->vault())->removed_ids(), (Ids{}));
  }

  // Four of nine went, and one says something else.
  std::string much_at_once() {
    save(file, numbered(9));
    std::string bytes = numbered(9, {1, 2, 3, 4});
    bytes.replace(bytes.find("fact number 5"), 13, "my own words");
    save(file, bytes);
    return bytes;
  }
};

TEST_P(AnAnswer, ToKeepIsTakenBack) {
  const std::string bytes = much_at_once(), was = asked();
  const auto kept = keep_edits(*memory, file);
  ASSERT_TRUE(kept);
  ASSERT_EQ(kept->deleted.size(), 4u);
  take_back_and_compare(kept->act, was, file, bytes);
  ASSERT_TRUE(restore_entries(*memory, file));  // and answered otherwise
  EXPECT_EQ(texts(*memory).size(), 9u);
  EXPECT_EQ(asked(), "");
}

TEST_P(AnAnswer, ToRestoreIsTakenBackAndThePersonsWordsStandAgain) {
  const std::string bytes = much_at_once(), was = asked();
  const auto restored = restore_entries(*memory, file);
  ASSERT_TRUE(restored);
  ASSERT_EQ(read(file), numbered(9));
  take_back_and_compare(restored->act, was, file, bytes);
  EXPECT_EQ(keep_edits(*memory, file)->deleted.size(), 4u);
  EXPECT_EQ(text_of("e5"), "my own words");
}

TEST_P(AnAnswer, IsTakenBackAlsoWhereLociHasWrittenToTheFileWhileItWasAsked) {
  much_at_once();
  ASSERT_TRUE(correct(*memory, "e7", "Otherwise.", {Source::user, "user"}));
  settle();
  const std::string bytes = read(file), was = asked();
  const auto restored = restore_entries(*memory, file);
  ASSERT_TRUE(restored);
  perhaps_restart();
  ASSERT_TRUE(take_back(*memory, restored->act));
  for (int i = 0; i < 2; ++i) {
    perhaps_restart();
    settle();
    EXPECT_EQ(asked(), was);
    EXPECT_EQ(read(file), bytes);
  }
}

TEST_P(AnAnswer, AboutAFileThatIsGoneIsTakenBack) {
  save(file, numbered(2));
  std::filesystem::remove(folder / "vault" / file);
  look({file});
  const std::string was = asked();
  ASSERT_NE(was, "");
  const auto restored = restore_entries(*memory, file);
  ASSERT_TRUE(restored);
  take_back_and_compare(restored->act, was, file, "gone");
  const auto kept = keep_edits(*memory, file);
  ASSERT_TRUE(kept);
  take_back_and_compare(kept->act, was, file, "gone");
}

TEST_P(AnAnswer, AboutTheCoreIsTakenBackWithWhatItDemotedAndCorrected) {
  save(file, numbered(9));
  save(core, core_of(lines(1, 9)));
  const std::string bytes = core_of(lines(1, 4) + line_of(5, "Otherwise.") + line_of(6, "Otherwise too."));
  save(core, bytes);
  const std::string was = asked();
  const auto kept = keep_edits(*memory, core);
  ASSERT_TRUE(kept);
  ASSERT_EQ(kept->demoted.size(), 3u);
  ASSERT_EQ(kept->corrected.size(), 2u);
  perhaps_restart();
  ASSERT_TRUE(take_back(*memory, kept->act));
  perhaps_restart();
  settle();
  EXPECT_EQ(asked(), was);
  EXPECT_EQ(read(core), bytes);
  EXPECT_EQ(text_of("e5"), "fact number 5");
  EXPECT_EQ(text_of("e6"), "fact number 6");
  const auto again = keep_edits(*memory, core);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->demoted, kept->demoted);
  EXPECT_EQ(again->corrected, kept->corrected);
  EXPECT_FALSE(find_entry(*memory, "e5"));
  EXPECT_NE(read(core).find("- Otherwise.\n"), std::string::npos);
}

TEST_P(AnAnswer, ThatIsTakenBackBringsBackNoLineThatAPersonHadTakenOutOfTheCore) {
  for (const bool was_settled : {true, false}) {
    SCOPED_TRACE(was_settled);
    save(file, numbered(9));
    save(core, core_of(lines(1, 9)));
    settle();
    save(core, core_of(lines(2, 9)));  // not that one any more
    if (was_settled) settle();
    pass(std::chrono::minutes(1));
    save(file, numbered(9, {1, 2, 3, 4}));
    const auto kept = keep_edits(*memory, file);
    ASSERT_TRUE(kept);
    perhaps_restart();
    look();
    ASSERT_TRUE(take_back(*memory, kept->act));
    ASSERT_TRUE(restore_entries(*memory, file));
    settle();
    EXPECT_TRUE(Chronicle::read(memory->vault())->is_demoted("e1"));
    EXPECT_EQ(text_of("e1"), "fact number 1");
    std::filesystem::remove_all(memory->vault().root() / ".loci");
    std::filesystem::remove_all(memory->vault().state_folder());
    restart();
  }
}

TEST_P(AnAnswer, ToAConflictIsTakenBackAndTheMarkersStandAgain) {
  const std::string bytes =
      entry_of("a", "one") + "<<<<<<< HEAD\n" + entry_of("b", "two") + "=======\n" + entry_of("c", "three") + ">>>>>>> branch\n";
  write(file, bytes);
  const auto merged = merge_conflicts(*memory, file, {[](const Disagreement&) { return Side::ours; }});
  ASSERT_TRUE(merged);
  ASSERT_EQ(texts(*memory).size(), 3u);
  perhaps_restart();
  ASSERT_TRUE(take_back(*memory, merged->act));
  perhaps_restart();
  settle();
  EXPECT_EQ(read(file), bytes);
  ASSERT_EQ(open_questions(*memory)->size(), 1u);
  ASSERT_TRUE(merge_conflicts(*memory, file, {[](const Disagreement&) { return Side::theirs; }}));
  EXPECT_EQ(texts(*memory), (Texts{"one", "three", "two"}));
}

TEST_P(AnAnswer, ThatADeletedEntryCountsIsTakenBackWithTheMergeThatGaveIt) {
  write(file, entry_of("a", "one"));
  ASSERT_TRUE(memory->bring_up_to_date());
  ASSERT_TRUE(forget(*memory, {"a"}, {}));
  write(file, entry_of("b", "two") + "<<<<<<< HEAD\n=======\n<!--m {\"id\":\"a\"}-->\nuno\n\n>>>>>>> branch\n");
  const auto merged = merge_conflicts(*memory, file, {[](const Disagreement&) { return Side::theirs; }});
  ASSERT_TRUE(merged);
  ASSERT_FALSE(Chronicle::read(memory->vault())->is_removed("a"));
  perhaps_restart();
  ASSERT_TRUE(take_back(*memory, merged->act));
  EXPECT_TRUE(Chronicle::read(memory->vault())->is_removed("a"));
}

TEST_P(AnAnswer, AboutEntriesThatStandNowhereIsTakenBack) {
  settle_in_ledger("r1", "c1", hash_of_text("lost words"));
  write(file, numbered(2));
  look();
  const std::string was = asked();
  ASSERT_NE(was, "");
  const auto restored = restore_entries(*memory, file);
  ASSERT_TRUE(restored);
  ASSERT_EQ(read_logs(memory->vault())->ledger.back().outcome, LedgerEntry::Outcome::undone);
  take_back_and_compare(restored->act, was, file, numbered(2));
  const LedgerEntry last = read_logs(memory->vault())->ledger.back();
  EXPECT_EQ(last.outcome, LedgerEntry::Outcome::added);
  EXPECT_EQ(last.entry, "c1");
}

TEST_P(AnAnswer, IsWantedNoMoreWhenWhatStoodNowhereStandsAgainOrEndedElsewhere) {
  for (const char* id : {"c1", "c2"}) settle_in_ledger("r1", id, hash_of_text("lost words"));
  write(file, numbered(2));
  look();
  ASSERT_NE(asked(), "");
  ASSERT_TRUE(append_tombstones(memory->vault(), {{clock.now(), "c2", {}, Tombstone::Reason::deleted, "user", {}}}));
  perhaps_restart();
  look({file});
  EXPECT_NE(asked(), "") << "one is missing still";
  save(file, numbered(2) + entry_of("c1", "lost words"));
  EXPECT_EQ(asked(), "");
}

TEST_P(AnAnswer, IsNotTakenBackOverWhatWasSavedSince) {
  much_at_once();
  const auto restored = restore_entries(*memory, file);
  ASSERT_TRUE(restored);
  const std::string since = read(file) + "a line of today\n";
  save(file, since);
  perhaps_restart();
  EXPECT_EQ(take_back(*memory, restored->act).error().code, ErrorCode::refused);
  EXPECT_EQ(read(file), since);
  EXPECT_EQ(asked(), "");
}

TEST_P(AnAnswer, IsTakenBackOnce) {
  much_at_once();
  const auto kept = keep_edits(*memory, file);
  ASSERT_TRUE(kept);
  ASSERT_TRUE(take_back(*memory, kept->act));
  perhaps_restart();
  EXPECT_EQ(take_back(*memory, kept->act).error().code, ErrorCode::refused);
  ASSERT_TRUE(keep_edits(*memory, file));
}

TEST_P(AnAnswer, IsKeptForItsOwnerAlone) {
  much_at_once();
  const auto kept = keep_edits(*memory, file);
  ASSERT_TRUE(kept);
  const path answers = memory->vault().state_folder() / "edits" / "answers";
  for (const auto& item : std::filesystem::recursive_directory_iterator(answers)) {
    const auto open = item.status().permissions() & (std::filesystem::perms::group_all | std::filesystem::perms::others_all);
    EXPECT_EQ(open, std::filesystem::perms::none) << item.path();
  }
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutARestart, AnAnswer, testing::Bool(),
                         [](const auto& row) { return row.param ? "Restarted" : "OneProcess"; });

}  // namespace
}  // namespace loci
