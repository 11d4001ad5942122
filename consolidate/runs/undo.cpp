#include "consolidate/runs/undo.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>

#include "base/counted.h"
#include "consolidate/runs/carry_out.h"
#include "consolidate/runs/store.h"
#include "edits/edit_state.h"
#include "edits/open_questions.h"
#include "edits/understand.h"
#include "memory/promoted_lines.h"
#include "memory/vault_logs.h"
#include "parser/entry_steps.h"
#include "parser/parser.h"

namespace loci {
namespace {

using Outcome = LedgerEntry::Outcome;

// An entry over the whole run: it may have been written several times.
struct Whole {
  EntryRecord record;
  bool restored = false;             // it will stand as it was
  std::set<std::string> files = {};  // where it stands by now: a person may have moved it, or copied it
  bool is_changed_copy = false;      // a person changed it in one of several places: it stays in all of them

  bool stands_in(const std::string& file) const { return files.contains(file); }
};

std::vector<Whole> entries_of(const RunRecord& run) {
  std::vector<Whole> entries;
  for (const ClusterRecord& cluster : run.clusters) {
    for (const EntryRecord& entry : cluster.entries) {
      const auto known = std::ranges::find_if(entries, [&](const Whole& one) { return one.record.id == entry.id; });
      if (known == entries.end()) {
        entries.push_back({entry});
        continue;
      }
      known->record.after = entry.after;
      known->record.after_hash = entry.after_hash;
      known->record.after_markdown = entry.after_markdown;
    }
  }
  return entries;
}

Status may_be_undone(const RunRecord& run) {
  if (!run.undone_by.empty())
    return fail(ErrorCode::refused, "run " + run.run + " was undone already", "'loci log " + run.undone_by + "' shows it");
  if (run.kind == "release")
    return fail(ErrorCode::refused, "run " + run.run + " only let go of facts: there is nothing to put back");
  if (run.kind == "undo")
    return fail(ErrorCode::refused, "run " + run.run + " is an undo itself", "'loci consolidate --force' settles its facts anew");
  if (run.counts)
    return fail(ErrorCode::not_found, "what run " + run.run + " changed is no longer kept",
                "[consolidation] undo_keep_days says how long");
  return {};
}

// About a file that it wrote, or about lines of the core that show what it wrote: an answer needs what they are about.
Status waits_for_no_answer(Memory& memory, const RunRecord& run) {
  const auto entries = entries_of(run);
  const auto is_of_run = [&](const auto& asked) {
    return std::ranges::any_of(entries, [&](const Whole& entry) { return entry.record.id == asked.id; });
  };
  for (const auto& [question, changes] : TRY(open_questions(memory))) {
    if (question.kind == Question::Kind::conflict) continue;  // each side stays as it is
    const bool is_of_its_file = std::ranges::find(run.files, question.file, &FileRecordOfRun::file) != run.files.end();
    if (is_of_its_file || std::ranges::any_of(question.gone, is_of_run) || std::ranges::any_of(changes, is_of_run))
      return fail(ErrorCode::refused,
                  "a question about " + question.file + ", where run " + run.run + " has written, is not answered yet",
                  "'loci resolve' lists what is asked");
  }
  return {};
}

class Undoing {
 public:
  Undoing(Memory& memory, RunRecord run, VaultLogs logs, const RunIdentity& identity)
      : memory_(memory), vault_(memory.vault()), run_(std::move(run)), logs_(std::move(logs)) {
    record_.run = identity.run;
    record_.at = identity.at;
    record_.generation = identity.generation;
    record_.kind = "undo";
    record_.undoes = run_.run;
    undone_.run = run_.run;
    entries_ = entries_of(run_);
  }

  Result<Undone> go() {
    for (Whole& entry : entries_) entry.restored = entry.record.before_markdown == entry.record.after_markdown;
    TRY(follow_moved_entries());
    for (const FileRecordOfRun& file : run_.files) TRY(compute(file));
    leave_what_was_taken_out();
    note_entries();
    take_back_lines();
    take_back_tombstones();
    if (auto done = carry_out(memory_, std::move(changes_), tombstones_, ledger_, record_); !done)
      return std::unexpected(done.error());
    put_lines_back();
    record_.ended = memory_.now();
    record_.outcome = "done";
    run_.undone_by = record_.run;
    run_.outcome = "undone";
    TRY(write_run(vault_, run_));
    TRY(write_run(vault_, record_));
    return std::move(undone_);
  }

 private:
  // --- files ---

  // An entry that a person moved or copied to another file is the same entry there.
  Status follow_moved_entries() {
    for (Whole& entry : entries_) {
      const auto found = TRY(memory_.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(entry.record.id, 1); }));
      const bool stands = !found.empty() && found.front().id == entry.record.id && found.front().place == Place::consolidated;
      if (stands)
        for (const EntryPlace& place : found.front().places)
          if (place_of(place.file) == Place::consolidated) entry.files.insert(place.file);
      if (entry.files.empty()) entry.files.insert(entry.record.file);
      if (!entry.stands_in(entry.record.file)) entry.record.file = *entry.files.begin();
      for (const std::string& file : entry.files)
        if (std::ranges::find(run_.files, file, &FileRecordOfRun::file) == run_.files.end()) moved_to_.insert(file);
    }
    for (Whole& entry : entries_) TRY(look_for_changed_copy(entry));
    for (const std::string& file : moved_to_) {
      auto present = TRY(read_file_if_any(vault_.files(), vault_.file(file)));
      TRY(put_back_entries(file, std::move(present)));
    }
    return {};
  }

  Status look_for_changed_copy(Whole& entry) {
    if (entry.files.size() < 2) return {};
    const EntryStep step{entry.record.id, entry.record.after_markdown, entry.record.before_markdown};
    for (const std::string& file : entry.files) {
      const auto present = TRY(read_file_if_any(vault_.files(), vault_.file(file)));
      const auto stepped = apply_steps(present.value_or(std::string()), {step});
      entry.is_changed_copy = entry.is_changed_copy || !stepped || !stepped->kept.empty();
    }
    return {};
  }

  Status compute(const FileRecordOfRun& file) {
    auto present = TRY(read_file_if_any(vault_.files(), vault_.file(file.file)));
    const std::string now = present ? hash_of_bytes(*present) : std::string();
    const bool has_changed_copy =
        std::ranges::any_of(entries_, [&](const Whole& entry) { return entry.is_changed_copy && entry.stands_in(file.file); });
    if (now != file.before && (now != file.after || file.shared || has_changed_copy))
      return put_back_entries(file.file, std::move(present));
    for (Whole& entry : entries_) entry.restored = entry.restored || entry.stands_in(file.file);
    if (now == file.before) return {};  // it was never written, or an undo that was killed has put it back
    auto before = TRY(file.before.empty() ? Result<std::string>(std::string()) : read_before(vault_, run_.run, file.before));
    add_change(file.file, std::move(present), std::move(before));
    return {};
  }

  // What nobody has changed since goes back to what it was; the rest of the file stays.
  Status put_back_entries(const std::string& file, std::optional<std::string> present) {
    std::vector<EntryStep> steps;
    for (const Whole& entry : entries_)
      if (entry.stands_in(file) && !entry.is_changed_copy && may_come_back(entry.record))
        steps.push_back({entry.record.id, entry.record.after_markdown, entry.record.before_markdown});
    auto stepped = apply_steps(present.value_or(std::string()), steps);
    if (!stepped && stepped.error().code == ErrorCode::refused) {
      undone_.notes.push_back(file + " stays as it is: " + stepped.error().message);
      return {};
    }
    if (!stepped) return std::unexpected(stepped.error());
    for (Whole& entry : entries_)
      entry.restored = entry.restored || std::ranges::find(stepped->done, entry.record.id) != stepped->done.end();
    if (stepped->bytes != present.value_or(std::string())) add_change(file, std::move(present), std::move(stepped->bytes));
    return {};
  }

  void add_change(const std::string& file, std::optional<std::string> present, std::string bytes) {
    changes_.files.push_back({file, std::move(present), std::move(bytes)});
    undone_.files.push_back(file);
  }

  // A person took it out, is asked whether they did, or has forgotten it: that stands as if nothing had been undone.
  void leave_what_was_taken_out() {
    const auto absences = undecided_absences(vault_).entries;
    for (Whole& entry : entries_) {
      const Tombstone* state = state_of(logs_, entry.record.id);
      const bool is_undecided = std::ranges::find(absences, entry.record.id, &Absence::id) != absences.end();
      const bool is_forgotten = state && removes(*state) && state->at > run_.at;
      if (!entry.record.after_markdown.empty() && (is_undecided || is_forgotten)) entry.restored = false;
    }
  }

  // One that was forgotten meanwhile does not.
  bool may_come_back(const EntryRecord& entry) const {
    const Tombstone* state = state_of(logs_, entry.id);
    return entry.before_markdown.empty() || !state || !removes(*state);
  }

  void note_entries() {
    ClusterRecord& cluster = record_.clusters.emplace_back();
    for (const Whole& entry : entries_) {
      (entry.restored ? undone_.entries : undone_.kept).push_back(entry.record.id);
      if (!entry.restored) continue;
      EntryRecord back = entry.record;
      std::swap(back.before, back.after);
      std::swap(back.before_hash, back.after_hash);
      std::swap(back.before_markdown, back.after_markdown);
      cluster.entries.push_back(std::move(back));
    }
    if (!undone_.kept.empty())
      undone_.notes.push_back(counted(undone_.kept.size(), "entry was changed since, and stays as it is",
                                      "entries were changed since, and stay as they are"));
  }

  // The lines that the run took out of the core come back, and those that it changed say again what they said.
  void put_lines_back() {
    LinesToFollow follow{.run = record_.run};
    for (const PromotedLines& promoted : logs_.promotions)
      if (promoted.run == run_.run && promoted.dropped)
        follow.back.insert(follow.back.end(), promoted.dropped->begin(), promoted.dropped->end());
    bring_lines_in_step(memory_, follow, undone_.files, undone_.notes);
  }

  // --- logs ---

  const Whole* entry_with(const std::string& id) const {
    const auto found = std::ranges::find_if(entries_, [&](const Whole& entry) { return entry.record.id == id; });
    return found == entries_.end() ? nullptr : &*found;
  }

  // Did the entry rest on the fact before the run, too?
  bool rested_on(const std::string& id, const std::string& fact) const {
    const Whole* entry = entry_with(id);
    if (!entry || !entry->restored) return false;
    const auto before = parse(entry->record.before_markdown).entries;
    return !before.empty() && before.front().metadata &&
           std::ranges::find(before.front().metadata->from, fact) != before.front().metadata->from.end();
  }

  bool is_kept(const std::string& id) const {
    const Whole* entry = entry_with(id);
    return entry && !entry->restored;
  }

  LedgerEntry line_for(const LedgerEntry& of_run, Outcome outcome) const {
    LedgerEntry line;
    line.generation = record_.generation;
    line.run = record_.run;
    line.at = record_.at;
    line.fact = of_run.fact;
    line.fact_hash = of_run.fact_hash;
    line.outcome = outcome;
    line.entry = of_run.entry;
    if (const Whole* entry = entry_with(line.entry)) line.entry_hash = entry->record.before_hash;
    return line;
  }

  // A later run, or a correction, settled the fact's text anew: that stands.
  bool is_latest(const LedgerEntry& line) const {
    for (const LedgerEntry& later : logs_.ledger | std::views::reverse) {
      if (later.generation != record_.generation || later.fact != line.fact || later.fact_hash != line.fact_hash) continue;
      if (later.outcome == Outcome::quarantined) continue;
      return later.entry == line.entry && later.into == line.into &&
             (later.outcome == Outcome::undone) == (line.outcome == Outcome::undone);
    }
    return true;  // the run was killed before its lines were written
  }

  void take_back_lines() {
    if (run_.kind == "rebuild") return take_back_generation();
    for (const ClusterRecord& cluster : run_.clusters) {
      for (const LedgerEntry& line : cluster.ledger) {
        const bool is_merged = line.outcome == Outcome::merged;
        if (is_kept(is_merged ? line.into : line.entry) || !is_latest(line)) continue;
        // What was merged or overruled stands in its own entry again, and so does the fact that it was made of; unless that entry
        // does not come back.
        const bool stands_again =
            ((is_merged || line.outcome == Outcome::undone) && !is_kept(line.entry)) || rested_on(line.entry, line.fact);
        ledger_.push_back(line_for(line, stands_again ? Outcome::added : Outcome::undone));
        if (is_kept(line.entry)) ledger_.back().entry_hash.clear();
        if (!stands_again) ++undone_.pending;
      }
    }
  }

  // The facts are where they were before the rebuild, by the lines of its time.
  void take_back_generation() {
    std::map<std::string, const LedgerEntry*> before;
    for (const LedgerEntry& line : logs_.ledger)
      // An edit that the run itself filed is to be filed anew.
      if (line.generation < run_.generation && line.run != run_.run && line.outcome != Outcome::quarantined)
        before[line.fact + '\n' + line.fact_hash] = &line;
    std::int64_t latest_before = 0;
    for (const auto& [fact, line] : before) latest_before = std::max(latest_before, line->generation);
    for (const ClusterRecord& cluster : run_.clusters) {
      for (const LedgerEntry& line : cluster.ledger) {
        if (is_kept(line.entry) || !is_latest(line)) continue;
        ledger_.push_back(line_for(line, Outcome::undone));
        const auto old = before.find(line.fact + '\n' + line.fact_hash);
        const bool was_settled = old != before.end() && old->second->generation == latest_before &&
                                 old->second->outcome != Outcome::undone && !is_kept(old->second->entry) &&
                                 !is_kept(old->second->into);
        if (!was_settled) {
          ++undone_.pending;
          continue;
        }
        LedgerEntry again = *old->second;
        again.generation = record_.generation;
        again.run = record_.run;
        again.at = record_.at;
        ledger_.push_back(std::move(again));
      }
    }
  }

  // The facts that a correction overruled hold again, if the entry that they were in does.
  void take_back_tombstones() {
    const Instant at = std::max(next_tombstone_time(vault_, logs_), record_.at);
    for (const ClusterRecord& cluster : run_.clusters) {
      for (const Tombstone& tombstone : cluster.tombstones) {
        const auto line = std::ranges::find(cluster.ledger, tombstone.superseded_by, &LedgerEntry::fact);
        const Tombstone* state = state_of(logs_, tombstone.id);
        if (!state || state->at != tombstone.at || (line != cluster.ledger.end() && is_kept(line->entry))) continue;
        tombstones_.push_back({at, tombstone.id, tombstone.text_hash, Tombstone::Reason::restored, "user", {}});
      }
    }
  }

  Memory& memory_;
  const Vault& vault_;
  RunRecord run_, record_;
  VaultLogs logs_;
  std::vector<Whole> entries_;
  std::set<std::string> moved_to_;  // files that the run did not write
  FileChanges changes_;
  std::vector<LedgerEntry> ledger_;
  std::vector<Tombstone> tombstones_;
  Undone undone_;
};

}  // namespace

Result<Undone> undo_run(Memory& memory, const std::string& run_or_prefix) {
  TRY(understand_first(memory));
  TRY(settle_unfinished(memory));
  auto run = TRY(read_run(memory.vault(), run_or_prefix));
  TRY(may_be_undone(run));
  TRY(waits_for_no_answer(memory, run));
  auto logs = TRY(read_logs(memory.vault()));
  const auto identity = TRY(new_run(memory.vault()));
  return Undoing(memory, std::move(run), std::move(logs), identity).go();
}

}  // namespace loci
