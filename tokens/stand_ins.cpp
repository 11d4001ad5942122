#include "tokens/stand_ins.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/unicode.h"

namespace loci {
namespace {

enum Class : std::uint8_t { upper, lower, modifier, letter, mark, number };

// Of three bytes and of four: Lu, Ll, Lm, Lo, M, N.
constexpr std::array<std::string_view, 6> of_three = {"\u1E00", "\u1E01", "\u1D2C", "\u0904", "\u0900", "\u0966"};
constexpr std::array<std::string_view, 6> of_four = {"\U00010400", "\U00010428", "\U00016F93",
                                                     "\U00010000", "\U000101FD", "\U00010107"};

struct Added {
  char32_t first, last;
  Class what;
};

// What the General_Category of the npm packages @unicode/unicode-14.0.0 and -16.0.0 differ in; nothing that was there before
// changed.
// clang-format off
constexpr Added added[] = {
    {0x897, 0x897, mark}, {0xCF3, 0xCF3, mark}, {0xECE, 0xECE, mark}, {0x1C89, 0x1C89, upper}, {0x1C8A, 0x1C8A, lower},
    {0xA7CB, 0xA7CC, upper}, {0xA7CD, 0xA7CD, lower}, {0xA7DA, 0xA7DA, upper}, {0xA7DB, 0xA7DB, lower}, {0xA7DC, 0xA7DC, upper},
    {0x105C0, 0x105F3, letter}, {0x10D40, 0x10D49, number}, {0x10D4A, 0x10D4D, letter}, {0x10D4E, 0x10D4E, modifier},
    {0x10D4F, 0x10D4F, letter}, {0x10D50, 0x10D65, upper}, {0x10D69, 0x10D6D, mark}, {0x10D6F, 0x10D6F, modifier},
    {0x10D70, 0x10D85, lower}, {0x10EC2, 0x10EC4, letter}, {0x10EFC, 0x10EFF, mark}, {0x1123F, 0x11240, letter},
    {0x11241, 0x11241, mark}, {0x11380, 0x11389, letter}, {0x1138B, 0x1138B, letter}, {0x1138E, 0x1138E, letter},
    {0x11390, 0x113B5, letter}, {0x113B7, 0x113B7, letter}, {0x113B8, 0x113C0, mark}, {0x113C2, 0x113C2, mark},
    {0x113C5, 0x113C5, mark}, {0x113C7, 0x113CA, mark}, {0x113CC, 0x113D0, mark}, {0x113D1, 0x113D1, letter},
    {0x113D2, 0x113D2, mark}, {0x113D3, 0x113D3, letter}, {0x113E1, 0x113E2, mark}, {0x116D0, 0x116E3, number},
    {0x11BC0, 0x11BE0, letter}, {0x11BF0, 0x11BF9, number}, {0x11F00, 0x11F01, mark}, {0x11F02, 0x11F02, letter},
    {0x11F03, 0x11F03, mark}, {0x11F04, 0x11F10, letter}, {0x11F12, 0x11F33, letter}, {0x11F34, 0x11F3A, mark},
    {0x11F3E, 0x11F42, mark}, {0x11F50, 0x11F59, number}, {0x11F5A, 0x11F5A, mark}, {0x1342F, 0x1342F, letter},
    {0x13440, 0x13440, mark}, {0x13441, 0x13446, letter}, {0x13447, 0x13455, mark}, {0x13460, 0x143FA, letter},
    {0x16100, 0x1611D, letter}, {0x1611E, 0x1612F, mark}, {0x16130, 0x16139, number}, {0x16D40, 0x16D42, modifier},
    {0x16D43, 0x16D6A, letter}, {0x16D6B, 0x16D6C, modifier}, {0x16D70, 0x16D79, number}, {0x18CFF, 0x18CFF, letter},
    {0x1B132, 0x1B132, letter}, {0x1B155, 0x1B155, letter}, {0x1CCF0, 0x1CCF9, number}, {0x1D2C0, 0x1D2D3, number},
    {0x1DF25, 0x1DF2A, lower}, {0x1E030, 0x1E06D, modifier}, {0x1E08F, 0x1E08F, mark}, {0x1E4D0, 0x1E4EA, letter},
    {0x1E4EB, 0x1E4EB, modifier}, {0x1E4EC, 0x1E4EF, mark}, {0x1E4F0, 0x1E4F9, number}, {0x1E5D0, 0x1E5ED, letter},
    {0x1E5EE, 0x1E5EF, mark}, {0x1E5F0, 0x1E5F0, letter}, {0x1E5F1, 0x1E5FA, number}, {0x2B739, 0x2B739, letter},
    {0x2EBF0, 0x2EE5D, letter}, {0x31350, 0x323AF, letter},
};
// clang-format on

const Added* find_added(char32_t code_point) {
  const auto* found = std::ranges::upper_bound(added, code_point, {}, &Added::first);
  return found != added && code_point <= (found - 1)->last ? found - 1 : nullptr;
}

}  // namespace

bool put_stand_ins(std::string_view text, std::string& out) {
  constexpr unsigned char of_three_bytes = 0xE0;
  bool any = false;
  for (size_t position = 0; position < text.size();) {
    if (static_cast<unsigned char>(text[position]) < of_three_bytes) {
      ++position;
      continue;
    }
    const size_t begin = position;
    const Added* one = find_added(decode_code_point(text, position));
    if (!one) continue;
    if (!any) out = text;
    any = true;
    const size_t size = position - begin;
    out.replace(begin, size, size == 3 ? of_three[one->what] : of_four[one->what]);
  }
  return any;
}

}  // namespace loci
