// Rewriting a file that a person may be editing: only if it still is what was read, in one step, never half done. What an editor
// saves at that very moment ends up in the file; see vault/rewrite/put_back.h. Not for the archive, which only grows.
//
// Any thread, any process; replaces of one vault take turns (vault/rewrite/write_folder.h). What was displaced is kept for a day,
// because an editor may still hold it open (vault/rewrite/displaced.h), but not of loci's own files under .loci/. A replace first
// finishes what a killed one left (vault/rewrite/recovery.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "vault/layout/vault.h"
#include "vault/rewrite/pause.h"

namespace loci {

// What a merge or a rebase that is under way keeps from happening.
enum class DuringGit : std::uint8_t {
  refuse,    // whatever loci does by itself waits until it is over
  go_ahead,  // a person's answer to the merge, which is no version of loci's: only a git command that is running now keeps it back
};

// Puts `new_bytes` in the place of `expected_bytes`, keeping the file's mode. ErrorCode::refused, with the file as it was, if it is
// not (or no longer) `expected_bytes`, if git is in the middle of something, if the path leads out of the vault, or if the file
// system cannot exchange two files. On any other failure the file holds a person's version, the old or the new bytes, whole.
// A file that is missing or suddenly empty, as in the middle of vim's save, is waited for, 2 seconds at most, by `pause`.
Status replace_file(const Vault& vault, const std::string& relative, std::string_view expected_bytes, std::string_view new_bytes,
                    const Sleep& pause = sleep_pause, DuringGit during_git = DuringGit::refuse);

// For bytes that cannot be made again: as replace_file, but where somebody else's save won they are left beside the file, durably,
// as `NAME.loci-conflict-<UTC time>.md`, whose relative path is returned. Empty: they are in the file.
Result<std::string> replace_or_set_aside(const Vault& vault, const std::string& relative, std::string_view expected_bytes,
                                         std::string_view new_bytes, const Sleep& pause = sleep_pause);

// Makes a new file (0600) and the folders above it. ErrorCode::refused if there is one already; never overwrites.
Status create_file(const Vault& vault, const std::string& relative, std::string_view bytes);

// Whether the vault's file system can exchange two files in one step; where it cannot, nothing is ever replaced. Tries it with two
// files in .loci/tmp/. True where that cannot be tried: a vault that nothing was written to yet, a full disk.
bool can_exchange(const Vault& vault);

}  // namespace loci
