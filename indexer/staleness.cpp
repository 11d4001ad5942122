#include "indexer/staleness.h"

#include <algorithm>
#include <future>

#include "base/hash.h"
#include "indexer/file_times.h"
#include "indexer/index_reader_impl.h"
#include "indexer/indexer.h"
#include "vault/layout/scan_rules.h"

namespace loci {
namespace {

// Files below a folder that can't be read are not gone.
bool is_below_unreadable(const std::string& path, const std::vector<Problem>& problems) {
  return std::ranges::any_of(problems, [&](const Problem& problem) {
    return problem.code == "unreadable" && (path == problem.file || path.starts_with(problem.file + "/"));
  });
}

class Sweeper {
 public:
  Sweeper(const Vault& vault, Database& database, Sweep& found)
      : vault_(vault), database_(database), files_(database), found_(found) {}

  void compare(const KnownFile& known, const FileState& now) {
    if (!known.looks_like(now))
      found_.changed.emplace(now.path, now);
    else if (!known.readable)
      retry(now);
    else if (known.may_have_changed_unseen())
      hash_again(known, now);
  }

 private:
  void retry(const FileState& now) {
    if (vault_.files().open(vault_.file(now.path), O_RDONLY | O_NONBLOCK | O_NOCTTY)) found_.changed.emplace(now.path, now);
  }

  void hash_again(KnownFile known, const FileState& now) {
    known.indexed_at = nanoseconds(vault_.clock().now());
    const auto bytes = read_file(vault_.files(), vault_.file(now.path));
    Query stored(database_, "SELECT length, hash FROM file_details WHERE file = ?", known.id);
    const bool same = bytes && stored.next() && static_cast<std::uint64_t>(stored.integer(0)) == bytes->size() &&
                      static_cast<std::uint64_t>(stored.integer(1)) == hash64(*bytes);
    if (same)
      found_.confirmed.push_back(std::move(known));
    else
      found_.changed.emplace(now.path, now);
  }

  const Vault& vault_;
  Database& database_;
  FileTable files_;
  Sweep& found_;
};

void compare_logs(const Vault& vault, Database& database, Sweep& found) {
  for (auto& [path, racy] : LogTables(database).stale_logs(vault, found.logs))
    (racy ? found.racy_logs : found.changed_logs).push_back(path);
}

}  // namespace

std::future<Result<Scan>> start_scan(const Vault& vault) {
  return std::async(std::launch::async, [&vault] { return scan(vault); });
}

Result<Sweep> sweep(const Vault& vault, Database& database) { return sweep(vault, database, start_scan(vault)); }

// The walk waits for the kernel most of its time: what the index knows is read meanwhile.
Result<Sweep> sweep(const Vault& vault, Database& database, std::future<Result<Scan>> walk) {
  const auto known = FileTable(database).all();
  auto scanned = TRY(walk.get());
  Sweep found;
  found.files_seen = scanned.files.size();
  found.logs = std::move(scanned.logs);
  found.problems = std::move(scanned.problems);
  Sweeper sweeper(vault, database, found);
  auto known_file = known.begin();
  const auto take_gone = [&] {
    if (!is_below_unreadable(known_file->state.path, found.problems)) found.changed.emplace(known_file->state.path, std::nullopt);
    ++known_file;
  };
  for (const auto& now : scanned.files) {
    while (known_file != known.end() && known_file->state.path < now.path) take_gone();
    if (known_file == known.end() || known_file->state.path != now.path)
      found.changed.emplace(now.path, now);
    else
      sweeper.compare(*known_file++, now);
  }
  while (known_file != known.end()) take_gone();
  compare_logs(vault, database, found);
  if (database.failed()) return std::unexpected(database.take_status().error());
  return found;
}

Result<Sweep> sweep(const Vault& vault, Database& database, const std::vector<std::string>& paths) {
  Sweep found;
  found.files_seen = paths.size();
  found.logs = log_files_of(vault);
  Sweeper sweeper(vault, database, found);
  FileTable files(database);
  for (const auto& path : paths) {
    if (is_log_path(path)) continue;  // a log holds no entries; all logs are compared below
    const auto now = examine(vault, path);
    if (!now) continue;  // can't be examined: a sweep of everything will say so
    const auto known = files.find(path);
    if (known && now->has_value())
      sweeper.compare(*known, **now);
    else if (known || now->has_value())
      found.changed.emplace(path, *now);
  }
  compare_logs(vault, database, found);
  if (database.failed()) return std::unexpected(database.take_status().error());
  return found;
}

Result<Staleness> find_stale(const Vault& vault, IndexReader& reader, std::future<Result<Scan>> walk) {
  auto found = TRY(sweep(vault, reader.impl_->index.database, std::move(walk)));
  Staleness staleness;
  for (const auto& [path, state] : found.changed) staleness.changed.push_back(path);
  std::ranges::move(found.changed_logs, std::back_inserter(staleness.changed));
  staleness.unconfirmed = !found.racy_logs.empty() || std::ranges::any_of(found.confirmed, [](const KnownFile& file) {
    return !is_racy(file.state.mtime_ns, file.indexed_at);
  });
  return staleness;
}

}  // namespace loci
