#include "edits/hidden_entries.h"

#include <algorithm>
#include <set>

#include "parser/core_file.h"
#include "parser/metadata.h"
#include "parser/same_reading.h"
#include "parser/text_lines.h"

namespace loci {
namespace {

constexpr std::string_view comment_start = "<!--m", comment_end = "-->";

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) > 127; }

// The name in a comment, which need not be JSON any more; empty if there is none.
std::string name_in(std::string_view comment, std::string_view key) {
  const std::string quoted = '"' + std::string(key) + '"';
  size_t at = comment.find(quoted);
  if (at == comment.npos) return {};
  at = comment.find_first_not_of(" \t:", at + quoted.size());
  if (at == comment.npos || comment[at] != '"') return {};
  const std::string_view id = comment.substr(at + 1, comment.find('"', at + 1) - at - 1);
  return is_valid_id(id) ? std::string(id) : std::string();
}

// Up to the next comment of loci's.
std::string words_behind(std::string_view bytes, size_t comment) {
  const size_t behind_line = next_line(bytes, comment);
  const size_t closed = bytes.substr(0, behind_line).find(comment_end, comment);
  size_t begin = closed == bytes.npos ? behind_line : closed + comment_end.size();
  for (size_t end = 0; begin < bytes.size(); begin = end) {
    end = next_line(bytes, begin);
    std::string_view line = bytes.substr(begin, end - begin);
    const bool ends = line.contains(comment_start) || line.contains("<!--/m-->") || line.contains("<!-- loci:core");
    if (ends) return {};
    while (!line.empty() && !is_word(line.front())) line.remove_prefix(1);
    while (!line.empty() && std::string_view(" \t\r\n#").contains(line.back())) line.remove_suffix(1);
    if (!line.empty()) return std::string(line);
  }
  return {};
}

// Tells lines of bytes that are asked about from the first on.
class LinesInOrder {
 public:
  LinesInOrder(std::string_view bytes, const ParsedFile& parsed)
      : bytes_(bytes), entry_(parsed.entries.begin()), end_(parsed.entries.end()) {}

  // Where the text begins that the byte is a part of, else the byte's own line.
  int line_of(size_t at) {
    line_ += static_cast<int>(std::ranges::count(bytes_.substr(at_, at - at_), '\n'));
    at_ = at;
    while (entry_ != end_ && entry_->end <= at) ++entry_;
    return entry_ != end_ && entry_->begin <= at ? std::min(entry_->line, line_) : line_;
  }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
  int line_ = 1;
  std::vector<ParsedEntry>::const_iterator entry_, end_;
};

}  // namespace

std::vector<HiddenEntry> find_hidden_entries(Place place, std::string_view bytes, const ParsedFile& parsed) {
  const bool is_core = place == Place::core;
  size_t first = 0, limit = bytes.size();
  if (is_core) {
    const auto core = read_core(bytes);
    if (!core) return {};
    first = line_begin(bytes, core->begin_line + 1);
    limit = line_begin(bytes, core->end_line);
  }
  std::set<std::string> taken;  // names that stand, or are hidden further up
  std::set<size_t> comments;    // that are read as such
  for (const ParsedEntry& entry : parsed.entries) {
    const Metadata* metadata = comment_of(entry);
    if (!metadata) continue;
    taken.insert(is_core ? metadata->ref : metadata->id);
    comments.insert(entry.begin);
  }
  std::vector<HiddenEntry> hidden;
  LinesInOrder lines(bytes, parsed);
  for (size_t at = bytes.find(comment_start, first); at < limit; at = bytes.find(comment_start, at + 1)) {
    if (comments.contains(at)) continue;
    std::string id = name_in(bytes.substr(at, next_line(bytes, at) - at), is_core ? "ref" : "id");
    if (id.empty() || taken.contains(id)) continue;
    std::string words = words_behind(bytes.substr(0, limit), at);
    if (words.empty()) continue;
    taken.insert(id);
    hidden.push_back({std::move(id), lines.line_of(at), std::move(words)});
  }
  return hidden;
}

}  // namespace loci
