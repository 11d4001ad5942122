#include "parser/comments.h"

#include <utility>

#include "parser/lines.h"

namespace loci {
namespace {

constexpr std::string_view metadata_start = "<!--m";
constexpr std::string_view comment_start = "<!--";
constexpr std::string_view comment_end = "-->";

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
  if (end == std::string_view::npos) {
    comment.broken = "the metadata comment has no --> on its line";
    return comment;
  }
  comment.rest = line.substr(end + comment_end.size());
  if (!is_blank(comment.rest)) {
    comment.broken = "there is text behind the --> of the metadata comment: it has to stand on a line of its own";
    return comment;
  }
  auto metadata = parse_metadata(line.substr(0, end));
  if (metadata)
    comment.metadata = std::move(*metadata);
  else
    comment.broken = "the metadata does not count: " + metadata.error().message;
  return comment;
}

}  // namespace loci
