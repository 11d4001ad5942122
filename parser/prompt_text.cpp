#include "parser/prompt_text.h"

#include <algorithm>

#include "base/byte_order_mark.h"
#include "base/unicode.h"
#include "parser/code_parts.h"
#include "parser/conflict_lines.h"
#include "parser/front_matter.h"
#include "parser/headings.h"
#include "parser/lines.h"
#include "parser/parser.h"
#include "parser/text_lines.h"

namespace loci {
namespace {

constexpr std::string_view comment_begin = "<!--", comment_end = "-->";

bool begins_its_line(std::string_view text, size_t at) {
  const std::string_view before = text.substr(0, at);
  return is_blank_line(before.substr(before.find_last_of("\r\n") + 1));
}

// As markdown has them: none begins in code, and one that is not closed runs to the end if it begins its line, else it is text.
std::string without_comments(std::string_view text) {
  if (!text.contains(comment_begin)) return std::string(text);
  const CodeParts code(text);
  std::string out;
  size_t copied = 0;
  for (size_t begin = text.find(comment_begin); begin != std::string_view::npos; begin = text.find(comment_begin, begin + 1)) {
    if (begin < copied || code.has(begin)) continue;
    const size_t end = text.find(comment_end, begin + 2);  // <!--> is a whole comment
    const bool is_closed = end != std::string_view::npos;
    if (!is_closed && !begins_its_line(text, begin)) continue;
    out.append(text.substr(copied, begin - copied));
    copied = is_closed ? end + comment_end.size() : text.size();
  }
  return out.append(text.substr(copied));
}

std::string without_trailing_blanks(std::string text) {
  text.resize(text.find_last_not_of(" \t\r\n") + 1);
  return text;
}

bool is_fenced(std::string_view text) { return text.starts_with("```") || text.starts_with("~~~"); }

// A line under a heading's words that makes them one: 1 for `===`, 2 for `---`.
int underline_level(std::string_view line) {
  const std::string text = without_trailing_blanks(std::string(line));
  if (text.empty() || (text[0] != '=' && text[0] != '-') || text.find_first_not_of(text[0]) != std::string::npos) return 0;
  return text[0] == '=' ? 1 : 2;
}

class Renderer {
 public:
  // What stands between two entries: headings, comments, rules, blank lines.
  void add_gap(std::string_view gap) {
    const std::string text = without_comments(gap);
    std::string_view before;
    is_apart_ = is_apart_ || text.find("\n\n") != std::string::npos || text.find("\n\r\n") != std::string::npos ||
                text.starts_with('\n') || text.starts_with("\r\n");
    for (size_t begin = 0; begin < text.size(); begin = next_line(text, begin)) {
      const std::string_view line = std::string_view(text).substr(begin, next_line(text, begin) - begin);
      if (const int level = heading_level(line); level > 0)
        enter(level, line);
      else if (const int underlined = underline_level(line); underlined > 0 && !is_blank_line(before))
        enter(underlined, std::string(static_cast<size_t>(underlined), '#') + ' ' + std::string(before));
      before = line;
    }
  }

  void add_entry(std::string text, bool is_list_item) {
    if (is_blank_line(text)) return;
    for (const Heading& heading : pending_) {
      if (!out_.empty()) out_ += out_.ends_with('\n') ? "" : "\n\n";
      out_.append(heading.line).append("\n");
    }
    if (!out_.empty() && !out_.ends_with('\n')) out_ += is_apart_ && !(is_list_item && after_list_item_) ? "\n\n" : "\n";
    pending_.clear();
    is_apart_ = false;
    after_list_item_ = is_list_item;
    out_ += text;
  }

  std::string text() && { return std::move(out_); }

 private:
  struct Heading {
    int level = 0;
    std::string line;
  };

  // A heading that nothing stands under is left out.
  void enter(int level, std::string_view line) {
    std::erase_if(pending_, [&](const Heading& heading) { return heading.level >= level; });
    pending_.push_back({level, without_trailing_blanks(std::string(line))});
  }

  std::string out_;
  std::vector<Heading> pending_;
  bool is_apart_ = false;  // blank lines stood before what comes
  bool after_list_item_ = false;
};

}  // namespace

std::string prompt_text(std::string_view bytes) {
  const std::string without_markers = without_conflict_markers(bytes);
  const std::string_view file = without_markers;
  const ParsedFile parsed = parse(file);
  Renderer renderer;
  const Lines lines(file, byte_order_mark_of(file).size());
  size_t position = lines.begin(read_front_matter(lines).lines);
  for (const ParsedEntry& entry : parsed.entries) {
    renderer.add_gap(file.substr(position, entry.begin - position));
    const size_t begin = lines.begin(static_cast<size_t>(entry.line) - 1), end = lines.begin(static_cast<size_t>(entry.line_end));
    const std::string raw = lines_between(file.substr(begin, end - begin), 1, entry.line_end - entry.line + 1);
    const std::string text = entry.metadata ? entry.text : is_fenced(raw) ? raw : without_comments(raw);
    renderer.add_entry(without_trailing_blanks(text), !list_marker(raw).empty());
    position = entry.end;
  }
  return std::move(renderer).text();
}

CutText cut_at_lines(std::string_view text, size_t limit) {
  CutText cut;
  size_t used = 0;
  bool is_full = false;
  for (size_t begin = 0; begin < text.size(); begin = next_line(text, begin)) {
    std::string_view line = text.substr(begin, next_line(text, begin) - begin);
    if (line.ends_with('\n')) line.remove_suffix(1);
    const size_t more = count_code_points(line) + (begin > 0 ? 1 : 0);
    is_full = is_full || used + more > limit;
    if (is_full) {
      if (!is_blank_line(line)) cut.lost.emplace_back(line);
      continue;
    }
    if (begin > 0) cut.text += '\n';
    cut.text += line;
    used += more;
  }
  cut.text = without_trailing_blanks(std::move(cut.text));
  return cut;
}

}  // namespace loci
