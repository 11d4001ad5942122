// What loci needs to know about Unicode, over utf8proc. Pure functions; thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace loci {

// The byte offset of the first invalid UTF-8 sequence; text.size() if there is none.
size_t find_invalid_utf8(std::string_view text);
inline bool is_valid_utf8(std::string_view text) { return find_invalid_utf8(text) == text.size(); }

// Every byte of an invalid sequence, and every NUL, becomes U+FFFD.
std::string scrub_utf8(std::string_view text);

// Normalisation form C. Invalid UTF-8 comes back as it went in.
std::string nfc(std::string_view text);

// Unicode code points in valid UTF-8.
size_t count_code_points(std::string_view text);

// The code point at `position`, which moves behind it. An invalid byte is U+FFFD and one byte long. position < text.size().
char32_t decode_code_point(std::string_view text, size_t& position);
void append_code_point(std::string& out, char32_t code_point);

enum class CharacterClass : std::uint8_t {
  space,        // white space, controls
  punctuation,  // punctuation and symbols that are no emoji
  word,         // letters and digits
  mark,         // combining marks and joiners: part of what stands before
  cjk,  // Han, kana, Hangul, Bopomofo, Thai, Lao, Khmer, Myanmar: written without blanks between words (Hangul syllables included)
  emoji,  // pictographs
};
CharacterClass classify(char32_t code_point);

// How a code point looks between others, which classify() does not tell apart.
bool is_white_space(char32_t code_point);  // any that Unicode has, line ends and the empty Braille cell too
bool is_unseen(char32_t code_point);       // not shown, and takes no room: default ignorable, format and control characters
bool is_punctuation(char32_t code_point);  // no symbol: "." and "_", not "+"

// Lower case without diacritics ("É" gives "e", "ß" gives "ss"), appended to `out`; may append nothing (a mark).
void append_folded(std::string& out, char32_t code_point);
std::string fold(std::string_view text);

}  // namespace loci
