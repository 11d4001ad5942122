#include "vault/layout/toml.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#define TOML_EXCEPTIONS 0
// It asserts what a file may break ("[="), and refuses that itself right behind the assertion: nobody's settings end a program.
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

#include "base/byte_order_mark.h"

namespace loci {
namespace {

// toml++ counts lines and columns, columns in code points; edits need bytes.
class Offsets {
 public:
  explicit Offsets(std::string_view text) : text_(text) {
    starts_.push_back(byte_order_mark_of(text).size());
    for (size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') starts_.push_back(i + 1);
  }

  size_t of(toml::source_position position) const {
    if (position.line == 0 || position.line > starts_.size()) return text_.size();
    size_t offset = starts_[position.line - 1];
    for (toml::source_index column = 1; column < position.column && offset < text_.size(); ++column) {
      ++offset;
      while (offset < text_.size() && (static_cast<unsigned char>(text_[offset]) & 0xC0) == 0x80) ++offset;
    }
    return offset;
  }

 private:
  std::string_view text_;
  std::vector<size_t> starts_;
};

TomlScalar numbers_of(const toml::array& array) {
  std::vector<double> numbers;
  for (const auto& element : array) {
    const auto number = element.value<double>();  // a whole number too
    if (!element.is_number() || !number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

TomlScalar scalar_of(const toml::node& node) {
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* integer = node.as_integer()) return integer->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* text = node.as_string()) return text->get();
  const auto* array = node.as_array();
  if (!array) return {};
  if (!array->empty() && array->front().is_number()) return numbers_of(*array);
  std::vector<std::string> texts;
  for (const auto& element : *array) {
    const auto* text = element.as_string();
    if (!text) return {};
    texts.push_back(text->get());
  }
  return texts;
}

class Flattener {
 public:
  explicit Flattener(std::string_view text) : offsets_(text) {}

  void add(const toml::table& table, const std::vector<std::string>& prefix) {
    for (const auto& [name, node] : table) {
      auto key = prefix;
      key.emplace_back(name.str());
      const auto& source = node.source();
      if (const auto* inner = node.as_table()) {
        file_.tables.push_back({key, offsets_.of(source.begin)});
        add(*inner, key);
      } else {
        file_.values.push_back({std::move(key), scalar_of(node), static_cast<int>(source.begin.line), offsets_.of(source.begin),
                                offsets_.of(source.end)});
      }
    }
  }

  TomlFile take() { return std::move(file_); }

 private:
  Offsets offsets_;
  TomlFile file_;
};

// Finds the first place that is nested too deep, before anything is built of the text. A table's header, a key and each bracket
// around a value count: `[a.b]`, `c.d = [[1]]` is six levels. What is no TOML may be counted wrong: its parser refuses it then.
class DepthCheck {
 public:
  explicit DepthCheck(std::string_view text) : text_(text) {}

  // Its line; none if all is well.
  std::optional<int> first_too_deep() {
    while (at_ < text_.size()) {
      take(text_[at_]);
      if (depth() > deepest_toml) return line_;
    }
    return std::nullopt;
  }

 private:
  // Parts of the header and of the key that is being read or has its value read, and brackets with the keys before them.
  int depth() const { return header_ + inside_ + key_; }

  void take(char c) {
    if (c == '"' || c == '\'') return skip_string(c);
    ++at_;
    if (c == '#') at_ = std::min(text_.find('\n', at_), text_.size());
    if (c == '\n') end_line();
    if (c == '.' && !in_value_) ++key_;
    if (c == '=') in_value_ = true;
    if (c == ',' && !open_.empty()) next_item();
    if (c == '[' || c == '{') open(c);
    if (c == ']' || c == '}') close();
  }

  void end_line() {
    ++line_;
    if (!open_.empty()) return;
    if (in_header_) header_ = key_;
    in_header_ = in_value_ = false;
    key_ = 1;
  }

  void next_item() {
    key_ = 1;
    in_value_ = false;
  }

  // At the start of a line, a header: its brackets are no level.
  void open(char c) {
    if (open_.empty() && !in_value_ && c == '[') {
      in_header_ = true;
      header_ = 0;
      key_ = 1;
      return;
    }
    open_.push_back(key_);
    inside_ += key_;
    next_item();
  }

  void close() {
    if (open_.empty()) return;
    key_ = open_.back();
    inside_ -= key_;
    open_.pop_back();
    in_value_ = true;
  }

  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool is_long = text_.substr(at_).starts_with(three);
    at_ += is_long ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\n') {
        ++line_;
        if (!is_long) return;  // broken
      }
      if (quote == '"' && text_[at_] == '\\') {
        ++at_;
      } else if (is_long ? text_.substr(at_).starts_with(three) : text_[at_] == quote) {
        at_ += is_long ? 3 : 1;
        return;
      }
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  int line_ = 1;
  int header_ = 0, key_ = 1, inside_ = 0;
  bool in_header_ = false, in_value_ = false;
  std::vector<int> open_;  // for each bracket the parts of the key before it
};

std::string in_quotes(std::string_view text) {
  static constexpr std::array digits = std::to_array("0123456789ABCDEF");
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      out += "\\u00";
      out += digits[byte >> 4];
      out += digits[byte & 15];
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string number_text(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  std::array<char, 32> buffer{};
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
  std::string text(buffer.data(), written.ptr);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string list_text(const std::vector<double>& numbers) {
  std::string out = "[";
  for (const double number : numbers) out += (out.size() > 1 ? ", " : "") + number_text(number);
  return out + ']';
}

std::string list_text(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) out += (out.size() > 1 ? ", " : "") + in_quotes(text);
  return out + ']';
}

}  // namespace

std::string TomlValue::dotted_key() const {
  std::string dotted;
  for (const std::string& part : key) dotted += (dotted.empty() ? "" : ".") + part;
  return dotted;
}

const TomlValue* TomlFile::find(std::string_view dotted_key) const {
  const auto found = std::ranges::find(values, dotted_key, &TomlValue::dotted_key);
  return found == values.end() ? nullptr : &*found;
}

Result<TomlFile> parse_toml(std::string_view text) {
  if (const auto line = DepthCheck(text).first_too_deep()) {
    auto failure = fail(ErrorCode::usage, "nested deeper than " + std::to_string(deepest_toml) + " levels");
    failure.error().line = *line;
    return failure;
  }
  const auto parsed = toml::parse(text);
  if (!parsed) {
    const auto& error = parsed.error();
    auto failure = fail(ErrorCode::usage, std::string(error.description()));
    failure.error().line = static_cast<int>(error.source().begin.line);
    return failure;
  }
  Flattener flattener(text);
  flattener.add(parsed.table(), {});
  return flattener.take();
}

std::string to_toml(const TomlScalar& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* number = std::get_if<double>(&value)) return number_text(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return in_quotes(*text);
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) return list_text(*texts);
  if (const auto* numbers = std::get_if<std::vector<double>>(&value)) return list_text(*numbers);
  return {};
}

std::string key_to_toml(std::span<const std::string> key) {
  const auto is_bare = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  std::string text;
  for (const std::string& part : key)
    text += (text.empty() ? "" : ".") + (!part.empty() && std::ranges::all_of(part, is_bare) ? part : to_toml(part));
  return text;
}

}  // namespace loci
