// The HTML comments of a file that mean something: metadata, end markers, markers of the core.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parser/metadata.h"

namespace loci {

// A line at column one that opens a metadata comment, closed or not.
bool opens_metadata(std::string_view line);

// `<!--/m-->`, perhaps with blanks behind it.
bool is_end_marker(std::string_view line);

// `<!-- loci:core begin -->` and its end.
bool is_core_marker(std::string_view line);

// Is this HTML nothing but comments and white space? A comment that is not closed counts to the end.
bool is_only_comments(std::string_view html);

struct MetadataComment {
  std::optional<Metadata> metadata;
  std::string broken;                       // without metadata: why it does not count
  std::vector<std::string> more_tags = {};  // of a comment that is broken, or under another key ("Tags", "meta":{"tags"): read as
                                            // front matter is (parser/front_values.h), with every #tag
  std::string_view rest;                    // of the line, behind the -->
};

// `line` opens a metadata comment.
MetadataComment read_metadata_comment(std::string_view line);

}  // namespace loci
