// JSON as a value that keeps the order of an object's keys. Parsing is bounded in bytes and depth before anything
// is built, and refuses duplicate keys and invalid UTF-8: what it accepts means the same to every reader.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"

namespace loci {

class Json {
 public:
  using Array = std::vector<Json>;
  using Member = std::pair<std::string, Json>;
  using Object = std::vector<Member>;  // in the order written; keys are unique

  Json() = default;  // null
  Json(std::nullptr_t) {}
  Json(bool value) : value_(value) {}
  Json(double value) : value_(value) {}
  Json(int value) : value_(std::int64_t{value}) {}
  Json(std::int64_t value) : value_(value) {}
  Json(std::uint64_t value) : value_(static_cast<std::int64_t>(value)) {}
  Json(std::string value) : value_(std::move(value)) {}
  Json(std::string_view value) : value_(std::string(value)) {}
  Json(const char* value) : value_(std::string(value)) {}
  Json(Array value) : value_(std::move(value)) {}
  Json(Object value) : value_(std::move(value)) {}
  Json(const std::vector<std::string>& values) : value_(Array(values.begin(), values.end())) {}

  static Json array() { return Json(Array{}); }
  static Json object() { return Json(Object{}); }

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }

  // The value if it is of that type, else null. An integer is also a number.
  const bool* as_bool() const { return std::get_if<bool>(&value_); }
  const std::int64_t* as_integer() const { return std::get_if<std::int64_t>(&value_); }
  const std::string* as_string() const { return std::get_if<std::string>(&value_); }
  const Array* as_array() const { return std::get_if<Array>(&value_); }
  const Object* as_object() const { return std::get_if<Object>(&value_); }
  bool is_number() const { return as_integer() || std::holds_alternative<double>(value_); }
  double number_or(double fallback) const;

  // The member of that name; null if this is no object or has none. Linear in the number of keys.
  const Json* find(std::string_view key) const;
  // The same where it has to be of a type: null, empty or 0 if it is missing or another. A negative count is 0.
  const std::string* string_at(std::string_view key) const;
  std::string text_at(std::string_view key) const;
  size_t count_at(std::string_view key) const;
  std::int64_t integer_at(std::string_view key) const;
  const Array& array_at(std::string_view key) const;
  std::vector<std::string> texts_at(std::string_view key) const;  // the strings of an array
  // Sets or adds a member; turns null into an object.
  void set(std::string_view key, Json value);
  // Adds a member whose key is known to be new.
  void add_unchecked(std::string key, Json value);
  // Appends to an array; turns null into an array.
  void push_back(Json value);

  bool operator==(const Json&) const = default;

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> value_;
};

struct JsonLimits {
  size_t bytes = size_t{8} << 20;
  size_t depth = 64;
  // Halves of characters become U+FFFD: bytes that are no UTF-8, and halves of a surrogate pair. Programs write such where they cut
  // a text anywhere, and the rest of it is worth having.
  bool mends_characters = false;
};

// Fails with ErrorCode::usage and what was wrong where (byte offset).
Result<Json> parse_json(std::string_view text, JsonLimits limits = {});

// Compact, in one line; invalid UTF-8 becomes U+FFFD.
std::string to_string(const Json& value);
// Indented by two blanks.
std::string to_pretty_string(const Json& value);

}  // namespace loci
