#include "capture/json_fields.h"

namespace loci {

Result<JsonFields> JsonFields::parse(std::string_view json) {
  auto value = parse_json(json);
  if (!value) return fail(ErrorCode::usage, "what was sent is not JSON: " + value.error().message);
  if (!value->as_object()) return fail(ErrorCode::usage, "what was sent is no JSON object");
  return JsonFields(std::move(*value));
}

const Json* JsonFields::take(std::string_view key) {
  taken_.emplace(key);
  const Json* value = object_.find(key);
  return value && !value->is_null() ? value : nullptr;
}

void JsonFields::complain(std::string_view key, std::string_view what) {
  if (wrong_.empty()) wrong_ = "\"" + std::string(key) + "\" is no " + std::string(what);
}

std::string JsonFields::text(std::string_view key) {
  const Json* value = take(key);
  if (value && !value->as_string()) complain(key, "string");
  return value && value->as_string() ? *value->as_string() : "";
}

std::optional<std::int64_t> JsonFields::integer(std::string_view key) {
  const Json* value = take(key);
  if (value && !value->as_integer()) complain(key, "whole number");
  return value && value->as_integer() ? std::optional(*value->as_integer()) : std::nullopt;
}

std::vector<std::string> JsonFields::texts(std::string_view key) {
  std::vector<std::string> all;
  const Json* value = take(key);
  if (value && !value->as_array()) complain(key, "list of strings");
  if (!value || !value->as_array()) return all;
  for (const Json& one : *value->as_array()) {
    if (!one.as_string()) complain(key, "list of strings");
    if (one.as_string()) all.push_back(*one.as_string());
  }
  return all;
}

std::optional<Instant> JsonFields::time(std::string_view key) {
  const std::string written = text(key);
  if (written.empty()) return std::nullopt;
  const auto instant = parse_time(written);
  if (!instant) complain(key, "time, as 2026-11-21T20:14:43Z");
  return instant;
}

Status JsonFields::finish() const {
  if (!wrong_.empty()) return fail(ErrorCode::usage, wrong_);
  for (const auto& [key, value] : *object_.as_object())
    if (!taken_.contains(key)) return fail(ErrorCode::usage, "\"" + key + "\" is not known here");
  return {};
}

}  // namespace loci
