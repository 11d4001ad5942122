#include "memory/status.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "base/counted.h"
#include "base/shell_word.h"
#include "memory/agents_changes.h"
#include "memory/correction_conflicts.h"
#include "memory/purge_record.h"
#include "memory/unfinished_changes.h"
#include "memory/vault_logs.h"
#include "parser/core_file.h"
#include "vault/archive/tail_verdicts.h"
#include "vault/git/git_operation.h"
#include "vault/layout/scan.h"

namespace loci {
namespace {

constexpr std::chrono::minutes git_patience{10};
constexpr std::chrono::days primary_silence{14};
constexpr std::uint64_t least_space = 64 << 10;  // bytes; an entry and what goes with it

void add_all(std::vector<Problem>& problems, std::vector<Problem> more) {
  for (Problem& problem : more)
    if (std::ranges::find(problems, problem) == problems.end()) problems.push_back(std::move(problem));
}

Status add_scan_problems(const Vault& vault, std::vector<Problem>& problems) {
  auto scanned = TRY(scan(vault));
  add_all(problems, std::move(scanned.problems));
  for (const std::string& file : scanned.conflict_files)
    problems.push_back(
        {file, 0, "conflict-file", "two versions of one file: 'loci resolve " + shell_word(file) + "' puts them together"});
  return {};
}

// Asks the system and writes nothing: a status that tries would be a write. Root is only kept from a read-only mount.
bool add_folder_problem(const path& folder, const std::string& name, const std::string& what, std::vector<Problem>& problems) {
  if (::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) == 0 || errno == ENOENT) return false;
  problems.push_back({name, 0, "not-writable", "cannot be written (" + std::string(std::strerror(errno)) + "): " + what});
  return true;
}

// Each disk once.
void add_disk_problems(const Vault& vault, std::vector<Problem>& problems) {
  std::set<unsigned long> seen;
  for (const auto& [folder, name] :
       {std::pair{vault.root(), std::string()}, {vault.state_folder(), vault.state_folder().string()}}) {
    struct statvfs disk{};
    if (::statvfs(folder.c_str(), &disk) != 0 || !seen.insert(disk.f_fsid).second) continue;
    if (disk.f_bavail * disk.f_frsize < least_space)
      problems.push_back({name, 0, "disk-full", "the disk has no space left: free some, or nothing more can be stored"});
  }
}

void add_writing_problems(const Vault& vault, std::vector<Problem>& problems) {
  if (!add_folder_problem(vault.root(), "", "nothing can be stored in the vault", problems))
    for (const char* name : {"archive", ".loci"}) add_folder_problem(vault.file(name), name, "nothing can be stored", problems);
  const path& state = vault.state_folder();
  add_folder_problem(state, state.string(), "the index cannot follow the files", problems);
  add_disk_problems(vault, problems);
}

// Of the two files that a session begins with. What stands in the place of one, no scan takes for a file.
Problem unreadable(const Vault& vault, const char* file, const Error& why) {
  const std::string other = what_stands_instead_of(vault.file(file));
  if (other.empty()) return {file, 0, "unreadable", why.message};
  return {file, 0, "unreadable",
          "is " + other + ", so nothing of it gets into a prompt, and nothing is written there; move it away"};
}

void add_user_file_problem(const Vault& vault, std::vector<Problem>& problems) {
  const auto use = user_file_use(vault);
  if (!use) {
    problems.push_back(unreadable(vault, user_file_name, use.error()));
  } else if (use->over_limit()) {
    problems.push_back({user_file_name, 0, "over-limit",
                        "too long for the prompt (" + use->summary() + "): the lines behind the limit are left out"});
  }
}

void add_core_problems(const Vault& vault, std::vector<Problem>& problems) {
  const auto bytes = read_file_if_any(vault.files(), vault.file(core_file_name));
  if (!bytes) add_all(problems, {unreadable(vault, core_file_name, bytes.error())});
  if (!bytes || !*bytes) return;
  const bool has_markers = (*bytes)->find("loci:core") != std::string::npos;
  if (const auto core = read_core(**bytes); !core && has_markers)
    problems.push_back({core_file_name, core.error().line, "core-markers", core.error().message});
  const auto injection = core_injection(**bytes);
  if (!injection.lost.empty())
    problems.push_back(
        {core_file_name, 0, "over-limit",
         counted(injection.lost.size(), "line does not fit the prompt and is", "lines do not fit the prompt and are") +
             " left out"});
}

void add_git_problem(const Vault& vault, std::vector<Problem>& problems) {
  const auto operation = git_operation_around(vault.root());
  if (operation && vault.clock().now() - operation->since > git_patience)
    problems.push_back({"", 0, "git-operation",
                        "git has been in the middle of something since " + format_rfc3339(operation->since) + " (" +
                            operation->marker + "): nothing is rewritten until it is done"});
}

void add_purge_problem(const Vault& vault, std::vector<Problem>& problems) {
  const auto unfinished = read_purge_record(vault);
  if (!unfinished || unfinished->empty()) return;
  problems.push_back({(vault.state_folder() / purge_record_name).string(), 0, "unfinished-purge",
                      "a purge did not finish, and this file holds the text until one does: 'loci forget --purge " +
                          unfinished->front().id + "'"});
}

// When a host last wrote any of its logs, as far as their lines tell.
std::optional<Instant> last_word_of(const Vault& vault, const std::string& host) {
  std::optional<Instant> last;
  for (const char* folder : {"ledger", "tombstones", "recall"}) {
    std::error_code error;
    const auto time = std::filesystem::last_write_time(vault.dot_loci() / folder / (host + ".jsonl"), error);
    if (error) continue;
    const auto at = std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::file_clock::to_sys(time));
    if (!last || at > *last) last = at;
  }
  return last;
}

void add_primary_problem(const Vault& vault, std::vector<Problem>& problems) {
  const std::string& primary = vault.config().primary;
  if (primary.empty() || primary == vault.host()) return;
  const auto last = last_word_of(vault, primary);
  if (last && vault.clock().now() - *last > primary_silence)
    problems.push_back({".loci/config.toml", 0, "silent-primary",
                        "the primary machine '" + primary + "' has written nothing since " + utc_date(*last) +
                            ": 'loci config vault.primary " + vault.host() + "' makes this one the primary"});
}

// What goes meanwhile is not counted.
StateUse use_of_state(const Vault& vault) {
  StateUse use{vault.state_folder().string(), 0};
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator it(vault.state_folder(), error), end; !error && it != end;
       it.increment(error)) {
    std::error_code gone;
    if (!it->is_regular_file(gone) || it->is_symlink(gone)) continue;
    if (const auto size = it->file_size(gone); !gone) use.bytes += size;
  }
  return use;
}

}  // namespace

std::string what_stands_instead_of(const path& file) {
  std::error_code error;
  const auto there = std::filesystem::status(file, error);
  if (!std::filesystem::exists(there) || std::filesystem::is_regular_file(there)) return {};
  return std::filesystem::is_directory(there) ? "a folder" : "no regular file";
}

Result<std::vector<Problem>> vault_problems(const Vault& vault) {
  std::vector<Problem> problems = vault.loaded_config().warnings;
  TRY(add_scan_problems(vault, problems));
  add_writing_problems(vault, problems);
  add_user_file_problem(vault, problems);
  add_core_problems(vault, problems);
  auto logs = read_logs(vault);
  if (logs)
    add_all(problems, std::move(logs->problems));
  else
    problems.push_back({logs.error().file, logs.error().line, "unreadable", logs.error().message});
  add_purge_problem(vault, problems);
  add_git_problem(vault, problems);
  add_primary_problem(vault, problems);
  add_all(problems, unfinished_changes(vault));
  return problems;
}

Result<StatusReport> status(Memory& memory, const Freshness& freshness) {
  const Vault& vault = memory.vault();
  auto problems = TRY(vault_problems(vault));
  auto reader = TRY(memory.reader());
  StatusReport report;
  report.vault = vault.root().string();
  report.host = vault.host();
  report.host_name = vault.host_name();
  report.primary = vault.config().primary;
  report.entries = reader->layers();
  report.facts = reader->facts();
  report.problems = std::move(problems);
  add_all(report.problems, reader->problems());
  add_all(report.problems, entries_that_came_back(vault));
  const auto conflicts = correction_conflicts(memory);
  if (!conflicts) report.problems.push_back({"", 0, "unreadable", conflicts.error().message});
  for (const CorrectionConflict& conflict : conflicts.value_or(std::vector<CorrectionConflict>()))
    report.problems.push_back(problem_of(conflict));
  const auto changes = TRY(unseen_agents_changes(memory));
  add_all(report.problems, problems_of(changes));
  if (auto use = user_file_use(vault)) report.user_file = std::move(*use);
  report.index = {reader->info(), freshness};
  report.state = use_of_state(vault);
  return report;
}

namespace {

Json object(std::initializer_list<std::pair<const char*, Json>> members) {
  Json out = Json::object();
  for (const auto& [key, value] : members) out.add_unchecked(key, value);
  return out;
}

}  // namespace

Json layers_to_json(const LayerCounts& counts) { return object({{"L0", counts.L0}, {"L1", counts.L1}, {"L2", counts.L2}}); }

Json facts_to_json(const FactCounts& counts) {
  return object({{"total", counts.total}, {"pending", counts.pending}, {"settled", counts.settled}, {"deleted", counts.deleted}});
}

Json status_to_json(const StatusReport& report) {
  Json out = versioned();
  out.add_unchecked("vault", report.vault);
  out.add_unchecked("host", report.host);
  out.add_unchecked("primary", report.primary.empty() ? Json() : Json(report.primary));
  out.add_unchecked("entries", layers_to_json(report.entries));
  out.add_unchecked("facts", facts_to_json(report.facts));
  out.add_unchecked("watermark", report.facts.watermark.empty() ? Json() : Json(report.facts.watermark));
  out.add_unchecked("l0_used", object({{"chars", static_cast<std::int64_t>(report.user_file.used)},
                                       {"limit", static_cast<std::int64_t>(report.user_file.limit)}}));
  out.add_unchecked("problems", problems_to_json(report.problems));
  out.add_unchecked("watcher", Json());
  out.add_unchecked("sync", Json());
  out.add_unchecked("consolidation", Json());
  out.add_unchecked("index", object({{"generation", report.index.info.generation},
                                     {"entries", report.index.info.entries},
                                     {"bytes", report.index.info.bytes},
                                     {"fresh", report.index.freshness.fresh()},
                                     {"pending_files", static_cast<std::int64_t>(report.index.freshness.pending_files)},
                                     {"checked_at", time_to_json(report.index.freshness.checked_at)}}));
  out.add_unchecked("state", object({{"folder", report.state.folder}, {"bytes", report.state.bytes}}));
  return out;
}

}  // namespace loci
