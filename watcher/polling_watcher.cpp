#include "watcher/polling_watcher.h"

#include "watcher/root_folder.h"
#include "watcher/wake_event.h"

namespace loci {
namespace {

class PollingWatcher final : public Watcher {
 public:
  PollingWatcher(path root, RootFolder folder, WakeEvent wake, Synchronized<ChangeSet>& changes, std::string reason)
      : root_(std::move(root)), folder_(std::move(folder)), wake_(std::move(wake)), changes_(changes), reason_(std::move(reason)) {}

  Status step(std::optional<SteadyTime> deadline) override {
    if (!started_) want_rescan("start");
    started_ = true;
    TRY(wake_.wait(-1, deadline));
    return {};
  }

  void wake() override { wake_.set(); }
  std::optional<std::uint64_t> probe() override { return std::nullopt; }
  std::uint64_t passed() const override { return 0; }

  Status restart(const std::string& reason) override {
    auto folder = TRY(open_root(root_));
    folder_.with([&](RootFolder& held) { held = std::move(folder); });
    want_rescan(reason);
    return {};
  }

  bool root_stands() const override {
    return stands_at(root_, folder_.with([](const RootFolder& held) { return held.identity; }));
  }

  WatchState state() const override { return {.polling = true, .polling_reason = reason_}; }

 private:
  void want_rescan(const std::string& reason) {
    changes_.change([&](ChangeSet& changes) { changes.want_rescan(reason); });
  }

  const path root_;
  mutable Synchronized<RootFolder> folder_;
  const WakeEvent wake_;
  Synchronized<ChangeSet>& changes_;
  const std::string reason_;
  bool started_ = false;
};

}  // namespace

Result<std::unique_ptr<Watcher>> open_polling_watcher(const WatchOptions& options, Synchronized<ChangeSet>& changes,
                                                      std::string reason) {
  auto folder = TRY(open_root(options.root));
  auto wake = TRY(WakeEvent::make());
  return std::make_unique<PollingWatcher>(options.root, std::move(folder), std::move(wake), changes, std::move(reason));
}

}  // namespace loci
