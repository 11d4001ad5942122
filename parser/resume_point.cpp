#include <limits>

#include "parser/parser.h"

namespace loci {
namespace {

enum Flag : std::uint8_t { held = 1, invalid_utf8 = 2 };

void write(std::string& out, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) out += static_cast<char>((number & 0x7F) | 0x80);
  out += static_cast<char>(number);
}

void write(std::string& out, std::string_view text) {
  write(out, std::uint64_t{text.size()});
  out += text;
}

// Takes what write() wrote off the front; once something is missing, nothing more is found.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    return fail();
  }
  int small_number() {
    const std::uint64_t value = number();
    return static_cast<int>(value <= std::numeric_limits<int>::max() ? value : fail());
  }
  std::string text() {
    const std::uint64_t size = number();
    if (size > rest_.size()) fail();
    const std::string found(rest_.substr(0, size));
    rest_.remove_prefix(found.size());
    return found;
  }
  // How many follow, each of at least one byte.
  std::uint64_t count() {
    const std::uint64_t value = number();
    return value <= rest_.size() ? value : fail();
  }
  bool is_done() const { return ok_ && rest_.empty(); }

 private:
  std::uint64_t fail() {
    ok_ = false;
    rest_ = {};
    return 0;
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace

std::string ResumePoint::serialise() const {
  std::string out;
  write(out, std::uint64_t{offset});
  write(out, static_cast<std::uint64_t>(line));
  write(out, std::uint64_t{entries});
  out += static_cast<char>((held ? Flag::held : 0) | (invalid_utf8 ? Flag::invalid_utf8 : 0));
  write(out, front_date);
  write(out, std::uint64_t{section.size()});
  for (size_t i = 0; i < section.size(); ++i) {
    write(out, static_cast<std::uint64_t>(section_levels[i]));
    write(out, section[i]);
  }
  write(out, std::uint64_t{front_tags.size()});
  for (const auto& tag : front_tags) write(out, tag);
  return out;
}

std::optional<ResumePoint> ResumePoint::deserialise(std::string_view bytes) {
  Reader in(bytes);
  ResumePoint point;
  point.offset = in.number();
  point.line = in.small_number();
  point.entries = in.number();
  const auto flags = in.number();
  point.held = (flags & Flag::held) != 0;
  point.invalid_utf8 = (flags & Flag::invalid_utf8) != 0;
  point.front_date = in.text();
  for (auto count = in.count(); count > 0; --count) {
    point.section_levels.push_back(in.small_number());
    point.section.push_back(in.text());
  }
  for (auto count = in.count(); count > 0; --count) point.front_tags.push_back(in.text());
  if (!in.is_done() || point.line < 1) return std::nullopt;
  return point;
}

}  // namespace loci
