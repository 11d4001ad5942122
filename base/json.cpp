#include "base/json.h"

#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

#include "base/unicode.h"

namespace loci {
namespace {

// Builds a Json while nlohmann reads, so that depth and duplicate keys are refused before a value exists.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Builder(size_t depth_limit) : depth_limit_(depth_limit) {}

  bool null() override { return put(Json()); }
  bool boolean(bool value) override { return put(Json(value)); }
  bool number_integer(std::int64_t value) override { return put(Json(value)); }
  bool number_unsigned(std::uint64_t value) override {
    if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return put(Json(value));
    return put(Json(static_cast<double>(value)));
  }
  bool number_float(double value, const std::string&) override { return put(Json(value)); }
  bool string(std::string& value) override { return put(Json(std::move(value))); }
  bool binary(nlohmann::json::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(std::string& name) override {
    Level& level = stack_.back();
    if (!level.add_key(name)) return refuse("the key '" + name + "' stands twice");
    level.key = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) override {
    return refuse("not valid JSON at byte " + std::to_string(position));
  }

  Json take() { return std::move(root_); }
  const std::string& reason() const { return reason_; }

 private:
  struct Level {
    Json value;
    std::string key;                            // of the member that is read next, in an object
    std::unordered_set<std::string> keys = {};  // filled once a scan of the members would be slow

    bool add_key(const std::string& name) {
      const auto& members = *value.as_object();
      if (members.size() < 16) return value.find(name) == nullptr;
      if (keys.empty())
        for (const auto& member : members) keys.insert(member.first);
      return keys.insert(name).second;
    }
  };

  bool refuse(std::string reason) {
    if (reason_.empty()) reason_ = std::move(reason);
    return false;
  }

  bool open(Json container) {
    if (stack_.size() >= depth_limit_) return refuse("nested deeper than " + std::to_string(depth_limit_));
    stack_.push_back({std::move(container), {}});
    return true;
  }

  bool close() {
    Json done = std::move(stack_.back().value);
    stack_.pop_back();
    return put(std::move(done));
  }

  bool put(Json value) {
    if (stack_.empty()) {
      root_ = std::move(value);
      return true;
    }
    Level& level = stack_.back();
    if (level.value.as_array())
      level.value.push_back(std::move(value));
    else
      level.value.add_unchecked(std::move(level.key), std::move(value));
    return true;
  }

  size_t depth_limit_;
  std::vector<Level> stack_;
  Json root_;
  std::string reason_;
};

// Writes the text itself: every answer is one, and a copy of it in nlohmann's values would take several times as long.
class Writer {
 public:
  explicit Writer(int indent) : indent_(indent) {}

  std::string text(const Json& value) {
    add(value);
    return std::move(out_);
  }

 private:
  bool is_pretty() const { return indent_ >= 0; }

  void add(const Json& value) {
    if (const auto* text = value.as_string()) return add_string(*text);
    if (const auto* integer = value.as_integer()) return add_integer(*integer);
    if (const auto* object = value.as_object())
      return add_all('{', *object, '}', [&](const Json::Member& member) {
        add_string(member.first);
        out_ += is_pretty() ? ": " : ":";
        add(member.second);
      });
    if (const auto* array = value.as_array()) return add_all('[', *array, ']', [&](const Json& element) { add(element); });
    if (const auto* flag = value.as_bool())
      out_ += *flag ? "true" : "false";
    else
      out_ += value.is_number() ? nlohmann::json(value.number_or(0)).dump() : "null";
  }

  template <typename Elements, typename Add>
  void add_all(char open, const Elements& elements, char close, Add add_one) {
    out_ += open;
    ++depth_;
    for (size_t i = 0; i < elements.size(); ++i) {
      if (i > 0) out_ += ',';
      begin_line();
      add_one(elements[i]);
    }
    --depth_;
    if (!elements.empty()) begin_line();
    out_ += close;
  }

  void begin_line() {
    if (!is_pretty()) return;
    out_ += '\n';
    out_.append(static_cast<size_t>(indent_) * depth_, ' ');
  }

  void add_integer(std::int64_t integer) {
    char digits[24];
    out_.append(digits, std::to_chars(std::begin(digits), std::end(digits), integer).ptr);
  }

  void add_string(std::string_view text) {
    if (!is_valid_utf8(text)) {
      out_ += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
      return;
    }
    out_ += '"';
    size_t written = 0;
    for (size_t at = 0; at < text.size(); ++at) {
      if (!must_be_escaped(text[at])) continue;
      out_.append(text, written, at - written);
      add_escaped(text[at]);
      written = at + 1;
    }
    out_.append(text, written);
    out_ += '"';
  }

  static bool must_be_escaped(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

  void add_escaped(char c) {
    constexpr std::string_view with_letters = "\"\\\b\f\n\r\t", letters = "\"\\bfnrt", digits = "0123456789abcdef";
    out_ += '\\';
    if (const size_t place = with_letters.find(c); place != std::string_view::npos) {
      out_ += letters[place];
      return;
    }
    const auto code = static_cast<unsigned char>(c);
    out_ += {'u', '0', '0', digits[code >> 4], digits[code & 15]};
  }

  int indent_;  // negative: all on one line
  size_t depth_ = 0;
  std::string out_;
};

// The UTF-16 unit that an escape at `at` stands for, "\\ud83d"; none if it is no such escape.
std::optional<unsigned> unit_at(std::string_view text, size_t at) {
  constexpr size_t digits = 4;
  unsigned unit = 0;
  if (text.size() < at + 2 + digits || text[at] != '\\' || text[at + 1] != 'u') return std::nullopt;
  const char* const begin = text.data() + at + 2;
  const auto read = std::from_chars(begin, begin + digits, unit, 16);
  return read.ptr == begin + digits ? std::optional(unit) : std::nullopt;
}

bool is_high_half(std::optional<unsigned> unit) { return unit && *unit >= 0xD800 && *unit < 0xDC00; }
bool is_low_half(std::optional<unsigned> unit) { return unit && *unit >= 0xDC00 && *unit < 0xE000; }

std::string with_whole_characters(std::string_view text) {
  constexpr size_t escape = std::string_view("\\ud83d").size();
  std::string out = scrub_utf8(text);
  for (size_t at = out.find('\\'); at != std::string::npos; at = out.find('\\', at)) {
    const auto unit = unit_at(out, at);
    if (!unit) {
      at += 2;  // with what it escapes
      continue;
    }
    const bool is_pair = is_high_half(unit) && is_low_half(unit_at(out, at + escape));
    if (!is_pair && (is_high_half(unit) || is_low_half(unit))) out.replace(at, escape, "\\ufffd");
    at += is_pair ? 2 * escape : escape;
  }
  return out;
}

}  // namespace

double Json::number_or(double fallback) const {
  if (const auto* integer = as_integer()) return static_cast<double>(*integer);
  if (const auto* number = std::get_if<double>(&value_)) return *number;
  return fallback;
}

const Json* Json::find(std::string_view key) const {
  const Object* object = as_object();
  if (!object) return nullptr;
  for (const Member& member : *object)
    if (member.first == key) return &member.second;
  return nullptr;
}

const std::string* Json::string_at(std::string_view key) const {
  const Json* value = find(key);
  return value != nullptr ? value->as_string() : nullptr;
}

std::string Json::text_at(std::string_view key) const {
  const std::string* text = string_at(key);
  return text != nullptr ? *text : std::string();
}

size_t Json::count_at(std::string_view key) const {
  const Json* value = find(key);
  const std::int64_t* count = value != nullptr ? value->as_integer() : nullptr;
  return count != nullptr && *count > 0 ? static_cast<size_t>(*count) : 0;
}

std::int64_t Json::integer_at(std::string_view key) const {
  const Json* value = find(key);
  return value != nullptr && value->as_integer() != nullptr ? *value->as_integer() : 0;
}

const Json::Array& Json::array_at(std::string_view key) const {
  static const Array none;
  const Json* value = find(key);
  return value != nullptr && value->as_array() != nullptr ? *value->as_array() : none;
}

std::vector<std::string> Json::texts_at(std::string_view key) const {
  std::vector<std::string> texts;
  for (const Json& one : array_at(key))
    if (one.as_string() != nullptr) texts.push_back(*one.as_string());
  return texts;
}

void Json::set(std::string_view key, Json value) {
  if (is_null()) value_ = Object{};
  Object& object = std::get<Object>(value_);
  for (Member& member : object)
    if (member.first == key) {
      member.second = std::move(value);
      return;
    }
  object.emplace_back(std::string(key), std::move(value));
}

void Json::add_unchecked(std::string key, Json value) { std::get<Object>(value_).emplace_back(std::move(key), std::move(value)); }

void Json::push_back(Json value) {
  if (is_null()) value_ = Array{};
  std::get<Array>(value_).push_back(std::move(value));
}

Result<Json> parse_json(std::string_view text, JsonLimits limits) {
  if (text.size() > limits.bytes)
    return fail(ErrorCode::usage,
                "JSON of " + std::to_string(text.size()) + " bytes, more than the limit of " + std::to_string(limits.bytes));
  Builder builder(limits.depth);
  if (nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return builder.take();
  if (!limits.mends_characters || text.contains('\0')) return fail(ErrorCode::usage, builder.reason());
  std::string mended = with_whole_characters(text);
  limits.mends_characters = false;
  limits.bytes = mended.size();
  return parse_json(mended, limits);
}

std::string to_string(const Json& value) { return Writer(-1).text(value); }
std::string to_pretty_string(const Json& value) { return Writer(2).text(value); }

}  // namespace loci
