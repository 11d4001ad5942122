#include "operations/shape.h"

#include <algorithm>

namespace loci {
namespace {

using Type = Field::Type;

bool says_nothing(const Json& value) { return value.is_null() || (value.as_array() && value.as_array()->empty()); }

// An answer without its hits would be none: lists of objects stay, empty as they may be.
bool is_left_out(const Field& field, const Json& value) {
  return field.whom == Field::For::programs || (says_nothing(value) && !(field.type == Type::objects && value.as_array()));
}

Json told(const Field& field, const Json& value) {
  if (field.shape.count == 0) return value;
  if (field.type == Type::object) return told_to_model(field.shape, value);
  Json list = Json::array();
  for (const Json& one : value.as_array() ? *value.as_array() : Json::Array{}) list.push_back(told_to_model(field.shape, one));
  return list;
}

Json typed(const char* type) {
  Json schema = Json::object();
  schema.add_unchecked("type", type);
  return schema;
}

Json array_of(Json items) {
  Json schema = typed("array");
  schema.add_unchecked("items", std::move(items));
  return schema;
}

Json schema_of(const Field& field) {
  switch (field.type) {
    case Type::text:
      return typed("string");
    case Type::integer:
      return typed("integer");
    case Type::number:
      return typed("number");
    case Type::flag:
      return typed("boolean");
    case Type::texts:
      return array_of(typed("string"));
    case Type::object:
      return field.shape.count == 0 ? typed("object") : schema_of(field.shape);
    case Type::objects:
      return array_of(field.shape.count == 0 ? typed("object") : schema_of(field.shape));
    case Type::anything:
      break;
  }
  return Json::object();
}

}  // namespace

Json told_to_model(Shape shape, const Json& answer) {
  Json out = Json::object();
  for (const Field& field : shape)
    if (const Json* value = answer.find(field.name); value && !is_left_out(field, *value))
      out.add_unchecked(std::string(field.name), told(field, *value));
  return out;
}

Json schema_of(Shape shape) {
  Json properties = Json::object();
  for (const Field& field : shape)
    if (field.whom == Field::For::everybody) properties.add_unchecked(std::string(field.name), schema_of(field));
  Json schema = typed("object");
  schema.add_unchecked("properties", std::move(properties));
  return schema;
}

}  // namespace loci
