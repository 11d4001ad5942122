// The bytes of a file that loci rewrites, as what versions are compared by: entries by id, or the promoted lines of MEMORY.md by
// ref. Pure.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "edits/file_pieces.h"
#include "edits/hidden_entries.h"
#include "vault/layout/layout.h"

namespace loci {

// An entry, or a line between the markers of MEMORY.md.
struct SeenEntry {
  std::string id;            // of a promoted line its ref; of text without metadata that of its hash
  std::string hash;          // 32 hex digits
  bool has_metadata = true;  // a promoted line has its ref
  std::string text = {};     // of a promoted line without its bullet
  std::vector<std::string> from = {};
  bool as_written = false;  // its `sum` is that of its text: no person wrote it

  bool operator==(const SeenEntry&) const = default;
};

struct SeenFile {
  std::vector<SeenEntry> entries;
  std::vector<HiddenEntry> hidden;  // whose comment stands, though they are not read
  std::set<std::string> sections;   // the headings above entries
  FileFrame frame;
  std::set<std::string> undecided;  // ids of what stands, in part at least, between git's conflict markers
  bool conflicts = false;           // git's conflict markers stand in it: nothing can be decided
  bool unclear = false;             // the markers of the core are not in order: neither can anything
};

SeenFile see_file(Place place, std::string_view bytes);

// The words of a promoted line, without its bullet.
std::string words_of_line(std::string_view line);

// The words of an entry that gave up its comment, with the tags that stood there behind them (edits/copies.h).
bool is_without_comment(std::string_view text, std::string_view with_comment);

// As whole words; nothing is in no text.
bool has_in_it(std::string_view text, std::string_view part);

const SeenEntry* find_seen(std::span<const SeenEntry> entries, std::string_view id);

// Among what is hidden in `now`; null if it is not. `sections`: of the file when the entry was read. A heading that was one already
// is no text of the comment that stands in front of it by now: the text was taken out.
const HiddenEntry* find_hidden(const SeenFile& now, const std::set<std::string>& sections, std::string_view id);

}  // namespace loci
