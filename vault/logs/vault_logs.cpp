#include "vault/logs/vault_logs.h"

#include <algorithm>

namespace loci {
namespace {

template <typename Line>
void move_to(std::vector<Line>& from, std::vector<Line>& to) {
  std::ranges::move(from, std::back_inserter(to));
}

// A machine whose clock went back wrote its later promotion later all the same.
void never_go_back(std::vector<PromotedLines>& of_one_machine) {
  for (size_t i = 1; i < of_one_machine.size(); ++i)
    of_one_machine[i].at = std::max(of_one_machine[i].at, of_one_machine[i - 1].at);
}

// What an old line does not say: which of the lines that this machine had written before are no longer in the list.
void note_what_was_dropped(std::vector<PromotedLines>& of_one_machine) {
  for (size_t i = 0; i < of_one_machine.size(); ++i) {
    PromotedLines& promoted = of_one_machine[i];
    if (promoted.dropped) continue;
    promoted.dropped.emplace();
    if (i == 0) continue;
    for (const auto& [ref, _] : of_one_machine[i - 1].lines)
      if (std::ranges::find(promoted.lines, ref, &std::pair<std::string, std::string>::first) == promoted.lines.end())
        promoted.dropped->push_back(ref);
  }
}

void add_ledger(const HostLog::File& log, VaultLogs& logs) {
  LedgerFile ledger = parse_ledger(log.bytes, log.path);
  never_go_back(ledger.promotions);
  note_what_was_dropped(ledger.promotions);
  move_to(ledger.lines, logs.ledger);
  move_to(ledger.promotions, logs.promotions);
  move_to(ledger.generations, logs.generations);
  move_to(ledger.problems, logs.problems);
}

}  // namespace

VaultLogs vault_logs_of(const std::vector<HostLog::File>& tombstones, const std::vector<HostLog::File>& ledgers) {
  VaultLogs logs;
  for (const HostLog::File& log : tombstones) {
    LogFile<Tombstone> parsed = parse_tombstones(log.bytes, log.path);
    move_to(parsed.lines, logs.tombstones);
    move_to(parsed.problems, logs.problems);
    logs.files.push_back(log.path);
  }
  for (const HostLog::File& log : ledgers) {
    add_ledger(log, logs);
    logs.files.push_back(log.path);
  }
  // The files come sorted by host, so that of one time lines stay by host and line.
  std::ranges::stable_sort(logs.tombstones, {}, &Tombstone::at);
  std::ranges::stable_sort(logs.ledger, {}, &LedgerEntry::at);
  std::ranges::stable_sort(logs.promotions, {}, &PromotedLines::at);
  return logs;
}

Result<VaultLogs> read_logs(const Vault& vault) {
  const auto tombstones = TRY(HostLog(vault, "tombstones").read());
  const auto ledgers = TRY(HostLog(vault, "ledger").read());
  return vault_logs_of(tombstones, ledgers);
}

Instant next_tombstone_time(const Vault& vault, const VaultLogs& logs) {
  const Instant now = vault.clock().now();
  if (logs.tombstones.empty()) return now;
  return std::max(now, logs.tombstones.back().at + std::chrono::milliseconds(1));
}

}  // namespace loci
