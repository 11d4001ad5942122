// Rewriting a file that a person may be editing: only if it still is what was read, in one step, never half done.
// Any thread, any process. Not for the archive, which only grows.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "vault/vault.h"

namespace loci {

// Puts `new_bytes` in the place of `expected_bytes`, keeping the file's mode. ErrorCode::refused, with the file as it was, if it is
// not (or no longer) `expected_bytes`, if git is in the middle of something, if the path leads out of the vault, or if the file
// system cannot exchange two files. On any other failure the file holds the old or the new bytes, whole.
// The displaced file is removed once it is known to be what was expected.
Status replace_file(const Vault& vault, const std::string& relative, std::string_view expected_bytes, std::string_view new_bytes);

// Makes a new file (0600) and the folders above it. ErrorCode::refused if there is one already; never overwrites.
Status create_file(const Vault& vault, const std::string& relative, std::string_view bytes);

}  // namespace loci
