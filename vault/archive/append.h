// Adding entries to the archive, which only grows: one O_APPEND write for everything that goes to one file, durable and
// checked to be there when it returns. No lock: any number of processes and threads may append at once.
//
// Which file: facts and task summaries go to archive/<local date>.md, turns and session summaries that have a session to
// archive/sessions/<first day>-<session>.md; on every host but the first one `.<host>` stands before the suffix. A file that
// is full, that git is working on, or whose end would swallow an entry goes on in `….2.md`, `….3.md`, …
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "parser/metadata.h"
#include "vault/layout/vault.h"

namespace loci {

inline constexpr size_t max_entry_bytes = size_t{1} << 20;  // of one entry's text
inline constexpr size_t rotation_bytes = size_t{4} << 20;   // of a file of the archive

struct NewEntry {
  Metadata metadata;  // `sum` and `end` are set by code; an empty `id` and a missing `at` too. An import gives its own.
  std::string text;
  bool undated = false;  // an import that knows no date: it gets none, and stands in archive/undated.md
};

struct Appended {
  std::string id;
  std::string file;  // relative to the vault's root
  int line = 0;      // first line of the text, 1-based
  Instant at;
  std::string hash;  // text_hash, the first 32 digits
};

// Gives each what it lacks, so that it can be told what it will be before it is stored: an id, and as `at` now, or 1 ms after the
// latest tombstone of the same text, whichever is later. ErrorCode::refused if an entry is too long, blank or no valid UTF-8 (the
// message names it). Nothing is written.
Result<std::vector<NewEntry>> ready_to_append(const Vault& vault, std::vector<NewEntry> entries);

// Stores the entries and says where, in the order given. Fails like ready_to_append() before anything is written, and with
// ErrorCode::failed if writing fails: then nothing is stored, or, where several files were to be written, those entries that the
// hint names.
Result<std::vector<Appended>> append_entries(const Vault& vault, std::vector<NewEntry> entries);

}  // namespace loci
