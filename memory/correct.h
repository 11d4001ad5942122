// Replacing what is wrong: by a correction, or by an edit. The archive only grows: its old version gets a tombstone and the new one
// is appended; a consolidated entry and user.md are rewritten; a person's notes never are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "memory/add.h"
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
};

// Who replaces: decides the new entry's source and the tombstone's `by`.
struct Author {
  Source source = Source::correction;
  std::string by = "user";
};

// The right text in the place of an entry. ErrorCode::refused if it says the same or, for user.md, would pass the limit.
Result<Corrected> correct(Memory& memory, const std::string& id_or_prefix, const std::string& text, const Author& author = {});

struct Edit {
  std::optional<std::string> text;
  std::optional<std::vector<std::string>> tags;
};

// What of an edit the entry does not say already: of one that says nothing new neither text nor tags is left.
Edit what_differs(const Entry& entry, Edit change);

// A person's edit of text or tags. A consolidated entry keeps its id. ErrorCode::refused for a note and for the person's part of
// MEMORY.md, with the file and line to edit by hand.
Result<Corrected> edit(Memory& memory, const std::string& id_or_prefix, const Edit& change);

// Appends `text` as the new version of an archive entry, and tombstones the old one.
Result<Corrected> replace_in_archive(Memory& memory, const Entry& old, const Edit& change, const Author& author);

}  // namespace loci
