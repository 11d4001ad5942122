#include "parser/parser.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>

#include "base/byte_order_mark.h"
#include "base/unicode.h"
#include "parser/blocks.h"
#include "parser/comment_tags.h"
#include "parser/comments.h"
#include "parser/entry_text.h"
#include "parser/front_matter.h"
#include "parser/head.h"
#include "parser/headings.h"
#include "parser/limits.h"
#include "parser/lines.h"
#include "parser/tag_marks.h"
#include "parser/tags.h"
#include "parser/text_hash.h"
#include "parser/text_lines.h"

namespace loci {
namespace {

constexpr std::string_view too_many_entries = "too-many-entries", too_much_memory = "too-much-memory";
constexpr std::string_view invalid_utf8_message = "not UTF-8: the bytes that are not, and NUL, are read as U+FFFD";

// The offset, from `begin` on, of the first byte that is not UTF-8, or of the first NUL; the size of the text if there is none.
size_t find_invalid(std::string_view text, size_t begin) {
  const std::string_view rest = text.substr(begin);
  return begin + std::min({find_invalid_utf8(rest), rest.find('\0'), rest.size()});
}

struct Sections {
  std::vector<std::string> titles;
  std::vector<int> levels;
  std::vector<std::vector<std::string>> tags = std::vector<std::vector<std::string>>(levels.size());  // of their heads

  void enter(int level, std::string title) {
    while (!levels.empty() && levels.back() >= level) {
      levels.pop_back();
      titles.pop_back();
      tags.pop_back();
    }
    levels.push_back(level);
    titles.push_back(std::move(title));
    tags.emplace_back();
  }
};

// Walks the blocks of the text behind `from` and makes entries of them.
class Assembler {
 public:
  Assembler(const Lines& lines, const ResumePoint& from, int first_line, const IdBefore& id_before, size_t spacing)
      : lines_(lines),
        from_(from),
        first_line_(first_line),
        id_before_(id_before),
        spacing_(spacing),
        last_checkpoint_(from.offset),
        most_memory_(most_memory(lines.text().size())),
        outline_(outline_of(lines, most_memory_ - std::min(most_memory_, lines.memory()))),
        memory_(lines.memory() + memory_of(outline_)),
        invalid_byte_(find_invalid(lines.text(), lines.begin(0))),
        text_(lines, outline_, invalid_byte_ == lines.text().size()),
        sections_{from.section, from.section_levels} {}

  ParsedFile run() {
    file_.entries.reserve(std::min(outline_.blocks.size(), most_entries));
    for (size_t block = 0; block < outline_.blocks.size() && !is_too_much();) {
      mark_resume_point(block);
      block = take(block);
    }
    if (is_too_much()) return left_out();
    if (above_) add_tags(file_.entries[*above_].tags, upward_tags_);
    report_outline();
    std::ranges::sort(file_.problems, {}, [](const ParseProblem& problem) { return std::tie(problem.line, problem.code); });
    file_.front_date = from_.front_date;
    file_.held = from_.held || !outline_.conflicts.empty();
    file_.resume = resume_point();
    return std::move(file_);
  }

 private:
  // --- limits ---

  bool has_too_many() const { return from_.entries + file_.entries.size() > most_entries; }
  bool is_too_much() const { return !outline_.complete || memory_ > most_memory_ || has_too_many(); }

  ParsedFile left_out() const {
    ParsedFile file;
    file.held = true;
    file.front_date = from_.front_date;
    file.open_end = OpenEnd::entry;  // nobody knows: what is appended goes elsewhere
    file.problems.push_back(
        has_too_many() ? ParseProblem{0, std::string(too_many_entries),
                                      "holds more than " + std::to_string(most_entries) + " entries and is left out; split it"}
                       : ParseProblem{0, std::string(too_much_memory), "would take too much memory and is left out; split it"});
    return file;
  }

  static size_t memory_of_texts(const std::vector<std::string>& texts) {
    size_t bytes = 0;
    for (const std::string& text : texts) bytes += sizeof text + text.capacity();
    return bytes;
  }
  // A value of JSON takes up to so many times its text.
  static constexpr size_t json_growth = 16;
  // The index names the file in each, and packs them all.
  static constexpr size_t copies_of_problem = 3;
  size_t memory_of_entry(const ParsedEntry& entry) const {
    const size_t comment = entry.metadata ? json_growth * first_line_at(entry.begin).size() : 0;
    return sizeof entry + entry.text.capacity() + entry.hash.capacity() + entry.id.capacity() + memory_of_texts(entry.section) +
           memory_of_texts(entry.tags) + comment;
  }
  static size_t memory_of_point(const ResumePoint& point) {
    return sizeof point + memory_of_texts(point.section) + memory_of_texts(point.front_tags) + point.front_date.capacity();
  }
  std::string_view first_line_at(size_t offset) const { return lines_[lines_.line_at(offset)]; }

  // --- places ---

  int line_number(size_t line) const { return first_line_ + static_cast<int>(line); }
  const Block& block_at(size_t block) const { return outline_.blocks[block]; }
  std::string_view first_line_of(size_t block) const { return lines_[block_at(block).line]; }
  size_t limit_of(size_t block) const { return block + 1 < outline_.blocks.size() ? block_at(block + 1).line : lines_.count(); }
  LineRange range_of(size_t block) const { return text_.trimmed({block_at(block).line, limit_of(block)}); }
  std::string_view bytes_of(LineRange range) const {
    return lines_.text().substr(lines_.begin(range.first), lines_.begin(range.end) - lines_.begin(range.first));
  }

  bool is_metadata_comment(size_t block) const {
    return block_at(block).type == BlockType::html && opens_metadata(first_line_of(block));
  }
  bool is_comment(size_t block) const {
    return block_at(block).type == BlockType::html && is_only_comments(bytes_of(range_of(block)));
  }
  bool is_entry(size_t block) const {
    const BlockType type = block_at(block).type;
    return type != BlockType::heading && type != BlockType::rule && !is_metadata_comment(block) && !is_comment(block);
  }

  void report(size_t line, std::string code, std::string message) {
    file_.problems.push_back({line_number(line), std::move(code), std::move(message)});
    const ParseProblem& problem = file_.problems.back();
    memory_ += copies_of_problem * (sizeof problem + problem.code.capacity() + problem.message.capacity());
  }

  // --- blocks; each take_ returns the block behind what it took ---

  size_t take(size_t block) {
    if (is_metadata_comment(block)) {
      set_above(std::nullopt);
      return take_metadata(block);
    }
    if (is_entry(block)) {
      const size_t before = file_.entries.size();
      add_plain(block, block_at(block).line);
      settle(block, block_at(block).line, before);
    } else if (is_comment(block)) {
      carry_comments(range_of(block));
    } else {
      set_above(std::nullopt);
      if (block_at(block).type == BlockType::heading) {
        enter_section(block);
      }
    }
    return block + 1;
  }

  void enter(size_t heading, Sections& sections) const {
    sections.enter(block_at(heading).heading_level, text_.heading(range_of(heading)));
  }

  // "tags: private" above "---" is a heading to markdown. To a person it is in the head of the one above it.
  void enter_section(size_t heading) {
    const bool is_in_head = block_at(heading).line < head_end_;
    const std::vector<std::string> tags_of_head = is_in_head ? sections_.tags.back() : std::vector<std::string>();
    enter(heading, sections_);
    headings_.push_back(heading);
    add_tags(sections_.tags.back(), tags_of_head);
    if (range_of(heading).end < head_end_) return;  // what stands below it was read with that
    Head head = read_head(lines_, range_of(heading).end, HeadOf::section);
    for (std::string& tag : head.tags) tag = text_.clean(std::move(tag));
    add_tags(sections_.tags.back(), head.tags);
    head_end_ = head.end;
  }

  size_t take_metadata(size_t block) {
    const size_t line = block_at(block).line;
    MetadataComment comment = read_metadata_comment(lines_[line]);
    if (!comment.metadata) report(line, "bad-metadata", std::move(comment.broken));
    carry({line, line + 1}, comment.more_tags);
    if (!is_only_comments(comment.rest)) {
      const size_t start = comment.rest.find_first_not_of(" \t");
      const size_t end = comment.rest.find_last_not_of(" \t") + 1;
      add({.range = {line, line + 1}, .begin = line, .end = line + 1},
          text_.clean(std::string(comment.rest.substr(start, end - start))), true);
      return block + 1;
    }
    if (comment.metadata && comment.metadata->end) return take_marked(block, std::move(*comment.metadata));
    const size_t next = block + 1;
    if (next == outline_.blocks.size() || !is_entry(next)) {
      if (comment.metadata)
        report(line, "metadata-without-text", "the metadata comment has no text behind it: remove it, or put its text back");
      if (comment.metadata && next < outline_.blocks.size() && !is_metadata_comment(next))
        add_tags(carried_tags_, comment.metadata->tags);
      return next;
    }
    const size_t before = file_.entries.size();
    if (!comment.metadata) {
      add_plain(next, line);
      settle(next, line, before);
      return next + 1;
    }
    const LineRange range = range_of(next);
    add({.range = range, .begin = line, .end = range.end, .metadata = std::move(comment.metadata)}, text_.unescaped(range, next),
        has_tags(next));
    drop_carried(line, range.end);
    set_above(before);
    return next + 1;
  }

  // --- tags of comments that are no metadata: they are of the next entry, and may be of the one above ---

  // A comment that its lines leave open goes on up to its -->, a blank line or another comment: then also what stands up to there
  // has its tags.
  void carry(LineRange range, const std::vector<std::string>& tags) {
    add_tags(carried_tags_, tags);
    carried_over_ = range.end - 1;
    if (!ends_in_comment(bytes_of(range))) return;
    size_t next = range.end;
    while (next < lines_.count() && !is_blank(lines_[next]) && lines_[next].find("-->") == std::string_view::npos &&
           lines_[next].find("<!--") == std::string_view::npos)
      ++next;
    open_to_ = next;
    if (next == lines_.count() || lines_[next].find("-->") >= lines_[next].find("<!--")) return;
    carried_over_ = next + 1;
    add_tags(carried_tags_, marked_tags(bytes_of({range.first, next + 1})));
  }

  // Where a blank line parts them from what is below, and none from what is above, they are of both.
  void carry_comments(LineRange range) {
    const std::vector<std::string> tags = marked_tags(bytes_of(range));
    carry(range, tags);
    if (!above_) return;
    is_at_above_ = is_at_above_ && range.first > 0 && !is_blank(lines_[range.first - 1]);
    const bool is_at_below = range.end < lines_.count() && !is_blank(lines_[range.end]);
    if (is_at_above_ && !is_at_below) add_tags(file_.entries[*above_].tags, tags);
    add_tags(upward_tags_, tags);
  }

  // Once an entry of these lines has them, if something of it stands behind the comment.
  void drop_carried(size_t line, size_t end) {
    if (line >= carried_over_ || end > carried_over_) carried_tags_.clear();
  }

  // What was made of a block, behind so many entries, says nothing of its own to a person if it is all comments and tags.
  void settle(size_t block, size_t line, size_t before) {
    const LineRange range = range_of(block);
    if (may_be_tags(block) && says_only_tags(without_marker(bytes_of(range)))) return carry_comments(range);
    drop_carried(line, range.end);
    if (file_.entries.size() > before) set_above(before);
  }

  void set_above(std::optional<size_t> entry) {
    above_ = entry;
    is_at_above_ = entry.has_value();
    upward_tags_.clear();
  }

  // As its first line has it.
  bool may_be_tags(size_t block) const {
    const BlockType type = block_at(block).type;
    return type != BlockType::fenced_code && type != BlockType::rule && !says_something(without_marker(first_line_of(block)));
  }
  static std::string_view without_marker(std::string_view text) { return text.substr(list_marker(text).size()); }

  // An entry that ends at its marker.
  size_t take_marked(size_t block, Metadata metadata) {
    const size_t line = block_at(block).line;
    size_t last = block + 1;
    while (last < outline_.blocks.size() && !ends_marked(last)) ++last;
    const bool at_end = last == outline_.blocks.size();
    const bool closed = !at_end && is_end_marker(first_line_of(last));
    if (!closed) {
      report(line, "unclosed-entry", "the entry's end marker <!--/m--> is missing");
      if (at_end) file_.open_end = OpenEnd::entry;
    }
    const LineRange range = text_.trimmed({line + 1, at_end ? lines_.count() : block_at(last).line});
    if (range.first == range.end)
      report(line, "metadata-without-text", "the entry has no text: remove its two comments, or put its text back");
    else
      add({.range = range, .begin = line, .end = closed ? block_at(last).line + 1 : range.end, .metadata = std::move(metadata)},
          text_.unescaped(range, block + 1), true);
    drop_carried(line, range.end);
    set_above(std::nullopt);
    return closed ? last + 1 : last;
  }

  bool ends_marked(size_t block) const {
    if (block_at(block).type != BlockType::html) return false;
    const std::string_view line = first_line_of(block);
    return is_end_marker(line) || opens_metadata(line) || is_core_marker(line);
  }

  // --- entries ---

  struct Draft {
    LineRange range;   // of the text
    size_t begin = 0;  // first line that belongs to it
    size_t end = 0;    // behind the last
    std::optional<Metadata> metadata = std::nullopt;
  };

  bool has_tags(size_t block) const {
    const BlockType type = block_at(block).type;
    return type != BlockType::fenced_code && type != BlockType::indented_code && type != BlockType::html;
  }

  void add_plain(size_t block, size_t begin) {
    const LineRange range = range_of(block);
    add({.range = range, .begin = begin, .end = range.end},
        block_at(block).type == BlockType::list_item ? text_.list_item(range) : text_.raw(range), has_tags(block));
  }

  void add(Draft draft, std::string text, bool with_tags) {
    static const std::string nothing = stored_text_hash({});
    ParsedEntry entry;
    entry.hash = stored_text_hash(text);
    if (!draft.metadata && entry.hash == nothing) return;
    entry.text = std::move(text);
    entry.metadata = std::move(draft.metadata);
    if (entry.metadata && is_taken(entry.metadata->id)) {
      report(draft.begin, "duplicate-id",
             "the id " + entry.metadata->id + " already stands above: this text is a copy, named after its words");
      entry.of_copy = std::make_shared<const Metadata>(std::move(*entry.metadata));
      entry.metadata.reset();
    }
    entry.id = entry.metadata && !entry.metadata->id.empty() ? entry.metadata->id : id_from_hash(entry.hash);
    entry.line = line_number(draft.range.first);
    entry.line_end = line_number(draft.range.end - 1);
    entry.begin = lines_.begin(draft.begin);
    entry.end = lines_.begin(draft.end);
    for (const std::string& title : sections_.titles)
      if (!title.empty()) entry.section.push_back(title);
    add_tags(entry, with_tags);
    memory_ += memory_of_entry(entry);
    file_.entries.push_back(std::move(entry));
  }

  // An id that looks like a hash names no entry but by its text, which may stand in many places.
  bool is_taken(const std::string& id) {
    if (id.empty() || id.starts_with("h-")) return false;
    return !ids_.insert(id).second || (id_before_ && id_before_(id));
  }

  static void add_tags(std::vector<std::string>& known, const std::vector<std::string>& more) {
    for (std::string_view tag : more) {
      while (tag.starts_with('#')) tag.remove_prefix(1);
      if (known.size() >= most_tags) return;
      if (!tag.empty() && std::ranges::find(known, tag) == known.end()) known.emplace_back(tag);
    }
  }

  void add_tags(ParsedEntry& entry, bool from_text) const {
    if (entry.metadata) add_tags(entry.tags, entry.metadata->tags);
    if (entry.of_copy) add_tags(entry.tags, entry.of_copy->tags);
    add_tags(entry.tags, carried_tags_);
    add_tags(entry.tags, from_.front_tags);
    for (const std::vector<std::string>& tags : sections_.tags) add_tags(entry.tags, tags);
    if (from_text) add_tags(entry.tags, find_tags(entry.text));
  }

  // --- the end ---

  void report_outline() {
    for (const ConflictRegion& conflict : outline_.conflicts)
      report(conflict.first, "conflict-markers", "git left both sides of a conflict here: `loci resolve` merges them");
    for (const size_t line : outline_.deep_lines)
      report(line, "too-deep", "nested deeper than 64: what stands behind this line is read as if it were not nested");
    if (invalid_byte_ < lines_.text().size() && !from_.invalid_utf8)
      report(lines_.line_at(invalid_byte_), "invalid-utf8", std::string(invalid_utf8_message));
    if (outline_.open == OpenBlock::comment)
      report(outline_.blocks.back().line, "unclosed-comment", "the comment is never closed: nothing behind it is memory");
    if (outline_.open == OpenBlock::fence) file_.open_end = OpenEnd::fence;
    if (outline_.open == OpenBlock::comment) file_.open_end = OpenEnd::comment;
    if (outline_.open == OpenBlock::raw_html) file_.open_end = OpenEnd::html;
  }

  // Notes that parsing may start again at this block, if what is added can't change what stands before it.
  void mark_resume_point(size_t block) {
    const Block& start = block_at(block);
    if (start.type == BlockType::list_item && !start.starts_list) return;
    if (start.line < head_end_ || has_tags_of_sections(start)) return;
    if (!carried_tags_.empty() || (open_to_ > 0 && start.line <= open_to_)) return;
    if (above_ && !is_metadata_comment(block) && may_be_tags(block)) return;
    if (!lines_.is_terminated(start.line)) return;  // "#" starts a block, "#x" goes on with the one before
    // A heading behind a metadata comment may still turn out to be a list item, which the comment then takes.
    if (block > 0 && is_metadata_comment(block - 1) && !is_metadata_comment(block)) return;
    if (outline_.open_conflict && start.line > *outline_.open_conflict) return;
    while (next_conflict_ < outline_.conflicts.size() && outline_.conflicts[next_conflict_].last < start.line) ++next_conflict_;
    if (next_conflict_ < outline_.conflicts.size() && outline_.conflicts[next_conflict_].first < start.line) return;
    resume_block_ = block;
    resume_entries_ = file_.entries.size();
    resume_headings_ = headings_.size();
    if (lines_.begin(start.line) < last_checkpoint_ + spacing_) return;
    last_checkpoint_ = lines_.begin(start.line);
    file_.checkpoints.push_back(point_at(start.line, resume_entries_, sections_));
    memory_ += memory_of_point(file_.checkpoints.back());
  }

  // In force, but for those of sections that end here. What is underlined may still turn out to be no heading.
  bool has_tags_of_sections(const Block& start) const {
    const int level = start.type == BlockType::heading ? heading_level(lines_[start.line]) : 0;
    for (size_t i = 0; i < sections_.tags.size(); ++i)
      if (!sections_.tags[i].empty() && (level == 0 || level > sections_.levels[i])) return true;
    return false;
  }

  ResumePoint resume_point() const {
    if (!resume_block_) return from_;
    Sections sections{from_.section, from_.section_levels};
    for (size_t heading = 0; heading < resume_headings_; ++heading) enter(headings_[heading], sections);
    return point_at(block_at(*resume_block_).line, resume_entries_, std::move(sections));
  }

  ResumePoint point_at(size_t line, size_t entries, Sections sections) const {
    ResumePoint point = from_;
    point.offset = lines_.begin(line);
    point.line = line_number(line);
    point.entries += entries;
    point.held = from_.held || (!outline_.conflicts.empty() && outline_.conflicts.front().last < line);
    point.invalid_utf8 = from_.invalid_utf8 || invalid_byte_ < point.offset;
    point.section = std::move(sections.titles);
    point.section_levels = std::move(sections.levels);
    return point;
  }

  const Lines& lines_;
  const ResumePoint& from_;
  int first_line_;
  const IdBefore& id_before_;
  size_t spacing_;          // of checkpoints
  size_t last_checkpoint_;  // its offset
  size_t most_memory_;
  Outline outline_;
  size_t memory_;        // bytes taken so far
  size_t invalid_byte_;  // the offset of the first byte that is not UTF-8, or of the first NUL
  EntryText text_;
  Sections sections_;
  ParsedFile file_;
  std::unordered_set<std::string> ids_;
  size_t head_end_ = 0;  // the line behind the head of the section
  std::vector<std::string> carried_tags_;
  std::optional<size_t> above_;           // the entry that only comments and blank lines stand behind
  std::vector<std::string> upward_tags_;  // of these comments
  bool is_at_above_ = false;              // no blank line among them yet
  size_t carried_over_ = 0;               // an entry with a line from this one on is the last that gets them
  size_t open_to_ = 0;                    // up to this line it may be that a comment goes on
  std::vector<size_t> headings_;          // the blocks that are headings of the file, not of an entry
  size_t next_conflict_ = 0;
  std::optional<size_t> resume_block_;
  size_t resume_entries_ = 0;   // that ended before it
  size_t resume_headings_ = 0;  // that stand before it
};

// A file from its first byte on: byte order mark and front matter come off.
ParsedFile parse_whole(std::string_view file, size_t spacing) {
  Lines lines(file, byte_order_mark_of(file).size());
  const FrontMatter front = read_front_matter(lines);
  ResumePoint start;
  std::vector<ParseProblem> problems;
  std::unordered_set<std::string> known;  // no entry has more than the first of them, each once
  for (const std::string& written : front.tags)
    if (const auto [tag, is_new] = known.insert(scrub_utf8(written)); is_new && known.size() <= most_tags)
      start.front_tags.push_back(*tag);
  if (front.error)
    problems.push_back({static_cast<int>(front.error->line) + 1, "bad-front-matter",
                        "the front matter is no YAML (" + front.error->message + "): every word near `tags` counts as a tag"});
  if (front.lines > 0) {
    start.front_date = front.date;
    const size_t body = lines.begin(front.lines);
    const size_t invalid = find_invalid(file.substr(0, body), 0);
    start.invalid_utf8 = invalid < body;
    if (start.invalid_utf8)
      problems.push_back({static_cast<int>(lines.line_at(invalid)) + 1, "invalid-utf8", std::string(invalid_utf8_message)});
    lines = Lines(file, body);
  }
  ParsedFile parsed = Assembler(lines, start, static_cast<int>(front.lines) + 1, {}, spacing).run();
  if (is_left_out(parsed)) return parsed;
  parsed.problems.insert(parsed.problems.begin(), problems.begin(), problems.end());
  // While the file has one line, or front matter that is not closed, any byte added can change everything.
  const auto is_undecided = [&](const ResumePoint& point) { return front.undecided || point.offset == 0 || point.line == 1; };
  if (is_undecided(parsed.resume)) parsed.resume = {};
  // What stands behind a checkpoint may become anything: a part of what looked like front matter too.
  std::erase_if(parsed.checkpoints,
                [&](const ResumePoint& point) { return is_undecided(point) || point.line <= static_cast<int>(front.lines_read); });
  return parsed;
}

}  // namespace

size_t most_memory(size_t file_bytes) {
  constexpr size_t times = 40, least = size_t{48} << 20, most = size_t{200} << 20;
  return std::clamp(times * file_bytes, least, most);
}

bool is_left_out(const ParsedFile& file) {
  return file.problems.size() == 1 && (file.problems[0].code == too_many_entries || file.problems[0].code == too_much_memory);
}

ParsedFile parse(std::string_view file, size_t spacing) { return parse_whole(file, spacing); }

ParsedFile parse_from(std::string_view file, const ResumePoint& from, const IdBefore& id_before, size_t spacing) {
  if (from.offset == 0) return parse_whole(file, spacing);
  const Lines lines(file, std::min(from.offset, file.size()));
  return Assembler(lines, from, from.line, id_before, spacing).run();
}

}  // namespace loci
