#include "importers/encoding.h"

#include <gtest/gtest.h>

namespace loci::importers {
namespace {

using namespace std::string_literals;

std::string read_in_pieces(std::string_view bytes, size_t piece) {
  const auto read = in_utf8([&]() -> Result<std::string_view> {
    const std::string_view next = bytes.substr(0, piece);
    bytes.remove_prefix(next.size());
    return next;
  });
  std::string text;
  while (true) {
    const auto more = read();
    if (!more || more->empty()) return text;
    text += *more;
  }
}

TEST(Encoding, IsToldByTheMarkHoweverTheBytesAreCut) {
  const std::pair<std::string, std::string> files[] = {
      {"", ""},
      {"a", "a"},
      {"plain", "plain"},
      {"\xEF\xBB\xBFr\u00f6", "r\u00f6"},
      {"\xFF\xFE\x72\0\xF6\0\x3C\xD8\x5E\xDF"s, "r\u00f6\U0001F35E"},
      {"\xFE\xFF\0\x72\0\xF6\xD8\x3C\xDF\x5E"s, "r\u00f6\U0001F35E"},
      {"\xFE\xFF", ""},
  };
  for (const auto& [bytes, text] : files) {
    EXPECT_EQ(in_utf8(bytes), text);
    for (size_t piece = 1; piece <= bytes.size() + 1; ++piece) EXPECT_EQ(read_in_pieces(bytes, piece), text) << piece;
  }
}

TEST(Encoding, HalfACharacterBecomesItsReplacement) {
  EXPECT_EQ(in_utf8("\xFF\xFE\x3C\xD8\x61\0"s), "\uFFFDa");
  EXPECT_EQ(in_utf8("\xFF\xFE\x5E\xDF\x61\0"s), "\uFFFDa");
  EXPECT_EQ(in_utf8("\xFF\xFE\x3C\xD8\x3C\xD8\x5E\xDF"s), "\uFFFD\U0001F35E");
  EXPECT_EQ(in_utf8("\xFF\xFE\x61\0\x61"s), "a\uFFFD");
  EXPECT_EQ(in_utf8("\xFF\xFE\x61\0\x3C\xD8"s), "a\uFFFD");
}

}  // namespace
}  // namespace loci::importers
