#include "cli/values_of.h"

namespace loci::cli {
namespace {

Json value_of(const Arguments& arguments, const Parameter& parameter) {
  if (parameter.many) return Json(arguments.all(parameter.name));
  switch (parameter.kind) {
    case ValueKind::none:
      return Json(true);
    case ValueKind::number:
      return Json(*arguments.number(parameter.name));
    case ValueKind::share:
      return Json(*arguments.share(parameter.name));
    default:
      return Json(arguments.text(parameter.name));
  }
}

}  // namespace

Result<Values> values_of(const Arguments& arguments, std::span<const Parameter> parameters) {
  Json given = Json::object();
  for (const Parameter& parameter : parameters)
    if (arguments.has(parameter.name)) given.add_unchecked(std::string(parameter.json_key()), value_of(arguments, parameter));
  return check_values(parameters, given, Actor::person);
}

}  // namespace loci::cli
