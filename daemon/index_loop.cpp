#include "daemon/index_loop.h"

#include <algorithm>
#include <filesystem>
#include <ranges>
#include <set>

#include "base/log.h"
#include "base/out_of_memory.h"
#include "vault/layout/ignore.h"
#include "vault/layout/scan_rules.h"

namespace loci {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds failure_pause{5'000};
constexpr milliseconds root_pause{500};
constexpr milliseconds proof_pause{1'000};  // whoever saves one file after the other would be met by one scan after the other
// No event tells that a disk can be read again, or a descriptor is free: a few scans, ever further apart.
constexpr milliseconds first_unreadable_pause{5'000}, longest_unreadable_pause{320'000};

// A scan may have several reasons at once, joined by the change set: each counts. Without what follows a colon, which varies.
void count_reasons(std::string_view joined, std::map<std::string, std::uint64_t>& counts) {
  for (const auto part : std::views::split(joined, std::string_view("; "))) {
    const std::string_view reason(part);
    ++counts[std::string(reason.substr(0, reason.find(':')))];
  }
}

// What a person is told of and the index has no entries of: logs, and the copies that a sync left.
bool is_beside_the_index(const std::string& file) {
  return file.starts_with(".loci/") || classify_name(file.substr(file.rfind('/') + 1)) == NameClass::conflict;
}

bool brings_news(const ReconcileReport& report) {
  return report.rebuilt || report.files_changed + report.files_removed > 0 ||
         report.entries_added + report.entries_changed + report.entries_removed > 0;
}

Error stopping() { return {ErrorCode::locked, "the daemon is stopping", "try again"}; }

}  // namespace

Error vault_is_gone(const Vault& vault) {
  return {ErrorCode::failed, "the vault's folder " + vault.root().string() + " was moved away or replaced",
          "put it back, or start a daemon for its new place"};
}

Result<std::shared_ptr<IndexLoop>> IndexLoop::open(Surroundings surroundings, milliseconds patience) {
  const Vault& vault = surroundings.vault;
  auto lock = TRY(ProcessLock::acquire(vault.files(), vault.root(), patience));
  auto indexer = TRY(Indexer::open(vault, patience));
  return std::shared_ptr<IndexLoop>(new IndexLoop(std::move(surroundings), std::move(lock), std::move(indexer)));
}

IndexLoop::IndexLoop(Surroundings surroundings, ProcessLock lock, Indexer indexer)
    : around_(std::move(surroundings)),
      vault_lock_(std::move(lock)),
      indexer_(std::move(indexer)),
      files_in_writing_(around_.vault),
      next_rescan_(around_.now() + around_.rescan_every()) {}

IndexLoop::~IndexLoop() { answer_all(stopping()); }

// --- what other threads ask ---

IndexLoop::Report IndexLoop::ask(Request request, std::optional<milliseconds> patience) {
  auto answer = request.done.get_future();
  requests_.with([&](std::deque<Request>& requests) { requests.push_back(std::move(request)); });
  has_request_ = true;
  around_.changes.change([](ChangeSet&) {});  // wakes step()
  if (stopped_) answer_requests(stopping());  // nobody may be left to do it
  if (patience && answer.wait_for(*patience) != std::future_status::ready)
    return fail(ErrorCode::locked, "the index is busy", "it will be up to date in a moment; 'loci status' shows how far it is");
  return answer.get();
}

Result<ReconcileReport> IndexLoop::take_in(const std::vector<std::string>& written, milliseconds patience) {
  Request request;
  request.kind = written.empty() ? Request::Kind::everything : Request::Kind::files;
  request.files = written;
  return ask(std::move(request), patience);
}

Result<ReconcileReport> IndexLoop::reindex(bool clear, const ProgressCallback& progress) {
  Request request;
  request.kind = clear ? Request::Kind::anew : Request::Kind::everything;
  request.progress = progress;
  return ask(std::move(request), std::nullopt);
}

Status IndexLoop::wait_until_clean(milliseconds patience) {
  Request request;
  request.kind = Request::Kind::clean_scan;
  TRY(ask(std::move(request), patience));
  return {};
}

Result<Freshness> IndexLoop::freshness() {
  Freshness freshness;
  const bool scan_waits = around_.changes.with([&](ChangeSet& changes) {
    freshness.pending_files = changes.size();
    return changes.wants_rescan();
  });
  const auto known = state();
  freshness.checked_at = known.clean_at;
  if (known.trouble)
    freshness.reason = known.trouble->message;
  else if (scan_waits)
    freshness.reason = "the vault is about to be scanned";
  else if (freshness.pending_files > 0)
    freshness.reason = "they are being written or were just saved";
  if ((scan_waits || known.trouble) && freshness.pending_files == 0) freshness.pending_files = 1;
  return freshness;
}

IndexLoopState IndexLoop::state() {
  return state_.with([](const IndexLoopState& state) { return state; });
}

void IndexLoop::nudge() {
  nudged_ = true;
  around_.changes.change([](ChangeSet&) {});
}

void IndexLoop::stop() {
  stopped_ = true;
  around_.changes.change([](ChangeSet&) {});
}

// --- the loop ---

bool IndexLoop::step() {
  wait_for_work();
  ++rounds_;
  nudged_ = false;
  if (stopped_) {
    answer_all(stopping());
    return false;
  }
  has_request_ = false;
  auto requests = requests_.with([](std::deque<Request>& waiting) { return std::exchange(waiting, {}); });
  const auto now = around_.now();
  if (!requests.empty() && has_root())
    serve(std::move(requests));
  else
    for (Request& request : requests) request.done.set_value(std::unexpected(vault_is_gone(around_.vault)));
  if (retry_at_ && now < *retry_at_) return true;
  if (!has_root()) return true;
  if (std::exchange(retry_at_, std::nullopt))
    around_.changes.with([](ChangeSet& changes) { changes.want_rescan("after a failure"); });
  if (now >= next_rescan_) {
    const std::string reason = unreadable_pause_ > milliseconds(0) ? "files could not be read"
                               : needs_proof_                      ? "files have come to rest"
                                                                   : "periodic";
    around_.changes.with([&](ChangeSet& changes) { changes.want_rescan(reason); });
  }
  // The request is cleared before the scan: an overflow during the scan is another one.
  if (const auto reason = around_.changes.with([](ChangeSet& changes) { return changes.take_rescan(); })) rescan(*reason);
  take_due();
  return true;
}

bool IndexLoop::may_work_now(const ChangeSet& changes) const {
  if (stopped_ || nudged_ || has_request_) return true;
  return !retry_at_ && changes.wants_rescan();
}

void IndexLoop::wait_for_work() {
  const auto until = around_.changes.with([&](const ChangeSet& changes) {
    auto earliest = retry_at_ ? *retry_at_ : next_rescan_;
    if (const auto due = changes.next_due(); due && !retry_at_) earliest = std::min(earliest, *due);
    return earliest;
  });
  const auto is_ready = [&](const ChangeSet& changes) {
    const auto due = changes.next_due();
    return may_work_now(changes) || (due && !retry_at_ && *due < until);  // something came that is due before what we wait for
  };
  around_.changes.wait(until, is_ready, [](ChangeSet&) {});
}

// A vault that is not at its place is never a vault in which everything was deleted.
bool IndexLoop::has_root() {
  if (!around_.root_stands()) {
    if (!std::exchange(root_is_gone_, true))
      log_error("the folder " + around_.vault.root().string() + " is not there any more, or is another one");
    note_failure(vault_is_gone(around_.vault));
    retry_at_ = around_.now() + root_pause;
    follow_root();
    return false;
  }
  if (!indexer_ && !take_up_index()) {
    note_failure({ErrorCode::locked, "another process writes to " + around_.vault.root().string(), "wait until it is done"});
    retry_at_ = around_.now() + root_pause;
    return false;
  }
  if (std::exchange(root_is_gone_, false)) {
    log_notice("the folder of the vault is back");
    retry_at_.reset();
    around_.changes.with([](ChangeSet& changes) { changes.want_rescan("the vault's folder is back"); });
  }
  return true;
}

// False while another process holds one of the locks.
bool IndexLoop::take_up_index() {
  const Vault& vault = around_.vault;
  auto lock = ProcessLock::acquire(vault.files(), vault.root(), milliseconds(0));
  if (!lock) return false;
  auto opened = Indexer::open(vault, milliseconds(0));
  if (!opened) return false;
  vault_lock_ = std::move(*lock);
  indexer_ = std::move(*opened);
  return true;
}

// Whoever works with the vault at its new place must not wait for our lock. Where its disk was mounted there is an empty folder
// now, which nobody put there for a vault; in any other folder that stands at its place, the lock and the watches are others.
void IndexLoop::follow_root() {
  std::error_code error;
  const bool is_empty = std::filesystem::is_empty(around_.vault.root(), error) || error;
  if (!is_empty && indexer_ && vault_lock_->still_holds()) return;
  indexer_.reset();
  vault_lock_.reset();
  if (!is_empty && take_up_index()) around_.restart_watcher("the vault's folder was replaced");
}

void IndexLoop::serve(std::deque<Request> requests) {
  std::vector<Request> files;
  for (Request& request : requests) {
    if (request.kind == Request::Kind::files) {
      files.push_back(std::move(request));
    } else if (request.kind == Request::Kind::clean_scan) {
      waiters_.push_back({std::move(request), std::nullopt});
      around_.changes.with([](ChangeSet& changes) { changes.want_rescan("asked for"); });
    } else {
      request.done.set_value(reconcile([&](const ProgressCallback& progress) {
        const auto both = [&](const Progress& now) {
          progress(now);
          if (request.progress) request.progress(now);
        };
        return request.kind == Request::Kind::anew ? indexer_->rebuild("asked for", both) : indexer_->reconcile(both);
      }));
    }
  }
  if (!files.empty()) serve_files(std::move(files));
}

// Everybody's files at once: one transaction, one fsync.
void IndexLoop::serve_files(std::vector<Request> requests) {
  std::set<std::string> all;
  for (const Request& request : requests) all.insert(request.files.begin(), request.files.end());
  const std::vector<std::string> files(all.begin(), all.end());
  const auto report = reconcile_files(files);
  for (Request& request : requests) request.done.set_value(report);
  if (report) files_are_in(files);
}

void IndexLoop::rescan(const std::string& reason) {
  next_rescan_ = around_.now() + around_.rescan_every();
  unreadable_pause_ = unreadable_pause_ * 2 <= longest_unreadable_pause ? unreadable_pause_ * 2 : milliseconds(0);
  if (unreadable_pause_ > milliseconds(0)) next_rescan_ = std::min(next_rescan_, around_.now() + unreadable_pause_);
  state_.with([&](IndexLoopState& state) {
    ++state.rescans;
    count_reasons(reason, state.rescans_by_reason);
    state.last_reason = reason;
  });
  log_debug("rescan: " + reason);
  around_.scanned();
  // A scan sees files in the middle of being saved as well: they wait in the change set like those that events told of.
  std::set<std::string> left;
  const auto now = around_.now();
  const auto hold_back = [&](const std::string& file) {
    const bool waits = files_in_writing_.has(file, now);
    if (waits) left.insert(file);
    return waits;
  };
  const auto report = reconcile([&](const ProgressCallback& progress) { return indexer_->reconcile(progress, hold_back); });
  files_in_writing_.keep(left, now);
  around_.changes.with([&](ChangeSet& changes) {
    for (const std::string& file : left) changes.add_found(file, now);
  });
  if (!report) return;
  if (!report->found.empty() || report->rebuilt) around_.looked_at(report->found);
  for (Waiter& waiter : waiters_) {
    if (waiter.left)
      std::erase_if(*waiter.left, [&](const std::string& file) { return !left.contains(file); });
    else
      waiter.left = left;
  }
  answer_waiters();
  needs_proof_ = !left.empty();
  proof_due_ = around_.now() + proof_pause;
  if (!needs_proof_) state_.with([&](IndexLoopState& state) { state.clean_at = around_.vault.clock().now(); });
}

void IndexLoop::files_are_in(const std::vector<std::string>& files) {
  for (Waiter& waiter : waiters_)
    if (waiter.left)
      for (const std::string& file : files) waiter.left->erase(file);
  answer_waiters();
  around_.looked_at(files);
}

void IndexLoop::answer_waiters() {
  for (Waiter& waiter : waiters_)
    if (waiter.left && waiter.left->empty()) waiter.request.done.set_value(ReconcileReport{});
  std::erase_if(waiters_, [](const Waiter& waiter) { return waiter.left && waiter.left->empty(); });
}

void IndexLoop::take_due() {
  GlanceAtFile glance_at(around_.vault);
  auto due = around_.changes.with([&](ChangeSet& changes) {
    return changes.take_due(around_.now(), [&](const std::string& file) { return glance_at(file); });
  });
  if (const auto files = without_settings(std::move(due)); !files.empty()) take_in_due(files);
  // A scan had to leave some for later: when the last of them is in, another one proves that nothing is left.
  if (needs_proof_ && !retry_at_ && around_.changes.with([](const ChangeSet& changes) { return changes.empty(); }))
    next_rescan_ = std::min(next_rescan_, proof_due_);
}

void IndexLoop::take_in_due(const std::vector<std::string>& files) {
  const auto report = reconcile_files(files);
  if (report)
    files_are_in(files);
  else
    around_.changes.with([&](ChangeSet& changes) {
      for (const std::string& file : files) changes.add_finished(file, around_.now());
    });
}

// Rules of what counts are no memory: a change of one makes all files a question again.
std::vector<std::string> IndexLoop::without_settings(std::vector<std::string> files) {
  const bool has_settings = std::erase(files, vault_config_name) > 0;
  const bool has_rules = std::erase_if(files, is_ignore_file) > 0;
  if (has_settings) around_.settings_changed();
  if (has_rules) around_.restart_watcher("what is ignored has changed");
  return files;
}

// Of what the daemon wrote itself, the watcher's event comes when the index has it already: then nobody need read it anew.
IndexLoop::Report IndexLoop::reconcile_files(const std::vector<std::string>& files) {
  const bool has_others = std::ranges::any_of(files, is_beside_the_index);
  return reconcile([&](const ProgressCallback&) { return indexer_->reconcile(files); }, !has_others);
}

IndexLoop::Report IndexLoop::reconcile(const std::function<Report(const ProgressCallback&)>& how, bool tells_all_changes) {
  const auto note_progress = [&](const Progress& progress) {
    ++rounds_;
    state_.with([&](IndexLoopState& state) { state.work = progress; });
  };
  auto report = within_memory("bring the index up to date", [&] { return how(note_progress); });
  state_.with([&](IndexLoopState& state) {
    ++state.reconciles;
    state.work.reset();
    if (!report) return;
    state.files_changed += report->files_changed;
    state.trouble.reset();
  });
  if (!report) {
    note_failure(report.error());
    retry_at_ = around_.now() + failure_pause;
    log_error("the index cannot follow the files: " + report.error().message);
  } else if (!tells_all_changes || brings_news(*report)) {
    around_.index_changed(report->found);
  }
  if (report && report->files_unreadable > 0 && unreadable_pause_ == milliseconds(0)) {
    unreadable_pause_ = first_unreadable_pause;
    next_rescan_ = std::min(next_rescan_, around_.now() + unreadable_pause_);
  }
  return report;
}

void IndexLoop::note_failure(const Error& error) {
  needs_proof_ = true;
  state_.with([&](IndexLoopState& state) { state.trouble = error; });
}

void IndexLoop::answer_all(const Error& error) {
  for (Waiter& waiter : std::exchange(waiters_, {})) waiter.request.done.set_value(std::unexpected(error));
  answer_requests(error);
}

void IndexLoop::answer_requests(const Error& error) {
  auto requests = requests_.with([](std::deque<Request>& waiting) { return std::exchange(waiting, {}); });
  for (Request& request : requests) request.done.set_value(std::unexpected(error));
}

}  // namespace loci
