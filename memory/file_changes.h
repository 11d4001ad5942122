// The part of forget, restore and correct that rewrites files: consolidated/, the core of MEMORY.md and user.md. By then the
// tombstones stand, so what cannot be rewritten (git is busy, somebody saved meanwhile) costs nothing but a note to the person.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "indexer/entry.h"
#include "vault/layout/vault.h"

namespace loci {

// Reads a file, lets `change` make its new bytes, and puts them in its place; again from the start, a few times, if somebody saved
// in between. False if the bytes came back as they were. ErrorCode::not_found if there is no such file.
using ChangeBytes = std::function<Result<std::string>(std::string_view)>;
Result<bool> change_file(const Vault& vault, const std::string& file, const ChangeBytes& change);

// Takes a forgotten entry out of the files that loci writes, keeping a copy for restore; adds to `files` what changed and to
// `notes` what a person should know: where its text still stands.
void take_out_of_files(const Vault& vault, const Entry& entry, std::vector<std::string>& files, std::vector<std::string>& notes);

// Takes the lines that show this entry out of the core.
void take_out_of_core(const Vault& vault, const std::string& id, std::vector<std::string>& files, std::vector<std::string>& notes);

// Puts back what take_out_of_files kept under this id. False if nothing was kept; ErrorCode::refused if user.md has no room for it.
Result<bool> put_back_into_files(const Vault& vault, const std::string& id, std::vector<std::string>& files);

}  // namespace loci
