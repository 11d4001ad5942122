#include "sync/merge_three.h"

#include <gtest/gtest.h>

#include <tuple>

#include "parser/parser.h"
#include "parser/text_hash.h"
#include "sync/merge_notes.h"

namespace loci {
namespace {

std::string sum_of(const std::string& text) { return sum_from_hash(text_hash(text)); }

// As a run writes it.
std::string by_run(const std::string& id, const std::string& text, const std::string& more = {}) {
  return R"(<!--m {"id":")" + id + R"(","sum":")" + sum_of(text) + "\"" + more + "}-->\n" + text + "\n";
}

// The same after a person changed the text.
std::string by_person(const std::string& id, const std::string& was, const std::string& text, const std::string& more = {}) {
  return R"(<!--m {"id":")" + id + R"(","sum":")" + sum_of(was) + "\"" + more + "}-->\n" + text + "\n";
}

// Merged both ways round: the result is the same.
MergedFile merged(const std::string& base, const std::string& ours, const std::string& theirs,
                  const MergeKnowledge& knowledge = {}) {
  auto one = merge_entry_files({base, ours, theirs}, knowledge);
  const auto other = merge_entry_files({base, theirs, ours}, knowledge);
  EXPECT_EQ(one.bytes, other.bytes);
  EXPECT_EQ(one.conflicts, other.conflicts);
  return one;
}

const std::string head = "# Work\n\n";

TEST(MergeThree, WhatEachSideChangedIsTaken) {
  const std::string base = head + by_run("a", "red") + "\n" + by_run("b", "up");
  const std::string ours = head + by_run("a", "blue") + "\n" + by_run("b", "up");
  const std::string theirs = head + by_run("a", "red") + "\n" + by_run("b", "down") + "\nA note of mine.\n";
  const auto both = merged(base, ours, theirs);
  EXPECT_EQ(both.bytes, head + by_run("a", "blue") + "\n" + by_run("b", "down") + "\nA note of mine.\n");
  EXPECT_EQ(both.conflicts, 0u);
}

TEST(MergeThree, WhatOneSideDeletedAndTheOtherDidNotTouchGoes) {
  const std::string base = by_run("a", "red") + "\n" + by_run("b", "up");
  EXPECT_EQ(merged(base, by_run("b", "up"), base + "\n" + by_run("c", "new")).bytes, by_run("b", "up") + "\n" + by_run("c", "new"));
}

TEST(MergeThree, WhatOneSideDeletedAndTheOtherChangedStaysUnlessItWasForgottenAndNoPersonWroteIt) {
  const std::string base = by_run("a", "red") + "\n" + by_run("b", "up"), deleted = by_run("b", "up");
  const std::string by_a_run = by_run("a", "blue") + "\n" + by_run("b", "up");
  const std::string by_hand = by_person("a", "red", "blue") + "\n" + by_run("b", "up");
  const MergeKnowledge forgotten{.is_removed = [](std::string_view id) { return id == "a"; }, .promoted = {}};
  EXPECT_EQ(merged(base, deleted, by_a_run).bytes, by_a_run);
  EXPECT_EQ(merged(base, deleted, by_a_run, forgotten).bytes, deleted);
  EXPECT_EQ(merged(base, deleted, by_hand, forgotten).bytes, by_hand);
}

TEST(MergeThree, WhatWasForgottenElsewhereStaysIfItSaysWhatAFactSaysThatStands) {
  const std::string base = by_run("a", "red", R"(,"from":["f1"])") + "\n" + by_run("b", "up"), deleted = by_run("b", "up");
  const std::string filed = by_run("a", "blue", R"(,"from":["f1","f2"])") + "\n" + by_run("b", "up");
  MergeKnowledge knowledge{.is_removed = [](std::string_view id) { return id == "a"; }, .promoted = {}};
  for (const bool stands : {true, false}) {
    knowledge.says_standing_fact = [&](const Metadata& entry, std::string_view hash) {
      return stands && entry.id == "a" && entry.from.back() == "f2" && hash == text_hash("blue").substr(0, hash.size());
    };
    EXPECT_EQ(merged(base, deleted, filed, knowledge).bytes, stands ? filed : deleted);
  }
}

TEST(MergeThree, APersonsTextBeatsARuns) {
  const std::string base = by_run("a", "red", R"(,"from":["f1"])");
  const std::string hand = by_person("a", "red", "crimson", R"(,"from":["f1"])"),
                    run = by_run("a", "red and blue", R"(,"from":["f1","f2"])");
  const auto both = merged(base, hand, run);
  EXPECT_EQ(both.bytes, hand);
  EXPECT_EQ(both.conflicts, 0u);
}

TEST(MergeThree, OfTwoRunsTheTextThatRestsOnMoreFactsStandsWithItsFactsAlone) {
  const std::string base = by_run("a", "red", R"(,"from":["f1"])");
  const std::string more = by_run("a", "red, blue, green", R"(,"from":["f1","f2","f3"])"),
                    less = by_run("a", "red and black", R"(,"from":["f1","f4"])");
  EXPECT_EQ(merged(base, more, less).bytes, more);
}

TEST(MergeThree, TwoPersonsTextsBothStandBetweenMarkersAroundThatEntryAlone) {
  const std::string base = head + by_run("a", "red") + "\n" + by_run("b", "up");
  const std::string ours = head + by_person("a", "red", "blue") + "\n" + by_run("b", "up"),
                    theirs = head + by_person("a", "red", "green") + "\n" + by_run("b", "down");
  const auto both = merged(base, ours, theirs);
  EXPECT_EQ(both.conflicts, 1u);
  EXPECT_EQ(both.bytes, head + "<<<<<<< one\n" + by_person("a", "red", "blue") + "=======\n" + by_person("a", "red", "green") +
                            ">>>>>>> other\n\n" + by_run("b", "down"));
}

TEST(MergeThree, AConflictThatOneSideResolvedIsResolved) {
  const std::string base = by_run("a", "red");
  const std::string conflict = merged(base, by_person("a", "red", "blue"), by_person("a", "red", "green")).bytes;
  const std::string resolved = by_person("a", "red", "blue or green");
  const auto both = merged(conflict, resolved, conflict + "\n" + by_run("b", "new"));
  EXPECT_EQ(both.bytes, resolved + "\n" + by_run("b", "new"));
  EXPECT_EQ(both.conflicts, 0u);
}

TEST(MergeThree, AConflictThatBothSidesResolvedAlikeIsResolvedAndOtherwiseBothAnswersStand) {
  const std::string conflict = merged(by_run("a", "red"), by_person("a", "red", "blue"), by_person("a", "red", "green")).bytes;
  const std::string blue = by_person("a", "red", "blue"), green = by_person("a", "red", "green");
  EXPECT_EQ(merged(conflict, blue, blue).bytes, blue);
  const auto apart = merged(conflict, blue, green);
  EXPECT_NE(apart.bytes.find("blue"), std::string::npos);
  EXPECT_NE(apart.bytes.find("green"), std::string::npos);
}

TEST(MergeThree, AThirdTextOfAnEntryInConflictStandsBesideTheTwo) {
  const std::string base = by_run("a", "red");
  const std::string conflict = merged(base, by_person("a", "red", "blue"), by_person("a", "red", "green")).bytes;
  const auto three = merged(base, conflict, by_person("a", "red", "white"));
  for (const char* text : {"blue", "green", "white"}) EXPECT_NE(three.bytes.find(text), std::string::npos) << three.bytes;
  EXPECT_EQ(three.conflicts, 1u);
}

TEST(MergeThree, UnknownKeysOfBothSidesAreKept) {
  const std::string base = by_run("a", "red", R"(,"x":1)");
  const std::string ours = by_run("a", "red", R"(,"x":2,"ours":"o")"), theirs = by_run("a", "red", R"(,"x":1,"theirs":["t"])");
  EXPECT_EQ(merged(base, ours, theirs).bytes, by_run("a", "red", R"(,"ours":"o","theirs":["t"],"x":2)"));
}

TEST(MergeThree, NewEntriesStandInTheOrderInWhichTheyWereFirstSeenWhoeverMerges) {
  const std::string base = by_run("a", "red"), first = R"(,"first_seen":"2026-11-01")", second = R"(,"first_seen":"2026-11-02")",
                    third = R"(,"first_seen":"2026-11-03")";
  const std::string ours = base + "\n" + by_run("p", "one", first) + "\n" + by_run("q", "three", third),
                    theirs = base + "\n" + by_run("z", "two", second);
  EXPECT_EQ(merged(base, ours, theirs).bytes,
            base + "\n" + by_run("p", "one", first) + "\n" + by_run("z", "two", second) + "\n" + by_run("q", "three", third));
}

TEST(MergeThree, TheSideThatAloneReorderedWins) {
  const std::string a = by_run("a", "red") + "\n", b = by_run("b", "up") + "\n", c = by_run("c", "left") + "\n";
  EXPECT_EQ(merged(a + b + c, c + a + b, a + by_run("b", "down") + "\n" + c).bytes, c + a + by_run("b", "down"));
}

TEST(MergeThree, OneParagraphOfAPersonsThatBothChangedIsAConflictOfThatParagraph) {
  const auto both =
      merged("Mine.\n\n" + by_run("a", "red"), "Mine, here.\n\n" + by_run("a", "red"), "Mine, there.\n\n" + by_run("a", "blue"));
  EXPECT_EQ(both.bytes, "<<<<<<< one\nMine, here.\n=======\nMine, there.\n>>>>>>> other\n\n" + by_run("a", "blue"));
  EXPECT_EQ(both.conflicts, 1u);
}

TEST(MergeThree, AThirdParagraphInThePlaceOfTwoStandsBetweenTheMarkersWithThem) {
  const auto file = [](const std::string& text) { return "# Me\n\nI live here.\n\n" + text + "\nI have a cat.\n"; };
  const std::string base = file("I eat plums.\n");
  const std::vector<std::string> texts = {"I eat apples.\n", "I eat cherries.\n", "I eat pears.\n"};
  for (const auto& [first, second, third] : {std::tuple{0, 1, 2}, {1, 2, 0}, {0, 2, 1}}) {
    const auto two = merged(base, file(texts[first]), file(texts[second]));
    const auto all = merged(base, two.bytes, file(texts[third]));
    EXPECT_EQ(texts_between_markers(all.bytes), std::vector({file(texts[0]), file(texts[1]), file(texts[2])})) << all.bytes;
    EXPECT_EQ(merged(two.bytes, file(texts[first]), two.bytes).bytes, file(texts[first])) << "answered on one side";
    EXPECT_EQ(merged(two.bytes, file(texts[first]), all.bytes).bytes, merged(base, file(texts[first]), file(texts[third])).bytes)
        << "one side has answered, the other one has got a third text";
    EXPECT_EQ(merged(all.bytes, file(texts[third]), all.bytes).bytes, file(texts[third]));
  }
}

TEST(MergeThree, ACoreKeepsThePromotionsOfBothSides) {
  const auto core = [](const std::string& lines) {
    return "# Memory\n\nMine.\n\n<!-- loci:core begin -->\n" + lines + "<!-- loci:core end -->\n";
  };
  const std::string a = "<!--m {\"ref\":\"a\"}-->\n- Red.\n", b = "<!--m {\"ref\":\"b\"}-->\n- Up.\n",
                    c = "<!--m {\"ref\":\"c\"}-->\n- Left.\n";
  EXPECT_EQ(merged(core(a), core(a + b), core(a + c)).bytes, core(a + b + c));
  EXPECT_EQ(merged(core(a + b), core(a), core(a + b + c)).bytes, core(a + c));
}

TEST(MergeThree, OfALineOfTheCoreThatBothChangedThePersonsWordingStandsIfItIsKnownWhichThatIs) {
  const auto line = [](const std::string& text) { return "<!--m {\"ref\":\"a\"}-->\n- " + text + "\n"; };
  const std::string run_hash = stored_text_hash("- By a run.");
  const MergeKnowledge knowledge{.is_removed = {},
                                 .promoted = [&](std::string_view, std::string_view hash) { return hash == run_hash; }};
  EXPECT_EQ(merged(line("Red."), line("By a run."), line("By hand."), knowledge).bytes, line("By hand."));
  EXPECT_EQ(merged(line("Red."), line("By a run."), line("By hand.")).conflicts, 1u);
}

// It is a person's too, if the line only followed what they made of its entry.
TEST(MergeThree, OfTwoPersonsWordingsOfALineBothStand) {
  const auto line = [](const std::string& text) { return "<!--m {\"ref\":\"a\"}-->\n- " + text + "\n"; };
  const std::string followed = stored_text_hash("- In the entry.");
  const auto is_followed = [&](std::string_view ref, std::string_view hash) { return ref == "a" && hash == followed; };
  const MergeKnowledge knowledge{.is_removed = {}, .promoted = is_followed, .only_followed = is_followed};
  const auto both = merged(line("Red."), line("In the entry."), line("By hand."), knowledge);
  EXPECT_EQ(both.conflicts, 1u);
  EXPECT_NE(both.bytes.find("In the entry."), std::string::npos);
  EXPECT_NE(both.bytes.find("By hand."), std::string::npos);
}

TEST(MergeThree, WhatIsNoEntryFileAtAllIsStillNotLost) {
  const auto both = merged("", "```\nopen fence here\n" + by_run("a", "red"), "other `text`\n\n<div>\n\nx\n");
  for (const char* text : {"open fence here", "red", "other `text`", "<div>"})
    EXPECT_NE(both.bytes.find(text), std::string::npos) << both.bytes;
}

TEST(MergeThree, LinesOfLogsAreThoseOfBothSidesOnce) {
  const ThreeVersions versions{"1\n2\n", "1\n2\n5\n4\n", "1\n2\n3\n4\n"};
  EXPECT_EQ(merge_lines(versions).bytes, "1\n2\n3\n4\n5\n");
  EXPECT_EQ(merge_lines({versions.base, versions.theirs, versions.ours}).bytes, "1\n2\n3\n4\n5\n");
}

}  // namespace
}  // namespace loci
