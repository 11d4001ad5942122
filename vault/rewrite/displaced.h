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

// Beside them, for moments, copies of saves that a replace displaced and put back: somebody who had read the file in between may
// have saved over them.

// Looks at every file that a replace displaced: one whose bytes changed since becomes a conflict file beside its original; one that
// has kept still for 24 h is hashed once more and removed. The first look is due 5 s after the replace. Any thread, one at a time a
// vault (caller's part). A copy of a save is compared with the file after 5 s: it becomes a conflict file if a line of it stands
// there no more, and goes otherwise. A failure at one file keeps it for the next look and does not stop the others; the first one
// is returned.
Result<DisplacedReport> check_displaced(const Vault& vault);

// Is this name in .loci/tmp/ one of a displaced file, or of the note that says where it came from?
bool is_displaced_name(std::string_view name);

}  // namespace loci
