// The watcher of a vault: which of its folders and files count, the thread that follows their events, and whether it hears them.
//
// One thread calls step() in a loop. restart(), listen() and is_deaf() belong to the heartbeat or the index thread and may be
// called at any time; so may the rest.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/synchronized.h"
#include "vault/layout/vault.h"
#include "watcher/watcher.h"

namespace loci {

class VaultWatcher {
 public:
  // Both outlive it. Fails as Watcher::open does; a watcher that can't be tested is one all the same.
  static Result<std::unique_ptr<VaultWatcher>> open(const Vault& vault, Synchronized<ChangeSet>& changes);

  // Follows what there is, or starts the watcher anew if that was asked for. False after stop().
  bool step();
  void wake() { watcher_->wake(); }
  void stop();

  // The folder, or what is to be watched, is another one; or nothing was heard.
  void restart(const std::string& reason);

  // Makes a file that only a watcher that hears can tell of.
  void listen();
  // It has not told of the file that listen() made.
  bool is_deaf() const;

  // While events are told of, a scan only proves that none was missed.
  std::chrono::milliseconds rescan_every() const;
  bool root_stands() const { return watcher_->root_stands(); }
  const Watcher& watcher() const { return *watcher_; }

 private:
  VaultWatcher(const Vault& vault, Synchronized<ChangeSet>& changes, std::unique_ptr<Watcher> watcher)
      : vault_(vault), changes_(changes), watcher_(std::move(watcher)) {}

  const Vault& vault_;
  Synchronized<ChangeSet>& changes_;
  const std::unique_ptr<Watcher> watcher_;
  Synchronized<std::optional<std::string>> restart_wanted_;
  std::atomic<bool> stopped_{false};
  std::optional<std::uint64_t> canary_;  // of the heartbeat's thread
};

}  // namespace loci
