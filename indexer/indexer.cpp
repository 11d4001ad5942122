#include "indexer/indexer.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <optional>
#include <utility>

#include "indexer/file_times.h"
#include "indexer/index_build.h"
#include "indexer/reconciler.h"
#include "indexer/schema.h"
#include "indexer/staleness.h"

namespace loci {
namespace {

// When most of a vault is new, building beside is faster than changing in place, and readers go on with the old one.
constexpr std::uint64_t worth_building = std::uint64_t{8} << 20;

bool is_mostly_new(const Sweep& found) {
  std::uint64_t bytes = 0;
  for (const auto& [path, state] : found.changed) bytes += state ? state->size : 0;
  return bytes > worth_building && found.changed.size() * 2 > found.files_seen;
}

bool has_nothing_to_do(const Sweep& found) {
  return found.changed.empty() && found.changed_logs.empty() && found.racy_logs.empty();
}

// Best effort: it only says when somebody last looked.
void touch(FileSystem& files, const path& file, Instant now) {
  const auto fd = files.open(file, O_CREAT | O_WRONLY, 0600);
  if (!fd) return;
  const auto ns = nanoseconds(now);
  const timespec time{.tv_sec = ns / 1'000'000'000, .tv_nsec = ns % 1'000'000'000};
  const timespec times[] = {time, time};
  ::futimens(fd->get(), times);
}

Status sync_file(FileSystem& files, const path& file) {
  const auto fd = TRY(files.open(file, O_RDWR));
  return files.sync(fd, file);
}

// Gives a finished index its name, for good. On failure neither name is left.
Status publish(FileSystem& files, const path& built, const path& name) {
  auto status = sync_file(files, built);
  if (status) status = files.rename(built, name);
  if (status) status = sync_folder(files, name.parent_path());
  if (!status)
    for (const auto& left : {built, name}) static_cast<void>(files.remove(left));
  return status;
}

// It is made if it is not there.
Result<ProcessLock> lock_state_folder(const Vault& vault, std::chrono::milliseconds patience) {
  TRY(make_folders(vault.files(), vault.state_folder()));
  return ProcessLock::acquire(vault.files(), vault.state_folder(), patience);
}

}  // namespace

struct Indexer::Impl {
  Impl(const Vault& opened, ProcessLock held) : vault(opened), writer_lock(std::move(held)) {}

  void open_newest();
  bool index_stands() const;
  bool vault_stands() const;
  Result<ReconcileReport> update(const std::vector<std::string>* paths, const ProgressCallback& progress,
                                 const HoldBack& hold_back = {});
  // How much of the vault a sweep saw.
  enum class Reach { some_files, all_but_held_back, everything };
  Result<ReconcileReport> write(Sweep found, Reach reach, const ProgressCallback& progress);
  Result<ReconcileReport> rebuild(std::string reason, const ProgressCallback& progress);

  const Vault& vault;
  ProcessLock writer_lock;
  std::int64_t generation = 0;
  std::optional<IndexConnection> index;
  ino_t inode = 0;                       // of its file
  struct stat root{};                    // of the vault, when it was opened
  std::string missing = "no index yet";  // why there is none
};

void Indexer::Impl::open_newest() {
  const auto known = generations(vault.state_folder());
  if (!known.empty()) generation = known.back().number;
  remove_other_generations(vault.files(), vault.state_folder(), generation);  // left over from a build that was killed
  if (known.empty()) return;
  auto opened = open_index(known.back().file, Database::Mode::write);
  struct stat file{};
  if (opened && ::stat(known.back().file.c_str(), &file) == 0) inode = file.st_ino;
  if (opened)
    index = std::move(*opened);
  else
    missing = (opened.error().code == ErrorCode::refused ? "" : "damaged: ") + opened.error().message;
}

// Whoever keeps the index for long may find that somebody threw it away meanwhile: what is written to it then, nobody reads.
bool Indexer::Impl::index_stands() const {
  struct stat file{};
  return ::stat(index_file(vault.state_folder(), generation).c_str(), &file) == 0 && file.st_ino == inode;
}

bool Indexer::Impl::vault_stands() const {
  struct stat now{};
  return ::stat(vault.root().c_str(), &now) == 0 && now.st_ino == root.st_ino && now.st_dev == root.st_dev;
}

Result<ReconcileReport> Indexer::Impl::update(const std::vector<std::string>* paths, const ProgressCallback& progress,
                                              const HoldBack& hold_back) {
  if (!vault_stands())
    return fail(ErrorCode::locked, "the folder " + vault.root().string() + " was replaced while it was in use", "start again");
  if (!writer_lock.still_holds()) writer_lock = TRY(lock_state_folder(vault, std::chrono::milliseconds(0)));
  if (index && !index_stands()) {
    index.reset();
    missing = "the index was removed";
  }
  if (!index) return rebuild(missing, progress);
  auto found = paths != nullptr ? sweep(vault, index->database, *paths) : sweep(vault, index->database);
  Reach reach = paths == nullptr ? Reach::everything : Reach::some_files;
  if (found && hold_back && std::erase_if(found->changed, [&](const auto& change) { return hold_back(change.first); }) > 0)
    reach = Reach::all_but_held_back;
  Result<ReconcileReport> report;
  if (!found)
    report = std::unexpected(found.error());
  else if (reach == Reach::everything && is_mostly_new(*found))
    return rebuild("most files are new", progress);
  else
    report = write(std::move(*found), reach, progress);
  if (!report && index->database.is_damaged()) return rebuild("damaged: " + report.error().message, progress);
  return report;
}

Result<ReconcileReport> Indexer::Impl::write(Sweep found, Reach reach, const ProgressCallback& progress) {
  auto& database = index->database;
  const bool is_whole = reach != Reach::some_files;
  ReconcileReport report;
  report.files_seen = found.files_seen;
  for (const auto& [path, state] : found.changed) report.found.push_back(path);
  std::ranges::copy(found.changed_logs, std::back_inserter(report.found));
  const auto problems_before = is_whole ? read_scan_problems(database) : std::vector<Problem>{};
  std::erase_if(found.confirmed, [](const KnownFile& file) { return is_racy(file.state.mtime_ns, file.indexed_at); });
  if (!has_nothing_to_do(found) || !found.confirmed.empty() || (is_whole && problems_before != found.problems)) {
    Transaction transaction(database, Transaction::Kind::write);
    LogTables logs(database);
    EntryStore entries(database, *index->tokenizer, logs, false);
    auto concerned = logs.update(vault, found.logs);
    Reconciler reconciler(vault, database, entries, report);
    const size_t total = found.changed.size();
    size_t done = 0;
    reconciler.apply(std::move(found.changed), [&] {
      if (progress) progress({"indexing", ++done, total});
    });
    const auto& came_or_went = entries.came_or_went();
    concerned.homes.insert(came_or_went.begin(), came_or_went.end());
    logs.add_facts_of_homes(concerned);
    for (const RowId row : entries.rows_concerned(concerned))
      if (entries.refresh_standing(row)) ++report.entries_changed;
    FileTable files(database);
    for (const auto& file : found.confirmed) files.set_state(file.id, file.state, file.indexed_at, file.readable);
    if (is_whole) write_scan_problems(database, found.problems);
    entries.flush();
    static_cast<void>(transaction.commit());
  }
  TRY(database.take_status());
  if (reach == Reach::everything)
    touch(vault.files(), checked_file(index_file(vault.state_folder(), generation)), vault.clock().now());
  return report;
}

Result<ReconcileReport> Indexer::Impl::rebuild(std::string reason, const ProgressCallback& progress) {
  auto& files = vault.files();
  const auto& folder = vault.state_folder();
  TRY(make_folders(files, folder));
  const auto name = index_file(folder, generation + 1);
  const auto unfinished = path(name) += ".tmp";
  auto report = TRY(build_index(vault, unfinished, progress));
  report.rebuild_reason = std::move(reason);
  TRY(publish(files, unfinished, name));
  index.reset();
  open_newest();
  if (!index) return fail(ErrorCode::failed, "the new index cannot be opened: " + missing);
  touch(files, checked_file(name), vault.clock().now());
  return report;
}

Indexer::Indexer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Indexer::Indexer(Indexer&&) noexcept = default;
Indexer& Indexer::operator=(Indexer&&) noexcept = default;
Indexer::~Indexer() = default;

Result<Indexer> Indexer::open(const Vault& vault, std::chrono::milliseconds patience) {
  auto lock = TRY(lock_state_folder(vault, patience));
  auto impl = std::make_unique<Impl>(vault, std::move(lock));
  if (::stat(vault.root().c_str(), &impl->root) != 0) return fail_errno("look at", vault.root().string(), errno);
  impl->open_newest();
  return Indexer(std::move(impl));
}

Result<ReconcileReport> Indexer::reconcile(const ProgressCallback& progress, const HoldBack& hold_back) {
  return impl_->update(nullptr, progress, hold_back);
}

Result<ReconcileReport> Indexer::reconcile(const std::vector<std::string>& paths) { return impl_->update(&paths, {}); }

Result<ReconcileReport> Indexer::rebuild(std::string reason, const ProgressCallback& progress) {
  return impl_->rebuild(std::move(reason), progress);
}

}  // namespace loci
