#include "importers/json_stream.h"

#include <algorithm>

namespace loci::importers {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Cuts the text where elements end, and leaves what they are to the parser. Knows strings and brackets, and nothing else.
class Cutter {
 public:
  Cutter(std::span<const std::string_view> keys, const ElementHandler& handler) : keys_(keys), handler_(handler) {}

  Status read(char c) {
    if (is_whole()) {
      has_more_ = has_more_ || !is_space(c);
      return {};
    }
    if (in_string_) return read_in_string(c);
    if (is_in_array() && depth_ == array_depth_) return read_between(c);
    if (c == '"') return open_string();
    if (c == '[' || c == '{') return open(c);
    if (c == ']' || c == '}') return close(c);
    if (!is_space(c)) keep(c);
    return {};
  }

  bool found_array() const { return found_array_; }
  bool is_whole() const { return found_array_ && depth_ == 0; }
  bool has_more() const { return has_more_; }  // behind its end

 private:
  bool is_in_array() const { return array_depth_ > 0; }

  void keep(char c) {
    if (!is_in_array()) return;
    if (element_.size() < largest_element)
      element_ += c;
    else
      is_too_long_ = true;
  }

  Status read_in_string(char c) {
    keep(c);
    if (!is_in_array() && depth_ == 1) key_ += c;
    if (is_escaped_)
      is_escaped_ = false;
    else if (c == '\\')
      is_escaped_ = true;
    else if (c == '"')
      in_string_ = false;
    return {};
  }

  Status open_string() {
    in_string_ = true;
    if (!is_in_array() && depth_ == 1) key_.clear();
    keep('"');
    return {};
  }

  Status open(char c) {
    ++depth_;
    const bool is_wanted = depth_ == 1 || (depth_ == 2 && is_wanted_key());
    if (c == '[' && !found_array_ && is_wanted) {
      found_array_ = true;
      array_depth_ = depth_;
      return {};
    }
    keep(c);
    return {};
  }

  bool is_wanted_key() const {
    return std::ranges::any_of(keys_, [&](std::string_view key) { return key_ == std::string(key) + '"'; });
  }

  Status close(char c) {
    --depth_;
    keep(c);
    return {};
  }

  // Between elements, or in one that is no container.
  Status read_between(char c) {
    if (c == ',' || c == ']') {
      TRY(hand_over());
      if (c == ']') {
        array_depth_ = 0;
        --depth_;
      }
      return {};
    }
    if (c == '"') return open_string();
    if (c == '[' || c == '{') return open(c);
    if (!is_space(c)) keep(c);
    return {};
  }

  Status hand_over() {
    const std::string text = std::exchange(element_, {});
    if (std::exchange(is_too_long_, false)) {
      handler_.skip("larger than " + std::to_string(largest_element >> 20) + " MiB");
      return {};
    }
    if (text.empty()) return {};
    const auto json = parse_json(text, {.bytes = largest_element, .depth = 256, .mends_characters = true});
    if (json) return handler_.take(*json);
    handler_.skip(json.error().message);
    return {};
  }

  std::span<const std::string_view> keys_;
  const ElementHandler& handler_;
  std::string element_, key_;  // the key with its closing quote
  int depth_ = 0, array_depth_ = 0;
  bool in_string_ = false, is_escaped_ = false, found_array_ = false, is_too_long_ = false, has_more_ = false;
};

}  // namespace

Status for_each_element(const ByteReader& read, std::span<const std::string_view> keys, const ElementHandler& handler) {
  Cutter cutter(keys, handler);
  while (true) {
    const std::string_view bytes = TRY(read());
    if (bytes.empty()) break;
    for (const char c : bytes) TRY(cutter.read(c));
  }
  if (!cutter.found_array()) return fail(ErrorCode::usage, "there is no array of records in it");
  if (!cutter.is_whole()) return fail(ErrorCode::usage, "it ends in the middle of a record", "was it copied whole?");
  if (cutter.has_more())
    return fail(ErrorCode::usage, "there is more behind the end of its records, which was not read",
                "are these several exports in one file? take each in by itself");
  return {};
}

}  // namespace loci::importers
