#include "edits/log_evidence.h"

#include <algorithm>
#include <ranges>

#include "base/json.h"

namespace loci {
namespace {

constexpr std::string_view ledger_folder = ".loci/ledger/";

std::optional<Promotion> promotion_from(std::string_view line) {
  if (line.find("\"promoted\"") == std::string_view::npos) return std::nullopt;
  const auto json = parse_json(line);
  const Json* promoted = json ? json->find("promoted") : nullptr;
  const Json* generation = json ? json->find("gen") : nullptr;
  const Json* run = json ? json->find("run") : nullptr;
  if (!promoted || !promoted->as_array() || !generation || !generation->as_integer()) return std::nullopt;
  Promotion promotion{*generation->as_integer(), run && run->as_string() ? *run->as_string() : std::string(), {}};
  for (const Json& one : *promoted->as_array()) {
    const Json *ref = one.find("ref"), *hash = one.find("line_hash");
    if (ref && ref->as_string() && hash && hash->as_string()) promotion.lines[*ref->as_string()] = *hash->as_string();
  }
  return promotion;
}

// What stands in the latest one and did not, or not so, in the one before.
std::set<std::string> newly_promoted(const std::vector<Promotion>& promotions) {
  std::set<std::string> refs;
  if (promotions.empty()) return refs;
  for (const auto& [ref, hash] : promotions.back().lines) {
    const bool stood = promotions.size() > 1 && promotions[promotions.size() - 2].lines.contains(ref) &&
                       promotions[promotions.size() - 2].lines.at(ref) == hash;
    if (!stood) refs.insert(ref);
  }
  return refs;
}

}  // namespace

std::vector<Promotion> parse_promotions(std::string_view ledger) {
  std::vector<Promotion> promotions;
  for (size_t end; (end = ledger.find('\n')) != std::string_view::npos; ledger.remove_prefix(end + 1))
    if (auto promotion = promotion_from(ledger.substr(0, end))) promotions.push_back(std::move(*promotion));
  return promotions;
}

Result<LogEvidence> LogEvidence::read(const Vault& vault) {
  auto logs = TRY(read_logs(vault));
  std::vector<Promotion> promotions;
  for (const std::string& file : logs.files) {
    if (!file.starts_with(ledger_folder)) continue;
    const auto bytes = TRY(read_file_if_any(vault.files(), vault.file(file)));
    if (bytes) std::ranges::move(parse_promotions(*bytes), std::back_inserter(promotions));
  }
  return LogEvidence(std::move(logs), std::move(promotions));
}

LogEvidence::LogEvidence(VaultLogs logs, std::vector<Promotion> promotions)
    : logs_(std::move(logs)), promotions_(std::move(promotions)) {
  for (const Tombstone& tombstone : logs_.tombstones) {
    if (tombstone.reason == Tombstone::Reason::demoted) continue;
    if (removes(tombstone))
      removed_.insert(tombstone.id);
    else
      removed_.erase(tombstone.id);
  }
  std::int64_t generation = 0;
  for (const LedgerEntry& line : logs_.ledger) generation = std::max(generation, line.generation);
  std::set<std::string> older, present;
  for (const LedgerEntry& line : logs_.ledger) {
    if (line.entry.empty()) continue;
    (line.generation < generation ? older : present).insert(line.entry);
    note(line);
    if (line.run == logs_.ledger.back().run) last_run_.insert(line.entry);
  }
  std::ranges::set_difference(older, present, std::inserter(rebuilt_, rebuilt_.end()));
  std::ranges::stable_sort(promotions_, {}, &Promotion::generation);
  last_promoted_ = newly_promoted(promotions_);
}

// The later line of an entry counts: what was merged, or went with an undo, may have come back.
void LogEvidence::note(const LedgerEntry& line) {
  const bool is_undone = line.outcome == LedgerEntry::Outcome::undone;
  const bool is_merged = !line.into.empty() && line.into != line.entry;
  const auto set = [&](std::set<std::string>& ids, bool holds) {
    holds ? void(ids.insert(line.entry)) : void(ids.erase(line.entry));
  };
  set(merged_, is_merged);
  set(undone_, is_undone);
  set(gone_with_undo_, is_undone && line.entry_hash.empty());
  if (!line.entry_hash.empty()) latest_text_[line.entry] = line.entry_hash;
}

bool LogEvidence::explains_removal(const std::string& id) const {
  return removed_.contains(id) || merged_.contains(id) || rebuilt_.contains(id) || gone_with_undo_.contains(id);
}

bool LogEvidence::explains_text(const std::string& id, const std::string& hash) const {
  const auto latest = latest_text_.find(id);
  return latest != latest_text_.end() && latest->second == hash;
}

bool LogEvidence::explains_line_removal(const std::string& ref) const {
  if (explains_removal(ref) || undone_.contains(ref)) return true;
  const bool demoted = std::ranges::any_of(logs_.tombstones, [&](const Tombstone& tombstone) {
    return tombstone.id == ref && tombstone.reason == Tombstone::Reason::demoted;
  });
  const bool promoted_once =
      std::ranges::any_of(promotions_, [&](const Promotion& promotion) { return promotion.lines.contains(ref); });
  return demoted || (promoted_once && !promotions_.back().lines.contains(ref));
}

bool LogEvidence::explains_line(const std::string& ref, const std::string& hash) const {
  return std::ranges::any_of(promotions_, [&](const Promotion& promotion) {
    const auto line = promotion.lines.find(ref);
    return line != promotion.lines.end() && line->second == hash;
  });
}

}  // namespace loci
