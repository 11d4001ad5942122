#include "sync/merge_notes.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

using Texts = std::vector<std::string>;

const std::string base = "# Log\n\nStart.\n";

// Merged both ways round: the result is the same.
std::string merged(const std::string& was, const std::string& ours, const std::string& theirs) {
  const auto one = merge_texts({was, ours, theirs}), other = merge_texts({was, theirs, ours});
  EXPECT_EQ(one.bytes, other.bytes);
  EXPECT_TRUE(can_be_resolved(one.bytes)) << one.bytes;
  EXPECT_EQ(one.conflicts, one.bytes.contains("<<<<<<<") ? 1u : 0u);
  return one.bytes;
}

TEST(MergeNotes, OnlyWhatIsNotTheSameEverywhereStandsBetweenMarkers) {
  EXPECT_EQ(merged(base, base + "\nA.\n\nEnd.\n", base + "\nB.\n\nEnd.\n"),
            base + "\n<<<<<<< one\nA.\n=======\nB.\n>>>>>>> other\n\nEnd.\n");
}

TEST(MergeNotes, AThirdTextAndAFourthFollowTheTwo) {
  const std::string two = merged(base, base + "\nA.\n", base + "\nB.\n");
  const std::string three = merged(base, two, base + "\nC.\n");
  EXPECT_EQ(texts_between_markers(three), (Texts{base + "\nA.\n", base + "\nB.\n", base + "\nC.\n"})) << three;
  const std::string four = merged(base, three, base + "\nD.\n");
  EXPECT_EQ(texts_between_markers(four).size(), 4u) << four;
  EXPECT_EQ(merged(base, two, merged(base, base + "\nC.\n", base + "\nD.\n")), four);
  EXPECT_EQ(merged(base, three, three), three);
}

TEST(MergeNotes, WhatOneSideResolvedStaysSo) {
  const std::string two = merged(base, base + "\nA.\n", base + "\nB.\n");
  EXPECT_EQ(merged(two, base + "\nA.\n", two), base + "\nA.\n");
  EXPECT_EQ(merged(two, base + "\nA and B.\n", two), base + "\nA and B.\n");
  EXPECT_EQ(texts_between_markers(merged(two, base + "\nA.\n", base + "\nB.\n")).size(), 2u);
}

TEST(MergeNotes, MarkersDoNotStandInCode) {
  const std::string was = "```\nred\n```\n", ours = "```\ngreen\n```\n", theirs = "```\nblue\n```\n";
  EXPECT_EQ(merged(was, ours, theirs), "<<<<<<< one\n" + theirs + "=======\n" + ours + ">>>>>>> other\n");
}

TEST(MergeNotes, MarkersWithinMarkersCannotBeResolved) {
  const std::string inner = "<<<<<<< one\nA\n=======\nB\n>>>>>>> other\n";
  EXPECT_TRUE(can_be_resolved(inner));
  EXPECT_TRUE(can_be_resolved("no conflict\n"));
  EXPECT_FALSE(can_be_resolved("<<<<<<< ours\n" + inner + "=======\nC\n>>>>>>> theirs\n"));
  EXPECT_FALSE(can_be_resolved("<<<<<<< one\nA\n=======\n<<<<<<< ours\nB\n=======\nC\n>>>>>>> theirs\n>>>>>>> other\n"));
}

}  // namespace
}  // namespace loci
