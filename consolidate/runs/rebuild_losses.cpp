#include "consolidate/runs/rebuild_losses.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "consolidate/runs/material_parts.h"
#include "vault/layout/scan.h"

namespace loci {
namespace {

constexpr size_t few_facts = 3, small_share = 10;  // one in so many
constexpr size_t most_named = 3;
constexpr size_t all_of_them = size_t{1} << 30;

bool is_too_much(size_t lost, size_t all) { return lost > few_facts && lost * small_share > all; }

std::string in_words(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), most_named); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > most_named ? text + ", …" : text;
}

// Why files of the archive may be missing in the index.
std::string reason_in(const std::vector<Problem>& problems) {
  std::set<std::string> found;
  for (const Problem& problem : problems)
    if ((problem.file + "/").starts_with("archive/") && problem.code != "bad-metadata")
      found.insert(problem.file + " (" + problem.code + ")");
  const std::vector<std::string> files(found.begin(), found.end());
  if (files.empty()) return "no file of archive/ that loci reads has them";
  return in_words(files) + (files.size() == 1 ? " is" : " are") + " not read whole";
}

Result<std::unordered_set<std::string>> facts_in_index(Memory& memory) {
  EntryFilter filter;
  filter.kinds = {EntryKind::fact};
  filter.inactive = true;
  const auto entries = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.list(filter, all_of_them); }));
  std::unordered_set<std::string> ids;
  for (const Entry& entry : entries)
    if (entry.place == Place::archive) ids.insert(entry.id);
  return ids;
}

}  // namespace

std::set<std::string> facts_resting_in(const std::vector<Entry>& entries, const VaultLogs& logs) {
  std::set<std::string> facts;
  std::unordered_set<std::string_view> standing;
  for (const Entry& entry : entries) {
    if (!entry.active || entry.from.empty()) continue;
    standing.insert(entry.id);
    facts.insert(entry.from.begin(), entry.from.end());
  }
  std::int64_t generation = 0;
  for (const LedgerEntry& line : logs.ledger) generation = std::max(generation, line.generation);
  std::map<std::string_view, const LedgerEntry*> latest;
  for (const LedgerEntry& line : logs.ledger)
    if (line.generation == generation && line.outcome != LedgerEntry::Outcome::quarantined) latest[line.fact] = &line;
  for (const auto& [fact, line] : latest)
    if (line->outcome != LedgerEntry::Outcome::undone && (standing.contains(line->entry) || standing.contains(line->into)))
      facts.emplace(fact);
  for (const std::string& ended : ended_ids(logs, {})) facts.erase(ended);
  return facts;
}

Status check_archive(Memory& memory, const std::set<std::string>& resting) {
  const auto known = TRY(facts_in_index(memory));
  std::vector<std::string> missing;
  for (const std::string& fact : resting)
    if (!known.contains(fact)) missing.push_back(fact);
  const bool all_are_missing = !missing.empty() && missing.size() == resting.size();
  if (!all_are_missing && !is_too_much(missing.size(), resting.size())) return {};
  const auto reader = TRY(memory.reader());
  std::vector<Problem> problems = reader->problems();
  if (auto scanned = scan(memory.vault())) std::ranges::move(scanned->problems, std::back_inserter(problems));
  return fail(ErrorCode::refused,
              std::to_string(missing.size()) + " of " + std::to_string(resting.size()) +
                  " facts that entries rest on are not in the archive (" + in_words(missing) +
                  "), and a rebuild would lose them: " + reason_in(problems),
              "bring the files back, take them out of .lociignore, or raise max_file_bytes; 'loci forget' takes out what is to go");
}

Status check_rebuild_losses(const Plan& plan, const std::set<std::string>& resting) {
  std::unordered_set<std::string_view> settled;
  for (const LedgerEntry& line : plan.ledger)
    if (!line.entry.empty() && line.outcome != LedgerEntry::Outcome::ignored) settled.insert(line.fact);
  const auto is_lost = [&](const std::string& fact) { return !settled.contains(fact); };
  const auto lost = static_cast<size_t>(std::ranges::count_if(resting, is_lost));
  if (!is_too_much(lost, resting.size())) return {};
  return fail(ErrorCode::refused,
              "a rebuild would leave " + std::to_string(lost) + " of " + std::to_string(resting.size()) +
                  " facts out of all entries that they stand in now; nothing was changed",
              "one rebuild may leave out a tenth of them; 'loci forget' takes out what is to go");
}

}  // namespace loci
