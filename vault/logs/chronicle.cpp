#include "vault/logs/chronicle.h"

#include <algorithm>
#include <ranges>

namespace loci {
namespace {

using Outcome = LedgerEntry::Outcome;
using Reason = Tombstone::Reason;

template <typename Map>
const typename Map::mapped_type& found_in(const Map& map, std::string_view key) {
  static const typename Map::mapped_type none{};
  const auto found = map.find(key);
  return found == map.end() ? none : found->second;
}

void note_text(std::unordered_map<std::string_view, Instant>& texts, std::string_view hash, Instant at) {
  Instant& latest = texts.try_emplace(hash, at).first->second;
  latest = std::max(latest, at);
}

// Of an entry without a text: it went with the run that had made it.
bool is_end_of_entry(const LedgerEntry& line) { return line.outcome == Outcome::undone && line.entry_hash.empty(); }

}  // namespace

Result<Chronicle> Chronicle::read(const Vault& vault) {
  auto logs = TRY(read_logs(vault));
  return Chronicle(std::move(logs));
}

Chronicle::Chronicle(VaultLogs logs) : logs_(std::move(logs)) {
  note_tombstones();
  note_generations();
  note_ledger();
  note_promotions();
}

void Chronicle::note_tombstones() {
  for (const Tombstone& tombstone : logs_.tombstones) {
    if (tombstone.reason == Reason::demoted) {
      demoted_[tombstone.id] = tombstone.text_hash;
      continue;
    }
    const Tombstone*& last = tombstones_[tombstone.id];
    // What takes a deletion back does not take back that its line had been taken out before.
    const bool takes_deletion_back = tombstone.reason == Reason::restored && last && removes(*last);
    if (tombstone.reason == Reason::restored && !takes_deletion_back) demoted_.erase(tombstone.id);
    last = &tombstone;
    if (tombstone.reason == Reason::restored) {
      successors_.erase(tombstone.id);
      restored_.emplace(tombstone.id, tombstone.at);
    }
    if (tombstone.reason == Reason::corrected && !tombstone.superseded_by.empty())
      successors_[tombstone.id].insert(tombstone.superseded_by);
  }
  std::erase_if(demoted_, [&](const auto& one) { return is_removed(one.first); });  // what says it again is another memory
  for (const auto& [id, tombstone] : tombstones_) {
    if (!removes(*tombstone)) continue;
    if (!tombstone->superseded_by.empty()) replaced_by_[tombstone->superseded_by].push_back(id);
    if (tombstone->text_hash.empty()) continue;
    note_text(removed_texts_, tombstone->text_hash, tombstone->at);
    if (ends_its_text(*tombstone)) note_text(ended_texts_, tombstone->text_hash, tombstone->at);
    note_text(loosely_removed_, tombstone->loose.empty() ? tombstone->text_hash : tombstone->loose, tombstone->at);
  }
  for (auto& [_, ids] : replaced_by_) std::ranges::sort(ids);
}

void Chronicle::note_generations() {
  std::map<std::int64_t, bool> whole;
  for (const GenerationMark& mark : logs_.generations) whole[mark.generation] |= mark.whole;
  const auto take = [&](std::int64_t generation) {
    const auto mark = whole.find(generation);
    if (mark == whole.end() || mark->second) generation_ = std::max(generation_, generation);
  };
  for (const GenerationMark& mark : logs_.generations) take(mark.generation);
  for (const LedgerEntry& line : logs_.ledger) take(line.generation);
}

void Chronicle::note_ledger() {
  for (const LedgerEntry& line : logs_.ledger) {
    by_fact_[line.fact].push_back(&line);
    if (!line.run.empty()) by_run_[line.run].push_back(&line);
    if (!line.entry.empty()) by_entry_[line.entry].push_back(&line);
    if (is_merge(line)) by_entry_[line.into].push_back(&line);
    if (!line.entry.empty() && !line.entry_hash.empty()) texts_[line.entry] = line.entry_hash;
  }
}

void Chronicle::note_promotions() {
  for (const PromotedLines& promoted : logs_.promotions) {
    if (promoted.dropped)
      for (const std::string& ref : *promoted.dropped)
        if (const auto line = promoted_.find(ref); line != promoted_.end()) line->second.stands = false;
    for (const auto& [ref, hash] : promoted.lines) {
      promoted_[ref] = {hash, promoted.run, promoted.generation, promoted.at, true};
      Instant& last = last_promoted_[{ref, hash}];
      last = std::max(last, promoted.at);
    }
  }
}

// --- an id ---

Fate Chronicle::fate_of(std::string_view id, std::string_view text_hash) const {
  Fate fate;
  fate.demoted = is_demoted(id);
  fate.tombstone = tombstone_of(id);
  const LedgerEntry* settled = text_hash.empty() ? latest_line(id) : latest_line(id, text_hash);
  fate.line = settled ? settled : latest_of_entry(id);
  if (fate.tombstone && removes(*fate.tombstone)) {
    fate.kind = fate.tombstone->reason == Reason::deleted ? Fate::Kind::deleted : Fate::Kind::corrected;
    fate.into = fate.tombstone->superseded_by;
  } else if (settled) {
    if (settled->outcome == Outcome::undone) return fate;
    fate.kind = Fate::Kind::settled;
    fate.into = settled->into.empty() ? settled->entry : settled->into;
  } else if (fate.line && is_merge(*fate.line)) {
    fate.kind = Fate::Kind::merged;
    fate.into = fate.line->into;
  } else if (fate.line && is_end_of_entry(*fate.line)) {
    fate.kind = Fate::Kind::undone;
  }
  return fate;
}

const Tombstone* Chronicle::tombstone_of(std::string_view id) const { return found_in(tombstones_, id); }

bool Chronicle::is_removed(std::string_view id) const {
  const Tombstone* tombstone = tombstone_of(id);
  return tombstone && removes(*tombstone);
}

std::vector<std::string> Chronicle::removed_ids() const {
  std::vector<std::string> ids;
  for (const auto& [id, tombstone] : tombstones_)
    if (removes(*tombstone)) ids.emplace_back(id);
  std::ranges::sort(ids);
  return ids;
}

std::vector<std::string> Chronicle::restored_ids() const {
  std::vector<std::string> ids;
  for (const auto& [id, tombstone] : tombstones_)
    if (!removes(*tombstone)) ids.emplace_back(id);
  std::ranges::sort(ids);
  return ids;
}

std::optional<Instant> Chronicle::text_removed_at(std::string_view text_hash, std::string_view loose_hash) const {
  std::optional<Instant> latest;
  if (const auto found = removed_texts_.find(text_hash); found != removed_texts_.end()) latest = found->second;
  if (const auto found = loosely_removed_.find(loose_hash); found != loosely_removed_.end())
    latest = std::max(latest, std::optional(found->second));
  return latest;
}

bool Chronicle::is_removed(std::string_view id, std::string_view text_hash) const {
  const Tombstone* tombstone = tombstone_of(id);
  if (tombstone && removes(*tombstone)) return true;
  const auto ended = ended_texts_.find(text_hash);
  return ended != ended_texts_.end() && (!tombstone || ended->second > tombstone->at);
}

std::vector<std::string_view> Chronicle::replaced_by(std::string_view id) const { return found_in(replaced_by_, id); }

// What one command takes back and what it ends have one time.
bool Chronicle::gave_way(std::string_view id) const {
  const Tombstone* end = tombstone_of(id);
  return end && removes(*end) && restored_.contains({end->superseded_by, end->at});
}

const std::set<std::string_view>& Chronicle::successors_of(std::string_view id) const { return found_in(successors_, id); }

std::vector<Chronicle::Corrections> Chronicle::corrected_twice() const {
  std::vector<Corrections> found;
  for (const auto& [id, by] : successors_)
    if (by.size() > 1 && is_removed(id)) found.push_back({std::string(id), {by.begin(), by.end()}});
  return found;
}

// --- facts and the entries that they went into ---

const std::vector<const LedgerEntry*>& Chronicle::lines_of_fact(std::string_view fact) const { return found_in(by_fact_, fact); }

const std::vector<const LedgerEntry*>& Chronicle::lines_of_entry(std::string_view entry) const {
  return found_in(by_entry_, entry);
}

const LedgerEntry* Chronicle::latest_line(std::string_view fact) const {
  for (const LedgerEntry* line : lines_of_fact(fact) | std::views::reverse)
    if (line->generation == generation_ && line->outcome != Outcome::quarantined) return line;
  return nullptr;
}

const LedgerEntry* Chronicle::latest_line(std::string_view fact, std::string_view text_hash) const {
  for (const LedgerEntry* line : lines_of_fact(fact) | std::views::reverse)
    if (line->generation == generation_ && line->outcome != Outcome::quarantined && line->fact_hash == text_hash) return line;
  return nullptr;
}

// The later line of an entry counts: what was merged, or went with an undo, may have come back.
const LedgerEntry* Chronicle::latest_of_entry(std::string_view entry) const {
  for (const LedgerEntry* line : lines_of_entry(entry) | std::views::reverse)
    if (line->entry == entry) return line;
  return nullptr;
}

std::vector<std::string_view> Chronicle::entries_made_of(std::string_view fact) const {
  std::vector<std::string_view> entries;
  for (const LedgerEntry* line : lines_of_fact(fact))
    for (const std::string* id : {&line->entry, &line->into})
      if (!id->empty() && std::ranges::find(entries, *id) == entries.end()) entries.emplace_back(*id);
  return entries;
}

const LedgerEntry* Chronicle::line_that_settled(std::string_view fact, std::string_view entry) const {
  const LedgerEntry* settled = nullptr;
  for (const LedgerEntry* line : lines_of_fact(fact))
    if (line->entry == entry && line->outcome != LedgerEntry::Outcome::undone && !is_merge(*line)) settled = line;
  return settled;
}

std::set<std::string_view> Chronicle::facts_merged_into(std::string_view entry) const {
  std::set<std::string_view> facts;
  for (const LedgerEntry* line : lines_of_entry(entry))
    if (line->into == entry && is_merge(*line) && latest_line(line->fact) == line) facts.insert(line->fact);
  return facts;
}

bool Chronicle::says_standing_fact(std::string_view entry, std::string_view text_hash, const std::vector<std::string>& from) const {
  return std::ranges::any_of(lines_of_entry(entry), [&](const LedgerEntry* line) {
    return line->entry == entry && line->fact_hash == text_hash && std::ranges::find(from, line->fact) != from.end() &&
           !is_removed(line->fact);
  });
}

std::string_view Chronicle::text_written(std::string_view entry) const { return found_in(texts_, entry); }

bool Chronicle::explains_removal(std::string_view entry) const {
  if (is_removed(entry)) return true;
  const LedgerEntry* latest = latest_of_entry(entry);
  if (!latest) return false;
  if (is_merge(*latest) || is_end_of_entry(*latest)) return true;
  return std::ranges::none_of(lines_of_entry(entry),
                              [&](const LedgerEntry* line) { return line->entry == entry && line->generation >= generation_; });
}

std::string_view Chronicle::twin_of(std::string_view entry) const {
  const LedgerEntry* latest = latest_of_entry(entry);
  if (!latest || !is_merge(*latest)) return {};
  const bool is_twin = std::ranges::any_of(lines_of_entry(entry), [&](const LedgerEntry* line) {
    return line->entry == entry && !line->entry_hash.empty() && has_written(latest->into, line->entry_hash);
  });
  return is_twin ? std::string_view(latest->into) : std::string_view();
}

bool Chronicle::has_written(std::string_view entry, std::string_view text_hash) const {
  return std::ranges::any_of(lines_of_entry(entry),
                             [&](const LedgerEntry* line) { return line->entry == entry && line->entry_hash == text_hash; });
}

// --- runs ---

const std::vector<const LedgerEntry*>& Chronicle::lines_of_run(std::string_view run) const { return found_in(by_run_, run); }

std::set<std::string> Chronicle::entries_of_run(std::string_view run) const {
  std::set<std::string> entries;
  for (const LedgerEntry* line : lines_of_run(run))
    if (!line->entry.empty()) entries.insert(line->entry);
  return entries;
}

std::string_view Chronicle::last_run() const { return logs_.ledger.empty() ? std::string_view() : logs_.ledger.back().run; }

// --- the core ---

bool Chronicle::has_promoted(std::string_view ref, std::string_view line_hash) const {
  const auto line = promoted_.find(ref);
  return line != promoted_.end() && line->second.line_hash == line_hash;
}

bool Chronicle::has_promoted_otherwise(std::string_view ref, std::string_view line_hash) const {
  return promoted_.contains(ref) && !has_promoted(ref, line_hash);
}

bool Chronicle::ever_promoted(std::string_view ref, std::string_view line_hash) const {
  return last_promoted_.contains({ref, line_hash});
}

bool Chronicle::only_followed(std::string_view ref, std::string_view line_hash) const {
  const auto wrote = [&](const PromotedLines& promoted) {
    return !promoted.run.starts_with(in_step_run) &&
           std::ranges::any_of(promoted.lines, [&](const auto& line) { return line.first == ref && line.second == line_hash; });
  };
  return ever_promoted(ref, line_hash) && std::ranges::none_of(logs_.promotions, wrote);
}

bool Chronicle::has_promoted_since(std::string_view ref, std::string_view line_hash, Instant time) const {
  const auto last = last_promoted_.find({ref, line_hash});
  return last != last_promoted_.end() && last->second >= time;
}

bool Chronicle::explains_line_removal(std::string_view ref) const {
  if (explains_removal(ref) || is_demoted(ref)) return true;
  const auto line = promoted_.find(ref);
  return line != promoted_.end() && !line->second.stands;
}

std::set<std::string> Chronicle::newly_promoted() const {
  std::set<std::string> refs;
  const auto& promotions = logs_.promotions;
  if (promotions.empty()) return refs;
  for (const auto& line : promotions.back().lines) {
    const bool stood = promotions.size() > 1 && std::ranges::find(promotions[promotions.size() - 2].lines, line) !=
                                                    promotions[promotions.size() - 2].lines.end();
    if (!stood) refs.insert(line.first);
  }
  return refs;
}

// --- kept ---

Result<std::shared_ptr<const Chronicle>> KnownChronicle::of(const Vault& vault) {
  // Before they are read: what is appended meanwhile makes it another one.
  std::string logs = HostLog(vault, "tombstones").signature() + HostLog(vault, "ledger").signature();
  return known_.with([&](Known& known) -> Result<std::shared_ptr<const Chronicle>> {
    if (known.chronicle && known.logs == logs) return known.chronicle;
    auto read = TRY(Chronicle::read(vault));
    known.chronicle = std::make_shared<const Chronicle>(std::move(read));
    known.logs = std::move(logs);
    return known.chronicle;
  });
}

}  // namespace loci
