#include "consolidate/runs/run_record.h"

#include <algorithm>

#include "base/hash.h"
#include "consolidate/runs/run_json.h"

namespace loci {
namespace {

constexpr size_t hash_digits = 64;
constexpr size_t record_bytes = size_t{64} << 20;
constexpr std::string_view head_name = "run.json", clusters_name = "clusters.json";

path folder_of_runs(const Vault& vault) { return vault.state_folder() / "runs"; }
path folder_of(const Vault& vault, const std::string& run) { return folder_of_runs(vault) / run; }

// Latest first: ids rise with time.
std::vector<std::string> runs_kept(const Vault& vault) {
  std::vector<std::string> runs;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder_of_runs(vault), error), end; !error && it != end; it.increment(error)) {
    std::string name = it->path().filename().string();
    std::error_code unknown;
    if (is_valid_id(name) && !name.starts_with('.') && it->is_directory(unknown)) runs.push_back(std::move(name));
  }
  std::ranges::sort(runs, std::greater{});
  return runs;
}

Result<Json> read_json(const Vault& vault, const path& file) {
  const auto bytes = TRY(read_file(vault.files(), file, record_bytes));
  return parse_json(bytes, {.bytes = record_bytes});
}

Result<RunRecord> read_head(const Vault& vault, const std::string& run) {
  const auto json = read_json(vault, folder_of(vault, run) / head_name);
  if (!json && json.error().code == ErrorCode::not_found) return std::unexpected(json.error());
  auto record = json ? run_record_from(*json) : std::nullopt;
  if (!record || record->run != run) return fail(ErrorCode::failed, "the record of run " + run + " cannot be read");
  return std::move(*record);
}

Result<RunRecord> read_exactly(const Vault& vault, const std::string& run) {
  auto record = TRY(read_head(vault, run));
  const auto clusters = read_json(vault, folder_of(vault, run) / clusters_name);
  if (!clusters && clusters.error().code == ErrorCode::not_found && record.counts && record.ended) return record;
  if (!clusters) return fail(ErrorCode::failed, "the record of run " + run + " cannot be read: " + clusters.error().message);
  take_in_clusters(record, *clusters);
  return record;
}

// A record that was written without counts has them in its clusters alone.
Result<RunRecord> read_listed(const Vault& vault, const std::string& run) {
  auto record = read_head(vault, run);
  return !record || record->counts ? std::move(record) : read_exactly(vault, run);
}

Status remove_whole(const path& what) {
  std::error_code error;
  std::filesystem::remove_all(what, error);
  if (error) return fail_errno("remove", what.string(), error.value());
  return {};
}

std::unexpected<Error> no_such_run(const std::string& run) {
  return fail(ErrorCode::not_found, "there is no run '" + run + "'", "'loci log' lists the runs that are kept");
}

}  // namespace

Status write_run(const Vault& vault, const RunRecord& record) {
  const path folder = folder_of(vault, record.run);
  TRY(make_folders(vault.files(), folder));
  const auto write = [&](std::string_view name, const Json& json) {
    return write_file(vault.files(), folder / name, to_string(json) + '\n');
  };
  TRY(write(clusters_name, clusters_to_json(record)));
  return write(head_name, head_to_json(record));
}

Result<RunRecord> read_run(const Vault& vault, const std::string& run_or_prefix) {
  std::vector<std::string> matching;
  for (std::string& run : runs_kept(vault)) {
    if (run == run_or_prefix) return read_exactly(vault, run);
    if (!run_or_prefix.empty() && run.starts_with(run_or_prefix)) matching.push_back(std::move(run));
  }
  if (matching.empty()) return no_such_run(run_or_prefix);
  if (matching.size() > 1)
    return fail(ErrorCode::usage, "several runs start with '" + run_or_prefix + "'",
                "write more of it: " + matching[0] + ", " + matching[1]);
  return read_exactly(vault, matching.front());
}

Result<std::vector<RunRecord>> list_runs(const Vault& vault, std::vector<Problem>* problems) {
  std::vector<RunRecord> records;
  for (const std::string& run : runs_kept(vault)) {
    auto record = read_listed(vault, run);
    if (record)
      records.push_back(std::move(*record));
    else if (problems && record.error().code != ErrorCode::not_found)
      problems->push_back({(folder_of(vault, run) / head_name).string(), 0, "broken-run", record.error().message});
  }
  return records;
}

std::optional<RunRecord> unfinished_run(const Vault& vault) {
  for (const std::string& run : runs_kept(vault)) {
    const auto head = read_head(vault, run);
    if (!head) continue;
    if (head->ended) return std::nullopt;
    auto record = read_exactly(vault, run);
    return record ? std::optional(std::move(*record)) : std::nullopt;
  }
  return std::nullopt;
}

std::string hash_of_bytes(std::string_view bytes) { return hex(as_bytes(sha256(bytes)), hash_digits); }

Status keep_before(const Vault& vault, const std::string& run, std::string_view bytes) {
  const path folder = folder_of(vault, run) / "before";
  TRY(make_folders(vault.files(), folder));
  return write_file(vault.files(), folder / hash_of_bytes(bytes), bytes);
}

Result<std::string> read_before(const Vault& vault, const std::string& run, const std::string& hash) {
  auto bytes = read_file(vault.files(), folder_of(vault, run) / "before" / hash);
  if (!bytes && bytes.error().code == ErrorCode::not_found)
    return fail(ErrorCode::failed, "what run " + run + " kept of a file is missing: it cannot be taken back",
                "'loci log " + run + "' shows what it changed");
  if (bytes && hash_of_bytes(*bytes) != hash) return fail(ErrorCode::failed, "what run " + run + " kept of a file is damaged");
  return bytes;
}

Status remove_old_runs(const Vault& vault) {
  const Instant oldest = vault.clock().now() - std::chrono::days(vault.config().consolidation.undo_keep_days);
  bool is_latest = true, is_latest_of_its_kind = true;
  for (const std::string& run : runs_kept(vault)) {
    const auto record = read_head(vault, run);
    if (!record) continue;
    const bool is_known = is_latest || (is_latest_of_its_kind && record->kind != "undo");
    is_latest = false;
    if (record->kind != "undo") is_latest_of_its_kind = false;
    if (record->at >= oldest) continue;
    const path folder = folder_of(vault, run);
    if (!is_known) {
      TRY(remove_whole(folder));
      continue;
    }
    if (!record->ended) continue;  // it is finished first
    if (!record->counts)
      if (auto whole = read_exactly(vault, run); !whole || !write_run(vault, *whole)) continue;
    for (const path& what : {folder / "before", folder / clusters_name}) TRY(remove_whole(what));
  }
  return {};
}

std::string unsuitable_model(const std::vector<RunRecord>& runs) {
  constexpr int runs_that_count = 3;
  constexpr std::int64_t least_operations = 10;
  std::int64_t decided = 0, refused = 0;
  int counted = 0;
  const RunRecord* latest = nullptr;
  for (const RunRecord& run : runs) {
    if (run.decided == 0) continue;
    if (latest && run.model != latest->model) break;
    if (!latest) latest = &run;
    decided += run.decided;
    refused += run.refused;
    if (++counted == runs_that_count) break;
  }
  const bool is_enough = counted == runs_that_count && decided >= least_operations;
  return is_enough && 2 * refused > decided ? latest->model : std::string();
}

}  // namespace loci
