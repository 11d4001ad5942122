// What the lines between the fences of front matter say: `tags` (or `tag`) and `date` of a mapping, every other key is the person's
// own business. Tags may keep a note from agents, so none is overlooked: they are read as YAML has them, in mappings inside of
// others too ("meta:"), with aliases followed, as a person may have meant them ("tags:private"), and of lines that are no YAML
// every word near a key of that name is taken for one. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parser/yaml.h"

namespace loci {

struct FrontValues {
  bool is_mapping = false;         // it is YAML, with keys
  std::vector<std::string> tags;   // without #
  std::string date;                // as written, if it starts with a date
  std::optional<YamlError> error;  // why it is no YAML
};

FrontValues read_front_values(std::string_view block);

// The position of the colon behind a key at the line's start; npos if the line has none.
size_t find_key_end(std::string_view line);

}  // namespace loci
