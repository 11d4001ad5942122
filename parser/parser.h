// Bytes of a markdown file -> its entries. Pure: no I/O, no clock. Never fails and never takes more than about a second a MiB:
// what cannot be understood is text. Thread-safe.
//
// An entry is a metadata comment at column one with the top-level block after it (of a list, its first item; with "end":1
// everything up to <!--/m-->), or, without metadata, any other top-level block but a heading; of a list, each item.
//
// What is not obvious:
//  - Blank lines may stand between a metadata comment and its block; anything else (a heading, a rule, a comment, the end) leaves
//    it without text: a problem, and nothing is bound to it.
//  - Behind the `-->` of a metadata comment only blanks may follow. Other text there is an entry without metadata of its own, and
//    so is the next block: the comment is broken. So is one without `-->` on its line; it ends there all the same.
//  - What a comment names as tags that is broken, or no metadata (indented, "<!--M", "<!-- tags: a -->", "<!-- see #a -->"), counts
//    for the next entry all the same, and so do tags under another key ("Tags"): they may be all that keeps it private. Where there
//    is no next entry before the end, or a blank line parts it from the comment and none does from the entry above, that one has
//    them. A comment inside of a text is the text's (parser/tag_marks.h), unless it has no words of its own.
//  - An "end":1 whose <!--/m--> is missing runs to the next metadata comment, core marker, or the end of the file.
//  - The second entry of a file with the same id keeps its place, bytes and text, but loses its metadata.
//  - Comments that are no metadata, rules, and blocks with no word in them (an empty bullet or fence) are no entries.
//  - Text without metadata: a list item's is without its bullet and indentation, checkbox kept; all other blocks' is as it stands,
//    `>` and fence lines included. A paragraph of link definitions is an entry too.
//  - A heading is cut at 200 bytes in `section`.
//  - git's conflict marker lines, and the base section that diff3 style puts between them, are in no entry.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parser/metadata.h"

namespace loci {

struct ParseProblem {
  int line = 0;         // 1-based
  std::string code;     // "bad-metadata", "metadata-without-text", "duplicate-id", "unclosed-entry", "unclosed-comment",
                        // "conflict-markers", "bad-front-matter", "too-deep", "invalid-utf8"
  std::string message;  // for a person

  bool operator==(const ParseProblem&) const = default;
};

inline constexpr size_t most_tags = 1'000;

struct ParsedEntry {
  std::optional<Metadata> metadata;  // none: a person's own text (or metadata that is broken), or a copy
  // What the comment says of a text whose id stands above already: it still tells who said it. Null: it is no copy.
  std::shared_ptr<const Metadata> of_copy;
  std::string text;  // LF line ends, no blank lines at the ends, writer's escapes taken off if there is metadata; bad UTF-8 and NUL
                     // as U+FFFD
  std::string hash;  // text_hash(text), the first 32 hex digits
  std::string id;    // metadata->id, else id_from_hash
  int line = 0;      // first and last line of the text itself, 1-based, of the file
  int line_end = 0;
  size_t begin = 0;                  // bytes of the file that belong to it, metadata comment and end marker included:
  size_t end = 0;                    // [begin, end), ending behind the last line's line end
  std::vector<std::string> section;  // the headings above, outermost first, without marks
  // Of the metadata, front matter, and #tags of the text (not of code and HTML); unique, without #. The first most_tags of them.
  std::vector<std::string> tags;
};

// Where parsing may start again when bytes were only added behind the end: the start of the last top-level construct whose
// meaning no added byte can move. For everything parsed before (old) and the longer file (all):
//   entries of parse(all)  == the first `entries` of old + those of parse_from(all, old.resume)
//   problems of parse(all) == those of old on lines before `line` + those of parse_from(all, old.resume)
// and all other members of both results are equal, but for `resume`: both may stand at different, equally good places.
struct ResumePoint {
  size_t offset = 0;
  int line = 1;                      // the line at that offset
  size_t entries = 0;                // entries that ended before it
  std::vector<std::string> section;  // headings in force
  std::vector<int> section_levels;
  std::vector<std::string> front_tags;  // from front matter
  std::string front_date;
  bool held = false;          // git conflict markers stand before it
  bool invalid_utf8 = false;  // invalid bytes stand before it

  // A few bytes, and back; none if they are something else.
  std::string serialise() const;
  static std::optional<ResumePoint> deserialise(std::string_view bytes);

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
  // More places to resume at, none behind `resume`, each at least `spacing` bytes behind the one before: good for every file that
  // is the same up to the end of the point's first line, whatever follows there.
  std::vector<ResumePoint> checkpoints;
};

// Far enough apart to cost next to nothing, and near enough that parsing from one to the next does not either.
inline constexpr size_t checkpoint_spacing = size_t{16} << 10;

// The whole file.
ParsedFile parse(std::string_view file, size_t spacing = checkpoint_spacing);

// Says whether an entry that ended before the resume point has this id.
using IdBefore = std::function<bool(std::string_view id)>;

// Only what stands from `from.offset` on, and no byte before it is looked at; `file` is the whole file, in which only bytes were
// added. Lines and sections are those of the whole file. Without `id_before`, an id that an earlier entry has is not noticed.
ParsedFile parse_from(std::string_view file, const ResumePoint& from, const IdBefore& id_before = {},
                      size_t spacing = checkpoint_spacing);

}  // namespace loci
