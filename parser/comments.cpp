#include "parser/comments.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "parser/front_values.h"
#include "parser/front_words.h"
#include "parser/lines.h"
#include "parser/tag_marks.h"

namespace loci {
namespace {

constexpr std::string_view metadata_start = "<!--m";
constexpr std::string_view comment_start = "<!--";
constexpr std::string_view comment_end = "-->";

// What stands in it, and is not known to be something else.
std::vector<std::string> tags_in(std::string_view object) {
  auto tags = may_hold_tags(object) ? read_front_values(object).tags : std::vector<std::string>();
  std::ranges::move(marked_tags(object), std::back_inserter(tags));
  return tags;
}

}  // namespace

bool opens_metadata(std::string_view line) {
  if (!line.starts_with(metadata_start)) return false;
  const size_t brace = line.find_first_not_of(" \t", metadata_start.size());
  return brace != std::string_view::npos && line[brace] == '{';
}

bool is_end_marker(std::string_view line) {
  constexpr std::string_view marker = "<!--/m-->";
  return line.starts_with(marker) && is_blank(line.substr(marker.size()));
}

bool is_core_marker(std::string_view line) { return line.starts_with("<!-- loci:core "); }

bool is_only_comments(std::string_view html) {
  for (;;) {
    const size_t start = html.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos) return true;
    html.remove_prefix(start);
    if (!html.starts_with(comment_start)) return false;
    const size_t end = html.find(comment_end, 2);  // markdown lets `<!-->` close itself
    if (end == std::string_view::npos) return true;
    html.remove_prefix(end + comment_end.size());
  }
}

MetadataComment read_metadata_comment(std::string_view line) {
  MetadataComment comment;
  line.remove_prefix(metadata_start.size());
  const size_t end = line.find(comment_end);
  const std::string_view object = line.substr(0, end);
  auto metadata = parse_metadata(object);
  if (end != std::string_view::npos) comment.rest = line.substr(end + comment_end.size());
  if (end == std::string_view::npos)
    comment.broken = "the metadata comment has no --> on its line";
  else if (!is_blank(comment.rest))
    comment.broken = "there is text behind the --> of the metadata comment: it has to stand on a line of its own";
  else if (!metadata)
    comment.broken = "the metadata does not count: " + metadata.error().message;
  else
    comment.metadata = std::move(*metadata);
  if (!comment.metadata)
    comment.more_tags = tags_in(line.substr(0, line.rfind(comment_end)));  // a value may have held a -->
  else if (!comment.metadata->unknown.empty())
    comment.more_tags = tags_in(to_string(Json(comment.metadata->unknown)));
  return comment;
}

}  // namespace loci
