// Storing new entries: appended to the archive, then taken into the index.
#pragma once

#include <string>
#include <vector>

#include "memory/authority.h"
#include "memory/memory.h"
#include "vault/archive/append.h"

namespace loci {

// Whether what was written can be found already. It is durable in any case.
struct Searchable {
  bool yes = true;
  std::string reason;  // why not
};

// Makes the index look at written files (relative paths); waits for the lock up to `write_patience`.
Searchable make_searchable(Memory& memory, const std::vector<std::string>& files);

// That whoever adds or changes an entry may give it.
inline constexpr size_t most_tags_given = 100;
Status check_tags_given(size_t count);

struct Added {
  std::vector<Appended> entries;  // in the order given
  Searchable searchable;
  std::vector<std::string> notes = {};  // for a person: what is marked private and is not
};

// No entry is dated later: what a clock that was ahead wrote could not be forgotten by its text.
inline constexpr std::chrono::hours most_ahead{24};

// Appends without touching the index: for many batches in a row. An entry that brings its own time is dated behind a tombstone of
// the same text, like one that has none: who says it again now means it now. ErrorCode::usage if one is dated more than
// `most_ahead`.
Result<std::vector<Appended>> append_new(Memory& memory, std::vector<NewEntry> entries);

// The same, and makes them searchable. Fails like append_entries; an index that cannot be written is no failure.
Result<Added> add(Memory& memory, std::vector<NewEntry> entries);

// One line of `add --jsonl`: an object with "text" and, if wanted, source, kind, tags, project, task, category, confidence,
// session, turn, role, at. It may lower the source that the road allows, never raise it. ErrorCode::usage says what is wrong with
// it; ErrorCode::refused, as authority.h, what the actor may not add.
Result<NewEntry> entry_from_json_line(std::string_view line, Actor actor);
Result<NewEntry> entry_from_json(const Json& value, Actor actor);  // what stands in it, parsed already

}  // namespace loci
