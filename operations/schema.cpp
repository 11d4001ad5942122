#include "operations/schema.h"

#include <algorithm>

#include "base/relative_time.h"

namespace loci {
namespace {

Json utterances_schema() {
  Json text = Json::object();
  text.add_unchecked("type", "string");
  Json properties = Json::object();
  properties.add_unchecked("role", text);
  properties.add_unchecked("text", text);
  Json item = Json::object();
  item.add_unchecked("type", "object");
  item.add_unchecked("properties", std::move(properties));
  item.add_unchecked("required", Json::Array{Json("role"), Json("text")});
  Json schema = Json::object();
  schema.add_unchecked("type", "array");
  schema.add_unchecked("items", std::move(item));
  return schema;
}

Json value_schema(const Parameter& parameter) {
  Json schema = Json::object();
  switch (parameter.kind) {
    case ValueKind::none:
      schema.add_unchecked("type", "boolean");
      return schema;
    case ValueKind::number:
      schema.add_unchecked("type", "integer");
      schema.add_unchecked("minimum", parameter.least);
      if (parameter.json_key() == "limit") schema.add_unchecked("maximum", std::min(parameter.most, most_for_model));
      return schema;
    case ValueKind::utterances:
      return utterances_schema();
    case ValueKind::share:
      schema.add_unchecked("type", "number");
      schema.add_unchecked("minimum", 0);
      schema.add_unchecked("maximum", 1);
      return schema;
    default:
      break;
  }
  schema.add_unchecked("type", "string");
  Json choices = Json::array();
  for (const std::string_view choice : choices_of(parameter.kind)) choices.push_back(choice);
  if (!choices.as_array()->empty()) schema.add_unchecked("enum", std::move(choices));
  return schema;
}

Json schema_of(const Parameter& parameter) {
  Json schema = value_schema(parameter);
  if (parameter.many) {
    Json list = Json::object();
    list.add_unchecked("type", "array");
    list.add_unchecked("items", std::move(schema));
    schema = std::move(list);
  }
  std::string help(parameter.help);
  if (parameter.kind == ValueKind::date) help += ": " + std::string(date_examples);
  schema.add_unchecked("description", help);
  return schema;
}

}  // namespace

Json input_schema_of(const MemoryOperation& operation) {
  Json properties = Json::object(), required = Json::array();
  for (const Parameter& parameter : operation.parameters) {
    if (parameter.only_person) continue;
    properties.add_unchecked(std::string(parameter.json_key()), schema_of(parameter));
    if (parameter.required) required.push_back(parameter.json_key());
  }
  Json schema = Json::object();
  schema.add_unchecked("type", "object");
  if (!properties.as_object()->empty()) schema.add_unchecked("properties", std::move(properties));
  if (!required.as_array()->empty()) schema.add_unchecked("required", std::move(required));
  schema.add_unchecked("additionalProperties", false);
  return schema;
}

}  // namespace loci
