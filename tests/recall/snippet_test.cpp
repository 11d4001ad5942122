#include "recall/snippet.h"

#include <gmock/gmock.h>

#include "base/unicode.h"

namespace loci {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string words(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "word ";
  return text;
}

TEST(Snippet, AShortTextIsShownWholeOnOneLine) {
  EXPECT_EQ(snippet_of("a list:\n\n- one\n-  two\n", {"one"}), "a list: - one - two");
  EXPECT_EQ(snippet_of("", {"x"}), "");
}

TEST(Snippet, ALongTextIsCutAroundMostOfTheWords) {
  const std::string text = words(100) + "passphrase alone " + words(100) + "the passphrases rotate " + words(100);
  const std::string snippet = snippet_of(text, {"passphras", "rotat"});
  EXPECT_THAT(snippet, HasSubstr("passphrases rotate"));
  EXPECT_THAT(snippet, StartsWith("…word"));
  EXPECT_THAT(snippet, EndsWith("word…"));
  EXPECT_LE(count_code_points(snippet), snippet_length + 2);
}

TEST(Snippet, WithoutAWordItShowsTheBeginning) {
  EXPECT_THAT(snippet_of("first " + words(100), {"absent"}), StartsWith("first word"));
  EXPECT_THAT(snippet_of("first " + words(100), {}), EndsWith("…"));
}

TEST(Snippet, ShowsTheEndWhereTheWordStandsThere) {
  const std::string snippet = snippet_of(words(100) + "last", {"last"});
  EXPECT_THAT(snippet, EndsWith("last"));
}

TEST(Snippet, CutsBetweenCharactersOfAnyScript) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "語";
  const std::string snippet = snippet_of(text + "数据库" + text, {"数据库"});
  EXPECT_TRUE(is_valid_utf8(snippet));
  EXPECT_THAT(snippet, HasSubstr("数据库"));
  EXPECT_TRUE(is_valid_utf8(snippet_of(std::string(300, '\xff'), {"x"})));
}

}  // namespace
}  // namespace loci
