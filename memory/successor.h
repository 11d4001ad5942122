// What every way of correcting shares: the new version of an entry, the end of the old one, and where the new one is found. The
// vault and its index; one thread.
#pragma once

#include <string>
#include <string_view>

#include "memory/correct.h"
#include "memory/memory.h"
#include "vault/logs/chronicle.h"

namespace loci {

// Where and what an entry is about goes on in its successor; who said it and when does not.
Metadata inherited(const Entry& entry);

// Of the consolidated entry that takes the place of `old`: it is made of the one right fact.
Metadata successor_metadata(const Entry& old, const Appended& fact, const Author& author);

// The ledger's line that settles the fact in its successor.
LedgerEntry settled_by(const Vault& vault, const Chronicle& chronicle, const Appended& fact, const Metadata& successor);

// The file's bytes with the successor in the place of `old`, whose text is kept for `restore` first. ErrorCode::refused if it says
// something else by now: nobody who corrects it has seen that.
Result<std::string> with_successor(const Vault& vault, const Entry& old, std::string_view bytes, const Metadata& metadata,
                                   const std::string& text);

// The tombstone of the old version. It has no hash of a text that is still true: that would suppress the new version as well.
Tombstone retired(const Entry& old, const std::string& text, Instant at, const Author& author, std::string superseded_by);

// Places of the old version that only their owner rewrites are named.
void note_what_stays(const Entry& old, std::vector<std::string>& notes);

// Sets file and line, if the index knows them already.
void locate(Memory& memory, Corrected& corrected);

}  // namespace loci
