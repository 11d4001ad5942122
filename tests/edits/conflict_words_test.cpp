#include "edits/resolve.h"
#include "tests/edits/edits_fixture.h"

namespace loci {
namespace {

constexpr const char* person = "user.md";

ConflictAnswers with_side(Side side) {
  return {[side](const Disagreement&) { return std::optional(side); }, {}, {}, true};
}

ConflictAnswers with_text(const std::string& text) {
  const auto used = std::make_shared<bool>(false);
  return {[](const Disagreement&) { return std::optional<Side>(); },
          [text, used](const Disagreement&) { return std::exchange(*used, true) ? std::nullopt : std::optional(text); },
          {},
          true};
}

class ConflictWordsTest : public EditsTest {
 protected:
  static std::string between_markers(const std::string& ours, const std::string& theirs) {
    return "<<<<<<< one\n" + ours + "=======\n" + theirs + ">>>>>>> other\n";
  }
  // What the file says after that answer; what was said instead of it, if it is none.
  std::string answered(const std::string& name, const std::string& bytes, const ConflictAnswers& answers) {
    write(name, bytes);
    const auto resolved = merge_conflicts(*memory, name, answers);
    if (!resolved) return resolved.error().message;
    return resolved->undecided.empty() ? read(name) : std::to_string(resolved->undecided.size()) + " undecided";
  }
};

TEST_F(ConflictWordsTest, AnAnswerCountsForWordsWithoutAnId) {
  const std::string bytes = "# User\n\n" + between_markers("I work at A.\n", "I work at B.\n") + "\nI sail.\n";
  EXPECT_EQ(answered(person, bytes, with_side(Side::ours)), "# User\n\nI work at A.\n\nI sail.\n");
  EXPECT_EQ(answered(person, bytes, with_side(Side::theirs)), "# User\n\nI work at B.\n\nI sail.\n");
  EXPECT_EQ(answered(person, bytes, with_side(Side::both)), "# User\n\nI work at A.\n\nI work at B.\n\nI sail.\n");
  EXPECT_EQ(answered(person, bytes, with_text("I work at A and B.")), "# User\n\nI work at A and B.\n\nI sail.\n");
}

TEST_F(ConflictWordsTest, NothingIsWrittenUntilSomebodyChooses) {
  const std::string bytes = between_markers("Red.\n", "Blue.\n");
  const ConflictAnswers nobody{[](const Disagreement&) { return std::optional<Side>(); }};
  EXPECT_EQ(answered(person, bytes, nobody), "1 undecided");
  EXPECT_EQ(read(person), bytes);
}

TEST_F(ConflictWordsTest, OneTextIsNoAnswerToTwoConflicts) {
  const std::string bytes = between_markers("Red.\n", "Blue.\n") + "\nMid.\n\n" + between_markers("Up.\n", "Down.\n");
  for (const char* name : {person, "notes/plan.md", file}) {
    EXPECT_EQ(answered(name, bytes, with_text("Both.")), "1 undecided") << name;
    EXPECT_EQ(answered(name, bytes, with_side(Side::ours)), "Red.\n\nMid.\n\nUp.\n") << name;
    EXPECT_EQ(answered(name, bytes, with_side(Side::theirs)), "Blue.\n\nMid.\n\nDown.\n") << name;
  }
}

TEST_F(ConflictWordsTest, AParagraphOfWhichOneLineIsInConflictIsAskedAboutAsAWhole) {
  const std::string bytes = "One\n" + between_markers("two\n", "zwei\n") + "three.\n\nFour.\n";
  EXPECT_EQ(answered(person, bytes, with_side(Side::theirs)), "One\nzwei\nthree.\n\nFour.\n");
  EXPECT_EQ(answered(person, bytes, with_text("All anew.")), "All anew.\n\nFour.\n");
  const std::string added = "One\n" + between_markers("", "two\n") + "\nFour.\n";
  EXPECT_EQ(answered(person, added, with_side(Side::theirs)), "One\ntwo\n\nFour.\n");
  EXPECT_EQ(answered(person, added, with_side(Side::ours)), "One\n\nFour.\n");
}

TEST_F(ConflictWordsTest, WhatOneSideTookOutGoesWithThatSide) {
  const std::string bytes = "One.\n\n" + between_markers("", "Two.\n\n") + "Three.\n";
  EXPECT_EQ(answered(person, bytes, with_side(Side::ours)), "One.\n\nThree.\n");
  EXPECT_EQ(answered(person, bytes, with_side(Side::theirs)), "One.\n\nTwo.\n\nThree.\n");
}

TEST_F(ConflictWordsTest, ATypedTextTakesThePlaceOfAnItemAsAnItem) {
  const std::string bytes = "- sails\n" + between_markers("- likes tea\n", "- likes coffee\n") + "- runs\n";
  EXPECT_EQ(answered(person, bytes, with_text("likes both")), "- sails\n- likes both\n- runs\n");
}

TEST_F(ConflictWordsTest, EntriesAndWordsOfOneConflictAreAskedAboutApart) {
  const std::string bytes = between_markers(entry_of("a", "red") + "Mine.\n", entry_of("b", "blue") + "Yours.\n");
  const std::string merged = answered(file, bytes, with_side(Side::theirs));
  EXPECT_TRUE(merged.contains("red") && merged.contains("blue") && merged.contains("Yours.")) << merged;
  EXPECT_FALSE(merged.contains("Mine.")) << merged;
}

TEST_F(ConflictWordsTest, AnAnswerThatNothingWasAskedForIsAnError) {
  const std::string bytes = between_markers(entry_of("a", "red"), entry_of("b", "blue"));
  for (const auto& answers : {with_text("Green."), with_side(Side::ours), with_side(Side::theirs)}) {
    write(file, bytes);
    const auto resolved = merge_conflicts(*memory, file, answers);
    ASSERT_FALSE(resolved);
    EXPECT_EQ(resolved.error().code, ErrorCode::refused);
    EXPECT_EQ(read(file), bytes);
  }
}

}  // namespace
}  // namespace loci
