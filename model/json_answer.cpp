#include "model/json_answer.h"

#include <algorithm>
#include <string>

#include "model/error_text.h"

namespace loci {
namespace {

// Answers are shallow. The bound also keeps the search linear: no byte is inside more objects than that, so none is read more
// often.
constexpr int deepest = 16;

enum class Extent { complete, broken, cut_off };

// Finds where a JSON value ends, by the grammar of RFC 8259. What it calls complete is parsed by parse_json(), which is stricter
// (duplicate keys, UTF-8, numbers).
class Reader {
 public:
  Reader(std::string_view text, size_t position) : text_(text), position_(position) {}

  size_t position() const { return position_; }

  Extent object(int depth) {
    return list('}', depth, [this](int deeper) {
      if (peek() != '"') return missing();
      if (const Extent key = string(); key != Extent::complete) return key;
      skip_blanks();
      if (peek() != ':') return missing();
      ++position_;
      return value(deeper);
    });
  }

 private:
  bool at_end() const { return position_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[position_]; }
  Extent missing() const { return at_end() ? Extent::cut_off : Extent::broken; }
  void skip_blanks() { position_ = std::min(text_.find_first_not_of(" \t\r\n", position_), text_.size()); }

  // What stands between the bracket here and its closing one.
  template <typename Element>
  Extent list(char closing, int depth, Element element) {
    if (depth == 0) return Extent::broken;
    ++position_;
    skip_blanks();
    if (peek() == closing) return ++position_, Extent::complete;
    for (;; ++position_) {
      skip_blanks();
      if (const Extent one = element(depth - 1); one != Extent::complete) return one;
      skip_blanks();
      if (peek() == closing) return ++position_, Extent::complete;
      if (peek() != ',') return missing();
    }
  }

  Extent value(int depth) {
    skip_blanks();
    switch (peek()) {
      case '{':
        return object(depth);
      case '[':
        return list(']', depth, [this](int deeper) { return value(deeper); });
      case '"':
        return string();
      default:
        return scalar();
    }
  }

  Extent string() {
    for (++position_; !at_end(); ++position_) {
      const char c = text_[position_];
      if (static_cast<unsigned char>(c) < 0x20) return Extent::broken;
      if (c == '"') return ++position_, Extent::complete;
      if (c == '\\') ++position_;
    }
    position_ = text_.size();
    return Extent::cut_off;
  }

  // A number, true, false or null; which, parse_json() says.
  Extent scalar() {
    constexpr std::string_view letters = "+-.0123456789Eaeflnrstu";
    const size_t end = std::min(text_.find_first_not_of(letters, position_), text_.size());
    if (end == position_) return missing();
    position_ = end;
    return Extent::complete;
  }

  std::string_view text_;
  size_t position_;
};

bool has_all(const Json& object, std::span<const std::string_view> keys) {
  return std::ranges::all_of(keys, [&](std::string_view key) { return object.find(key) != nullptr; });
}

std::string listed(std::span<const std::string_view> keys) {
  std::string out;
  for (const std::string_view key : keys) out.append(out.empty() ? "'" : ", '").append(key) += '\'';
  return out;
}

}  // namespace

Result<Json> find_json_answer(std::string_view text, std::span<const std::string_view> required_keys) {
  std::string seen = "no JSON object";
  for (size_t start = text.find('{'); start != std::string_view::npos; start = text.find('{', start)) {
    Reader reader(text, start);
    const Extent extent = reader.object(deepest);
    // What stands inside of an object without an end may look complete, and is not what the model meant to say.
    if (extent == Extent::cut_off) return fail(ErrorCode::refused, "the model's answer is cut off in the middle of its JSON");
    if (extent == Extent::broken) {
      ++start;
      continue;
    }
    auto object = parse_json(text.substr(start, reader.position() - start));
    if (object && has_all(*object, required_keys)) return object;
    seen = object ? "only other JSON objects" : "JSON that cannot be read (" + error_text(object.error().message, "") + ")";
    start = reader.position();
  }
  return fail(ErrorCode::refused, "the model's answer holds " + seen + ", and none with " + listed(required_keys));
}

}  // namespace loci
