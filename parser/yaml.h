// YAML as a flat list of nodes, over libyaml's event stream. It never expands an alias: a few lines of them can stand for billions
// of values, so whoever reads the nodes follows them, and counts. Pure; thread-safe.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace loci {

struct YamlNode {
  enum class Kind : std::uint8_t { scalar, alias, sequence, mapping } kind = Kind::scalar;
  std::string text = {};          // of a scalar with its escapes decoded; of an alias the anchor that it names
  std::string anchor = {};        // its own; empty if it has none
  bool may_have_comment = false;  // a scalar behind which its line may go on with one: no block of text, and not between brackets
  size_t end_character = 0;       // where it ends, in characters from the start
  size_t next = 0;                // the node behind it and all that is in it
};

struct YamlError {
  size_t line = 0;  // from 0
  std::string message;
};

inline constexpr size_t longest_yaml = size_t{64} << 10, deepest_yaml = 64;

// The nodes of the one document in `text`, a mapping's keys and values in turn; none if it is empty. What is longer than
// longest_yaml, or nested deeper than deepest_yaml, is an error as broken YAML is.
std::expected<std::vector<YamlNode>, YamlError> read_yaml(std::string_view text);

}  // namespace loci
