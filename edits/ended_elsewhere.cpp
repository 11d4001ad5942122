#include "edits/ended_elsewhere.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/log.h"
#include "memory/add.h"
#include "memory/file_changes.h"
#include "memory/removal.h"
#include "memory/removed_entries.h"
#include "parser/core_file.h"
#include "parser/entry_edit.h"
#include "vault/logs/chronicle.h"

namespace loci {
namespace {

std::vector<std::string> removed_of(const Chronicle& logs, const Entry& entry) {
  std::vector<std::string> removed;
  std::ranges::copy_if(entry.from, std::back_inserter(removed), [&](const std::string& fact) { return logs.is_removed(fact); });
  return removed;
}

// With what a person's words took in of other entries, which only the ledger tells.
Result<std::vector<std::string>> ended_under(Memory& memory, const Chronicle& logs, const Entry& entry) {
  std::vector<std::string> ended = removed_of(logs, entry);
  if (!entry.edited) return ended;
  for (std::string& fact : TRY(facts_merged_into(memory, logs, entry.id)))
    if (logs.is_removed(fact)) ended.push_back(std::move(fact));
  return ended;
}

// Those that rest on a fact, by their comments or by the ledger.
Result<std::vector<Entry>> entries_over(Memory& memory, const Chronicle& logs, const std::string& fact) {
  auto entries = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find_resting_on(fact); }));
  for (const std::string_view id : logs.entries_made_of(fact)) {
    const auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(std::string(id), 1); }));
    if (!found.empty() && found.front().id == id && found.front().edited) entries.push_back(found.front());
  }
  return entries;
}

// Of all that ended, what ended last.
const Tombstone* latest_end(const Chronicle& logs, const std::vector<std::string>& facts) {
  const Tombstone* latest = nullptr;
  for (const std::string& fact : facts) {
    const Tombstone* end = logs.tombstone_of(fact);
    if (!latest || std::tie(end->at, end->id) > std::tie(latest->at, latest->id)) latest = end;
  }
  return latest;
}

// Entries of consolidated/ that rest on facts which ended, and of which nobody has said since that they count.
Result<std::vector<Entry>> resting_on_what_ended(Memory& memory, const Chronicle& logs) {
  std::vector<Entry> resting;
  std::set<std::string> seen;
  for (const std::string& fact : logs.removed_ids())
    for (Entry& entry : TRY(entries_over(memory, logs, fact))) {
      if (entry.place != Place::consolidated || !entry.has_metadata || !seen.insert(entry.id).second) continue;
      const Tombstone* own = logs.tombstone_of(entry.id);
      const Tombstone* end = latest_end(logs, TRY(ended_under(memory, logs, entry)));
      if (!end || (own && (removes(*own) || own->at >= end->at))) continue;
      resting.push_back(std::move(entry));
    }
  std::ranges::sort(resting, {}, &Entry::id);
  return resting;
}

class Ending {
 public:
  Ending(Memory& memory, const Chronicle& logs) : memory_(memory), logs_(logs), changes_(memory.vault()) {}

  Status end(const std::vector<Entry>& resting) {
    for (const Entry& entry : resting) {
      const auto removed = removed_of(logs_, entry);
      facts_.insert(removed.begin(), removed.end());
    }
    stay_settled_ = TRY(facts_with_overruled());
    const auto folded = TRY(folded_entries(memory_, facts_));
    const auto is_resting = [&](const Entry& entry) { return std::ranges::binary_search(resting, entry.id, {}, &Entry::id); };
    for (const Entry& entry : folded.gone)
      if (is_resting(entry)) end_with_its_facts(entry);
    for (const Entry& entry : folded.apart)
      if (is_resting(entry)) TRY(take_apart(entry));
    for (const Entry& entry : folded.kept)  // what says word for word what a fact says that stays; a person's words are asked about
      if (is_resting(entry) && !entry.edited) TRY(rest_on_others(changes_, entry, facts_));
    return {};
  }

  Result<EndedElsewhere> carry_out() {
    EndedElsewhere ended{std::move(entries_), {}};
    if (tombstones_.empty() && lines_.empty() && !changes_.changes_files()) return ended;
    std::vector<std::string> notes;
    TRY(changes_.carry_out(tombstones_, lines_, ended.files, notes));
    for (const std::string& note : notes) log_warning(note);
    return ended;
  }

 private:
  bool rests_on_purged(const Entry& entry) const {
    return std::ranges::any_of(removed_of(logs_, entry),
                               [&](const std::string& fact) { return is_purged(*logs_.tombstone_of(fact)); });
  }

  // What was made of a purged text holds it: no copy is kept.
  void take_out(const Entry& entry) {
    if (!rests_on_purged(entry)) return changes_.take_out(entry);
    for (const EntryPlace& place : entry.places)
      (void)changes_.change(place.file, [&](std::string_view bytes) { return remove_entry(bytes, entry.id); });
    changes_.take_out_of_core(entry.id, entry.hash);
  }

  // As one command would have written it: what is restored together has one time and one author.
  void end_with_its_facts(const Entry& entry) {
    const Tombstone& end = *latest_end(logs_, removed_of(logs_, entry));
    tombstones_.push_back(tombstone_for(entry, end.reason, end.at, end.by, end.superseded_by));
    if (rests_on_purged(entry)) tombstones_.back().text_hash = tombstones_.back().loose = {};
    take_out(entry);
    entries_.push_back(entry.id);
  }

  // What they had overruled does not come back with them.
  Result<std::set<std::string>> facts_with_overruled() const {
    std::set<std::string> facts = facts_;
    for (const std::string& id : facts_)
      if (const auto fact = TRY(entry_with_id(memory_, id))) facts.merge(TRY(facts_overruled_by(memory_, logs_, *fact)));
    return facts;
  }

  // The times follow from the logs: what another machine settles when it has seen this is later, whenever this is written.
  Status take_apart(const Entry& entry) {
    const Tombstone& end = *latest_end(logs_, removed_of(logs_, entry));
    for (LedgerEntry& line : TRY(lines_that_let_go(memory_, logs_, {entry}, stay_settled_, "ended-" + end.id,
                                                   "a fact that it rested on was forgotten or corrected elsewhere"))) {
      const LedgerEntry* settled = logs_.latest_line(line.fact);
      line.at = settled ? std::max(end.at, settled->at + std::chrono::milliseconds(1)) : end.at;
      lines_.push_back(std::move(line));
    }
    take_out(entry);
    entries_.push_back(entry.id);
    return {};
  }

  Memory& memory_;
  const Chronicle& logs_;
  DecidedChanges changes_;
  std::set<std::string> facts_;         // that ended
  std::set<std::string> stay_settled_;  // those, and what they had overruled
  std::vector<Tombstone> tombstones_;
  std::vector<LedgerEntry> lines_;
  std::vector<std::string> entries_;
};

bool is_open(const std::vector<Question>& open, const Entry& entry) {
  return std::ranges::any_of(
      entry.places, [&](const EntryPlace& place) { return std::ranges::find(open, place.file, &Question::file) != open.end(); });
}

}  // namespace

Result<EndedElsewhere> take_out_what_ended(Memory& memory, const std::vector<Question>& open) {
  const auto logs = TRY(Chronicle::read(memory.vault()));
  if (logs.removed_ids().empty()) return EndedElsewhere{};
  TRY(memory.catch_up_with_changes());
  memory.drop_reader();
  auto resting = TRY(resting_on_what_ended(memory, logs));
  std::erase_if(resting, [&](const Entry& entry) { return is_open(open, entry); });
  EndedElsewhere ended;
  if (!resting.empty()) {
    Ending ending(memory, logs);
    TRY(ending.end(resting));
    ended = TRY(ending.carry_out());
    if (!ended.files.empty()) (void)make_searchable(memory, ended.files);
  }
  return ended;
}

Result<EndedElsewhere> take_out_after_end(Memory& memory, const std::set<std::string>& ids, const std::vector<Question>& open) {
  const auto logs = TRY(Chronicle::read(memory.vault()));
  TRY(memory.catch_up_with_changes());
  memory.drop_reader();
  DecidedChanges changes(memory.vault());
  EndedElsewhere ended;
  for (const std::string& id : ids) {
    if (!logs.is_removed(id)) continue;
    for (const Entry& entry : TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); }))) {
      if (entry.id != id || entry.place != Place::consolidated || !entry.has_metadata || entry.active || is_open(open, entry))
        continue;
      changes.take_out(entry);
      ended.entries.push_back(id);
    }
  }
  if (ended.entries.empty()) return ended;
  std::vector<std::string> notes;
  TRY(changes.carry_out({}, {}, ended.files, notes));
  for (const std::string& note : notes) log_warning(note);
  if (!ended.files.empty()) (void)make_searchable(memory, ended.files);
  return ended;
}

Result<EndedElsewhere> put_back_after_restore(Memory& memory, const std::set<std::string>& ids) {
  const auto logs = TRY(Chronicle::read(memory.vault()));
  TRY(memory.catch_up_with_changes());
  memory.drop_reader();
  EndedElsewhere back;
  for (const std::string& id : ids) {
    const Fate fate = logs.fate_of(id);
    if (!fate.tombstone || removes(*fate.tombstone) || fate.kind != Fate::Kind::pending) continue;
    const auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); }));
    if (!found.empty() && found.front().id == id) continue;
    const auto kept = TRY(find_removed_entry(memory.vault(), id));
    if (!kept || place_of(kept->file) != Place::consolidated) continue;
    if (TRY(put_back_into_files(memory.vault(), id, back.files))) back.entries.push_back(id);
  }
  if (!back.files.empty()) (void)make_searchable(memory, back.files);
  return back;
}

Result<std::vector<EditedRemainder>> edited_remainders(Memory& memory) {
  const auto logs = TRY(Chronicle::read(memory.vault()));
  std::vector<EditedRemainder> remainders;
  if (logs.removed_ids().empty()) return remainders;
  for (const Entry& entry : TRY(resting_on_what_ended(memory, logs)))
    if (entry.edited && entry.active) remainders.push_back({entry.id, entry.places.front().file, entry.places.front().line});
  return remainders;
}

Result<std::string> resting_on_what_stands(std::string_view bytes, const std::string& id, std::vector<std::string> from,
                                           const Chronicle& logs) {
  if (std::erase_if(from, [&](const std::string& fact) { return logs.is_removed(fact); }) == 0) return std::string(bytes);
  return set_entry_from(bytes, id, from);
}

}  // namespace loci
