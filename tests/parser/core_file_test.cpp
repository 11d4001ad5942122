#include "parser/core_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/unicode.h"
#include "parser/conflict_lines.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* memory =
    "# Memory\n\nMine.\n\n<!-- loci:core begin -->\n<!--m {\"ref\":\"one\"}-->\n- Deploys happen on Fridays.\n"
    "- typed by a person\n<!--m {\"ref\":\"two\"}-->\n- The cat is called Tom.\n<!-- loci:core end -->\n\nMine as well.\n";

TEST(ReadCore, GivesTheLinesWithTheirRefs) {
  const auto core = read_core(memory);
  ASSERT_TRUE(core) << core.error().message;
  EXPECT_EQ(core->begin_line, 5);
  EXPECT_EQ(core->end_line, 11);
  ASSERT_EQ(core->lines.size(), 3U);
  EXPECT_EQ(core->lines[0].ref, "one");
  EXPECT_EQ(core->lines[0].text, "- Deploys happen on Fridays.");
  EXPECT_EQ(core->lines[0].line, 7);
  EXPECT_EQ(core->lines[1].ref, "");
  EXPECT_EQ(core->lines[1].text, "- typed by a person");
  EXPECT_EQ(core->lines[2].ref, "two");
}

TEST(ReadCore, MarkersThatAreNotInOrderAreRefusedWithTheirLines) {
  const std::string begin = "<!-- loci:core begin -->\n", end = "<!-- loci:core end -->\n";
  const struct {
    std::string file, message;
  } cases[] = {{"mine\n", "missing"},
               {"a\n\n" + begin, "end marker is missing; its begin marker stands in line 3"},
               {end, "begin marker is missing; its end marker stands in line 1"},
               {begin + begin + end, "begin marker stands in lines 1, 2"},
               {begin + end + end, "end marker stands in lines 2, 3"},
               {end + begin, "line 1, before its begin marker in line 2"}};
  for (const auto& one : cases) {
    for (const auto& refused : {read_core(one.file).error(), remove_core_lines(one.file, {"x"}).error()}) {
      EXPECT_EQ(refused.code, ErrorCode::refused);
      EXPECT_THAT(refused.message, HasSubstr(one.message));
      EXPECT_EQ(refused.file, "MEMORY.md");
    }
    EXPECT_EQ(core_injection(one.file).text, one.file == "mine\n" ? "mine" : one.file[0] == 'a' ? "a" : "");
  }
}

TEST(ReadCore, AMarkerInCodeIsText) {
  EXPECT_TRUE(read_core("```\n<!-- loci:core begin -->\n```\n\n<!-- loci:core begin -->\n<!-- loci:core end -->\n"));
}

TEST(RemoveCoreLines, TakesTheLinesOfTheseEntriesAndNothingElse) {
  EXPECT_EQ(*remove_core_lines(memory, {"nobody"}), memory);
  const std::string without_one = *remove_core_lines(memory, {"one"});
  EXPECT_THAT(without_one, HasSubstr("begin -->\n- typed by a person\n<!--m {\"ref\":\"two\"}-->\n- The cat"));
  const std::string without_both = *remove_core_lines(memory, {"two", "one"});
  EXPECT_THAT(without_both, HasSubstr("begin -->\n- typed by a person\n<!-- loci:core end -->\n\nMine as well.\n"));
  EXPECT_THAT(without_both, testing::StartsWith("# Memory\n\nMine.\n\n<!-- loci:core"));
}

TEST(RemoveCoreLines, ALineOutsideTheMarkersIsThePersons) {
  const std::string file = "<!--m {\"ref\":\"one\"}-->\n- x\n\n<!-- loci:core begin -->\n<!-- loci:core end -->\n";
  EXPECT_EQ(*remove_core_lines(file, {"one"}), file);
}

TEST(ReplaceCoreLines, PutsNewLinesBehindWhatAPersonWrote) {
  const std::string replaced =
      *replace_core_lines(memory, {"one", "two"}, {{"three", "Speaks Dutch."}, {"two", "The cat is Tom."}});
  EXPECT_THAT(replaced, HasSubstr("begin -->\n- typed by a person\n<!--m {\"ref\":\"three\"}-->\n- Speaks Dutch.\n"
                                  "<!--m {\"ref\":\"two\"}-->\n- The cat is Tom.\n<!-- loci:core end -->\n\nMine as well.\n"));
  EXPECT_EQ(*replace_core_lines(replaced, {"three", "two"}, {{"three", "Speaks Dutch."}, {"two", "The cat is Tom."}}), replaced);
}

TEST(ReplaceCoreLines, RefusesALineThatWouldNotReadBack) {
  for (const std::string text : {"", "two\nlines", "```", "<!-- loci:core end -->", "<!--m {\"id\":\"x\"}-->"}) {
    const NewCoreLine line{"three", text};
    EXPECT_FALSE(can_be_core_line(line) && !replace_core_lines(memory, {}, {line})) << text;
    if (!can_be_core_line(line)) {
      EXPECT_FALSE(replace_core_lines(memory, {}, {line})) << text;
    } else {
      EXPECT_EQ(read_core(*replace_core_lines(memory, {}, {line}))->lines.size(), 4U) << text;
    }
  }
}

TEST(ReplaceCoreLines, KeepsTheFilesLineEnds) {
  const std::string file = "mine\r\n\r\n<!-- loci:core begin -->\r\n<!-- loci:core end -->\r\n";
  EXPECT_EQ(*replace_core_lines(file, {}, {{"one", "x"}}),
            "mine\r\n\r\n<!-- loci:core begin -->\r\n<!--m {\"ref\":\"one\"}-->\r\n- x\r\n<!-- loci:core end -->\r\n");
}

TEST(CoreInjection, IsThePersonsPartThenTheCore) {
  const CoreInjection injection = core_injection(memory);
  EXPECT_EQ(injection.text,
            "# Memory\nMine.\n\nMine as well.\n\n- Deploys happen on Fridays.\n- typed by a person\n- The cat is called Tom.");
  EXPECT_EQ(injection.characters, count_code_points(injection.text));
  EXPECT_THAT(injection.lost, IsEmpty());
}

TEST(CoreInjection, IsCutAtWholeLinesAndSaysWhatWasLost) {
  std::string file = std::string(7990, 'p') + "\n\n<!-- loci:core begin -->\n- fits\n- does not\n<!-- loci:core end -->\n";
  CoreInjection injection = core_injection(file);
  EXPECT_EQ(injection.characters, 7998U);
  EXPECT_THAT(injection.lost, ElementsAre("- does not"));
  EXPECT_TRUE(injection.text.ends_with("\n\n- fits"));
}

constexpr const char* in_conflict =
    "Mine.\n\n<!-- loci:core begin -->\n<<<<<<< HEAD\n<!--m {\"ref\":\"one\"}-->\n- Ours.\n=======\n<!--m {\"ref\":\"two\"}-->\n"
    "- Theirs.\n>>>>>>> other\n<!--m {\"ref\":\"three\"}-->\n- Beside.\n<!-- loci:core end -->\n";

TEST(CoreInConflict, NothingIsWrittenBetweenGitsMarkers) {
  const std::string bytes = in_conflict, beside = "<!--m {\"ref\":\"three\"}-->\n- Beside.\n";
  const auto with = [&](const std::string& lines) { return std::string(bytes).replace(bytes.find(beside), beside.size(), lines); };
  EXPECT_EQ(*remove_core_lines(bytes, {"one", "two", "three"}), with(""));
  EXPECT_EQ(*edit_core_lines(bytes, {{"one", "- Ours.", std::nullopt}, {"three", "- Beside.", std::nullopt}}), with(""));
  EXPECT_EQ(*replace_core_lines(bytes, {"one"}, {{"four", "New."}}), with(beside + "<!--m {\"ref\":\"four\"}-->\n- New.\n"));
  std::vector<int> lines;
  for (const CoreLine& line : read_core(bytes)->lines) lines.push_back(line.line);
  EXPECT_EQ(release_core_lines(bytes, lines), with("- Beside.\n"));
  EXPECT_EQ(read_core(*remove_core_lines_of_all_sides(bytes, {"one", "two"}))->lines.size(), 1U) << "of what is read alone";
}

TEST(CoreInConflict, NoLineIsPutBetweenThemEither) {
  const std::string bytes =
      "<!-- loci:core begin -->\n<<<<<<< HEAD\n- Ours.\n<!-- loci:core end -->\n=======\n- Theirs.\n>>>>>>> other\n";
  ASSERT_TRUE(read_core(bytes));
  EXPECT_FALSE(replace_core_lines(bytes, {}, {{"one", "New."}}));
}

TEST(CoreInConflict, WhatBothSidesHadBeforeIsInNoPrompt) {
  const std::string bytes =
      "<!-- loci:core begin -->\n<<<<<<< HEAD\n- Ours.\n||||||| base\n- Before.\n=======\n- Theirs.\n>>>>>>> other\n- Beside.\n"
      "<!-- loci:core end -->\n";
  EXPECT_EQ(core_injection(bytes).text, "- Ours.\n- Theirs.\n- Beside.");
}

TEST(LinesInConflict, AreThoseOfEveryEntryThatReachesIntoOne) {
  const std::string bytes =
      "---\ntags: [a]\n---\n\nMine.\n\n<!--m {\"id\":\"a\"}-->\n<<<<<<< HEAD\nred\n||||||| base\ngrey\n=======\nblue\n>>>>>>> x\n\n"
      "Below.\n\n```\n<<<<<<< HEAD\ncode\n=======\ncode\n>>>>>>> x\n```\n";
  EXPECT_THAT(lines_in_conflict(bytes), ElementsAre(9, 13));
  EXPECT_THAT(lines_in_conflict("<<<<<<< HEAD\nred\n=======\nblue\n"), IsEmpty());
}

}  // namespace
}  // namespace loci
