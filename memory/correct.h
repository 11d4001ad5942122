// Replacing what is wrong: by a correction, or by an edit. The archive only grows: its old version gets a tombstone and the new one
// is appended; a consolidated entry and user.md are rewritten; a person's notes never are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "memory/add.h"
#include "memory/authority.h"
#include "memory/memory.h"

namespace loci {

struct Corrected {
  std::string id;                     // of the entry that counts now
  std::string file;                   // where it stands
  int line = 0;                       // 0 if the index has not seen it yet
  std::vector<std::string> replaced;  // ids that no longer count
  std::vector<std::string> files;     // that were rewritten
  std::vector<std::string> notes;     // for a person: where the wrong text still stands
  Searchable searchable;
  std::vector<Entry> touched = {};  // made of what gave way: they went, or rest on others now
};

// The right text in the place of an entry. ErrorCode::refused if it says the same or, for user.md, would pass the limit.
Result<Corrected> correct(Memory& memory, const std::string& id_or_prefix, const std::string& text, const Author& author = {});

struct Edit {
  std::optional<std::string> text;
  std::optional<std::vector<std::string>> tags;
};

// An edit of text or tags, as authority.h allows it. A person's edit of a consolidated entry keeps its id; an agent's makes a new
// version, and what stood there can be restored. What changes nothing writes nothing: `replaced` and `files` are empty then.
// ErrorCode::refused for a note and for the person's part of MEMORY.md, with the file and line to edit by hand.
Result<Corrected> edit(Memory& memory, const std::string& id_or_prefix, const Edit& change, Actor actor = Actor::person,
                       Source proven = Source::system);

// As edit() with a text; but of an entry that stands in a file that only its owner writes a new fact in the archive takes the
// place. `proven`: what a quote makes of an agent's words (memory/quoted.h).
Result<Corrected> supersede(Memory& memory, const std::string& id_or_prefix, const Edit& change, Actor actor,
                            Source proven = Source::system);

}  // namespace loci
