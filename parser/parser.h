// Bytes of a markdown file -> its entries. Pure: no I/O, no clock. Never fails and never takes more than about a second a MiB:
// what cannot be understood is text. Thread-safe.
//
// An entry is a metadata comment at column one with the top-level block after it (of a list, its first item; with "end":1
// everything up to <!--/m-->), or, without metadata, any other top-level block but a heading; of a list, each item.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parser/metadata.h"

namespace loci {

struct ParseProblem {
  int line = 0;         // 1-based
  std::string code;     // "bad-metadata", "unclosed-entry", "duplicate-id", "conflict-markers", "bad-front-matter", "too-deep",
                        // "invalid-utf8", …
  std::string message;  // for a person
};

struct ParsedEntry {
  std::optional<Metadata> metadata;  // none: a person's own text (or metadata that is broken)
  std::string text;  // LF line ends, no blank lines at the ends, writer's escapes taken off if there is metadata; bad UTF-8 and NUL
                     // as U+FFFD
  std::string hash;  // text_hash(text), the first 32 hex digits
  std::string id;    // metadata->id, else id_from_hash
  int line = 0;      // first and last line of the text itself, 1-based, of the file
  int line_end = 0;
  size_t begin = 0;                  // bytes of the file that belong to it, metadata comment and end marker included:
  size_t end = 0;                    // [begin, end), ending behind the last line's line end
  std::vector<std::string> section;  // the headings above, outermost first, without marks
  std::vector<std::string> tags;     // of the metadata, of front matter and #tags of the text; unique, in that order, without #
};

// Where parsing may start again when bytes were only added behind `offset`: the start of the last top-level construct.
// parse(all) == the first `entries` of the old result + parse(all, resume).
struct ResumePoint {
  size_t offset = 0;
  int line = 1;                      // the line at that offset
  size_t entries = 0;                // entries that ended before it
  std::vector<std::string> section;  // headings in force
  std::vector<int> section_levels;
  std::vector<std::string> front_tags;  // from front matter
  std::string front_date;
  std::string core_state;  // opaque parser state that spans blocks (conflict markers seen, open core markers, …)

  bool operator==(const ResumePoint&) const = default;
};

// What an append at the end would run into.
enum class OpenEnd : std::uint8_t { none, fence, comment, html, entry };  // entry: an "end":1 without its <!--/m-->

struct ParsedFile {
  std::vector<ParsedEntry> entries;  // in file order
  std::vector<ParseProblem> problems;
  std::string front_date;  // `date` of the front matter if it is a time, else empty
  bool held = false;       // has git conflict markers: both sides are indexed, consolidation leaves it alone
  OpenEnd open_end = OpenEnd::none;
  ResumePoint resume;
};

// The whole file.
ParsedFile parse(std::string_view file);

// Only what stands from `from.offset` on; `file` is the whole file. Lines, sections and problems are those of the whole file.
ParsedFile parse_from(std::string_view file, const ResumePoint& from);

}  // namespace loci
