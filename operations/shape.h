// The shape of an answer, said once: the output schema of an MCP tool is made from it, and what a model is shown of an answer.
// Plain data, in constants.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/json.h"

namespace loci {

struct Field;

// The fields of an object.
struct Shape {
  const Field* first = nullptr;
  size_t count = 0;

  constexpr Shape() = default;
  template <size_t N>
  constexpr Shape(const Field (&fields)[N]) : first(fields), count(N) {}
  template <size_t N>
  constexpr Shape(const std::array<Field, N>& fields) : first(fields.data()), count(N) {}
  constexpr const Field* begin() const { return first; }
  const Field* end() const;
};

struct Field {
  enum class Type : std::uint8_t { text, integer, number, flag, texts, object, objects, anything };
  // A model is told only what it can use: hashes, columns of a ranking and copies cost it room.
  enum class For : std::uint8_t { everybody, programs };

  std::string_view name;
  Type type = Type::text;
  For whom = For::everybody;
  Shape shape = {};  // of object and objects
};

inline const Field* Shape::end() const { return first + count; }

// What of an answer a model is shown: the fields for everybody, without those that say nothing (null, an empty list).
Json told_to_model(Shape shape, const Json& answer);

// The JSON Schema (2020-12) of what told_to_model() gives.
Json schema_of(Shape shape);

}  // namespace loci
