#include "parser/metadata.h"

#include <algorithm>
#include <array>
#include <utility>

namespace loci {
namespace {

constexpr std::array<std::string_view, 4> source_names = {"system", "agent", "user", "correction"};
constexpr std::array<std::string_view, 4> kind_names = {"fact", "turn", "session-summary", "task-summary"};

template <typename Enum, size_t count>
std::optional<Enum> find_name(const std::array<std::string_view, count>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

std::unexpected<Error> bad(std::string message) { return fail(ErrorCode::usage, std::move(message)); }

std::unexpected<Error> wrong_type(std::string_view key, std::string_view wanted) {
  return bad("'" + std::string(key) + "' has to be " + std::string(wanted));
}

// Readers of one value each: what the key is called, its value, the field.

Status read(std::string_view key, const Json& value, std::string& field) {
  const std::string* text = value.as_string();
  if (!text) return wrong_type(key, "a string");
  field = *text;
  return {};
}

Status read(std::string_view key, const Json& value, std::vector<std::string>& field) {
  const Json::Array* array = value.as_array();
  if (!array) return wrong_type(key, "a list of strings");
  field.reserve(array->size());
  for (const Json& element : *array) {
    const std::string* text = element.as_string();
    if (!text) return wrong_type(key, "a list of strings");
    field.push_back(*text);
  }
  return {};
}

Status read(std::string_view key, const Json& value, std::optional<Instant>& field) {
  const std::string* text = value.as_string();
  if (text) field = parse_time(*text);
  if (!field) return wrong_type(key, "a time such as 2026-11-21T20:14:43Z");
  return {};
}

Status read(std::string_view key, const Json& value, std::optional<Source>& field) {
  const std::string* text = value.as_string();
  if (text) field = source_from(*text);
  if (!field) return wrong_type(key, "one of system, agent, user, correction");
  return {};
}

Status read(std::string_view key, const Json& value, std::optional<EntryKind>& field) {
  const std::string* text = value.as_string();
  if (text) field = kind_from(*text);
  if (!field) return wrong_type(key, "one of fact, turn, session-summary, task-summary");
  return {};
}

Status read(std::string_view key, const Json& value, std::optional<std::int64_t>& field) {
  const std::int64_t* integer = value.as_integer();
  if (!integer) return wrong_type(key, "a whole number");
  field = *integer;
  return {};
}

// A number outside 0..1 is kept: it counts as missing, and a person may have meant something by it.
Status read(std::string_view key, const Json& value, std::optional<double>& field) {
  if (!value.is_number()) return wrong_type(key, "a number from 0 to 1");
  field = value.number_or(0);
  return {};
}

Status read_id(std::string_view key, const Json& value, std::string& field) {
  TRY(read(key, value, field));
  if (!is_valid_id(field)) return bad("'" + std::string(key) + "' has to be 1 to 64 letters, digits, '.', '_' or '-'");
  return {};
}

Status read_end(const Json& value, bool& field) {
  if (const std::int64_t* integer = value.as_integer(); integer && (*integer == 0 || *integer == 1)) {
    field = *integer == 1;
    return {};
  }
  if (const bool* flag = value.as_bool()) {
    field = *flag;
    return {};
  }
  return wrong_type("end", "1");
}

// Every key but `id` and `end` with its field, in the order in which they are written.
template <typename AnyMetadata, typename Visitor>
void for_each_field(AnyMetadata& metadata, Visitor&& visit) {
  visit("sum", metadata.sum);
  visit("at", metadata.at);
  visit("source", metadata.source);
  visit("kind", metadata.kind);
  visit("session", metadata.session);
  visit("turn", metadata.turn);
  visit("role", metadata.role);
  visit("task", metadata.task);
  visit("project", metadata.project);
  visit("tags", metadata.tags);
  visit("category", metadata.category);
  visit("confidence", metadata.confidence);
  visit("about", metadata.about);
  visit("corrects", metadata.corrects);
  visit("first_seen", metadata.first_seen);
  visit("updated", metadata.updated);
  visit("sources", metadata.sources);
  visit("from", metadata.from);
  visit("ref", metadata.ref);
}

Status read_member(std::string_view key, const Json& value, Metadata& metadata) {
  if (key == "id") return value.is_null() ? Status() : read_id(key, value, metadata.id);
  if (key == "end") return value.is_null() ? Status() : read_end(value, metadata.end);
  Status status;
  bool known = false;
  for_each_field(metadata, [&](std::string_view name, auto& field) {
    if (known || name != key) return;
    known = true;
    if (!value.is_null()) status = read(key, value, field);
  });
  if (!known) metadata.unknown.emplace_back(key, value);
  return status;
}

// Writers: what is absent or empty is left out.

void add(Json& object, std::string_view key, const std::string& field) {
  if (!field.empty()) object.add_unchecked(std::string(key), field);
}

void add(Json& object, std::string_view key, const std::vector<std::string>& field) {
  if (!field.empty()) object.add_unchecked(std::string(key), field);
}

Json json_of(Instant instant) { return format_rfc3339(instant); }
Json json_of(Source source) { return name_of(source); }
Json json_of(EntryKind kind) { return name_of(kind); }
Json json_of(std::int64_t number) { return number; }
Json json_of(double number) { return number; }

template <typename T>
void add(Json& object, std::string_view key, const std::optional<T>& field) {
  if (field) object.add_unchecked(std::string(key), json_of(*field));
}

bool is_known_key(std::string_view key) {
  bool known = key == "id" || key == "end";
  const Metadata none;
  for_each_field(none, [&](std::string_view name, const auto&) { known = known || name == key; });
  return known;
}

}  // namespace

std::string_view name_of(Source source) { return source_names[static_cast<size_t>(source)]; }
std::string_view name_of(EntryKind kind) { return kind_names[static_cast<size_t>(kind)]; }
std::optional<Source> source_from(std::string_view name) { return find_name<Source>(source_names, name); }
std::optional<EntryKind> kind_from(std::string_view name) { return find_name<EntryKind>(kind_names, name); }

double default_confidence(Source source) {
  constexpr std::array<double, 4> by_source = {0.5, 0.7, 0.9, 1.0};
  return by_source[static_cast<size_t>(source)];
}

bool is_valid_id(std::string_view id) {
  constexpr size_t longest = 64;
  return !id.empty() && id.size() <= longest && std::ranges::all_of(id, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  });
}

Result<Metadata> parse_metadata(std::string_view json) {
  const auto value = parse_json(json);
  if (!value) return bad(value.error().message);
  return read_metadata(*value);
}

Result<Metadata> read_metadata(const Json& value) {
  const Json::Object* members = value.as_object();
  if (!members) return bad("it has to be one JSON object");
  Metadata metadata;
  for (const auto& [key, member] : *members) TRY(read_member(key, member, metadata));
  return metadata;
}

std::string format_metadata(const Metadata& metadata) {
  Json object = Json::object();
  add(object, "id", metadata.id);
  if (metadata.end) object.add_unchecked("end", 1);
  for_each_field(metadata, [&](std::string_view key, const auto& field) { add(object, key, field); });
  for (const auto& [key, value] : metadata.unknown)
    if (!is_known_key(key)) object.add_unchecked(key, value);

  std::string line = "<!--m ";
  for (const char c : to_string(object)) {
    // A `>` stands only in strings; escaped, no value can end the comment.
    if (c == '>')
      line += "\\u003e";
    else
      line += c;
  }
  return line += "-->";
}

}  // namespace loci
