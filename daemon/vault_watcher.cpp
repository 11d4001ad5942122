#include "daemon/vault_watcher.h"

#include <thread>
#include <utility>

#include "base/log.h"
#include "base/out_of_memory.h"
#include "vault/layout/host.h"
#include "vault/layout/ignore.h"
#include "vault/layout/scan_rules.h"

namespace loci {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds error_pause{1'000};

WatchOptions::Mode mode_from(const std::string& name) {
  if (name == "polling") return WatchOptions::Mode::polling;
  return name == "inotify" ? WatchOptions::Mode::inotify : WatchOptions::Mode::automatic;
}

// Folders of loci's own that the watcher has to see into.
bool is_watched_folder_of_ours(std::string_view folder) {
  return folder == ".loci" || folder == ".loci/tombstones" || folder == ".loci/ledger";
}

}  // namespace

Result<std::unique_ptr<VaultWatcher>> VaultWatcher::open(const Vault& vault, Synchronized<ChangeSet>& changes) {
  WatchOptions watch;
  watch.mode = mode_from(vault.config().watch.mode);
  watch.root = vault.root();
  watch.probe = vault.temporary_folder();
  TRY(make_own_folder(vault.files(), vault.dot_loci()));
  if (auto made = make_temporary_folder(vault); !made) {
    log_warning("the watcher cannot be tested: " + made.error().message);
    watch.probe.clear();
  }
  watch.enters = [&vault](std::string_view folder) {
    return is_watched_folder_of_ours(folder) || !is_ignored_folder(vault, std::string(folder));
  };
  watch.counts = [](std::string_view file) {
    const bool is_copy = classify_name(file.substr(file.rfind('/') + 1)) == NameClass::conflict;  // of a file of any kind
    return is_copy || has_markdown_suffix(file) || is_ignore_file(file) || is_log_path(file) || file == vault_config_name;
  };
  auto watcher = TRY(Watcher::open(std::move(watch), changes));
  if (const auto state = watcher->state(); state.polling) log_warning("polling: " + state.polling_reason);
  return std::unique_ptr<VaultWatcher>(new VaultWatcher(vault, changes, std::move(watcher)));
}

bool VaultWatcher::step() {
  if (stopped_) return false;
  const auto wanted = restart_wanted_.with([](auto& reason) { return std::exchange(reason, std::nullopt); });
  const Status stepped =
      within_memory("watch the vault", [&] { return wanted ? watcher_->restart(*wanted) : watcher_->step(std::nullopt); });
  if (stepped || stopped_) return true;
  log_error("the watcher failed: " + stepped.error().message);
  std::this_thread::sleep_for(error_pause);
  changes_.change([](ChangeSet& changes) { changes.want_rescan("the watcher failed"); });
  return true;
}

void VaultWatcher::stop() {
  stopped_ = true;
  watcher_->wake();
}

void VaultWatcher::restart(const std::string& reason) {
  restart_wanted_.with([&](auto& wanted) { wanted = reason; });
  watcher_->wake();
}

void VaultWatcher::listen() { canary_ = watcher_->state().polling ? std::nullopt : watcher_->probe(); }

bool VaultWatcher::is_deaf() const { return canary_ && watcher_->passed() < *canary_; }

milliseconds VaultWatcher::rescan_every() const {
  const auto& config = vault_.config().watch;
  if (watcher_->state().polling) return std::chrono::seconds(config.poll_seconds);
  return std::chrono::minutes(config.rescan_minutes);
}

}  // namespace loci
