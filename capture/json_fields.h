// The fields of a JSON object that a caller sends, each taken once and of one type. What is left over is unknown, and an error.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"

namespace loci {

class JsonFields {
 public:
  // ErrorCode::usage if it is not JSON, or no object.
  static Result<JsonFields> parse(std::string_view json);

  // Empty where the field is missing or null.
  std::string text(std::string_view key);
  std::optional<std::int64_t> integer(std::string_view key);
  std::vector<std::string> texts(std::string_view key);
  std::optional<Instant> time(std::string_view key);

  // ErrorCode::usage for the first field that had another type, and for one that nobody asked for.
  Status finish() const;

 private:
  explicit JsonFields(Json object) : object_(std::move(object)) {}
  const Json* take(std::string_view key);
  void complain(std::string_view key, std::string_view what);

  Json object_;
  std::set<std::string, std::less<>> taken_;
  std::string wrong_;
};

}  // namespace loci
