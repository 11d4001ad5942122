#include "vault/changes/noted_lines.h"

#include <algorithm>
#include <tuple>

#include "vault/changes/file_transaction.h"

namespace loci {
namespace {

std::string own_log(const Vault& vault, const std::string& name) { return ".loci/" + name + "/" + vault.host() + ".jsonl"; }

bool is_same_line(const LedgerEntry& a, const LedgerEntry& b) {
  return std::tie(a.run, a.fact, a.fact_hash, a.outcome, a.entry, a.into) ==
         std::tie(b.run, b.fact, b.fact_hash, b.outcome, b.entry, b.into);
}

bool is_same_line(const Tombstone& a, const Tombstone& b) {
  return std::tie(a.id, a.at, a.reason) == std::tie(b.id, b.at, b.reason);
}

bool is_same_line(const PromotedLines& a, const PromotedLines& b) {
  return std::tie(a.run, a.at, a.lines) == std::tie(b.run, b.at, b.lines);
}

template <typename Line>
bool is_known(const Line& line, const std::vector<Line>& known) {
  return std::ranges::any_of(known, [&](const Line& one) { return is_same_line(one, line); });
}

template <typename Line>
std::vector<Line> missing_lines(const std::vector<Line>& wanted, const std::vector<Line>& known) {
  std::vector<Line> missing;
  std::ranges::copy_if(wanted, std::back_inserter(missing), [&](const Line& line) { return !is_known(line, known); });
  return missing;
}

}  // namespace

Result<MissingLines> missing_in_logs(const Vault& vault, const FileTransaction& transaction) {
  const std::string tombstone_file = own_log(vault, "tombstones"), ledger_file = own_log(vault, "ledger");
  const auto tombstone_bytes = TRY(read_file_if_any(vault.files(), vault.file(tombstone_file)));
  const auto ledger_bytes = TRY(read_file_if_any(vault.files(), vault.file(ledger_file)));
  const auto tombstones = parse_tombstones(tombstone_bytes.value_or(std::string()), tombstone_file).lines;
  const LedgerFile ledger = parse_ledger(ledger_bytes.value_or(std::string()), ledger_file);
  MissingLines missing;
  missing.lines = {missing_lines(transaction.tombstones, tombstones), missing_lines(transaction.ledger, ledger.lines),
                   std::nullopt};
  const bool has_promotion = transaction.promotion && is_known(*transaction.promotion, ledger.promotions);
  if (!has_promotion) missing.lines.promotion = transaction.promotion;
  missing.was_told = has_promotion || missing.lines.tombstones.size() < transaction.tombstones.size() ||
                     missing.lines.ledger.size() < transaction.ledger.size();
  return missing;
}

Result<std::vector<std::string>> append_lines(const Vault& vault, const NotedLines& lines) {
  TRY(append_tombstones(vault, lines.tombstones));
  TRY(append_ledger(vault, lines.ledger));
  if (lines.promotion) TRY(append_promotion(vault, *lines.promotion));
  std::vector<std::string> files;
  if (!lines.tombstones.empty()) files.push_back(own_log(vault, "tombstones"));
  if (!lines.ledger.empty() || lines.promotion) files.push_back(own_log(vault, "ledger"));
  return files;
}

}  // namespace loci
