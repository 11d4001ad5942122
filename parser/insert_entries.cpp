#include "parser/insert_entries.h"

#include <algorithm>

#include "parser/blocks.h"
#include "parser/entry_text.h"
#include "parser/front_matter.h"
#include "parser/headings.h"
#include "parser/lines.h"
#include "parser/parser.h"
#include "parser/same_reading.h"
#include "parser/tags.h"
#include "parser/text_hash.h"
#include "parser/text_lines.h"
#include "parser/writer.h"

namespace loci {
namespace {

using Words = std::span<const std::string>;

constexpr int first_level = 2, last_level = 6;  // of headings that are made: the title of the file is a person's

// A heading of the file with those above it.
struct Section {
  std::vector<std::string> words;  // outermost first
  std::vector<int> levels;
  size_t begin = 0, end = 0;  // to the next heading, or the end of the file
  size_t end_below = 0;       // of all that stands below it, under headings of its own too
};

class Sections {
 public:
  explicit Sections(std::string_view file) : file_(file) {
    const size_t front = read_front_matter(Lines(file)).lines;
    const Lines all(file);
    const Lines lines(file, front == 0 ? 0 : all.begin(front));
    const Outline outline = outline_of(lines);
    const EntryText text(lines, outline, false);
    for (size_t block = 0; block < outline.blocks.size(); ++block) {
      if (outline.blocks[block].type != BlockType::heading) continue;
      const size_t line = outline.blocks[block].line;
      const size_t behind = block + 1 < outline.blocks.size() ? outline.blocks[block + 1].line : lines.count();
      enter(lines.begin(line), outline.blocks[block].heading_level, text.heading(text.trimmed({line, behind})));
    }
  }

  // What stands under no heading goes below the title, or in front of the first heading.
  size_t end_of_beginning() const {
    if (sections_.empty()) return file_.size();
    return sections_.front().levels.front() == 1 ? sections_.front().end : sections_.front().begin;
  }

  // The same headings first, then those that are the same but for the title of the file, which says nothing of what stands below.
  std::vector<const Section*> with(Words wanted) const {
    std::vector<const Section*> found;
    for (const Section& section : sections_)
      if (are_same(wanted, section.words)) found.push_back(&section);
    for (const Section& section : sections_)
      if (are_same_but_for_the_title(wanted, section)) found.push_back(&section);
    return found;
  }

 private:
  void enter(size_t begin, int level, std::string words) {
    Section section{.words = {}, .levels = {}, .begin = begin, .end = file_.size(), .end_below = file_.size()};
    if (!sections_.empty()) {
      sections_.back().end = begin;
      section.words = sections_.back().words;
      section.levels = sections_.back().levels;
    }
    while (!section.levels.empty() && section.levels.back() >= level) {
      section.levels.pop_back();
      section.words.pop_back();
    }
    while (!open_.empty() && sections_[open_.back()].levels.back() >= level) {
      sections_[open_.back()].end_below = begin;
      open_.pop_back();
    }
    section.levels.push_back(level);
    section.words.push_back(std::move(words));
    open_.push_back(sections_.size());
    sections_.push_back(std::move(section));
  }

  static bool are_same(Words a, Words b) { return std::ranges::equal(a, b, is_same_heading); }

  static bool are_same_but_for_the_title(Words wanted, const Section& section) {
    const Words stands = section.words;
    const bool has_title = section.levels.front() == 1 && stands.size() > 1;
    if (has_title && are_same(wanted, stands.subspan(1))) return true;
    return wanted.size() > 1 && are_same(wanted.subspan(1), has_title ? stands.subspan(1) : stands) &&
           (has_title || section.levels.front() > 1);
  }

  std::string_view file_;
  std::vector<Section> sections_;
  std::vector<size_t> open_;
};

struct Spot {
  size_t offset = 0;
  std::string headings = {};  // that are made there
};

std::string headings_of(Words missing, int level) {
  std::string made;
  for (const std::string& words : missing)
    made += std::string(static_cast<size_t>(std::min(level++, last_level)), '#') + ' ' + words + "\n\n";
  return made;
}

// Best first.
std::vector<Spot> spots_for(std::string_view file, Words section) {
  const Sections sections(file);
  if (section.empty()) return {{sections.end_of_beginning()}};
  std::vector<Spot> spots;
  for (const Section* found : sections.with(section)) spots.push_back({found->end});
  if (!spots.empty()) return spots;
  for (size_t known = section.size() - 1; known > 0; --known)
    for (const Section* above : sections.with(section.first(known)))
      spots.push_back({above->end_below, headings_of(section.subspan(known), above->levels.back() + 1)});
  spots.push_back({file.size(), headings_of(section.size() > 1 ? section.subspan(1) : section, first_level)});
  return spots;
}

// The entries as they are written there, and where each of them begins and ends in that.
struct Written {
  std::string bytes;
  std::vector<std::pair<size_t, size_t>> entries;
  bool begins_as_item = false;
};

Result<std::string> bytes_of(const EntryToInsert& entry, bool with_metadata) {
  const std::string& words = entry.written.empty() ? entry.text : entry.written;
  if (entry.metadata || with_metadata) return write_entry(entry.metadata.value_or(entry.metadata_if_needed), words);
  TRY(check_writable(words));
  return normalise_text(words) + '\n';
}

Result<Written> written(std::span<const EntryToInsert> run, bool with_metadata) {
  Written all;
  for (const EntryToInsert& entry : run) {
    if (!all.bytes.empty() && !entry.is_next_line) all.bytes += '\n';
    const auto bytes = TRY(bytes_of(entry, with_metadata));
    if (all.entries.empty()) all.begins_as_item = !list_marker(bytes.substr(0, bytes.find('\n'))).empty();
    all.entries.emplace_back(all.bytes.size(), all.bytes.size() + bytes.size());
    all.bytes += bytes;
  }
  return all;
}

size_t behind_text(std::string_view file, size_t end) {
  while (end > 0) {
    const size_t begin = previous_line(file, end);
    if (!is_blank_line(file.substr(begin, end - begin))) break;
    end = begin;
  }
  return end;
}

size_t next_text(std::string_view file, size_t begin) {
  while (begin < file.size() && is_blank_line(file.substr(begin, next_line(file, begin) - begin))) begin = next_line(file, begin);
  return begin;
}

class Insertion {
 public:
  Insertion(std::string_view file, std::span<const EntryToInsert> run) : file_(file), run_(run), before_(parse(file)) {}

  Result<std::string> at(const std::vector<Spot>& spots) const {
    for (const bool with_metadata : {false, true}) {
      if (with_metadata && run_.size() > 1) break;  // each alone may do without
      const auto lines = TRY(written(run_, with_metadata));
      for (const Spot& spot : spots)
        for (const bool as_next_line : {true, false})
          if (!as_next_line || continues_list(spot, lines))
            if (auto bytes = put(spot, lines, as_next_line)) return std::move(*bytes);
    }
    return fail(ErrorCode::refused, "the entry cannot stand there without changing what stands around it", "edit the file by hand");
  }

 private:
  bool continues_list(const Spot& spot, const Written& lines) const {
    const size_t end = behind_text(file_, spot.offset);
    return lines.begins_as_item && spot.headings.empty() && end > 0 &&
           !list_marker(file_.substr(previous_line(file_, end))).empty();
  }

  // None if it would read otherwise.
  std::optional<std::string> put(const Spot& spot, const Written& lines, bool as_next_line) const {
    const std::string_view newline = line_end_of(file_);
    const size_t end = behind_text(file_, spot.offset), rest = next_text(file_, end);
    std::string bytes(file_.substr(0, end));
    if (end > 0 && file_[end - 1] != '\n') bytes += newline;
    if (end > 0 && !as_next_line) bytes += newline;
    bytes += with_line_ends(spot.headings, newline);
    std::vector<std::pair<size_t, size_t>> entries;
    for (size_t i = 0, behind = 0; i < lines.entries.size(); ++i) {
      const auto [from, to] = lines.entries[i];
      bytes += with_line_ends(lines.bytes.substr(behind, from - behind), newline);
      const size_t begin = bytes.size();
      bytes += with_line_ends(lines.bytes.substr(from, to - from), newline);
      entries.emplace_back(begin, bytes.size());
      behind = to;
    }
    if (rest < file_.size()) bytes.append(newline).append(file_.substr(rest));
    return is_right(parse(bytes), entries) ? std::optional(std::move(bytes)) : std::nullopt;
  }

  bool is_right(const ParsedFile& after, const std::vector<std::pair<size_t, size_t>>& stands) const {
    if (!is_no_worse(before_, after) || after.entries.size() != before_.entries.size() + run_.size()) return false;
    const auto first = std::ranges::find(after.entries, stands.front().first, &ParsedEntry::begin);
    if (after.entries.end() - first < std::ssize(run_)) return false;
    for (size_t i = 0; i < run_.size(); ++i)
      if (!is_inserted(first[static_cast<std::ptrdiff_t>(i)], run_[i], stands[i])) return false;
    std::vector<ParsedEntry> others = after.entries;
    const auto begin = others.begin() + (first - after.entries.begin());
    others.erase(begin, begin + std::ssize(run_));
    return read_the_same(before_.entries, others);
  }

  // By itself, or by a heading above it.
  static bool counts(const std::string& tag, const ParsedEntry& now) {
    const auto has_it = [&](const std::vector<std::string>& tags) { return std::ranges::find(tags, tag) != tags.end(); };
    return has_it(now.tags) || std::ranges::any_of(now.section, [&](const std::string& words) { return has_it(find_tags(words)); });
  }

  static bool is_inserted(const ParsedEntry& now, const EntryToInsert& entry, const std::pair<size_t, size_t>& stands) {
    const bool is_under_its_heading = entry.section.empty()
                                          ? now.section.size() <= 1
                                          : !now.section.empty() && is_same_heading(now.section.back(), entry.section.back());
    const Metadata* comment = comment_of(now);
    const bool has_its_name =
        entry.metadata ? comment && comment->id == entry.metadata->id : !comment || comment->id == entry.metadata_if_needed.id;
    return now.begin == stands.first && now.end == stands.second && now.hash == stored_text_hash(entry.text) &&
           is_under_its_heading && has_its_name &&
           std::ranges::all_of(entry.tags, [&](const std::string& tag) { return counts(tag, now); });
  }

  std::string_view file_;
  std::span<const EntryToInsert> run_;
  ParsedFile before_;
};

}  // namespace

Result<std::string> insert_entries(std::string_view file, std::span<const EntryToInsert> run) {
  if (run.empty()) return std::string(file);
  return Insertion(file, run).at(spots_for(file, run.front().section));
}

}  // namespace loci
