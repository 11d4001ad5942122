#include "parser/comments.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "parser/front_values.h"
#include "parser/front_words.h"
#include "parser/lines.h"
#include "parser/tag_marks.h"
#include "parser/tag_names.h"

namespace loci {
namespace {

constexpr std::string_view metadata_start = "<!--m";
constexpr std::string_view comment_start = "<!--";
constexpr std::string_view comment_end = "-->";

std::vector<std::string> tags_in(std::string_view object) {
  return may_hold_tags(object) ? read_front_values(object).tags : std::vector<std::string>();
}

// "#private #work" and no other word.
bool is_only_marks(std::string_view text) { return text.contains('#') && tag_words(text).size() == marks_in_prose(text).size(); }

void add_tags_inside(std::string_view comment, std::vector<std::string>& tags) {
  comment.remove_prefix(std::min(comment.find_first_not_of(" \t\r\n"), comment.size()));
  if (comment.starts_with("m ") || comment.starts_with("M ")) comment.remove_prefix(2);
  if (is_only_marks(comment)) std::ranges::move(marks_in_prose(comment), std::back_inserter(tags));
  if (!may_hold_tags(comment)) return;
  const size_t brace = comment.find('{');
  const bool is_object = brace != std::string_view::npos && comment.substr(0, brace).find_first_of(":=") == std::string_view::npos;
  std::ranges::move(read_front_values(is_object ? comment.substr(brace) : comment).tags, std::back_inserter(tags));
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

// No comment begins within another one, though a person may have left one open in front of it: both are read. One that is not
// closed counts to the end. What is read is no more than twice what there is.
std::vector<std::string> tags_of_comments(std::string_view html) {
  std::vector<std::string> tags;
  for (size_t begin = html.find(comment_start); begin != std::string_view::npos; begin = html.find(comment_start, begin)) {
    begin += comment_start.size();
    const size_t end = std::min(html.find(comment_end, begin), html.size());
    const std::string_view inside = html.substr(begin, end - begin);
    add_tags_inside(inside, tags);
    if (const size_t last = inside.rfind(comment_start); last != std::string_view::npos)
      add_tags_inside(inside.substr(last + comment_start.size()), tags);
    begin = end;
  }
  return tags;
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
    comment.more_tags = tags_in(object);
  else if (!comment.metadata->unknown.empty())
    comment.more_tags = tags_in(to_string(Json(comment.metadata->unknown)));
  return comment;
}

}  // namespace loci
