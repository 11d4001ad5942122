#include "memory/vault_logs.h"

#include <algorithm>
#include <ranges>

namespace loci {
namespace {

std::vector<std::string> log_files(const Vault& vault, std::string_view folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(vault.dot_loci() / folder, error))
    if (entry.path().extension() == ".jsonl")
      files.push_back(".loci/" + std::string(folder) + "/" + entry.path().filename().string());
  std::ranges::sort(files);
  return files;
}

// Reads every file of a kind of log and orders all lines by (at, host, line): the files come sorted by host, and the sort is
// stable.
template <typename Line, typename Parse>
Status read_all(const Vault& vault, std::string_view folder, Parse parse, std::vector<Line>& lines, VaultLogs& logs) {
  for (const std::string& file : log_files(vault, folder)) {
    auto bytes = TRY(read_file_if_any(vault.files(), vault.file(file)));
    if (!bytes) continue;
    LogFile<Line> log = parse(*bytes, file, size_t{0});
    std::ranges::move(log.lines, std::back_inserter(lines));
    std::ranges::move(log.problems, std::back_inserter(logs.problems));
    logs.files.push_back(file);
  }
  std::ranges::stable_sort(lines, {}, &Line::at);
  return {};
}

}  // namespace

Result<VaultLogs> read_logs(const Vault& vault) {
  VaultLogs logs;
  if (auto read = read_all(vault, "tombstones", parse_tombstones, logs.tombstones, logs); !read)
    return std::unexpected(read.error());
  TRY(read_all(vault, "ledger", parse_ledger, logs.ledger, logs));
  return logs;
}

const Tombstone* state_of(const VaultLogs& logs, std::string_view id) {
  for (const Tombstone& tombstone : logs.tombstones | std::views::reverse)
    if (tombstone.id == id && tombstone.reason != Tombstone::Reason::demoted) return &tombstone;
  return nullptr;
}

std::string_view name_of(Tombstone::Reason reason) {
  switch (reason) {
    case Tombstone::Reason::deleted:
      return "deleted";
    case Tombstone::Reason::corrected:
      return "corrected";
    case Tombstone::Reason::demoted:
      return "demoted";
    case Tombstone::Reason::restored:
      return "restored";
  }
  return "deleted";
}

std::string_view name_of(LedgerEntry::Outcome outcome) {
  switch (outcome) {
    case LedgerEntry::Outcome::added:
      return "added";
    case LedgerEntry::Outcome::replaced:
      return "replaced";
    case LedgerEntry::Outcome::merged:
      return "merged";
    case LedgerEntry::Outcome::duplicate:
      return "duplicate";
    case LedgerEntry::Outcome::ignored:
      return "ignored";
    case LedgerEntry::Outcome::quarantined:
      return "quarantined";
    case LedgerEntry::Outcome::undone:
      return "undone";
  }
  return "added";
}

Instant next_tombstone_time(const Vault& vault, const VaultLogs& logs) {
  const Instant now = vault.clock().now();
  if (logs.tombstones.empty()) return now;
  return std::max(now, logs.tombstones.back().at + std::chrono::milliseconds(1));
}

}  // namespace loci
