#include "parser/blocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "parser/parser.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "line type", lines counted from 1.
std::vector<std::string> blocks_of(std::string_view markdown) {
  static constexpr const char* names[] = {"paragraph", "heading", "rule", "item", "quote", "indented", "fenced", "html"};
  const Lines lines(markdown);
  std::vector<std::string> all;
  for (const Block& block : outline_of(lines).blocks)
    all.push_back(std::to_string(block.line + 1) + " " + names[static_cast<size_t>(block.type)] +
                  (block.starts_list ? " first" : ""));
  return all;
}

TEST(Blocks, StartWhereTheyStart) {
  EXPECT_THAT(blocks_of("# a\ntext\n***\n- b\n\n  c\n- d\n> e\n\n    f\n\n```\ng\n```\n<p>\nh\n\nTitle\n=\n"),
              ElementsAre("1 heading", "2 paragraph", "3 rule", "4 item first", "7 item", "8 quote", "10 indented", "12 fenced",
                          "15 html", "18 heading"));
}

TEST(Blocks, TwoListsAreTwo) {
  EXPECT_THAT(blocks_of("- a\n* b\n* c\n1. d\n"), ElementsAre("1 item first", "2 item first", "3 item", "4 item first"));
}

TEST(Blocks, ParagraphsOfDefinitionsKeepTheirPlace) {
  EXPECT_THAT(blocks_of("- a\n\n[b]: /u\n\n[c]: /v\n- d\n"),
              ElementsAre("1 item first", "3 paragraph", "5 paragraph", "6 item first"));
}

TEST(Blocks, AByteOrderMarkInTheMiddleIsText) {
  EXPECT_THAT(blocks_of("\xEF\xBB\xBF# a\n"), ElementsAre("1 paragraph"));
  EXPECT_THAT(blocks_of("\n\xEF\xBB\xBF# a\n"), ElementsAre("2 paragraph"));
}

TEST(Blocks, LineEndsOfEveryKindMayBeMixed) {
  EXPECT_THAT(blocks_of("# a\r# b\r\n# c\n\r# d"), ElementsAre("1 heading", "2 heading", "3 heading", "5 heading"));
  EXPECT_THAT(blocks_of("a\r<<<<<<< x\r# b\r=======\r\n# c\r>>>>>>> y\r# d\r"),
              ElementsAre("1 paragraph", "3 heading", "5 heading", "7 heading"));
}

TEST(Blocks, AnUnclosedMetadataCommentEndsWithItsLine) {
  EXPECT_THAT(blocks_of("<!--m {\n# a\n<!-- b\n# c\n"), ElementsAre("1 html", "2 heading", "3 html"));
}

TEST(Blocks, NothingIsNoBlock) { EXPECT_THAT(blocks_of("\n \n\t\n"), IsEmpty()); }

TEST(Blocks, AreReadByManyThreadsAtOnce) {
  const std::string markdown = "# a\n\n- b\n- c\n\n<!--m {\"id\":\"x\"}-->\n![[]()\n\n| a |\n|---|\n";
  const size_t expected = parse(markdown).entries.size();
  std::vector<size_t> found(8);
  {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < found.size(); ++i)
      threads.emplace_back([&, i] {
        for (int round = 0; round < 50; ++round) found[i] = parse(markdown).entries.size();
      });
  }
  EXPECT_THAT(found, testing::Each(expected));
}

}  // namespace
}  // namespace loci
