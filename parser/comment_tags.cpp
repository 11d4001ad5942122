#include "parser/comment_tags.h"

#include <algorithm>
#include <utility>

#include "parser/front_values.h"
#include "parser/front_words.h"

namespace loci {
namespace {

constexpr std::string_view comment_start = "<!--", comment_end = "-->";

void add_tagged(std::vector<TaggedComment>& tagged, size_t begin, std::string_view inside) {
  inside.remove_prefix(std::min(inside.find_first_not_of('-'), inside.size()));
  inside.remove_prefix(std::min(inside.find_first_not_of(" \t\r\n"), inside.size()));
  if (inside.starts_with("m ") || inside.starts_with("M ")) inside.remove_prefix(2);
  if (!may_hold_tags(inside)) return;
  const size_t brace = inside.find('{');
  const bool is_object = brace != std::string_view::npos && inside.substr(0, brace).find_first_of(":=") == std::string_view::npos;
  auto tags = read_front_values(is_object ? inside.substr(brace) : inside).tags;
  if (!tags.empty()) tagged.push_back({begin, std::move(tags)});
}

}  // namespace

// No comment begins within another one, though a person may have left one open in front of it: both are read. One that is not
// closed counts to the end. What is read is no more than twice what there is.
std::vector<TaggedComment> tagged_comments(std::string_view text) {
  std::vector<TaggedComment> tagged;
  for (size_t begin = text.find(comment_start); begin != std::string_view::npos;) {
    const size_t first = begin + comment_start.size(), end = std::min(text.find(comment_end, first), text.size());
    const std::string_view inside = text.substr(first, end - first);
    add_tagged(tagged, begin, inside);
    if (const size_t last = inside.rfind(comment_start); last != std::string_view::npos)
      add_tagged(tagged, first + last, inside.substr(last + comment_start.size()));
    begin = text.find(comment_start, end);
  }
  return tagged;
}

bool ends_in_comment(std::string_view text) {
  const size_t last = text.rfind(comment_start);
  return last != std::string_view::npos && !text.substr(last).contains(comment_end);
}

}  // namespace loci
