// What the index keeps of an entry, but for where it stands and what the logs make of it. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "indexer/entry.h"
#include "indexer/text_traits.h"
#include "parser/parser.h"

namespace loci {

enum class SumState : std::uint8_t { none, same, differs };

struct StoredEntry {
  std::string id;
  std::string hash;  // 32 hex digits
  std::string text;
  std::string context;  // headings and tags, indexed in a column of their own
  Place place = Place::note;
  EntryKind kind = EntryKind::fact;
  Source source = Source::user;  // as believed
  SumState sum = SumState::none;
  bool has_metadata = false;
  std::optional<Instant> at;  // of consolidated/ the day `updated`, else metadata, else the file's date
  std::uint16_t day = 0;      // since 1970, of the file's name, else of `at`; 0: none
  std::vector<std::string> section, tags;
  // Told from the text where it is read from a file, on that thread; of an entry that comes from the index they are empty.
  TextTraits traits;
  std::string loose;  // the text's loose hash
  Metadata metadata;  // its id, sum, source and kind are empty: they are above; its tags are not kept in the index

  bool operator==(const StoredEntry&) const = default;

  // A message of a conversation: only these make threads.
  bool is_turn() const { return kind == EntryKind::turn && !metadata.session.empty(); }
};

// More than 3 and more than 10 % of a file's entries: no person changes so much at once, entry by entry. It was a program that
// formats, say, or an old file was put back.
constexpr bool is_wholesale(size_t touched, size_t entries) { return touched > 3 && touched * 10 > entries; }

// What a file says about all its entries.
struct FileTraits {
  std::string path;
  bool untrusted = false;
  std::string front_date;
  bool wholesale = false;  // so many texts differ from their sums: no difference tells of a person
};

// Of a whole file of consolidated/. In the archive, which is long and read in parts, every entry is judged by itself.
bool is_changed_wholesale(std::string_view path, std::span<const ParsedEntry> entries);

// Remembers which sessions the heading in force was already indexed with: a session's date line counts once in its thread.
struct HeadingState {
  std::vector<std::string> section;
  std::vector<std::uint64_t> sessions;

  bool operator==(const HeadingState&) const = default;
};

// Returns true if the entry only shows another one, as a promoted line of MEMORY.md does. Such a line is never found or counted.
inline bool is_shown_line(const StoredEntry& entry) { return entry.place == Place::core && !entry.metadata.ref.empty(); }

// `headings` has to be what the entries before it in the file left.
StoredEntry stored_from(ParsedEntry parsed, const FileTraits& file, HeadingState& headings);
// The same text if another entry has its id: named after its words, and tied to no other entry. Who said it, when, in what
// conversation and under which tags stays: a copy of what is private is private, and one of an agent's words is an agent's.
StoredEntry as_copy(StoredEntry entry);

// An id that begins with "h-" is always the hash's, whatever metadata claims; all others stand once in a vault.
bool is_hash_id(std::string_view id);

std::string pack_section(const std::vector<std::string>& section);
std::vector<std::string> unpack_section(std::string_view bytes);

// Whatever has no column of its own, as a blob, and back. Fails on bytes that pack_extra did not write.
std::string pack_extra(const StoredEntry& entry);
bool unpack_extra(std::string_view bytes, StoredEntry& entry);

// Differs if anything that the index keeps of the entry differs.
std::uint64_t content_hash(const StoredEntry& entry);

}  // namespace loci
