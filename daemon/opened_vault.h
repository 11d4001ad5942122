// What a daemon has of its vault before anything runs: the vault with its settings, and its index with the locks of the one writer.
// Thread-safe: nothing here keeps a state.
#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/result.h"
#include "daemon/index_loop.h"
#include "vault/layout/environment.h"
#include "vault/layout/vault.h"

namespace loci {

// A vault with its settings as they were read, and what told their files from others before that: what is saved later is a change.
struct OpenedVault {
  Vault vault;
  std::string settings_state;

  static Result<OpenedVault> open(const path& root, const Environment& environment, FileSystem& files, const Clock& clock);
};

// What tells a changed file of settings from the one that was read. No event tells of the user's, nor of one that was saved before
// the watcher saw its folder.
std::string state_of_settings(const path& root, const Environment& environment);

// Waits for a command that writes at the moment, but not for another daemon. ErrorCode::locked says who keeps the vault already.
Result<std::shared_ptr<IndexLoop>> open_index(const IndexLoop::Surroundings& surroundings, const Environment& environment);

}  // namespace loci
