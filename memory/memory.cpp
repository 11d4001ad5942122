#include "memory/memory.h"

#include <utility>

#include "base/lock_holder.h"
#include "memory/choose_entry.h"
#include "memory/lost_appends.h"

namespace loci {
namespace {

// Up to here the changed files alone are looked at; beyond, one pass over everything is as quick and reports progress.
constexpr size_t few_files = 64;
constexpr std::chrono::milliseconds catch_up_patience{30'000};  // what decides by the whole index is in no hurry

// An index is there, and of another version. Nobody but whoever keeps it can make it anew, and that goes on as it was started.
Result<IndexReader> open_reader(const Vault& vault) {
  auto opened = IndexReader::open(vault.state_folder());
  if (opened || opened.error().code != ErrorCode::refused) return opened;
  const auto holder = holder_of_lock(vault.files(), vault.state_folder());
  if (!holder) return opened;
  return fail(ErrorCode::locked,
              "the index is kept by process " + std::to_string(holder->pid) +
                  (holder->program.empty() ? "" : " (" + holder->program + ")") +
                  ", which is another version of loci: " + opened.error().message,
              "start it anew: 'systemctl --user restart \"loci@*\"', or stop a 'loci daemon' in a terminal and run it again");
}

}  // namespace

Result<Memory> Memory::open(const path& root, const Environment& environment, FileSystem& files, const Clock& clock,
                            const FindKeeper& keeper) {
  auto vault = TRY(Vault::open(root, environment, files, clock));
  auto found = keeper ? keeper(vault) : nullptr;
  return Memory(std::move(vault), std::move(found));
}

Result<Freshness> Memory::bring_up_to_date(const ProgressCallback& progress, const std::function<void(IndexReader&)>& meanwhile) {
  if (keeper_ && keeper_->holds_lock()) return keeper_->freshness();
  reader_.reset();
  auto walk = start_scan(*vault_);
  auto opened = IndexReader::open(vault_->state_folder());
  if (!opened) return build_first_index(progress);
  reader_.emplace(std::move(*opened));
  if (meanwhile) {
    meanwhile(*reader_);
    TRY(reader());  // it may have come upon damage, and the index was built anew
  }
  const auto stale = find_stale(*vault_, *reader_, std::move(walk));
  if (!stale) {
    TRY(rebuild_damaged(stale.error()));
    return Freshness{0, now(), {}};
  }
  if (stale->changed.empty()) {
    if (stale->unconfirmed) confirm();
    return Freshness{0, now(), {}};
  }
  return take_in_stale(stale->changed, progress);
}

Status Memory::catch_up() {
  const bool is_kept_here = keeper_ && keeper_->holds_lock();
  if (!is_kept_here && TRY(bring_up_to_date()).pending_files == 0) return {};
  reader_.reset();
  const auto waited = keeper_ ? keeper_->wait_until_clean(catch_up_patience) : fail(ErrorCode::not_found, "nobody keeps the index");
  if (waited || waited.error().code != ErrorCode::not_found) return waited;
  TRY(take_in({}));
  return {};
}

Status Memory::catch_up_with_changes() {
  if (keeper_ && keeper_->holds_lock() && TRY(keeper_->freshness()).fresh()) return {};
  return catch_up();
}

Status Memory::wait_for_saves() {
  if (!keeper_ || (keeper_->holds_lock() && TRY(keeper_->freshness()).fresh())) return {};
  const auto waited = keeper_->wait_until_clean(catch_up_patience);
  if (waited) reader_.reset();
  return waited || waited.error().code != ErrorCode::not_found ? waited : Status{};
}

// Files that were indexed within a tick of being written are hashed at every sweep, until the index learns that they kept still.
// If that fails now, a later command does it.
void Memory::confirm() {
  if (auto indexer = Indexer::open(*vault_, std::chrono::milliseconds(0)); indexer && indexer->reconcile()) reader_.reset();
}

Result<Freshness> Memory::build_first_index(const ProgressCallback& progress) {
  auto indexer = Indexer::open(*vault_, std::chrono::milliseconds(0));
  const bool is_locked = !indexer && indexer.error().code == ErrorCode::locked;
  if (is_locked && keeper_ && keeper_->take_in({}, write_patience)) {
    TRY(open_reader(*vault_));
    return Freshness{0, now(), {}};
  }
  if (is_locked)
    return fail(ErrorCode::locked, "another process is building the index of " + vault_->root().string(),
                "wait until it is done and try again");
  if (!indexer) return std::unexpected(indexer.error());
  TRY(indexer->reconcile(progress));
  return Freshness{0, now(), {}};
}

Result<Freshness> Memory::take_in_stale(std::vector<std::string> stale, const ProgressCallback& progress) {
  const auto not_taken_in = [&](std::string reason) {
    return Freshness{stale.size(), reader_->info().checked_at, std::move(reason)};
  };
  auto indexer = Indexer::open(*vault_, std::chrono::milliseconds(0));
  if (!indexer) return not_taken_in(indexer.error().message);
  auto report = stale.size() <= few_files ? indexer->reconcile(stale) : indexer->reconcile(progress);
  if (!report && report.error().code == ErrorCode::failed)
    report = indexer->rebuild("damaged: " + report.error().message, progress);
  if (!report) return not_taken_in(report.error().message);
  reader_.reset();
  return Freshness{0, now(), {}};
}

// By the lock if it is free, else by whoever holds it for long; while neither is to be had (a daemon that starts holds the lock
// before it answers), by what comes first.
Result<ReconcileReport> Memory::write_index(const std::function<Result<ReconcileReport>(Indexer&)>& by_itself,
                                            const std::function<Result<ReconcileReport>(IndexKeeper&)>& by_keeper,
                                            std::chrono::milliseconds patience) {
  reader_.reset();
  if (keeper_ && keeper_->holds_lock()) return by_keeper(*keeper_);
  constexpr std::chrono::milliseconds between_questions{50};
  std::chrono::milliseconds left = patience, wait = keeper_ ? std::chrono::milliseconds(0) : patience;
  auto indexer = Indexer::open(*vault_, wait);
  while (!indexer && indexer.error().code == ErrorCode::locked && keeper_) {
    auto report = by_keeper(*keeper_);
    if (report || report.error().code != ErrorCode::not_found) return report;
    if (left <= std::chrono::milliseconds(0)) break;
    wait = std::min(left, between_questions);
    left -= wait;
    indexer = Indexer::open(*vault_, wait);
  }
  if (!indexer) return std::unexpected(indexer.error());
  auto report = by_itself(*indexer);
  if (report || report.error().code != ErrorCode::failed) return report;
  return indexer->rebuild("damaged: " + report.error().message);
}

// A command that writes to a vault without a daemon sees to it itself; what fails now is for the next one.
void Memory::take_in_what_comes_back(Indexer& indexer) {
  const auto everything = [&]() -> Status {
    TRY(indexer.reconcile());
    return {};
  };
  const auto restored = bring_back_lost_appends(*vault_, everything);
  if (restored && !restored->files.empty()) (void)indexer.reconcile(restored->files);
}

Result<ReconcileReport> Memory::take_in(const std::vector<std::string>& written, std::chrono::milliseconds patience) {
  const auto by_itself = [&](Indexer& indexer) {
    const bool is_whole = written.empty() || !IndexReader::open(vault_->state_folder());
    auto report = is_whole ? indexer.reconcile() : indexer.reconcile(written);
    if (report && !written.empty()) take_in_what_comes_back(indexer);
    return report;
  };
  return write_index(by_itself, [&](IndexKeeper& keeper) { return keeper.take_in(written, patience); }, patience);
}

Result<ReconcileReport> Memory::reindex(bool clear, const ProgressCallback& progress) {
  return write_index([&](Indexer& indexer) { return clear ? indexer.rebuild("asked for", progress) : indexer.reconcile(progress); },
                     [&](IndexKeeper& keeper) { return keeper.reindex(clear, progress); }, write_patience);
}

void Memory::drop_reader() {
  if (reader_) reader_->release();
  reader_is_released_ = true;
}

Result<IndexReader*> Memory::reader() {
  if (std::exchange(reader_is_released_, false) && reader_ && !reader_->renew()) reader_.reset();
  if (!reader_) {
    auto opened = open_reader(*vault_);
    // The first one is being built by the threads of this process.
    const bool is_missing = !opened && opened.error().code == ErrorCode::not_found;
    if (is_missing && keeper_ && keeper_->holds_lock() && keeper_->take_in({}, write_patience)) opened = open_reader(*vault_);
    if (!opened) return std::unexpected(opened.error());
    reader_.emplace(std::move(*opened));
  }
  return &*reader_;
}

Status Memory::rebuild_damaged(const Error& error) {
  reader_.reset();
  if (keeper_ && keeper_->holds_lock()) {
    TRY(keeper_->reindex(true, {}));
    return {};
  }
  auto indexer = TRY(Indexer::open(*vault_, std::chrono::milliseconds(0)));
  TRY(indexer.rebuild("damaged: " + error.message));
  return {};
}

Result<Entry> find_entry(Memory& memory, const std::string& id_or_prefix, bool inactive) {
  auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id_or_prefix, 20); }));
  return choose_entry(std::move(found), id_or_prefix, inactive);
}

Result<std::optional<Entry>> entry_with_id(Memory& memory, const std::string& id) {
  auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); }));
  if (found.empty() || found.front().id != id) return std::nullopt;
  return std::move(found.front());
}

}  // namespace loci
