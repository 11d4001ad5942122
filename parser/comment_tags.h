// What HTML comments say to a person who wrote them: tags of the text that they stand in, or at. A comment may stand anywhere in a
// text and be written anyhow; of some doubt what is one, it is. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace loci {

struct TaggedComment {
  size_t begin;  // of its <!--
  std::vector<std::string> tags;
};

// Those with a key for tags, be it metadata with a fault: "<!--M", "<!-- tags: a -->", "<!--- Tags = a --->". A #tag in a comment
// is found as in any text (parser/tag_marks.h).
std::vector<TaggedComment> tagged_comments(std::string_view text);

// Does the last comment go on behind the text?
bool ends_in_comment(std::string_view text);

}  // namespace loci
