#include "base/unicode.h"

#include <utf8proc.h>

#include <array>
#include <cstdlib>
#include <memory>

namespace loci {
namespace {

constexpr char32_t replacement = 0xFFFD;

const utf8proc_uint8_t* data_of(std::string_view text) { return reinterpret_cast<const utf8proc_uint8_t*>(text.data()); }

bool in(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

bool is_unspaced_script(char32_t c) {
  return in(c, 0x0E00, 0x0EFF) || in(c, 0x1000, 0x109F) || in(c, 0x1100, 0x11FF) || in(c, 0x1780, 0x17FF) ||
         in(c, 0x2E80, 0x2FDF) || in(c, 0x3005, 0x3007) || in(c, 0x3021, 0x3029) || in(c, 0x3031, 0x3035) ||
         in(c, 0x3041, 0x3096) || in(c, 0x309D, 0x309F) || in(c, 0x30A1, 0x30FA) || in(c, 0x30FC, 0x30FF) ||
         in(c, 0x3105, 0x312F) || in(c, 0x3131, 0x318E) || in(c, 0x31F0, 0x31FF) || in(c, 0x3400, 0x4DBF) ||
         in(c, 0x4E00, 0x9FFF) || in(c, 0xA960, 0xA97F) || in(c, 0xAC00, 0xD7FF) || in(c, 0xF900, 0xFAFF) ||
         in(c, 0xFF66, 0xFF9F) || in(c, 0x1B000, 0x1B16F) || in(c, 0x20000, 0x3FFFF);
}

bool is_pictograph(char32_t c, const utf8proc_property_t& property) {
  return property.boundclass == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC || in(c, 0x1F1E6, 0x1F1FF);
}

bool is_ascii(std::string_view text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) >= 0x80) return false;
  return true;
}

CharacterClass class_of_category(utf8proc_category_t category) {
  switch (category) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
    case UTF8PROC_CATEGORY_CO:
      return CharacterClass::word;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
      return CharacterClass::mark;
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CS:
      return CharacterClass::space;
    default:
      return CharacterClass::punctuation;
  }
}

}  // namespace

size_t find_invalid_utf8(std::string_view text) {
  size_t position = 0;
  while (position < text.size()) {
    if (static_cast<unsigned char>(text[position]) < 0x80) {
      ++position;
      continue;
    }
    utf8proc_int32_t code_point = 0;
    const auto size =
        utf8proc_iterate(data_of(text) + position, static_cast<utf8proc_ssize_t>(text.size() - position), &code_point);
    if (size < 0) return position;
    position += static_cast<size_t>(size);
  }
  return position;
}

std::string scrub_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t position = 0; position < text.size();) {
    const char32_t c = decode_code_point(text, position);
    append_code_point(out, c == 0 ? replacement : c);
  }
  return out;
}

std::string nfc(std::string_view text) {
  if (is_ascii(text)) return std::string(text);
  utf8proc_uint8_t* raw = nullptr;
  const auto size = utf8proc_map(data_of(text), static_cast<utf8proc_ssize_t>(text.size()), &raw,
                                 static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(raw, &std::free);
  if (size < 0) return std::string(text);
  return {reinterpret_cast<const char*>(raw), static_cast<size_t>(size)};
}

size_t count_code_points(std::string_view text) {
  size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

char32_t decode_code_point(std::string_view text, size_t& position) {
  const auto first = static_cast<unsigned char>(text[position]);
  if (first < 0x80) {
    ++position;
    return first;
  }
  utf8proc_int32_t code_point = 0;
  const auto size = utf8proc_iterate(data_of(text) + position, static_cast<utf8proc_ssize_t>(text.size() - position), &code_point);
  if (size < 0) {
    ++position;
    return replacement;
  }
  position += static_cast<size_t>(size);
  return static_cast<char32_t>(code_point);
}

void append_code_point(std::string& out, char32_t code_point) {
  if (code_point < 0x80) {
    out += static_cast<char>(code_point);
    return;
  }
  std::array<utf8proc_uint8_t, 4> bytes{};
  const auto size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code_point), bytes.data());
  out.append(reinterpret_cast<const char*>(bytes.data()), static_cast<size_t>(size));
}

CharacterClass classify(char32_t c) {
  if (c < 0x80) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return CharacterClass::word;
    return c > ' ' && c < 0x7F ? CharacterClass::punctuation : CharacterClass::space;
  }
  const auto& property = *utf8proc_get_property(static_cast<utf8proc_int32_t>(c));
  const auto from_category = class_of_category(static_cast<utf8proc_category_t>(property.category));
  if (from_category == CharacterClass::mark && !is_unspaced_script(c)) return CharacterClass::mark;
  if (is_unspaced_script(c)) return CharacterClass::cjk;
  if (is_pictograph(c, property)) return CharacterClass::emoji;
  return from_category;
}

bool is_white_space(char32_t c) {
  constexpr char32_t next_line = 0x85, empty_braille_cell = 0x2800;
  if (in(c, '\t', '\r') || in(c, 0x1C, ' ') || c == next_line || c == empty_braille_cell) return true;
  if (c < 0x80) return false;
  const auto category = utf8proc_get_property(static_cast<utf8proc_int32_t>(c))->category;
  return category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP;
}

bool is_unseen(char32_t c) {
  if (is_white_space(c)) return false;
  const auto& property = *utf8proc_get_property(static_cast<utf8proc_int32_t>(c));
  return property.ignorable || property.category == UTF8PROC_CATEGORY_CF || property.category == UTF8PROC_CATEGORY_CC;
}

bool is_punctuation(char32_t c) {
  const auto category = utf8proc_get_property(static_cast<utf8proc_int32_t>(c))->category;
  return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

void append_folded(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    return;
  }
  std::array<utf8proc_int32_t, 18> parts{};  // the longest compatibility decomposition in Unicode
  int last_boundclass = 0;
  const auto count = utf8proc_decompose_char(
      static_cast<utf8proc_int32_t>(c), parts.data(), static_cast<utf8proc_ssize_t>(parts.size()),
      static_cast<utf8proc_option_t>(UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_STRIPMARK | UTF8PROC_DECOMPOSE),
      &last_boundclass);
  if (count < 0 || static_cast<size_t>(count) > parts.size()) {
    append_code_point(out, c);
    return;
  }
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) append_code_point(out, static_cast<char32_t>(parts[i]));
}

std::string fold(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t position = 0; position < text.size();) append_folded(out, decode_code_point(text, position));
  return out;
}

}  // namespace loci
