#include "nasty_text.h"

#include <array>

namespace loci {
namespace {

using namespace std::string_view_literals;

constexpr std::array pieces = {
    // white space and line ends
    " "sv, "  "sv, "    "sv, "\t"sv, "\n"sv, "\n"sv, "\n"sv, "\n"sv, "\n"sv, "\n\n"sv, "\r\n"sv, "\r"sv, "\v"sv, "\f"sv, "\u2028"sv,
    "\u00a0"sv,
    // words
    "word"sv, "text of a fact"sv, "é"sv, "日本"sv, "#tag"sv, "\x01"sv, "z"sv,
    // blocks
    "- "sv, "* "sv, "+ "sv, "1. "sv, "0)"sv, "> "sv, "# "sv, "#"sv, "## x"sv, "\n## Heading\n\n"sv, "```"sv, "````"sv, "~~~"sv,
    "`"sv, "```python\n# c\n```"sv, "- ```\n  # x\n  ```"sv, "> ```\n> a"sv, "\n\n    code"sv, "---"sv, "==="sv, "-"sv, "="sv,
    "***"sv, "* * *"sv, "___"sv, "_ _ _"sv, "|"sv, "|---|---|"sv, "[foo]: /url"sv, "[foo]:"sv, "'title'"sv, "\"t"sv, "["sv, "]"sv,
    "!["sv, "("sv, "- - - - "sv,
    // deeper than anything is followed
    "- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - "sv,
    // HTML
    "<"sv, ">"sv, "<div>"sv, "</div>"sv, "<table>"sv, "<script>"sv, "</SCRIPT>"sv, "<Style"sv, "<pre>"sv, "<textarea>"sv, "<?php"sv,
    "?>"sv, "<![CDATA["sv, "]]>"sv, "<!X"sv, "<a href=\"x\">"sv, "<!--"sv, "-->"sv, "<!-- a -->"sv,
    // escapes
    "\\"sv, "\\\\"sv, "\\#"sv, "\\# "sv, "\\```"sv, "\\<!"sv,
    // what loci writes
    "<!--m {\"id\":\"x\"}-->"sv, "\n<!--m {\"id\":\"y\",\"tags\":[\"t\"]}-->\n"sv, "\n<!--m {\"end\":1}-->\n"sv,
    "\n<!--m {\"id\":\"w\",\"end\":1}-->\n"sv, "<!--m {\"id\":"sv, "<!--m {}--> t"sv, "<!--m"sv, "{"sv,
    "\n<!--m {\"Tags\":\"t\"}-->\n"sv, "<!--m {\n\"tags\":[\"t\"]\n"sv, "}-->\n"sv, "\n <!--M{tags:[t],}-->\n"sv,
    "<!-- tags: t -->"sv, "<!--/m-->"sv, "\n<!--/m-->\n"sv, "<!-- loci:core begin -->"sv, "<!-- loci:core end -->"sv,
    // git
    "<<<<<<< HEAD"sv, "\n<<<<<<< a\n"sv, "======="sv, "\n=======\n"sv, ">>>>>>> b"sv, "\n>>>>>>> b\n"sv, "|||||||"sv,
    "\n||||||| c\n"sv, "<<<<<<<"sv,
    // front matter
    "---\na: b\n---\n"sv, "tags: [x, #y]\n"sv, "date: 2026-11-21\n"sv, "...\n"sv, "a: "sv, "+++"sv, "tags:\u00a0x\n"sv,
    "meta:\n  tags: x\n"sv, "---\u00a0\n"sv,
    // heads of files and sections
    "\n#tag\n\n"sv, "\n# A\n#tag\n"sv, "\n### B\n\nTags: t\n"sv, "Tags:\n\n- t\n"sv, "\nT\n===\n"sv, "<div><!-- #t --></div>\n"sv};

constexpr std::array front_pieces = {"{a: b}\n"sv, "? a\n"sv,   "--- # x\n"sv, "tags: *x\n"sv, "&x "sv,   "a: b: c\n"sv,
                                     "a: b\n"sv,   "{tags: "sv, "[x, y]\n"sv,  " a: b\n"sv,    "...\n"sv, "words\n"sv};

constexpr std::array raw_pieces = {"\0"sv, "\xff"sv, "\xc3"sv, "\xe2\x82"sv, "\xef\xbb\xbf"sv, "\xef\xbb"sv, "\x80"sv};

}  // namespace

std::string joined(const Soup& soup) {
  std::string text;
  for (const std::string_view piece : soup) text += piece;
  return text;
}

Soup SoupKitchen::cook(size_t most_pieces) {
  Soup soup(1 + below(most_pieces));
  for (auto& piece : soup) piece = pieces[below(pieces.size())];
  return soup;
}

Soup SoupKitchen::cook_raw(size_t most_pieces) {
  Soup soup = cook(most_pieces);
  for (auto& piece : soup)
    if (below(24) == 0) piece = raw_pieces[below(raw_pieces.size())];
  // Front matter and byte order marks count only at the start.
  if (below(4) == 0) {
    for (size_t pieces_left = below(6); pieces_left > 0; --pieces_left)
      soup.insert(soup.begin(), front_pieces[below(front_pieces.size())]);
    soup.insert(soup.begin(), "---\n"sv);
  }
  if (below(8) == 0) soup.insert(soup.begin(), "\xef\xbb\xbf"sv);
  return soup;
}

Soup shrunk(Soup soup, const std::function<bool(const Soup&)>& fails) {
  for (size_t i = 0; i < soup.size();) {
    Soup smaller = soup;
    smaller.erase(smaller.begin() + static_cast<std::ptrdiff_t>(i));
    if (fails(smaller)) {
      soup = std::move(smaller);
      i = 0;
    } else {
      ++i;
    }
  }
  return soup;
}

std::string shown(std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      out += "\\n\n";
    } else if (byte < 0x20 || byte == 0x7F) {
      out += "\\x";
      out += digits[byte >> 4];
      out += digits[byte & 15];
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace loci
