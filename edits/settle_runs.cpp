#include "edits/settle_runs.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/id.h"
#include "base/process_lock.h"
#include "edits/save_meaning.h"
#include "memory/file_changes.h"
#include "memory/vault_logs.h"
#include "parser/core_file.h"
#include "parser/entry_edit.h"
#include "parser/parser.h"
#include "parser/text_hash.h"
#include "vault/layout/scan.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/change_file.h"

namespace loci {
namespace {

using Outcome = LedgerEntry::Outcome;

struct Standing {
  std::string id, hash, file;
  std::vector<std::string> from;
  bool by_run = false;  // no person has changed its text
};

Result<std::vector<Standing>> standing_entries(const Vault& vault) {
  std::vector<Standing> standing;
  const auto scanned = TRY(scan(vault));
  for (const auto& file : scanned.files) {
    if (place_of(file.path) != Place::consolidated) continue;
    const auto bytes = TRY(read_file(vault.files(), vault.file(file.path)));
    const ParsedFile parsed = parse(bytes);
    if (parsed.held) continue;  // somebody has to look at it first
    for (const ParsedEntry& entry : parsed.entries)
      if (entry.metadata && !entry.metadata->from.empty())
        standing.push_back(
            {entry.id, entry.hash, file.path, entry.metadata->from, entry.metadata->sum == sum_from_hash(entry.hash)});
  }
  return standing;
}

class Settling {
 public:
  Settling(Memory& memory, const Chronicle& logs, std::vector<Standing> standing)
      : memory_(memory), logs_(logs), standing_(std::move(standing)) {
    std::ranges::stable_sort(standing_, {}, [&](const Standing& one) { return rank_of(one); });
  }

  Result<SettledRuns> run() {
    for (const std::string& was : logs_.removed_ids())
      for (const std::string_view next : logs_.successors_of(was)) corrected_by_[std::string(next)].insert(was);
    for (const Standing& one : standing_)
      for (const std::string& was : in_the_place_of(one.id)) corrections_.emplace(std::pair(was, one.hash), &one);
    note_deleted_corrections();
    for (const Standing& one : standing_) look_at(one);
    let_go_of_lost();
    TRY(append_tombstones(memory_.vault(), tombstones_));
    if (lines_.empty() && doubles_.empty()) return std::move(settled_);
    stamp();
    TRY(note_what_came());
    TRY(append_ledger(memory_.vault(), lines_));  // first: an entry that went unexplained would count as deleted by a person
    for (const Standing* one : doubles_) take_out(*one);
    return std::move(settled_);
  }

 private:
  // A person's comes first, then what rests on most, then what a run wrote first.
  std::tuple<bool, int, Instant, std::string> rank_of(const Standing& one) const {
    return {one.by_run, -static_cast<int>(one.from.size()), first_written(one), one.id};
  }

  const LedgerEntry* settled_in(const std::string& fact, const std::string& entry) const {
    const auto& lines = logs_.lines_of_fact(fact);
    const auto found = std::ranges::find_if(lines.rbegin(), lines.rend(), [&](const LedgerEntry* line) {
      return (line->entry == entry || line->into == entry) && line->outcome != Outcome::undone &&
             line->outcome != Outcome::quarantined;
    });
    return found == lines.rend() ? nullptr : *found;
  }

  void look_at(const Standing& one) {
    if (const Tombstone* end = end_of_same_correction(one)) return end_with(one, *end);
    if (const Standing* same = same_correction(one)) return give_way(one, same);
    const Standing* other = nullptr;
    for (const std::string& fact : one.from)
      if (const auto home = home_of_.find(fact); !other && home != home_of_.end() && home->second->id != one.id)
        other = home->second;
    // Runs of several machines, each of which has a line for the fact; a fact that one run put into two entries stays there.
    if (!other || !one.by_run || !is_of_two_runs(one, *other)) {
      for (const std::string& fact : one.from) home_of_.emplace(fact, &one);
      return;
    }
    give_way(one, nullptr);
  }

  // What was corrected to this, or to what was.
  std::set<std::string> in_the_place_of(const std::string& entry) const {
    std::set<std::string> all;
    std::vector<std::string> open{entry};
    for (size_t i = 0; i < open.size(); ++i) {
      const auto found = corrected_by_.find(open[i]);
      if (found == corrected_by_.end()) continue;
      for (const std::string& was : found->second)
        if (all.insert(was).second) open.push_back(was);
    }
    return all;
  }

  // Another machine has put the same words in the place of the same entry, or of this one, in which a person typed them. Null:
  // none.
  const Standing* same_correction(const Standing& one) const {
    const auto by_another = [&](const std::string& was) -> const Standing* {
      const auto known = corrections_.find({was, one.hash});
      return known == corrections_.end() || known->second == &one ? nullptr : known->second;
    };
    if (one.by_run)
      for (const std::string& was : in_the_place_of(one.id))
        if (const Standing* another = by_another(was)) return another;
    return logs_.is_removed(one.id) ? by_another(one.id) : nullptr;
  }

  void note_deleted_corrections() {
    for (const std::string& id : logs_.removed_ids()) {
      const Tombstone* end = logs_.tombstone_of(id);
      if (end->reason != Tombstone::Reason::deleted || end->text_hash.empty()) continue;
      for (const std::string& was : in_the_place_of(id)) {
        const Tombstone*& latest = deleted_[{was, end->text_hash}];
        if (!latest || latest->at < end->at) latest = end;
      }
    }
  }

  Instant first_written(const Standing& one) const {
    Instant first = Instant::max();
    for (const LedgerEntry* line : logs_.lines_of_entry(one.id)) first = std::min(first, line->at);
    return first;
  }

  // The same words in the place of the same entry were deleted on another machine, later: they are one with this. Null: they stand.
  const Tombstone* end_of_same_correction(const Standing& one) const {
    if (!one.by_run) return nullptr;
    for (const std::string& was : in_the_place_of(one.id)) {
      const auto found = deleted_.find({was, one.hash});
      if (found != deleted_.end() && first_written(one) <= found->second->at) return found->second;
    }
    return nullptr;
  }

  // What it rests on ends as if it had been there when that was deleted; it is taken out with all that rests on what ended.
  void end_with(const Standing& one, const Tombstone& end) {
    for (const std::string& fact : one.from) {
      const LedgerEntry* settled = settled_in(fact, one.id);
      if (settled && !logs_.is_removed(fact)) tombstones_.push_back({end.at, fact, settled->fact_hash, end.reason, end.by, {}});
    }
  }

  // `same`: what says all that it says; else its facts may have gone into several others.
  void give_way(const Standing& one, const Standing* same) {
    doubles_.push_back(&one);
    settled_.removed.push_back(one.id);
    std::vector<LedgerEntry> merged;
    for (const std::string& fact : one.from) {
      const LedgerEntry* known = settled_in(fact, one.id);
      if (!known) continue;
      const auto found = home_of_.find(fact);
      const Standing* home = found == home_of_.end() ? same : found->second;
      LedgerEntry line = *known;
      line.entry = one.id;
      line.entry_hash.clear();
      line.into = home ? home->id : std::string();
      line.outcome = home ? Outcome::merged : Outcome::undone;
      if (line.outcome == Outcome::undone) settled_.pending.push_back(fact);
      (line.outcome == Outcome::merged ? merged : lines_).push_back(std::move(line));
    }
    std::ranges::move(merged, std::back_inserter(lines_));  // last: they say what became of the entry
  }

  bool is_of_two_runs(const Standing& one, const Standing& other) const {
    return std::ranges::any_of(one.from, [&](const std::string& fact) {
      const LedgerEntry *here = settled_in(fact, one.id), *there = settled_in(fact, other.id);
      return here && there && here->run != there->run;
    });
  }

  // Settled into an entry that stands with other words and rests on other facts.
  void let_go_of_lost() {
    std::map<std::string_view, const Standing*> by_id;
    for (const Standing& one : standing_) by_id.emplace(one.id, &one);
    std::set<std::string_view> facts;
    for (const LedgerEntry& line : logs_.logs().ledger) facts.insert(line.fact);
    for (const std::string_view fact : facts) {
      const LedgerEntry* line = logs_.latest_line(fact);
      const bool settles = line && (line->outcome == Outcome::added || line->outcome == Outcome::replaced) && !line->entry.empty();
      if (!settles || logs_.is_removed(fact)) continue;
      const auto home = by_id.find(line->entry);
      if (home == by_id.end() || home->second->hash == line->entry_hash) continue;
      if (std::ranges::find(home->second->from, fact) != home->second->from.end()) continue;
      LedgerEntry pending = *line;
      pending.outcome = Outcome::undone;
      pending.entry_hash = home->second->hash;
      pending.into.clear();
      lines_.push_back(std::move(pending));
      settled_.pending.emplace_back(fact);
    }
  }

  void stamp() {
    const auto& ledger = logs_.logs().ledger;
    Instant at = memory_.now();
    if (!ledger.empty()) at = std::max(at, ledger.back().at + std::chrono::milliseconds(1));
    const std::string run = make_id(at);
    for (LedgerEntry& line : lines_) {
      line.at = at;
      line.run = run;
      line.why = "two machines consolidated at once";
    }
  }

  // A buffer that was opened before lacks it.
  Status note_what_came() const {
    std::set<std::string> files;
    for (const Standing* one : doubles_) files.insert({one->file, core_file_name});
    for (const std::string& file : files) TRY(note_work_of_others(memory_.vault(), file, logs_));
    return {};
  }

  void take_out(const Standing& one) {
    std::vector<std::string> notes;
    const auto change = [&](std::string_view bytes) -> Result<std::string> {
      for (const ParsedEntry& entry : parse(bytes).entries)
        if (entry.id == one.id && entry.hash == one.hash) return remove_entry(bytes, one.id);
      return std::string(bytes);
    };
    if (const auto changed = change_file(memory_.vault(), one.file, change); changed && *changed)
      settled_.files.push_back(one.file);
    take_out_of_core(memory_.vault(), one.id, one.hash, settled_.files, notes);
  }

  Memory& memory_;
  const Chronicle& logs_;
  std::vector<Standing> standing_;
  std::map<std::string, const Standing*> home_of_;                              // fact -> the entry that rests on it and stands
  std::map<std::string, std::set<std::string>> corrected_by_;                   // by what took its place
  std::map<std::pair<std::string, std::string>, const Standing*> corrections_;  // by what they correct, and how
  std::map<std::pair<std::string, std::string>, const Tombstone*> deleted_;     // what corrected the same, in the same words
  std::vector<Tombstone> tombstones_;
  std::vector<const Standing*> doubles_;
  std::vector<LedgerEntry> lines_;
  SettledRuns settled_;
};

}  // namespace

Result<std::optional<SettledRuns>> settle_runs(Memory& memory) {
  const Vault& vault = memory.vault();
  const path ledger = vault.dot_loci() / "ledger";
  std::error_code error;
  if (!std::filesystem::is_directory(ledger, error)) return SettledRuns{};
  const auto lock = ProcessLock::acquire(vault.files(), ledger, std::chrono::milliseconds(0));
  if (!lock && lock.error().code == ErrorCode::locked) return std::nullopt;
  if (!lock) return std::unexpected(lock.error());
  const auto logs = TRY(Chronicle::read(vault));
  return Settling(memory, logs, TRY(standing_entries(vault))).run();
}

}  // namespace loci
