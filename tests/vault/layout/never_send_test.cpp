#include "vault/layout/never_send.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

using Words = std::vector<std::string>;

TEST(NeverSend, RulesMatchTagsProjectsAndPaths) {
  struct Row {
    std::string rule;
    Words tags;
    std::string project, file;
    bool matches;
  };
  const Row rows[] = {
      {"#private", {"private"}, "", "a.md", true},
      {"#private", {"work", "Private"}, "", "a.md", true},
      {"#private", {"private/health"}, "", "a.md", true},
      {"#private", {"privateer"}, "", "a.md", false},
      {"#private/health", {"private"}, "", "a.md", false},
      {"#private/", {"private"}, "", "a.md", true},
      {"#private", {}, "private", "private/a.md", false},
      {"tag:private", {"private"}, "", "a.md", true},
      {"tag:private", {"Private/health"}, "", "a.md", true},
      {"tag:private", {"privateer"}, "private", "private/a.md", false},
      {" Tag: #private/ ", {"private"}, "", "a.md", true},
      {"project:atlas", {}, "Atlas", "a.md", true},
      {"Project:atlas", {}, "atlas", "a.md", true},
      {"project: atlas", {}, "atlas", "a.md", true},
      {"project:atlas", {"atlas"}, "atlas-2", "atlas/a.md", false},
      {"Diary/**", {}, "", "Diary/2026/a.md", true},
      {"Diary/**", {}, "", "Diary.md", false},
      {"Diary/", {}, "", "Diary/a.md", true},
      {"/Diary", {}, "", "old/Diary/a.md", false},
      {"archive/2026-1?-*.md", {}, "", "archive/2026-11-21.md", true},
      {"*.secret.md", {"secret"}, "secret", "deep/down/keys.secret.md", true},
      {"Diary/**", {"Diary"}, "Diary", "a.md", false},
      // A bare word is a tag, a project and a name in a path.
      {"private", {"private"}, "", "a.md", true},
      {"private", {}, "Private", "a.md", true},
      {"private", {}, "", "notes/private/a.md", true},
      {"private", {"public"}, "open", "a.md", false},
      {"  #private  ", {"private"}, "", "a.md", true},
  };
  for (const Row& row : rows)
    EXPECT_EQ(NeverSend({row.rule}).matches(row.tags, row.project, row.file), row.matches)
        << row.rule << " beside " << row.project << " " << row.file;
}

TEST(NeverSend, OneRuleOfManyIsEnough) {
  const NeverSend rules({"#health", "project:atlas", "Diary/**"});
  EXPECT_TRUE(rules.matches({"x"}, "atlas", "a.md"));
  EXPECT_TRUE(rules.matches({"health"}, "", "a.md"));
  EXPECT_TRUE(rules.matches({}, "", "Diary/a.md"));
  EXPECT_FALSE(rules.matches({"x"}, "other", "a.md"));
}

TEST(NeverSend, NothingTakesARuleBack) {
  EXPECT_TRUE(NeverSend({"Diary/**", "!Diary/**", "!Diary/a.md"}).matches({}, "", "Diary/a.md"));
  EXPECT_TRUE(NeverSend({"#private", "!#private", "!private"}).matches({"private"}, "", "a.md"));
}

TEST(NeverSend, EmptyRulesMatchNothing) {
  for (const char* rule : {"", "  ", "#", "#/", "tag:", "tag:#", "project:", "!", "!x"}) {
    EXPECT_TRUE(NeverSend({rule}).empty()) << rule;
    EXPECT_FALSE(NeverSend({rule}).matches({"", "x"}, "", "a.md")) << rule;
    EXPECT_FALSE(NeverSend({rule}).matches({}, "", "")) << rule;
  }
  EXPECT_TRUE(NeverSend({}).empty());
}

TEST(NeverSend, ARuleOfAFormThatIsUnknownOrThatNamesNothingIsSaidToBeNone) {
  for (const char* rule : {"topic:x", "label: private", "entry:abc/def", "a:b.md", "", " ", "#", "tag:", "tag: #/", "project: "})
    EXPECT_NE(reason_against_rule(rule), "") << rule;
  for (const char* rule : {"#x", "tag:x", "Tag:x", "project:x", "x", "x/y:z.md", "**/a:b.md", "*:*", "!x", "*.md", "C[:]x"})
    EXPECT_EQ(reason_against_rule(rule), "") << rule;
}

}  // namespace
}  // namespace loci
