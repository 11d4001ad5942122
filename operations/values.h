// What was given to an operation, checked against what it takes. A caller gives JSON (MCP, a body) or a query of texts (HTTP).
// Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "memory/authority.h"
#include "operations/parameter.h"

namespace loci {

class Values {
 public:
  bool has(std::string_view key) const { return given_.find(key) != nullptr; }
  std::string text(std::string_view key) const { return given_.text_at(key); }  // empty if it was not given
  std::vector<std::string> texts(std::string_view key) const { return given_.texts_at(key); }
  bool flag(std::string_view key) const;
  std::optional<std::int64_t> number(std::string_view key) const;
  size_t number_or(std::string_view key, size_t otherwise) const;
  const Json& json() const { return given_; }  // an object of what was given, under the keys of JSON

 private:
  friend Result<Values> check_values(std::span<const Parameter>, const Json&, Actor);
  Json given_ = Json::object();
};

// ErrorCode::usage names what is unknown, missing, of a wrong type or out of bounds, and says what would do; ErrorCode::refused for
// what only a person may give. A null counts as not given, a single text as a list of one, a name of the command line ("tag") as
// the key of JSON ("tags").
Result<Values> check_values(std::span<const Parameter> parameters, const Json& given, Actor actor);

// The texts of a query as JSON, for check_values: "1" and an empty text are true for a switch, commas part a list, and a number
// that is too large is the largest that is taken. An empty text of anything else counts as not given.
using QueryTexts = std::map<std::string, std::string, std::less<>>;
Result<Json> json_of_query(std::span<const Parameter> parameters, const QueryTexts& query);

}  // namespace loci
