#include "consolidate/decide_prompt.h"

#include <algorithm>
#include <initializer_list>

#include "consolidate/prompts.h"
#include "consolidate/topic_keys.h"
#include "model/fence.h"
#include "model/json_answer.h"

namespace loci {
namespace {

// A JSON schema as the strictest provider wants it: all properties required, no others.
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

Json typed(std::string_view type) {
  Json schema = Json::object();
  schema.set("type", type);
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

Json decide_schema() {
  const Json number = typed("integer"), text = typed("string");
  return object_schema({{"operations", list_of(object_schema({{"op", one_of({"ADD", "REPLACE", "REMOVE", "DUPLICATE", "IGNORE"})},
                                                              {"facts", list_of(number)},
                                                              {"target", number},
                                                              {"into", number},
                                                              {"of", number},
                                                              {"text", text},
                                                              {"about", list_of(text)},
                                                              {"kind", one_of({"none", "change", "correction"})},
                                                              {"why", text}}))}});
}

Json keys_schema() {
  return object_schema({{"facts", list_of(object_schema({{"n", typed("integer")}, {"about", list_of(typed("string"))}}))}});
}

// One line; whatever stands in the text, it stays in its string.
std::string record(size_t number, std::string_view text, std::string_view rest) {
  return "{\"n\":" + std::to_string(number) + ",\"text\":" + fenced(text) + std::string(rest) + "}\n";
}

std::string details(Source source, std::string_view date, const std::vector<std::string>& about) {
  std::string keys;
  for (const std::string& key : about) keys.append(keys.empty() ? "" : ",").append(fenced(key));
  return ",\"source\":" + fenced(name_of(source)) + ",\"date\":" + fenced(date) + ",\"about\":[" + keys + "]";
}

std::string entry_lines(const Material& material, const std::vector<size_t>& entries, size_t first_number) {
  std::string lines;
  for (size_t i = 0; i < entries.size(); ++i) {
    const DurableEntry& entry = material.entries[entries[i]];
    const std::string& date = entry.updated.empty() ? entry.first_seen : entry.updated;
    if (!entry.is_private) lines += record(first_number + i, entry.text, details(entry.source, date, entry.about));
  }
  return lines;
}

}  // namespace

ModelRequest decide_request(const Material& material, const Cluster& cluster) {
  std::string facts;
  for (size_t i = 0; i < cluster.facts.size(); ++i) {
    const Fact& fact = material.facts[cluster.facts[i]];
    if (!fact.is_private) facts += record(i + 1, fact.text, details(fact.source, fact.day, fact.about));
  }
  const size_t first_writable = cluster.facts.size() + 1, first_shown = first_writable + cluster.writable.size();
  ModelRequest request;
  request.task = decide_prompt_version;
  request.instructions = prompt_named("decide-1.md");
  request.input = fence("facts", facts) + fence("entries", entry_lines(material, cluster.writable, first_writable)) +
                  fence("read_only", entry_lines(material, cluster.shown, first_shown));
  request.schema = decide_schema();
  return request;
}

ModelRequest keys_request(const Material& material, const std::vector<size_t>& facts) {
  std::string lines;
  for (size_t i = 0; i < facts.size(); ++i)
    if (const Fact& fact = material.facts[facts[i]]; !fact.is_private) lines += record(i + 1, fact.text, "");
  ModelRequest request;
  request.task = keys_prompt_version;
  request.instructions = prompt_named("keys-1.md");
  request.input = fence("facts", lines);
  request.schema = keys_schema();
  return request;
}

Result<std::vector<std::vector<std::string>>> parse_keys(std::string_view answer, size_t facts) {
  constexpr std::string_view names[] = {"facts"};
  const auto refuse = [](const char* what) { return fail(ErrorCode::refused, std::string("the model's answer ") + what); };
  const auto json = TRY(find_json_answer(answer, names));
  const Json::Array* list = json.find(names[0])->as_array();
  if (!list || json.as_object()->size() != 1) return refuse("is no list of facts");
  std::vector<std::vector<std::string>> keys(facts);
  std::vector<bool> is_named(facts, false);
  for (const Json& one : *list) {
    const Json *number = one.find("n"), *about = one.find("about");
    if (!number || !number->as_integer() || !about || one.as_object()->size() != 2) return refuse("has a fact of another shape");
    const std::int64_t n = *number->as_integer();
    if (n < 1 || static_cast<std::uint64_t>(n) > facts) return refuse("names a fact that there is not");
    const auto place = static_cast<size_t>(n) - 1;
    if (is_named[place]) return refuse("names a fact twice");
    is_named[place] = true;
    auto some = TRY(topic_keys(*about));
    keys[place] = std::move(some);
  }
  return keys;
}

}  // namespace loci
