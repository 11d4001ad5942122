// TOML as a flat list of values with their places in the file: what checking a configuration and editing one key of it need.
// Over toml++. Pure; thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace loci {

// monostate: a type that no setting has (a date, a list of something else than strings or numbers, a table in a list).
using TomlScalar =
    std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::string>, std::vector<double>>;

struct TomlValue {
  std::vector<std::string> key;  // {"models", "claude", "provider"}
  TomlScalar value;
  int line = 0;      // 1-based
  size_t begin = 0;  // bytes of the value itself
  size_t end = 0;

  std::string dotted_key() const;  // "models.claude.provider"
};

struct TomlTable {
  std::vector<std::string> key;
  size_t begin = 0;  // where the table was first written: its header's `[` if it has one
};

struct TomlFile {
  std::vector<TomlValue> values;  // sorted by key
  std::vector<TomlTable> tables;

  const TomlValue* find(std::string_view dotted_key) const;
};

// Fails with ErrorCode::usage, the reason, and the line. Keys and values may be nested deepest_toml levels deep: toml++ limits only
// values, and takes memory with the square of a key's depth.
inline constexpr int deepest_toml = 16;
Result<TomlFile> parse_toml(std::string_view text);

// As it is written in a file: `"text"`, `8`, `0.7`, `["a", "b"]`. Empty for monostate.
std::string to_toml(const TomlScalar& value);
// A key as it is written in a file, its parts quoted where they have to be: `models."my model".provider`.
std::string key_to_toml(std::span<const std::string> key);

}  // namespace loci
