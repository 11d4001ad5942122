#include "vault/layout/toml.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

namespace loci {
namespace {

// toml++ counts lines and columns, columns in code points; edits need bytes.
class Offsets {
 public:
  explicit Offsets(std::string_view text) : text_(text) {
    starts_.push_back(text.starts_with("\xEF\xBB\xBF") ? 3 : 0);
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

TomlScalar scalar_of(const toml::node& node) {
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* integer = node.as_integer()) return integer->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* text = node.as_string()) return text->get();
  const auto* array = node.as_array();
  if (!array) return {};
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
  return {};
}

}  // namespace loci
