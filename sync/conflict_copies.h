// The copies that other tools leave where two machines changed one file: Syncthing's and loci's own
// `NAME.sync-conflict-….md`, Dropbox's `NAME (… conflicted copy …).md`, and `NAME.loci-conflict-….md`. They are listed, never
// indexed, and go into their file by the same merge as everything else.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "edits/merge_entries.h"
#include "memory/memory.h"

namespace loci {

// The file that this is a copy of, by the name alone; none if it is no copy.
std::optional<std::string> original_of_copy(std::string_view copy);

struct ConflictCopy {
  std::string file, original;  // relative to the vault's root
};

// Those of files of any kind, by path.
Result<std::vector<ConflictCopy>> conflict_copies(const Vault& vault);

// Those that the problems do not name yet.
void add_copy_problems(const Vault& vault, std::vector<Problem>& problems);

// Whether it cannot be put together with its file: what is neither markdown nor a log is chosen whole.
Result<bool> is_chosen_whole(const Vault& vault, const ConflictCopy& copy);

struct MergedCopy {
  std::string original;
  size_t conflicts = 0;  // entries that say two things now, between markers in the original
  bool rewritten = false;
  std::string act = {};  // by which it can be taken back (edits/take_back.h)
};

// What only the copy says stands in the original then, and the copy goes, unless somebody changed it meanwhile. What
// was forgotten does not come back. What is neither markdown nor a log is chosen by `whole`. ErrorCode::not_found if it is no
// copy, ErrorCode::refused like replace_file, and without a choice where one is needed.
Result<MergedCopy> merge_conflict_copy(Memory& memory, const std::string& copy, std::optional<Side> whole = {});

// The original is what is right. Returns the act by which it can be taken back. ErrorCode::not_found if it is no copy.
Result<std::string> remove_conflict_copy(Memory& memory, const std::string& copy);

}  // namespace loci
