// The part of forget, restore and correct that rewrites files: consolidated/, the core of MEMORY.md and user.md. By then the
// tombstones stand, so what cannot be rewritten (git is busy, somebody saved meanwhile) costs nothing but a note to the person.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "indexer/entry.h"
#include "vault/layout/vault.h"

namespace loci {

// Notes for the person that a text that should be gone still stands where it stood, and remembers it for later.
void leave(const Vault& vault, const std::string& id, const std::string& what, const Error& error, std::vector<std::string>& notes);

// Takes a forgotten entry out of the files that loci writes, keeping a copy for restore; adds to `files` what changed and to
// `notes` what a person should know: where its text still stands.
void take_out_of_files(const Vault& vault, const Entry& entry, std::vector<std::string>& files, std::vector<std::string>& notes);

// The same of its copies in other files than its first, where its successor stands.
void take_out_copies(const Vault& vault, const Entry& entry, std::vector<std::string>& files, std::vector<std::string>& notes);

// Takes the lines that show this entry out of the core.
void take_out_of_core(const Vault& vault, const std::string& id, std::vector<std::string>& files, std::vector<std::string>& notes);

// Puts back what take_out_of_files kept under this id. False if nothing was kept; ErrorCode::refused if user.md has no room for it.
Result<bool> put_back_into_files(const Vault& vault, const std::string& id, std::vector<std::string>& files);

}  // namespace loci
