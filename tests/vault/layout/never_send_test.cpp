#include "vault/layout/never_send.h"

#include <gmock/gmock.h>

#include "parser/parser.h"

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

// What separates tags, what in them is not shown, what stands around them, and how the # is written: all of it together.
TEST(NeverSend, ATagThatIsSeenInAStringIsFoundHoweverItIsWritten) {
  const char* separators[] = {" ",  "  ",     ", ",     ",",      ";",      "\n", "\t",  "，", "、",
                              "；", "\u00A0", "\u3000", "\u2028", "\u202F", " #", " | ", "\v"};
  const char* unseen[] = {"",       "\u200B", "\uFEFF", "\u00AD", "\u200D",     "\u2060",
                          "\u202E", "\u180E", "\u034F", "\u061C", "\U000E0020", "\x02"};
  const std::pair<const char*, const char*> wrappers[] = {
      {"", ""},  {"\"", "\""}, {"'", "'"}, {"“", "”"}, {"[", "]"},   {"(", ")"}, {"「", "」"}, {"/", ""},      {"tag:", ""},
      {"", "."}, {"#", ""},    {"＃", ""}, {"*", "*"}, {"__", "__"}, {"<", ">"}, {"`", "`"},   {"", ",\u200B"}};
  const char* forms[] = {"private", "Private", "PRIVATE", "ｐｒｉｖａｔｅ", "private/health"};
  const NeverSend never({"#private"});
  size_t turn = 0;  // where in the string the tag stands
  for (const std::string separator : separators)
    for (const std::string nothing : unseen)
      for (const auto& [open, close] : wrappers)
        for (const std::string form : forms) {
          const std::string tag = nothing + open + nothing + form.substr(0, 3) + nothing + form.substr(3) + close + nothing;
          const std::string places[] = {"deploy" + separator + tag, tag + separator + "deploy",
                                        "a" + separator + tag + separator + "b"};
          const std::string& written = places[turn++ % std::size(places)];
          ASSERT_TRUE(never.matches({"x", written}, "", "a.md")) << "<" << written << ">";
        }
}

TEST(NeverSend, ATagOfARuleIsTheOneThatIsSeen) {
  for (const char* rule :
       {"#private", "tag:private", "private", "＃Private", "\u00A0#pri\u200Bvate\u3000", "Tag：private", "tag:\u00A0#private"})
    for (const char* tag : {"private", "ｐｒｉｖａｔｅ", "deploy、pri\u2060vate", "\"private\"", "private/health"})
      EXPECT_TRUE(NeverSend({rule}).matches({tag}, "", "a.md")) << rule << " of " << tag;
}

TEST(NeverSend, WhatIsSeenAsAnotherTagIsNone) {
  for (const char* other : {"privateer", "semi-private", "work/private", "privat", "pri vate", "non_private", "私private"})
    EXPECT_FALSE(NeverSend({"#private"}).matches({other}, "", "a.md")) << other;
  EXPECT_FALSE(NeverSend({"#c"}).matches({"cc", "c2"}, "", "a.md"));
}

TEST(NeverSend, ATagWithMarksIsMeantAsATextHasItToo) {
  EXPECT_TRUE(NeverSend({"#c++"}).matches({"C++"}, "", "a.md"));
  EXPECT_TRUE(NeverSend({"#c++"}).matches({"c"}, "", "a.md")) << "what the text has of \"#c++\"";
  EXPECT_FALSE(NeverSend({"#two words"}).matches({"two"}, "", "a.md"));
  EXPECT_TRUE(NeverSend({"#two words"}).matches({"Two\u00A0 words"}, "", "a.md"));
}

TEST(NeverSend, AMarkInATextIsReadAsATagIs) {
  for (const char* rule : {"#private", "private", "tag:Private", "#c++", "#two words"})
    EXPECT_FALSE(NeverSend({rule}).matches_text("private, #privateer, #non-private, #words and c")) << rule;
  for (const char* text : {"#private", "(#private)", "#Private/health", ">#ｐｒｉｖａｔｅ", "\\#pri\u200Bvate"})
    for (const char* rule : {"#private", "private", "tag:Private"})
      EXPECT_TRUE(NeverSend({rule}).matches_text(text)) << rule << text;
  EXPECT_TRUE(NeverSend({"#c++"}).matches_text("(#C++)"));
  EXPECT_FALSE(NeverSend({"project:private", "private/**"}).matches_text("#private"));
}

TEST(NeverSend, WhatHasMoreTagsThanAreKeptMayHaveHadIt) {
  Words tags;
  for (size_t tag = 0; tag + 1 < most_tags; ++tag) tags.push_back("t" + std::to_string(tag));
  EXPECT_FALSE(NeverSend({"#private"}).matches(tags, "", "a.md"));
  tags.push_back("one-more");
  EXPECT_TRUE(NeverSend({"#private"}).matches(tags, "", "a.md"));
  EXPECT_FALSE(NeverSend({"project:private", "private/**"}).matches(tags, "", "a.md"));
}

TEST(NeverSend, ProjectsCompareAsTheyAreSeen) {
  for (const char* rule : {"project:vault x", "project:vault\u00A0x", "Project: vault  x ", "project:va\u00ADult x"})
    for (const char* project : {"vault x", "Vault\u00A0X", "vault  x", "\u200Bvault x ", "ｖａｕｌｔ x"})
      EXPECT_TRUE(NeverSend({rule}).matches({}, project, "a.md")) << rule << " of " << project;
  EXPECT_FALSE(NeverSend({"project:vault x"}).matches({}, "vaultx", "a.md"));
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
  for (const char* rule : {"#x",     "tag:x",   "Tag:x", "project:x", "x",          "x/y:z.md", "**/a:b.md", "*:*",
                           "*.md",   "C[:]x",   "/x",    "/x/",       "x/",         "x/**",     "**",        "**/x",
                           "x/**/y", ".hidden", "x.y",   "two words", "#two words", "[a-c]/x",  "a\\[b/x"})
    EXPECT_EQ(reason_against_rule(rule), "") << rule;
}

TEST(NeverSend, ARuleThatNothingInAVaultCanBeLikeSaysWhatToWriteInstead) {
  const std::pair<const char*, const char*> rules[] = {{"./x/**", "write x/**"},        {"../x", "write x"},
                                                       {"/etc/x", "write etc/x"},       {"/work/**", "write work/**"},
                                                       {"~/x/y.md", "write x/y.md"},    {"x/../y", "write x/y"},
                                                       {"x//y/", "write x/y"},          {".", "name something"},
                                                       {"..", "name something"},        {"/", "name something"},
                                                       {"# private", "write #private"}, {"tag:# private", "write #private"},
                                                       {"!x/**", "leave it out"},       {"!", "leave it out"},
                                                       {"[abc", "no pattern"},          {"x/[a", "no pattern"},
                                                       {"x/y\\", "no pattern"},         {"##private", "#NAME"},
                                                       {"#/private", "#NAME"},          {"#priv*", "#NAME"},
                                                       {"#private/**", "#NAME"},        {"#private, #x", "one rule"},
                                                       {"#private #x", "one rule"},     {"tag:##private", "#NAME"}};
  for (const auto& [rule, hint] : rules) EXPECT_THAT(reason_against_rule(rule), testing::HasSubstr(hint)) << rule;
}

}  // namespace
}  // namespace loci
