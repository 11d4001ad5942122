#include "base/json.h"
#include "parser/parser.h"

namespace loci {
namespace {

// Reads a list of strings that parse_json gave; false if it is something else.
bool read(const Json& value, std::vector<std::string>& field) {
  const Json::Array* array = value.as_array();
  if (!array) return false;
  for (const Json& element : *array) {
    if (!element.as_string()) return false;
    field.push_back(*element.as_string());
  }
  return true;
}

bool read(const Json& value, std::vector<int>& field) {
  const Json::Array* array = value.as_array();
  if (!array) return false;
  for (const Json& element : *array) {
    if (!element.as_integer()) return false;
    field.push_back(static_cast<int>(*element.as_integer()));
  }
  return true;
}

}  // namespace

// A list of the members in their order.
std::string ResumePoint::serialise() const {
  Json levels = Json::array();
  for (const int level : section_levels) levels.push_back(level);
  return to_string(Json(Json::Array{std::uint64_t{offset}, line, std::uint64_t{entries}, section, std::move(levels), front_tags,
                                    front_date, held, invalid_utf8}));
}

std::optional<ResumePoint> ResumePoint::deserialise(std::string_view text) {
  constexpr size_t member_count = 9;
  const auto json = parse_json(text);
  const Json::Array* members = json ? json->as_array() : nullptr;
  if (!members || members->size() != member_count) return std::nullopt;
  const auto& m = *members;
  if (!m[0].as_integer() || !m[1].as_integer() || !m[2].as_integer() || !m[6].as_string() || !m[7].as_bool() || !m[8].as_bool())
    return std::nullopt;
  if (*m[0].as_integer() < 0 || *m[1].as_integer() < 1 || *m[2].as_integer() < 0) return std::nullopt;
  ResumePoint point;
  point.offset = static_cast<size_t>(*m[0].as_integer());
  point.line = static_cast<int>(*m[1].as_integer());
  point.entries = static_cast<size_t>(*m[2].as_integer());
  if (!read(m[3], point.section) || !read(m[4], point.section_levels) || !read(m[5], point.front_tags)) return std::nullopt;
  if (point.section.size() != point.section_levels.size()) return std::nullopt;
  point.front_date = *m[6].as_string();
  point.held = *m[7].as_bool();
  point.invalid_utf8 = *m[8].as_bool();
  return point;
}

}  // namespace loci
