// The one writer of a vault's index while a daemon runs. Takes what the watcher found changed, waits until its writer is done, and
// reconciles it; scans everything when only that can help, and before it says that the index is clean; does what others ask for at
// once. One thread calls step() in a loop; the functions of IndexKeeper may be called from any other thread.
//
// A change is first of all a path: what became of it is found by stat, size, hash. Own writes therefore need no bookkeeping: bytes
// that the index has already change nothing.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/synchronized.h"
#include "daemon/files_in_writing.h"
#include "indexer/indexer.h"
#include "memory/index_keeper.h"
#include "vault/layout/vault.h"
#include "watcher/change_set.h"

namespace loci {

struct IndexLoopState {
  std::uint64_t rescans = 0, reconciles = 0, files_changed = 0;
  std::map<std::string, std::uint64_t> rescans_by_reason;  // "start", "overflow", …: a rescan counts under each of its reasons
  std::string last_reason;                                 // of the last rescan
  std::optional<Instant> clean_at;                         // when a scan last found nothing left to do
  std::optional<Error> trouble;                            // why the index cannot follow the files at the moment
  std::optional<Progress> work;                            // of a long reconcile
};

// What is answered while the folder that was opened does not stand at the vault's place.
Error vault_is_gone(const Vault& vault);

class IndexLoop final : public IndexKeeper {
 public:
  struct Surroundings {
    const Vault& vault;
    Synchronized<ChangeSet>& changes;
    // All of these are called on the thread of step().
    std::function<bool()> root_stands;                               // is the vault's folder still the one that is watched?
    std::function<void(const std::string& reason)> restart_watcher;  // it, or what is to be watched, is another one
    std::function<std::chrono::milliseconds()> rescan_every;
    std::function<void(const std::vector<std::string>& files)> index_changed;  // by these files; none named: by any
    std::function<void(const std::vector<std::string>& files)> looked_at;      // files that were new, changed or gone
    std::function<void()> settings_changed;                                    // .loci/config.toml was
    std::function<void()> scanned = [] {};                                     // everything was
    std::function<SteadyTime()> now = [] { return std::chrono::steady_clock::now(); };
  };

  // Takes the writer lock, and one on the vault's folder: a vault has one daemon, whatever the state folder (ErrorCode::locked
  // after `patience`). Opens the index, or starts one. The first scan is asked for by the watcher, then.
  static Result<std::shared_ptr<IndexLoop>> open(Surroundings surroundings, std::chrono::milliseconds patience);
  ~IndexLoop() override;

  // Waits for something to do, at most until the next rescan is due, and does it. False after stop(): then everybody who still
  // waits for an answer has got one.
  bool step();
  void stop();

  Result<ReconcileReport> take_in(const std::vector<std::string>& written, std::chrono::milliseconds patience) override;
  // Found by a scan that began after the call.
  Status wait_until_clean(std::chrono::milliseconds patience) override;
  Result<ReconcileReport> reindex(bool clear, const ProgressCallback& progress) override;
  Result<Freshness> freshness() override;
  bool holds_lock() const override { return true; }

  IndexLoopState state();
  // Goes up with every round of step() and with the progress of a long one: a watchdog that nudges it and sees it stand still knows
  // that it hangs.
  std::uint64_t rounds() const { return rounds_; }
  void nudge();

 private:
  using Report = Result<ReconcileReport>;
  struct Request {
    enum class Kind : std::uint8_t { files, everything, anew, clean_scan } kind = Kind::files;
    std::vector<std::string> files;
    ProgressCallback progress;
    std::promise<Report> done;
  };
  // Somebody who waits for what had been saved before: for a scan, and then for the files that the scan had to leave for later.
  struct Waiter {
    Request request;
    std::optional<std::set<std::string>> left;  // none: no scan has begun since
  };

  IndexLoop(Surroundings surroundings, ProcessLock lock, Indexer indexer);

  Report ask(Request request, std::optional<std::chrono::milliseconds> patience);
  void wait_for_work();
  bool may_work_now(const ChangeSet& changes) const;
  void serve(std::deque<Request> requests);
  void serve_files(std::vector<Request> requests);
  void rescan(const std::string& reason);
  void take_due();
  void take_in_due(const std::vector<std::string>& files);
  std::vector<std::string> without_settings(std::vector<std::string> files);
  Report reconcile_files(const std::vector<std::string>& files);
  // `tells_all_changes`: what the report does not count did not change.
  Report reconcile(const std::function<Report(const ProgressCallback&)>& how, bool tells_all_changes = false);
  void note_failure(const Error& error);
  bool has_root();
  bool take_up_index();
  void follow_root();
  void files_are_in(const std::vector<std::string>& files);
  void answer_waiters();
  void answer_all(const Error& error);
  void answer_requests(const Error& error);  // those that no step has taken yet; any thread

  Surroundings around_;
  std::optional<ProcessLock> vault_lock_;  // none while the root is gone: it is on the folder that went
  std::optional<Indexer> indexer_;         // none without that lock
  Synchronized<std::deque<Request>> requests_;
  Synchronized<IndexLoopState> state_;
  std::atomic<bool> stopped_{false}, has_request_{false}, nudged_{false};
  std::atomic<std::uint64_t> rounds_{0};

  // Of the thread of step().
  std::vector<Waiter> waiters_;
  FilesInWriting files_in_writing_;
  bool root_is_gone_ = false;
  bool needs_proof_ = true;  // no scan since has found nothing left to do
  SteadyTime proof_due_{};   // not before
  SteadyTime next_rescan_;
  std::chrono::milliseconds unreadable_pause_{0};  // until files that could not be read are tried again; 0: there are none
  std::optional<SteadyTime> retry_at_;             // after a failure, and while the root is gone
};

}  // namespace loci
