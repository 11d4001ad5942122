#include "operations/values.h"

#include <algorithm>
#include <charconv>

#include "base/clock.h"
#include "base/edit_distance.h"
#include "memory/add.h"

namespace loci {
namespace {

std::string in_quotes(std::string_view name) { return "'" + std::string(name) + "'"; }

const Parameter* find_parameter(std::span<const Parameter> parameters, std::string_view name) {
  const auto found = std::ranges::find_if(
      parameters, [&](const Parameter& parameter) { return parameter.json_key() == name || parameter.bare_name() == name; });
  return found == parameters.end() ? nullptr : &*found;
}

std::unexpected<Error> unknown(std::span<const Parameter> parameters, std::string_view name) {
  std::string known;
  for (const Parameter& parameter : parameters) known += (known.empty() ? "" : ", ") + std::string(parameter.json_key());
  return fail(ErrorCode::usage, "unknown parameter " + in_quotes(name), known.empty() ? "it takes none" : "it takes: " + known);
}

std::string choices_text(const std::vector<std::string_view>& choices) {
  std::string text;
  for (const std::string_view choice : choices) text += (text.empty() ? "" : ", ") + std::string(choice);
  return text;
}

std::string range_text(const Parameter& parameter) {
  const bool is_open = parameter.most == std::numeric_limits<std::int64_t>::max();
  return "from " + std::to_string(parameter.least) + (is_open ? " up" : " to " + std::to_string(parameter.most));
}

Status check_text(const Parameter& parameter, const Json& value) {
  const std::string name = in_quotes(parameter.json_key());
  if (!value.as_string()) return fail(ErrorCode::usage, name + " has the wrong type", "it is a string");
  const std::string& text = *value.as_string();
  const auto choices = choices_of(parameter.kind);
  if (!choices.empty() && std::ranges::find(choices, text) == choices.end())
    return fail(ErrorCode::usage, name + ": " + in_quotes(text) + " is none of " + choices_text(choices));
  if (parameter.required && text.empty()) return fail(ErrorCode::usage, name + " is empty");
  return {};
}

Status check_number(const Parameter& parameter, const Json& value) {
  const std::string name = in_quotes(parameter.json_key());
  if (!value.as_integer())
    return fail(ErrorCode::usage, name + " has the wrong type", "it is a whole number " + range_text(parameter));
  if (*value.as_integer() < parameter.least || *value.as_integer() > parameter.most)
    return fail(ErrorCode::usage,
                name + " is a whole number " + range_text(parameter) + ", not '" + std::to_string(*value.as_integer()) + "'");
  return {};
}

Status check_utterances(const Parameter& parameter, const Json& value) {
  const auto is_one = [](const Json& one) { return one.string_at("role") && one.string_at("text"); };
  if (value.as_array() && std::ranges::all_of(*value.as_array(), is_one)) return {};
  return fail(ErrorCode::usage, in_quotes(parameter.json_key()) + " is not a list of what was said",
              R"(it is [{"role":"user","text":"…"}], oldest first)");
}

// What a caller gives that knows no session: a name of blanks is none, to everybody who asks.
bool is_no_session(const Parameter& parameter, const Json& value) {
  return parameter.kind == ValueKind::session && value.as_string() &&
         value.as_string()->find_first_not_of(" \t\r\n\v\f") == std::string::npos;
}

Result<Json> checked_list(const Parameter& parameter, const Json& value) {
  Json list = value.as_string() ? Json(Json::Array{value}) : value;
  if (!list.as_array())
    return fail(ErrorCode::usage, in_quotes(parameter.json_key()) + " has the wrong type", "it is a list of strings");
  if (parameter.kind == ValueKind::tag) TRY(check_tags_given(list.as_array()->size()));
  for (const Json& one : *list.as_array()) TRY(check_text(parameter, one));
  return list;
}

Result<Json> checked(const Parameter& parameter, const Json& value) {
  if (parameter.many) return checked_list(parameter, value);
  switch (parameter.kind) {
    case ValueKind::none:
      if (!value.as_bool())
        return fail(ErrorCode::usage, in_quotes(parameter.json_key()) + " has the wrong type", "it is true or false");
      return value;
    case ValueKind::number:
      TRY(check_number(parameter, value));
      return value;
    case ValueKind::utterances:
      TRY(check_utterances(parameter, value));
      return value;
    case ValueKind::share:
      if (!value.is_number() || !(value.number_or(-1) >= 0 && value.number_or(-1) <= 1))
        return fail(ErrorCode::usage, in_quotes(parameter.json_key()) + " is no number from 0 to 1");
      return value;
    default:
      TRY(check_text(parameter, value));
      return value;
  }
}

Json list_of(std::string_view text) {
  Json list = Json::array();
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) list.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return list;
}

Result<Json> flag_of(const Parameter& parameter, const std::string& text) {
  if (text.empty() || text == "1" || text == "true") return Json(true);
  if (text == "0" || text == "false") return Json(false);
  return fail(ErrorCode::usage, in_quotes(parameter.bare_name()) + " is 1 or 0, not " + in_quotes(text));
}

Result<Json> number_of(const Parameter& parameter, const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = !text.empty() && end == text.data() + text.size();
  if (is_number && error == std::errc::result_out_of_range && !text.starts_with('-')) return Json(parameter.most);
  if (!is_number || error != std::errc())
    return fail(ErrorCode::usage,
                in_quotes(parameter.bare_name()) + " is a whole number " + range_text(parameter) + ", not " + in_quotes(text));
  return Json(std::min(number, parameter.most));
}

Result<Json> json_of(const Parameter& parameter, const std::string& text) {
  if (parameter.many) return list_of(text);
  if (parameter.kind == ValueKind::none) return flag_of(parameter, text);
  if (parameter.kind == ValueKind::number) return number_of(parameter, text);
  return Json(text);
}

}  // namespace

bool Values::flag(std::string_view key) const {
  const Json* value = given_.find(key);
  return value != nullptr && value->as_bool() != nullptr && *value->as_bool();
}

std::optional<std::int64_t> Values::number(std::string_view key) const {
  const Json* value = given_.find(key);
  return value != nullptr && value->as_integer() != nullptr ? std::optional(*value->as_integer()) : std::nullopt;
}

size_t Values::number_or(std::string_view key, size_t otherwise) const {
  const auto given = number(key);
  return given ? static_cast<size_t>(std::max<std::int64_t>(*given, 0)) : otherwise;
}

Result<Values> check_values(std::span<const Parameter> parameters, const Json& given, Actor actor) {
  if (!given.as_object()) return fail(ErrorCode::usage, "what is given is no JSON object");
  Values values;
  for (const auto& [name, value] : *given.as_object()) {
    const Parameter* parameter = find_parameter(parameters, name);
    if (!parameter) return unknown(parameters, name);
    if (value.is_null() || is_no_session(*parameter, value)) continue;
    Json known = TRY(checked(*parameter, value));
    const bool is_off = known.as_bool() && !*known.as_bool();
    if (parameter->only_person && !is_off && actor != Actor::person)
      return fail(ErrorCode::refused, "only a person may give " + in_quotes(name), "leave it out, or use the command line");
    if (values.has(parameter->json_key())) return fail(ErrorCode::usage, in_quotes(parameter->json_key()) + " is given twice");
    values.given_.add_unchecked(std::string(parameter->json_key()), std::move(known));
  }
  for (const Parameter& parameter : parameters)
    if (parameter.required && !values.has(parameter.json_key()))
      return fail(ErrorCode::usage, in_quotes(parameter.json_key()) + " is missing", std::string(parameter.help));
  return values;
}

Result<Json> json_of_query(std::span<const Parameter> parameters, const QueryTexts& query) {
  Json given = Json::object();
  for (const auto& [name, text] : query) {
    const Parameter* parameter = find_parameter(parameters, name);
    if (!parameter) return unknown(parameters, name);
    const bool means_something = !text.empty() || parameter->kind == ValueKind::none || parameter->kind == ValueKind::number;
    if (means_something) given.add_unchecked(name, TRY(json_of(*parameter, text)));
  }
  return given;
}

}  // namespace loci
