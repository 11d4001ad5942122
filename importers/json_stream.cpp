#include "importers/json_stream.h"

#include <algorithm>

namespace loci::importers {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Not fewer than there are, as text that is JSON has them: each but the first stands behind one of these marks.
bool has_too_many_values(std::string_view text) {
  size_t count = 1;
  bool in_string = false;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\')
      ++at;
    else if (c == '"')
      in_string = !in_string;
    else if (!in_string && (c == ',' || c == '[' || c == '{') && ++count > most_values_in_record)
      return true;
  }
  return false;
}

Error too_large() {
  return Error{ErrorCode::usage, "it is larger than " + std::to_string(largest_record >> 20) + " MiB: no record is"};
}

// Cuts the text where elements end, and leaves what they are to the parser. Knows strings and brackets, and nothing else.
class Cutter {
 public:
  Cutter(std::span<const std::string_view> keys, const ElementHandler& handler) : keys_(keys), handler_(handler) {}

  Status read(char c) {
    ++bytes_read_;
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
    if (element_.empty()) begin_ = bytes_read_ - 1;
    if (element_.size() < largest_record)
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
    if (element_.empty()) return {};
    ++number_;
    std::string text = std::exchange(element_, {});
    auto json = std::exchange(is_too_long_, false) ? Result<Json>(std::unexpected(too_large())) : parse_record(text);
    text = {};  // so that only one of both is there while it is taken
    if (json) return handler_.take(*json);
    handler_.skip("record " + std::to_string(number_) + ", from byte " + std::to_string(begin_) + " on: " + json.error().message);
    return {};
  }

  std::span<const std::string_view> keys_;
  const ElementHandler& handler_;
  std::string element_, key_;                       // the key with its closing quote
  size_t bytes_read_ = 0, begin_ = 0, number_ = 0;  // of the file; where the element begins; of the last one handed over, from 1
  int depth_ = 0, array_depth_ = 0;
  bool in_string_ = false, is_escaped_ = false, found_array_ = false, is_too_long_ = false, has_more_ = false;
};

}  // namespace

Result<Json> parse_record(std::string_view text) {
  if (text.size() > largest_record) return std::unexpected(too_large());
  if (has_too_many_values(text))
    return fail(ErrorCode::usage, "it has more than " + std::to_string(most_values_in_record) + " values: no record has");
  return parse_json(text, {.bytes = largest_record, .depth = 256, .mends_characters = true});
}

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
