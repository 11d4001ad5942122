#include "importers/encoding.h"

#include <memory>

#include "base/byte_order_mark.h"
#include "base/unicode.h"

namespace loci::importers {
namespace {

constexpr char32_t replacement = 0xFFFD;

bool is_high(char32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low(char32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

// Bytes come in whatever pieces.
class Decoder {
 public:
  std::string decode(std::string_view bytes) {
    if (encoding_ == Encoding::unknown) {
      start_ += bytes;
      if (start_.size() < longest_mark) return {};
      return begin();
    }
    return convert(bytes);
  }

  // Behind the last bytes.
  std::string end() {
    std::string out = encoding_ == Encoding::unknown ? begin() : std::string();
    if (high_ != 0 || has_half_) append_code_point(out, replacement);
    high_ = 0;
    has_half_ = false;
    return out;
  }

 private:
  enum class Encoding : std::uint8_t { unknown, utf8, utf16_little, utf16_big };
  static constexpr size_t longest_mark = byte_order_mark.size();

  std::string begin() {
    std::string_view rest = start_;
    const auto take = [&](std::string_view mark, Encoding encoding) {
      if (encoding_ != Encoding::unknown || !rest.starts_with(mark)) return;
      encoding_ = encoding;
      rest.remove_prefix(mark.size());
    };
    take(byte_order_mark, Encoding::utf8);
    take("\xFF\xFE", Encoding::utf16_little);
    take("\xFE\xFF", Encoding::utf16_big);
    take("", Encoding::utf8);
    return convert(rest);
  }

  std::string convert(std::string_view bytes) {
    if (encoding_ == Encoding::utf8) return std::string(bytes);
    std::string out;
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      if (!std::exchange(has_half_, !has_half_)) {
        half_ = byte;
        continue;
      }
      take_unit(out, encoding_ == Encoding::utf16_little ? char32_t{byte} << 8 | half_ : char32_t{half_} << 8 | byte);
    }
    return out;
  }

  void take_unit(std::string& out, char32_t unit) {
    const char32_t high = std::exchange(high_, 0);
    if (high != 0 && is_low(unit)) return append_code_point(out, 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00));
    if (high != 0) append_code_point(out, replacement);
    if (is_high(unit))
      high_ = unit;
    else
      append_code_point(out, is_low(unit) ? replacement : unit);
  }

  Encoding encoding_ = Encoding::unknown;
  std::string start_;  // until it is known
  char32_t high_ = 0;  // the first half of a pair
  unsigned char half_ = 0;
  bool has_half_ = false;
};

}  // namespace

ByteReader in_utf8(ByteReader read) {
  struct State {
    Decoder decoder;
    std::string text;
  };
  auto state = std::make_shared<State>();
  return [state, read = std::move(read)]() -> Result<std::string_view> {
    do {
      const std::string_view bytes = TRY(read());
      state->text = bytes.empty() ? state->decoder.end() : state->decoder.decode(bytes);
      if (bytes.empty()) break;
    } while (state->text.empty());
    return state->text;
  };
}

std::string in_utf8(std::string bytes) {
  Decoder decoder;
  std::string text = decoder.decode(bytes);
  return text + decoder.end();
}

std::string with_line_feeds(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r')
      out += text[i];
    else if (i + 1 == text.size() || text[i + 1] != '\n')
      out += '\n';
  }
  return out;
}

std::string text_of_file(std::string bytes) { return with_line_feeds(in_utf8(std::move(bytes))); }

}  // namespace loci::importers
