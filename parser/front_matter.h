// YAML front matter: a first line `---`, lines that are a mapping of YAML or look like one, a line `---` or `...`; a comment may
// stand behind either fence. Only `tags` and `date` are read (parser/front_values.h).
//
// A first `---` whose next lines are no mapping and do not look like YAML is a rule with text behind it, and no text is lost. If
// one of them names tags, these count all the same: what a person marked private stays so. So do those of the head of the file
// (parser/head.h), which goes on behind front matter.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parser/lines.h"
#include "parser/yaml.h"

namespace loci {

struct FrontMatter {
  size_t lines = 0;                     // that it takes up at the start, both fences included; 0: there is none
  size_t lines_read = 0;                // that show whether there is any, and all of it
  bool undecided = false;               // it is not closed yet: bytes behind the end could still make front matter of the start
  std::vector<std::string> tags = {};   // without #
  std::string date = {};                // as written, if it starts with a date
  std::optional<YamlError> error = {};  // why it is no YAML; its line is one of the file's
};

FrontMatter read_front_matter(const Lines& lines);

}  // namespace loci
