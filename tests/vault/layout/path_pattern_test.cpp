#include "vault/layout/path_pattern.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace loci {
namespace {

// Each line was checked against `git check-ignore` (which looks at the folders above as well).
TEST(PathPattern, MeansWhatItMeansToGit) {
  struct Case {
    std::string pattern, path;
    bool matches;
  };
  for (const auto& [pattern, path, matches] : {Case{"a**b", "a/b", false},
                                               {"a**b", "axxb", true},
                                               {"x/a**b", "x/ab", true},
                                               {"x/a**b", "x/a/b", false},
                                               {"**a/b", "xa/b", true},
                                               {"**a/b", "x/a/b", false},
                                               {"a/**/**/b", "a/b", true},
                                               {"a/**/**/b", "a/x/y/b", true},
                                               {"**/**", "a", true},
                                               {"**/a/**", "a", false},
                                               {"**/a/**", "x/a/y/z", true},
                                               {"a/*/c", "a/b/c", true},
                                               {"a/*/c", "a/c", false},
                                               {"a/*/c", "a/b/b/c", false},
                                               {"a?c", "a/c", false},
                                               {"x/a?c", "x/abc", true},
                                               {"x/a?c", "x/a/c", false},
                                               {"x[a/]c", "x/c", false},
                                               {"x/[^b]", "x/a", true},
                                               {"[]]", "]", true},
                                               {"[!]]", "]", false},
                                               {"[a-]", "-", true},
                                               {"x[--0]", "x.", true},
                                               {"[a-c-e]", "d", false},
                                               {"[a-c-e]", "-", true},
                                               {"[\\]a]", "]", true},
                                               {"[[:digit:]x]", "7", true},
                                               {"[[:digit:]x]", "x", true},
                                               {"[[:digit:]x]", "y", false},
                                               {"[[:nope:]]", "n", false},
                                               {"[[:alpha:]-z]", "-", true},
                                               {"[[x]", "[", true},
                                               {"[abc", "[abc", false},
                                               {"[", "[", false},
                                               {"a\\", "a\\", false},
                                               {"\\a", "a", true},
                                               {"a//b", "a/b", false},
                                               {"\xC3?", "\xC3\xBC", true},
                                               {"*", "a", true},
                                               {"/*", "a/b", false}})
    EXPECT_EQ(PathPattern(pattern).matches(path), matches) << "'" << pattern << "' and " << path;
}

TEST(PathPattern, OneOfManyWordsOfStatesMatchesLikeAShortOne) {
  const std::string name(200, 'n');
  std::string pattern = "/a/**/";
  for (int i = 0; i < 3; ++i) pattern += name + '/';
  pattern += "**/*z*.md";
  EXPECT_TRUE(PathPattern(pattern).matches("a/x/" + name + '/' + name + '/' + name + "/y/0z1.md"));
  EXPECT_TRUE(PathPattern(pattern).matches("a/" + name + '/' + name + '/' + name + '/' + name + "/z.md"));
  EXPECT_FALSE(PathPattern(pattern).matches("a/x/" + name + '/' + name + "/y/0z1.md"));
}

TEST(PathPattern, ATooLongOneMatchesNothing) {
  EXPECT_TRUE(PathPattern(std::string(longest_pattern, '*')).matches("a"));
  EXPECT_FALSE(PathPattern(std::string(longest_pattern + 1, '*')).matches("a"));
}

// 300 million steps backwards for a matcher that tries again; a thousand patterns and a path of 4,000 bytes take less than a
// second.
TEST(PathPattern, StarsCostNoMoreThanLetters) {
  std::string pattern, path;
  while (pattern.size() < longest_pattern - 8) pattern += "*a*a?a**";
  while (path.size() < 4000) path += std::string(249, 'a') + '/';
  const PathPattern compiled("**/" + pattern.substr(0, longest_pattern - 5) + "/b");
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(compiled.matches(path));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

}  // namespace
}  // namespace loci
