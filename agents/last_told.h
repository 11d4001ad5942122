// Which of the hooks that an agent calls for one event is the first. Those of its user's settings and those of a project's are all
// called, maybe with different vaults, each as a process of its own.
//
// In <state home>/loci/claims/: hashes of what was told last, of each session and of each prompt that has an id. All of it may be
// lost.
#pragma once

#include "agents/hook_input.h"
#include "vault/layout/vault.h"

namespace loci {

// Notes that this is told. False if it is what was told last already: of this prompt, where the agent gives it an id, else of the
// session. What makes two tellings the same is that nothing happened between them. True if that cannot be known.
bool is_told_first(const path& state_home, FileSystem& files, const HookInput& input);

// Takes away what was told more than a day ago, to whichever vault below this one's state home.
void prune_last_told(const Vault& vault);

}  // namespace loci
