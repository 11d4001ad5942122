#include "consolidate/decide/request_parts.h"

#include <chrono>

#include "base/clock.h"
#include "model/fence.h"

namespace loci {

Json typed(std::string_view type) {
  Json schema = Json::object();
  schema.set("type", type);
  return schema;
}

Json object_schema(std::initializer_list<std::pair<std::string_view, Json>> properties) {
  Json described = Json::object(), required = Json::array(), schema = Json::object();
  for (const auto& [name, property] : properties) {
    described.set(name, property);
    required.push_back(name);
  }
  schema.set("type", "object");
  schema.set("properties", std::move(described));
  schema.set("required", std::move(required));
  schema.set("additionalProperties", false);
  return schema;
}

Json list_of(Json items) {
  Json schema = typed("array");
  schema.set("items", std::move(items));
  return schema;
}

Json one_of(std::initializer_list<std::string_view> names) {
  Json schema = typed("string"), values = Json::array();
  for (const std::string_view name : names) values.push_back(name);
  schema.set("enum", std::move(values));
  return schema;
}

std::string said_when(Source source, std::string_view date) {
  constexpr std::string_view weekdays[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
  std::string said = ",\"source\":" + fenced(name_of(source)) + ",\"date\":" + fenced(date);
  if (const auto day = parse_time(date)) {
    const std::chrono::weekday weekday(std::chrono::floor<std::chrono::days>(*day));
    said += ",\"weekday\":\"" + std::string(weekdays[weekday.c_encoding()]) + "\"";
  }
  return said;
}

const std::string& day_of(const DurableEntry& entry) { return entry.updated.empty() ? entry.first_seen : entry.updated; }

}  // namespace loci
