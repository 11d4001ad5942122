#include <algorithm>
#include <cstring>

#include "vault/logs/chronicle.h"
#include "vault/logs/host_log.h"

namespace loci {
namespace {

template <typename Line>
std::string format_all(const std::vector<Line>& lines) {
  std::string text;
  for (const Line& line : lines) text += format(line);
  return text;
}

}  // namespace

Status append_tombstones(const Vault& vault, const std::vector<Tombstone>& tombstones) {
  return HostLog(vault, "tombstones").append(format_all(tombstones));
}

Status append_ledger(const Vault& vault, const std::vector<LedgerEntry>& entries) {
  return HostLog(vault, "ledger").append(format_all(entries));
}

Status append_promotion(const Vault& vault, const PromotedLines& promoted) {
  return HostLog(vault, "ledger").append(format(promoted));
}

Result<std::optional<Instant>> latest_tombstone_of(const Vault& vault, std::string_view text_hash, std::string_view loose_hash) {
  const auto logs = TRY(HostLog(vault, "tombstones").read());
  // Every new entry asks, and hardly any text was ever deleted: look for the bytes before reading lines.
  const auto has = [](const HostLog::File& log, std::string_view hash) {
    return !hash.empty() && ::memmem(log.bytes.data(), log.bytes.size(), hash.data(), hash.size()) != nullptr;
  };
  const auto has_hash = [&](const HostLog::File& log) { return has(log, text_hash) || has(log, loose_hash); };
  if (std::ranges::none_of(logs, has_hash)) return std::nullopt;
  return Chronicle(vault_logs_of(logs, {})).text_removed_at(text_hash, loose_hash);
}

}  // namespace loci
