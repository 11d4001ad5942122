#include "edits/merge_entries.h"

#include <gtest/gtest.h>

#include "parser/parser.h"

namespace loci {
namespace {

using Texts = std::vector<std::string>;

std::string entry(const std::string& id, const std::string& text, const std::string& updated = {}) {
  const std::string date = updated.empty() ? "" : R"(,"updated":")" + updated + "\"";
  return R"(<!--m {"id":")" + id + "\"" + date + "}-->\n" + text + "\n";
}

const ChooseSide nobody = [](const Disagreement&) { return std::nullopt; };
const ChooseSide ours_wins = [](const Disagreement&) { return Side::ours; };
const ChooseSide theirs_wins = [](const Disagreement&) { return Side::theirs; };

std::string merged(const std::string& ours, const std::string& theirs, const ChooseSide& choose = nobody) {
  const auto result = merge_entries(ours, theirs, std::nullopt, choose);
  if (!result) return "refused: " + result.error().message;
  return result->undecided.empty() ? result->bytes : "undecided";
}

TEST(MergeEntries, WhatBothHaveAlikeStandsOnceByteForByte) {
  const std::string file = "# Work\n\n" + entry("a", "one") + "\nmine\n- x\n- y\n";
  EXPECT_EQ(merged(file, file), file);
}

TEST(MergeEntries, WhatOnlyOneSideHasIsKeptWhereItStood) {
  const std::string ours = "# Work\n\n" + entry("a", "one") + "\n" + entry("c", "three");
  const std::string theirs = "# Work\n\n" + entry("a", "one") + "\n" + entry("b", "two") + "\n# Home\n\n" + entry("d", "four");
  EXPECT_EQ(merged(ours, theirs), "# Work\n\n" + entry("a", "one") + "\n" + entry("b", "two") + "\n# Home\n\n" +
                                      entry("d", "four") + "\n" + entry("c", "three"));
}

TEST(MergeEntries, AByteOrderMarkIsNoPartOfWhatAFileSays) {
  const std::string mark = "\xEF\xBB\xBF", ours = "# Work\n\n" + entry("a", "one"), theirs = ours + "\n" + entry("b", "two");
  EXPECT_EQ(merged(mark + ours, theirs), mark + theirs);
  EXPECT_EQ(merged(ours, mark + theirs), theirs);
  EXPECT_EQ(merged(mark + entry("b", "two"), entry("a", "one") + "\n" + entry("b", "two")),
            mark + entry("a", "one") + "\n" + entry("b", "two"));
}

TEST(MergeEntries, ItemsOfAListStayClose) { EXPECT_EQ(merged("- a\n- b\n", "- a\n- c\n- b\n"), "- a\n- c\n- b\n"); }

TEST(MergeEntries, AnItemInFrontOfAParagraphStandsApartFromIt) {
  EXPECT_EQ(merged("<!-- Mine. -->\nA paragraph.\n", "<!-- Mine. -->\n- a\n"), "<!-- Mine. -->\n- a\n\nA paragraph.\n");
}

TEST(MergeEntries, TheSameLineAgainIsAnotherOne) {
  const std::string front = "---\ntags: [home]\n---\n";
  EXPECT_EQ(merged(front + "- a\n", front + "- a\n- b\n"), front + "- a\n- b\n");
  EXPECT_EQ(merged(front + "\nmine\n\n---\n", front + "\nmine\n\n---\n\n" + entry("a", "one")),
            front + "\nmine\n\n---\n\n" + entry("a", "one"));
  EXPECT_EQ(
      merged("# Work\n\n### Notes\n\n# Home\n\n### Notes\n", "# Work\n\n### Notes\n\n# Home\n\n### Notes\n\n" + entry("a", "one")),
      "# Work\n\n### Notes\n\n# Home\n\n### Notes\n\n" + entry("a", "one"));
  EXPECT_EQ(merged(front + "- a\n\n---\n", "- a\n\n---\n\n" + entry("b", "one")), front + "- a\n\n---\n\n" + entry("b", "one"));
}

TEST(MergeEntries, WhichOfTwoEqualHeadingsIsMeantIsToldByWhatFollows) {
  const std::string a = entry("a", "one"), b = entry("b", "two"), c = entry("c", "three"), notes = "### Notes\n\n";
  const std::string base = notes + a + "\n" + notes + b, since = base + "\n" + c;
  const auto both = [&](const std::string& saved, const std::string& wrote = {}) {
    const auto result = merge_entries(saved, wrote.empty() ? since : wrote, base, nobody);
    return result ? result->bytes : result.error().message;
  };
  EXPECT_EQ(both(notes + "Mine.\n\n" + base), notes + "Mine.\n\n" + since) << "one came in front";
  EXPECT_EQ(both(notes + b + "\n" + notes + a), notes + b + "\n" + c + "\n" + notes + a) << "they changed places";
  EXPECT_EQ(both(a + "\n" + notes + b), a + "\n" + notes + b + "\n" + c) << "the first one went";
  EXPECT_EQ(both(notes + b, notes + notes + b + "\n" + c), notes + b + "\n" + c) << "and its entry with it";
}

TEST(MergeEntries, WhatStoodBelowAHeadingThatOurSideRenamedStandsBelowItsNewName) {
  const std::string a = entry("a", "one"), b = entry("b", "two"), c = entry("c", "three");
  const std::string base = "# Work\n\n" + a + "\n# Home\n\n" + b + "\n# Garden\n\n" + c;
  const std::string ours = "# Work\n\n" + a + "\n# House\n\n# Garden\n\n" + c;
  const std::string theirs = "# Work\n\n" + a + "\n# Home\n\n" + entry("n", "anew") + "\n# Garden\n\n" + c;
  const auto result = merge_entries(ours, theirs, base, nobody);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->bytes, "# Work\n\n" + a + "\n# House\n\n" + entry("n", "anew") + "\n# Garden\n\n" + c);
}

TEST(MergeEntries, AnItemThatComesInFrontOfOthersStandsCloseToThem) {
  EXPECT_EQ(merged("# A\n\n- b\n", "# A\n\n- a\n- b\n"), "# A\n\n- a\n- b\n");
}

TEST(MergeEntries, OneEntryWithTwoTextsNeedsAChoice) {
  const std::string ours = entry("a", "red") + "\n" + entry("b", "same"), theirs = entry("a", "blue") + "\n" + entry("b", "same");
  const auto open = merge_entries(ours, theirs, std::nullopt, nobody);
  ASSERT_TRUE(open);
  ASSERT_EQ(open->undecided.size(), 1u);
  EXPECT_EQ(open->undecided[0].id, "a");
  EXPECT_EQ(open->undecided[0].ours, "red");
  EXPECT_EQ(open->undecided[0].theirs, "blue");
  EXPECT_EQ(open->bytes, "");
  EXPECT_EQ(merged(ours, theirs, ours_wins), ours);
  EXPECT_EQ(merged(ours, theirs, theirs_wins), theirs);
}

TEST(MergeEntries, WhatOnlyOneSideChangedIsNoDisagreement) {
  const std::string base = entry("a", "red") + "\n" + entry("b", "up"), ours = entry("a", "blue") + "\n" + entry("b", "up"),
                    theirs = entry("a", "red") + "\n" + entry("b", "down");
  const auto result = merge_entries(ours, theirs, base, nobody);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->bytes, entry("a", "blue") + "\n" + entry("b", "down"));
}

TEST(MergeEntries, ACopyThatGaveUpItsCommentIsTheEntryThatItWas) {
  const std::string rest = "\n" + entry("b", "up"), base = entry("a", "red") + rest, released = "red\n" + rest,
                    reworded = entry("a", "blue") + rest, gone = entry("b", "up");
  const auto both = [&](const std::string& ours, const std::string& theirs) {
    const auto result = merge_entries(ours, theirs, base, nobody);
    return result ? result->bytes : result.error().message;
  };
  EXPECT_EQ(both(released, base), released);
  EXPECT_EQ(both(base, released), released);
  EXPECT_EQ(both(released, reworded), reworded);
  EXPECT_EQ(both(reworded, released), reworded);
  EXPECT_EQ(both(released, released), released);
  EXPECT_EQ(both(released, "Mine.\n\n" + reworded), "Mine.\n\n" + reworded);
  EXPECT_EQ(both(base + "\nred\n", base), base + "\nred\n") << "the same words beside it are others";
  EXPECT_EQ(both(released, gone), released) << "nobody loses words in silence";
}

TEST(MergeEntries, ACopyThatGaveUpItsCommentHasItsTagsBehindItsWords) {
  const std::string comment = R"(<!--m {"id":"a","tags":["home"]}-->)"
                              "\n";
  const auto result = merge_entries(comment + "blue\n", "red #home\n", comment + "red\n", nobody);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->bytes, comment + "blue\n");
}

TEST(MergeEntries, ALineBetweenEntriesThatOurSideTookOutStaysOut) {
  const std::string base = "# Old\n\n" + entry("a", "red"), ours = "# Mine\n\n" + entry("a", "red"),
                    theirs = base + "\n# New\n\n" + entry("b", "up");
  const auto result = merge_entries(ours, theirs, base, nobody);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->bytes, ours + "\n# New\n\n" + entry("b", "up"));
}

TEST(MergeEntries, TheLineEndsAreThoseOfOurSide) {
  EXPECT_EQ(merged("one\r\n\r\ntwo\r\n", "one\n\ntwo\n\n" + entry("a", "red")),
            "one\r\n\r\ntwo\r\n\r\n<!--m {\"id\":\"a\"}-->\r\nred\r\n");
}

TEST(MergeEntries, OfOneTextTheLaterUpdateStands) {
  const std::string early = entry("a", "red", "2026-01-01"), late = entry("a", "red", "2026-02-01");
  EXPECT_EQ(merged(early, late), late);
  EXPECT_EQ(merged(late, early), late);
}

TEST(MergeEntries, TextWithoutMetadataThatDiffersStandsTwice) {
  const auto both = parse(merged("my own words\n", "my other words\n")).entries;
  ASSERT_EQ(both.size(), 2u);
}

TEST(MergeEntries, PromotedLinesAreKnownByTheirRef) {
  const auto core = [](const std::string& lines) { return "<!-- loci:core begin -->\n" + lines + "<!-- loci:core end -->\n"; };
  const std::string one = "<!--m {\"ref\":\"e1\"}-->\n- One.\n", two = "<!--m {\"ref\":\"e2\"}-->\n- Two.\n";
  EXPECT_EQ(merged(core(one), core(two + one)), core(two + one));
}

TEST(SidesOfConflict, EachSideReadsAsBeforeTheMerge) {
  const std::string both = entry("a", "one") + "\n";
  const auto sides = sides_of_conflict(both + "<<<<<<< HEAD\nours\n||||||| base\nold\n=======\ntheirs\n>>>>>>> branch\n\nafter\n");
  ASSERT_TRUE(sides);
  EXPECT_EQ(sides->ours, both + "ours\n\nafter\n");
  EXPECT_EQ(sides->theirs, both + "theirs\n\nafter\n");
  EXPECT_EQ(sides->base, both + "old\n\nafter\n");
}

TEST(SidesOfConflict, AConflictMayLieInsideAnEntry) {
  const std::string meta = "<!--m {\"id\":\"a\"}-->\n";
  const auto sides = sides_of_conflict(meta + "<<<<<<< HEAD\nred\n=======\nblue\n>>>>>>> branch\n");
  ASSERT_TRUE(sides);
  EXPECT_EQ(sides->ours, meta + "red\n");
  EXPECT_EQ(sides->theirs, meta + "blue\n");
  EXPECT_EQ(sides->base, std::nullopt);
}

TEST(SidesOfConflict, MarkersInCodeOrWithoutAnEndAreNone) {
  EXPECT_FALSE(sides_of_conflict("```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n```\n"));
  EXPECT_FALSE(sides_of_conflict("<<<<<<< HEAD\na\n=======\nb\n"));
  EXPECT_FALSE(sides_of_conflict("nothing\n"));
}

}  // namespace
}  // namespace loci
