// Words of front matter as tags. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loci {

// Without its quotes and the # in front; none for nothing, "null" and "~". At most most_tags_read in all.
void add_tag(std::vector<std::string>& tags, std::string_view text);

// "a, #b c": of a list, each of tag_words().
void add_listed_tags(std::vector<std::string>& tags, std::string_view text);

// Where a text goes on behind a key for tags that it begins with, whatever stands for the colon and whichever marks around the key:
// "tags:a", "Tags：a", "tags = a", "“tags” :a", "**Tags:** a"; npos if it begins with none.
size_t behind_tags_key(std::string_view text);

// Of lines that are no YAML. Do they name tags, or merge what may have them? Then every word but the key itself may be one.
bool may_hold_tags(std::string_view lines);
void add_words_as_tags(std::vector<std::string>& tags, std::string_view lines);

}  // namespace loci
