// What other machines' commits brought since it was last taken in, whoever fetched them: a sync, one that was killed behind its
// merge, or a person's own `git pull`. A reference in the clone (refs/loci/taken-in/BRANCH) marks how far that is done, beside the
// one of what was exchanged, and moves on only when everything is: whatever is killed when, the next one does the rest.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "base/result.h"
#include "edits/understand.h"
#include "vault/git/git_exchange.h"

namespace loci {

struct WhatCame {
  std::string commit;           // that was taken in when this is settled
  std::set<std::string> ended;  // ids that tombstones name which not everybody had heard of
  bool others = false;          // another machine did something
};

// Asks git. Nothing where the vault is in no repository, on no branch, or without a commit.
Result<std::optional<WhatCame>> what_came(const Vault& vault, const GitExchange& git);

// Before the files are understood: what would count as a person's deletion there. False: a run goes on, and it waits for that.
Result<bool> settle_before_edits(Memory& memory, const WhatCame& came, Understood& understood);
// After it.
Status settle_after_edits(Memory& memory, const WhatCame& came, Understood& understood);

Status note_taken_in(const GitExchange& git, const WhatCame& came);

}  // namespace loci
