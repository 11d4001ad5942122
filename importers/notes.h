// What markdown notes of other programs are made of. Pure functions.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace loci::importers {

// The front matter of a note, read permissively, and the rest of it. A key of a mapping within has the name "outer.inner"; a list
// is its items, joined with "\n"; a folded or literal block is its text. Blank lines may stand in front.
struct Note {
  std::map<std::string, std::string, std::less<>> fields;
  // What keys named "tags" hold, however deep and in whatever way YAML has it, and each `#tag` that any other key's words have: one
  // of them may be all that keeps the note private.
  std::vector<std::string> tags;
  std::string_view body;

  std::string_view field(std::string_view name) const;
};
Note read_note(std::string_view text);

// "tags" and "tag", in any case.
bool names_tags(std::string_view key);
// What such a key holds: each item of a list of tags, and each of its words, as the parser takes those of a note in the vault.
void add_listed_words(std::vector<std::string>& tags, std::string_view list);

// A line of a body, or all that a heading takes up.
struct BodyLine {
  std::string_view text;
  int heading_level = 0;  // 1 to 6; 0: it is none
};
// Headings are what markdown takes for one, underlined ones too, and within an item of a list what begins like one.
std::vector<BodyLine> body_lines(std::string_view body);

// The headings that a line stands under.
class HeadingsAbove {
 public:
  void enter(const BodyLine& heading);

  std::string words() const;              // of the nearest: without its marks and tags
  std::vector<std::string> tags() const;  // of all of them: what is said of a section holds for those within it

 private:
  struct Heading {
    int level;
    std::string words;
    std::vector<std::string> tags;
  };
  std::vector<Heading> headings_;
};

// A paragraph or an item of a list, with the heading that it stands under; headings are none, nor are comments that stand alone.
struct NoteBlock {
  std::string section;            // the nearest heading above it, without its marks and tags
  std::vector<std::string> tags;  // of all headings above it, and of comments in it or alone above it
  std::string text;               // of an item without its bullet
  bool is_item = false;
};
std::vector<NoteBlock> blocks_of(std::string_view body);

std::string_view trimmed_line(std::string_view text);
std::vector<std::string_view> lines_in(std::string_view text);
// As a tag: "Build commands" is "build-commands".
std::string slug(std::string_view words);
// "2026-11-18" at the start of a file's name; empty if there is none.
std::string date_in_name(std::string_view name);

}  // namespace loci::importers
