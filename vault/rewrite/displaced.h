// The files that replaces displaced, kept in .loci/tmp/ for a day: an editor that had one open when it was displaced writes its
// save there, and nowhere else. Their names say since when and with which bytes (vault/rewrite/write_names.h); memory stays nowhere
// else, so any process may look.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "vault/layout/vault.h"

namespace loci {

inline constexpr std::chrono::seconds displaced_first_look{5};
inline constexpr std::chrono::hours displaced_keeps{24};

struct DisplacedReport {
  std::vector<std::string> conflict_files;  // made now: saves that went into a displaced inode (relative to the root)
  std::optional<Instant> next;              // when to look again; none: nothing is kept
};

// Looks at every file that a replace displaced. One whose bytes changed since becomes a conflict file beside its original. One that
// did not change is hashed once more after 24 h and removed. The first look is due 5 s after the replace.
//
// A replace that put a save back also keeps a copy of that save for a moment, since an editor may have read the file in between and
// saved over it. The copy is compared with the file after 5 s: it becomes a conflict file if one of its lines is no longer there.
//
// Any thread; the caller sees to it that only one at a time looks at a vault. A failure at one file keeps that file for the next
// look and does not stop the others; the first failure is returned.
Result<DisplacedReport> check_displaced(const Vault& vault);

// Is this name in .loci/tmp/ one of a displaced file, or of the note that says where it came from?
bool is_displaced_name(std::string_view name);

}  // namespace loci
