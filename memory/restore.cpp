#include "memory/restore.h"

#include <algorithm>
#include <map>
#include <set>

#include "memory/file_changes.h"
#include "memory/promoted_lines.h"
#include "memory/removal.h"
#include "memory/removed_entries.h"
#include "memory/successor_removal.h"
#include "memory/unfinished_changes.h"
#include "parser/entry_edit.h"
#include "parser/parser.h"
#include "vault/logs/chronicle.h"
#include "vault/purge/purge_markdown.h"

namespace loci {
namespace {

constexpr int most_tries = 3;  // somebody may save while it is worked out

// Ids that went together: the tombstones of one command have one time, and what was forgotten with the same text is said again.
std::vector<Tombstone> removed_together(const Chronicle& chronicle, const Tombstone& tombstone) {
  const auto was_forgotten = [](const Tombstone& one) { return one.reason == Tombstone::Reason::deleted && ends_its_text(one); };
  std::vector<Tombstone> together;
  for (const std::string& id : chronicle.removed_ids()) {
    const Tombstone& other = *chronicle.tombstone_of(id);
    const bool same_command = other.at == tombstone.at && other.by == tombstone.by;
    const bool same_text = was_forgotten(other) && was_forgotten(tombstone) && other.text_hash == tombstone.text_hash;
    if (same_command || same_text) together.push_back(other);
  }
  return together;
}

Result<const Tombstone*> tombstone_to_take_back(const Chronicle& chronicle, const std::string& id_or_prefix) {
  std::set<std::string> candidates;
  for (const Tombstone& tombstone : chronicle.logs().tombstones)
    if (tombstone.id.starts_with(id_or_prefix)) candidates.insert(tombstone.id);
  if (candidates.contains(id_or_prefix)) candidates = {id_or_prefix};
  if (candidates.empty())
    return fail(ErrorCode::not_found, "nothing was forgotten under the id '" + id_or_prefix + "'",
                "'loci list --inactive' shows what was");
  if (candidates.size() > 1) {
    std::string list;
    for (const std::string& id : candidates) list += (list.empty() ? "" : ", ") + id;
    return fail(ErrorCode::usage, "several ids start with '" + id_or_prefix + "'", "write more of it: " + list);
  }
  const Fate fate = chronicle.fate_of(*candidates.begin());
  if (!fate.is_removed()) return fail(ErrorCode::refused, "'" + *candidates.begin() + "' is not forgotten");
  return fate.tombstone;
}

bool says_the_same(const Tombstone& a, const Tombstone& b) {
  return (!a.text_hash.empty() && a.text_hash == b.text_hash) || (!a.loose.empty() && a.loose == b.loose);
}

// As it stands in its file from now on.
Entry standing_again(const RemovedEntry& removed, const std::string& file) {
  Entry entry = entry_of(removed);
  entry.places.front().file = file;
  for (const ParsedEntry& said : parse(removed.markdown).entries) entry.id = said.id;
  return entry;
}

// The core showed it when it was forgotten: it was promoted, and neither a run nor a person had taken its line out since.
bool was_shown_when_forgotten(const VaultLogs& logs, const Tombstone& forgotten) {
  std::optional<Instant> shown;
  for (const PromotedLines& promoted : logs.promotions) {
    if (promoted.at > forgotten.at) continue;
    if (promoted.dropped && std::ranges::find(*promoted.dropped, forgotten.id) != promoted.dropped->end()) shown.reset();
    for (const auto& [ref, hash] : promoted.lines)
      if (ref == forgotten.id) shown = promoted.at;
  }
  return shown && std::ranges::none_of(logs.tombstones, [&](const Tombstone& tombstone) {
           return tombstone.id == forgotten.id && tombstone.reason == Tombstone::Reason::demoted && tombstone.at >= *shown;
         });
}

// The line of what was corrected went on to what took its place: that stands in the core as long as this stands, and went with it.
bool was_shown(const Chronicle& chronicle, const Tombstone& end) {
  std::set<std::string_view> seen;
  std::vector<const Tombstone*> ends{&end};
  for (size_t i = 0; i < ends.size(); ++i) {
    if (!seen.insert(ends[i]->id).second) continue;
    if (ends[i]->reason == Tombstone::Reason::deleted && was_shown_when_forgotten(chronicle.logs(), *ends[i])) return true;
    if (ends[i]->reason != Tombstone::Reason::corrected) continue;
    for (const std::string_view next : chronicle.successors_of(ends[i]->id))
      if (chronicle.is_removed(next)) ends.push_back(chronicle.tombstone_of(next));
  }
  return false;
}

// One command's restoring: first what comes back and what gives way to it is found, then files and logs change as one.
class Restoring {
 public:
  Restoring(Memory& memory, const Chronicle& chronicle, const Tombstone& wanted)
      : memory_(memory),
        chronicle_(chronicle),
        wanted_(wanted),
        together_(removed_together(chronicle, wanted)),
        giving_way_(memory, chronicle),
        changes_(memory.vault()) {}

  // The entries that the core showed.
  std::vector<std::string> shown() const {
    std::vector<std::string> ids;
    for (const Tombstone& tombstone : together_)
      if (was_shown(chronicle_, tombstone)) ids.push_back(tombstone.id);
    return ids;
  }

  std::vector<std::string> gave_way() const { return giving_way_.ids(); }

  // Fails with everything as it was. ErrorCode::refused also if somebody has saved meanwhile.
  Result<Restored> carry_out() {
    TRY(leave_out_other_versions());
    for (RemovedEntry& removed : TRY(read_removed_entries(memory_.vault())))
      if (comes_back(removed.id)) kept_.insert_or_assign(removed.id, std::move(removed));  // the latest counts
    leave_out_what_cannot_stand();
    TRY(giving_way_.plan(together_, ids_in_files()));
    TRY(put_back());
    for (const Entry& entry : giving_way_.leaving()) changes_.give_way(entry);
    TRY(take_lines_out());
    TRY(keep_a_persons_words());
    TRY(rest_again());
    TRY(note_what_is_contradicted());
    return write();
  }

 private:
  bool comes_back(const std::string& id) const { return std::ranges::find(together_, id, &Tombstone::id) != together_.end(); }

  // The facts that an entry rests on and that stay removed.
  std::set<std::string> removed_facts_of(const RemovedEntry& removed) const {
    std::set<std::string> facts;
    for (const std::string& fact : entry_of(removed).from)
      if (chronicle_.is_removed(fact) && !comes_back(fact)) facts.insert(fact);
    return facts;
  }

  // Of what this came to be by corrections and other tags, the first.
  Result<std::string> first_version(std::string id) {
    for (std::set<std::string> seen; seen.insert(id).second;) {
      const auto entry = TRY(entry_with_id(memory_, id));
      if (entry && !entry->corrects.empty()) id = entry->corrects;
    }
    return id;
  }

  // Another version of the same memory, which was taken away by itself, is not said again beside it.
  Status leave_out_other_versions() {
    const auto first = TRY(first_version(wanted_.id));
    std::set<std::string> versions;
    for (const Tombstone& tombstone : together_)
      if (tombstone.at != wanted_.at && TRY(first_version(tombstone.id)) == first) versions.insert(tombstone.id);
    std::erase_if(together_, [&](const Tombstone& tombstone) { return versions.contains(tombstone.id); });
    return {};
  }

  // What rests on a fact that was removed by itself since says what nobody wants: it comes back only if it is named.
  void leave_out_what_cannot_stand() {
    std::erase_if(together_, [&](const Tombstone& tombstone) {
      const auto removed = kept_.find(tombstone.id);
      return tombstone.id != wanted_.id && removed != kept_.end() && !removed_facts_of(removed->second).empty();
    });
    std::erase_if(kept_, [&](const auto& one) { return !comes_back(one.first); });
  }

  std::set<std::string> ids_in_files() const {
    std::set<std::string> ids;
    for (const auto& [id, removed] : kept_)
      for (const ParsedEntry& entry : parse(removed.markdown).entries) ids.insert(entry.id);
    return ids;
  }

  Status put_back() {
    const auto standing = TRY(entry_with_id(memory_, wanted_.id));
    if (standing && is_purged(standing->text))
      return fail(ErrorCode::refused, "'" + wanted_.id + "' was purged: there is nothing left to restore");
    for (const Tombstone& tombstone : together_) {
      const auto removed = kept_.find(tombstone.id);
      if (removed == kept_.end()) continue;
      const auto put = changes_.put_back(removed->second, giving_way_.instead_of(tombstone.id));
      if (!put)
        return fail(ErrorCode::refused, "'" + tombstone.id + "' could not be put back: " + put.error().message,
                    put.error().hint.empty() ? "nothing was restored: make room and try again" : put.error().hint);
      if (const auto facts = removed_facts_of(removed->second); !facts.empty())
        TRY(rest_on_others(changes_, standing_again(removed->second, *put), facts));
    }
    if (kept_.contains(wanted_.id) || standing) return {};
    // An id made of a text's hash is a text that may be said again, wherever it stands next.
    if (!wanted_.id.starts_with("h-"))
      return fail(ErrorCode::refused, "the text of '" + wanted_.id + "' stands nowhere any more: nothing was restored");
    restored_.notes.emplace_back("no file says this any more; what says it from now on counts");
    return {};
  }

  // A line that a person had reworded to what gives way now, beside its entry, which stands, shows that no longer.
  Status take_lines_out() {
    for (const std::string& id : giving_way_.facts()) {
      const auto fact = TRY(entry_with_id(memory_, id));
      const auto beside = fact && !fact->corrects.empty() ? TRY(entry_with_id(memory_, fact->corrects)) : std::nullopt;
      if (beside && beside->active && beside->place == Place::consolidated) changes_.take_out_of_core(id, fact->hash);
    }
    return {};
  }

  Status keep_a_persons_words() {
    for (const Entry& entry : giving_way_.kept()) {
      const EntryPlace& place = entry.places.front();
      restored_.notes.push_back(place.file + ":" + std::to_string(place.line) +
                                " was made of the correction, but its words are yours: '" + entry.id + "' stays as it is");
      if (!entry.from.empty()) TRY(rest_on_others(changes_, entry, giving_way_.facts()));
    }
    return {};
  }

  // Filed or not. What loci made of other facts since, under the same id, says nothing of what comes back.
  Result<bool> says_a_persons_words(const Entry& entry) {
    if (entry.edited) return true;
    for (const std::string& id : entry.from)
      if (const auto fact = TRY(entry_with_id(memory_, id)); fact && fact->corrects == entry.id && fact->hash == entry.hash)
        return true;
    return false;
  }

  // Of other facts, under the id that it had.
  bool was_made_anew(std::string_view entry, Instant since) const {
    return std::ranges::any_of(chronicle_.lines_of_entry(entry), [&](const LedgerEntry* line) {
      return line->entry == entry && line->outcome == LedgerEntry::Outcome::added && line->at > since;
    });
  }

  // An entry with a person's words had stayed when a fact that it rested on went: it rests on it again.
  Status rest_again() {
    std::map<std::string, std::vector<std::string>> facts;  // by entry
    for (const Tombstone& tombstone : together_) {
      const auto& lines = chronicle_.lines_of_fact(tombstone.id);
      if (lines.empty() || lines.back()->outcome == LedgerEntry::Outcome::undone || !lines.back()->into.empty()) continue;
      if (!was_made_anew(lines.back()->entry, tombstone.at)) facts[lines.back()->entry].push_back(tombstone.id);
    }
    for (const auto& [id, back] : facts) {
      const auto entry = id.empty() || kept_.contains(id) ? std::nullopt : TRY(entry_with_id(memory_, id));
      const bool stands = entry && entry->active && entry->place == Place::consolidated && entry->has_metadata;
      const auto& ended = giving_way_.ids();
      if (!stands || std::ranges::find(ended, id) != ended.end() || !TRY(says_a_persons_words(*entry))) continue;
      std::vector<std::string> from;
      std::ranges::copy_if(entry->from, std::back_inserter(from),
                           [&](const std::string& fact) { return !giving_way_.facts().contains(fact); });
      for (const std::string& fact : back)
        if (std::ranges::find(from, fact) == from.end()) from.push_back(fact);
      resting_.insert(back.begin(), back.end());
      TRY(changes_.change(entry->places.front().file,
                          [id, from](std::string_view bytes) { return set_entry_from(bytes, id, from); }));
    }
    return {};
  }

  // The restored text was ended under another id, too, by a correction that stands: both stand now.
  Status note_what_is_contradicted() {
    for (const Tombstone& tombstone : together_)
      for (const std::string& id : chronicle_.removed_ids()) {
        const Tombstone& other = *chronicle_.tombstone_of(id);
        if (comes_back(id) || other.reason != Tombstone::Reason::corrected || !says_the_same(tombstone, other)) continue;
        for (const auto& [successor, began] : successors_of(chronicle_, {other})) {
          const auto entry = TRY(entry_with_id(memory_, successor));
          const std::string note = "'" + successor + "' says otherwise: it was put in the place of the same words ('" + id +
                                   "'); 'loci forget " + successor + "' takes it out";
          const bool stands = entry && entry->active && std::ranges::find(giving_way_.ids(), successor) == giving_way_.ids().end();
          if (stands && std::ranges::find(restored_.notes, note) == restored_.notes.end()) restored_.notes.push_back(note);
        }
      }
    return {};
  }

  // What an entry that comes back holds is settled in it again, unless something else that stands settles it.
  std::vector<LedgerEntry> lines_that_settle_again(Instant restored_at) const {
    std::vector<LedgerEntry> lines;
    for (const auto& [id, removed] : kept_)
      for (const std::string& fact : entry_of(removed).from)
        if (const LedgerEntry* line = chronicle_.line_that_settled(fact, id);
            line && !is_removed(fact) && !settled_elsewhere(fact, id))
          lines.push_back(*line);
    for (LedgerEntry& line : lines) line.run = run();
    std::ranges::move(lines_that_merge_again(), std::back_inserter(lines));
    for (LedgerEntry& line : lines) {
      line.at = std::max(restored_at, next_ledger_time(memory_.vault(), chronicle_));
      line.generation = std::max<std::int64_t>(chronicle_.generation(), 1);
    }
    return lines;
  }

  // What came back with an entry that it had been merged into rests there again. Whoever merged it did so, still.
  std::vector<LedgerEntry> lines_that_merge_again() const {
    std::vector<LedgerEntry> lines;
    for (const Tombstone& tombstone : together_) {
      const auto& known = chronicle_.lines_of_fact(tombstone.id);
      if (!known.empty() && is_merge(*known.back()) && kept_.contains(known.back()->into)) lines.push_back(*known.back());
    }
    return lines;
  }

  // Another fact was let go of the entry since: it left its file when this one, or one more, was forgotten.
  bool was_taken_apart(const LedgerEntry& settled) const {
    return std::ranges::any_of(chronicle_.lines_of_entry(settled.entry), [&](const LedgerEntry* line) {
      return line->entry == settled.entry && line->outcome == LedgerEntry::Outcome::undone && line->at > settled.at;
    });
  }

  // Whether the entry that a fact had gone into holds it from now on. Of what was merged that one tells nothing.
  Result<bool> has_its_home(const LedgerEntry& line) {
    if (!line.into.empty()) return !is_removed(line.into);
    if (is_removed(line.entry)) return false;
    if (kept_.contains(line.entry) || resting_.contains(line.fact)) return true;
    const auto entry = TRY(entry_with_id(memory_, line.entry));
    if (!entry) return !was_taken_apart(line);  // its file may be on its way
    return !entry->active || std::ranges::find(entry->from, line.fact) != entry->from.end();
  }

  // A fact that comes back and has no home any more is pending again, but for one that another of them overruled.
  Result<std::vector<LedgerEntry>> lines_that_let_go() {
    std::set<std::string> overruled;
    for (const Tombstone& tombstone : together_)
      if (const auto entry = TRY(entry_with_id(memory_, tombstone.id)))
        overruled.merge(TRY(facts_overruled_by(memory_, chronicle_, *entry)));
    std::vector<LedgerEntry> lines;
    for (const Tombstone& tombstone : together_) {
      const LedgerEntry* line = chronicle_.latest_line(tombstone.id);
      if (!line || line->outcome == LedgerEntry::Outcome::undone || line->entry.empty() || overruled.contains(line->fact)) continue;
      if (TRY(has_its_home(*line))) continue;
      lines.push_back({std::max<std::int64_t>(chronicle_.generation(), 1),
                       run(),
                       next_ledger_time(memory_.vault(), chronicle_),
                       line->fact,
                       line->fact_hash,
                       LedgerEntry::Outcome::undone,
                       line->entry,
                       {},
                       {},
                       "it was restored, and its entry does not hold it"});
    }
    return lines;
  }

  bool is_removed(const std::string& fact) const { return chronicle_.is_removed(fact) && !comes_back(fact); }

  bool settled_elsewhere(const std::string& fact, const std::string& entry) const {
    const LedgerEntry* latest = chronicle_.latest_line(fact);
    return latest && latest->outcome != LedgerEntry::Outcome::undone && latest->entry != entry &&
           std::ranges::find(giving_way_.ids(), latest->entry) == giving_way_.ids().end();
  }

  std::string run() const { return "restore-" + wanted_.id; }

  Result<Restored> write() {
    const Instant at = next_tombstone_time(memory_.vault(), chronicle_.logs());
    std::vector<Tombstone> tombstones;
    for (const Tombstone& tombstone : together_) {
      tombstones.push_back({at, tombstone.id, tombstone.text_hash, Tombstone::Reason::restored, "user", {}});
      restored_.ids.push_back(tombstone.id);
    }
    for (Tombstone& tombstone : TRY(giving_way_.tombstones(at))) tombstones.push_back(std::move(tombstone));
    restored_.gave_way = giving_way_.ids();
    auto ledger = TRY(giving_way_.lines(run()));
    std::ranges::move(lines_that_settle_again(at), std::back_inserter(ledger));
    for (LedgerEntry& line : TRY(lines_that_let_go())) ledger.push_back(std::move(line));
    TRY(changes_.carry_out_at_once(tombstones, ledger, restored_.files, restored_.notes));
    return std::move(restored_);
  }

  Memory& memory_;
  const Chronicle& chronicle_;
  const Tombstone& wanted_;
  std::vector<Tombstone> together_;
  std::map<std::string, RemovedEntry> kept_;  // of these, what was taken out of a file
  std::set<std::string> resting_;             // facts that an entry with a person's words holds again
  SuccessorRemoval giving_way_;
  DecidedChanges changes_;
  Restored restored_;
};

// What counts in the place of what comes back is what whoever wants it back saw there.
Status check_seen(Memory& memory, const Chronicle& chronicle, const Tombstone& wanted, const std::string& hash) {
  std::set<std::string> hashes;
  for (const auto& [id, began] : successors_of(chronicle, {wanted}))
    if (const auto entry = TRY(entry_with_id(memory, id))) hashes.insert(entry->hash);
  if (hashes == std::set{hash}) return {};
  return fail(ErrorCode::refused, "what counts in the place of '" + wanted.id + "' has changed since you read it",
              "look at it again");
}

// What was restored, and which entries get a line of the core again.
Result<std::pair<Restored, LinesToFollow>> restore_once(Memory& memory, const std::string& id, const std::string& instead_of) {
  TRY(memory.bring_up_to_date());
  const auto chronicle = TRY(Chronicle::read(memory.vault()));
  const Tombstone& wanted = *TRY(tombstone_to_take_back(chronicle, id));
  if (!instead_of.empty()) TRY(check_seen(memory, chronicle, wanted, instead_of));
  Restoring restoring(memory, chronicle, wanted);
  auto restored = TRY(restoring.carry_out());
  return std::pair(std::move(restored), LinesToFollow{.back = restoring.shown(), .ended = restoring.gave_way()});
}

}  // namespace

Result<Restored> restore(Memory& memory, const std::string& id, const std::string& instead_of) {
  (void)finish_unfinished_changes(memory);
  auto done = restore_once(memory, id, instead_of);
  for (int tries = 1; !done && done.error().code == ErrorCode::refused && tries < most_tries; ++tries)
    done = restore_once(memory, id, instead_of);
  if (!done) return std::unexpected(done.error());
  auto& [restored, lines] = *done;
  restored.searchable = make_searchable(memory, restored.files);
  bring_lines_in_step(memory, lines, restored.files, restored.notes);
  return std::move(restored);
}

}  // namespace loci
