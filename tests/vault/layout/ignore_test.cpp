#include "vault/layout/ignore.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

TEST(Ignore, NamesOfEditorsAndSyncToolsAreKnown) {
  struct Case {
    std::string name;
    NameClass name_class;
  };
  for (const auto& [name, name_class] : {Case{"note.md", NameClass::counts},
                                         {"4913.md", NameClass::counts},
                                         {"#todo.md", NameClass::counts},
                                         {"#", NameClass::counts},
                                         {"a~b.md", NameClass::counts},
                                         {"bak.md", NameClass::counts},
                                         {"conflicted.md", NameClass::counts},
                                         {".obsidian", NameClass::hidden},
                                         {".#note.md", NameClass::hidden},
                                         {".note.md.swp", NameClass::hidden},
                                         {"note.md~", NameClass::backup},
                                         {"note.md.bak", NameClass::backup},
                                         {"note.md.swp", NameClass::backup},
                                         {"#note.md#", NameClass::backup},
                                         {"4913", NameClass::backup},
                                         {"note.sync-conflict-20261121-201443-ABCDEFG.md", NameClass::conflict},
                                         {"note (Anna's conflicted copy 2026-11-21).md", NameClass::conflict},
                                         {"memory.loci-conflict-20261121T201443Z.md", NameClass::conflict}})
    EXPECT_EQ(classify_name(name), name_class) << name;
}

TEST(Ignore, MarkdownIsKnownByItsSuffix) {
  for (const char* name : {"a.md", "a.markdown", "README.MD", "a.b.md"}) EXPECT_TRUE(has_markdown_suffix(name)) << name;
  for (const char* name : {"a.txt", "a.mdx", "md", ".md", "a.md~", "sedAbCdEf", "amd"})
    EXPECT_FALSE(has_markdown_suffix(name)) << name;
}

struct PatternCase {
  std::string pattern;
  std::string path;
  bool is_folder;
  bool ignored;
};

// Each line was checked against `git check-ignore`.
TEST(Ignore, APatternMeansWhatItMeansToGit) {
  const std::vector<PatternCase> cases = {
      {"draft.md", "draft.md", false, true},
      {"draft.md", "deep/down/draft.md", false, true},
      {"draft.md", "draft.md.md", false, false},
      {"/draft.md", "draft.md", false, true},
      {"/draft.md", "sub/draft.md", false, false},
      {"sub/draft.md", "sub/draft.md", false, true},
      {"sub/draft.md", "x/sub/draft.md", false, false},
      {"private/", "private", true, true},
      {"private/", "private", false, false},
      {"private/", "a/b/private", true, true},
      {"/private/", "a/private", true, false},
      {"*.tmp.md", "a/x.tmp.md", false, true},
      {"*.tmp.md", "x.tmp", false, false},
      {"a*z.md", "abcz.md", false, true},
      {"sub/*.md", "sub/a.md", false, true},
      {"sub/*.md", "sub/a/b.md", false, false},
      {"?.md", "a.md", false, true},
      {"?.md", "ab.md", false, false},
      {"[a-c].md", "b.md", false, true},
      {"[a-c].md", "d.md", false, false},
      {"[!a-c].md", "d.md", false, true},
      {"**/log.md", "log.md", false, true},
      {"**/log.md", "a/b/log.md", false, true},
      {"a/**", "a/b", true, true},
      {"a/**", "a/b/c.md", false, true},
      {"a/**", "a", true, false},
      {"a/**/z.md", "a/z.md", false, true},
      {"a/**/z.md", "a/b/c/z.md", false, true},
      {"a/**/z.md", "b/a/z.md", false, false},
      {"a/**/m/**/z.md", "a/m/x/m/y/z.md", false, true},
      {"a/**/m/**/z.md", "a/x/y/z.md", false, false},
      {"**", "anything.md", false, true},
      {"\\#hash.md", "#hash.md", false, true},
      {"\\!bang.md", "!bang.md", false, true},
      {"#comment", "#comment", false, false},
      {"", "a.md", false, false},
      {"trail.md   ", "trail.md", false, true},
      {"trail\\ ", "trail ", false, true},
      {"trail\\ ", "trail", false, false},
      {"star\\*.md", "star*.md", false, true},
      {"star\\*.md", "stars.md", false, false},
      {"ünï*.md", "ünïcode.md", false, true},
      {"/", "a.md", false, false},
  };
  for (const auto& [pattern, path, is_folder, ignored] : cases) {
    const auto wanted = ignored ? PathRules::Verdict::ignored : PathRules::Verdict::none;
    EXPECT_EQ(PathRules({pattern}).verdict(path, is_folder), wanted) << "'" << pattern << "' and " << path;
    EXPECT_EQ(PathRules::from_file("\xEF\xBB\xBF" + pattern + "\r\n").verdict(path, is_folder), wanted)
        << "'" << pattern << "' in a file";
  }
}

TEST(Ignore, TheLastPatternThatMatchesDecides) {
  const PathRules rules = PathRules::from_file("*.md\n!keep.md\nkeep.md/\n");
  EXPECT_EQ(rules.verdict("drop.md", false), PathRules::Verdict::ignored);
  EXPECT_EQ(rules.verdict("keep.md", false), PathRules::Verdict::taken_back);
  EXPECT_EQ(rules.verdict("keep.md", true), PathRules::Verdict::ignored);
  EXPECT_EQ(rules.verdict("other.txt", false), PathRules::Verdict::none);
}

TEST(Ignore, ManyStarsStayFast) {
  std::string pattern, path;
  for (int i = 0; i < 60; ++i) {
    pattern += "**/a*a*a*a*b/";
    path += std::string(200, 'a') + '/';
  }
  EXPECT_EQ(PathRules({pattern + "z.md"}).verdict(path + "y.md", false), PathRules::Verdict::none);
}

TEST(Ignore, AFolderThatIsCoveredCoversWhatIsInIt) {
  const PathRules rules({"Clippings/**", "web/", "!Clippings/mine.md"});
  EXPECT_TRUE(covers(rules, "Clippings/a.md"));
  EXPECT_TRUE(covers(rules, "Clippings/a/b.md"));
  EXPECT_TRUE(covers(rules, "notes/web/page.md"));
  EXPECT_FALSE(covers(rules, "Clippings/mine.md"));
  EXPECT_FALSE(covers(rules, "Clippings.md"));
  EXPECT_FALSE(covers(rules, "notes/page.md"));
}

}  // namespace
}  // namespace loci
