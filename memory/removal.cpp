#include "memory/removal.h"

#include <algorithm>

#include "memory/authority.h"
#include "parser/entry_edit.h"
#include "parser/parser.h"
#include "parser/text_hash.h"
#include "vault/rewrite/change_file.h"

namespace loci {
namespace {

bool is_folded(const Entry& entry) { return entry.place == Place::consolidated && entry.has_metadata && !entry.from.empty(); }

// A person gave it other words than those that go, or it says word for word what a fact says that stays. New marks are no new
// words.
Result<bool> stays(Memory& memory, const Entry& entry, const std::set<std::string>& facts) {
  for (const std::string& id : entry.from) {
    const auto fact = facts.contains(id) ? std::nullopt : TRY(entry_with_id(memory, id));
    if (fact && fact->active && fact->hash == entry.hash) return true;
  }
  if (!entry.edited) return false;
  for (const std::string& id : facts)
    if (const auto gone = TRY(entry_with_id(memory, id)); gone && loose_text_hash(gone->text) == loose_text_hash(entry.text))
      return false;
  return true;
}

// The index of a daemon may be a moment behind a person's save: the files tell which words stand there. Theirs count, in whichever
// of its places they typed them. True if they are other words, and not only other marks, than those that loci wrote.
Result<bool> look_up_words(const Vault& vault, Entry& entry) {
  bool is_found = false, are_others = false;
  const auto places = entry.places;
  for (const EntryPlace& place : places) {
    if (place_of(place.file) != Place::consolidated) continue;
    const auto bytes = TRY(read_file_if_any(vault.files(), vault.file(place.file)));
    for (const ParsedEntry& standing : parse(bytes.value_or(std::string())).entries) {
      if (standing.id != entry.id || !standing.metadata) continue;
      const bool has_their_words = is_edited(standing.metadata->sum, standing.hash);
      if (is_found && !has_their_words) continue;
      is_found = true;
      entry.text = standing.text;
      entry.hash = standing.hash;
      entry.edited = has_their_words;
      are_others = has_other_words(standing.metadata->sum, standing.text);
      std::swap(entry.places.front(), *std::ranges::find(entry.places, place));
    }
  }
  return are_others;
}

// Words of a person's that a run had filed of this entry, and that they have written over since with others.
Result<std::vector<std::string>> written_over(Memory& memory, const Entry& entry, const std::set<std::string>& facts) {
  std::vector<std::string> over;
  for (const std::string& id : entry.from) {
    const auto filed = facts.contains(id) ? std::nullopt : TRY(entry_with_id(memory, id));
    if (!filed || !filed->active || filed->source != Source::user || filed->corrects != entry.id ||
        loose_text_hash(filed->text) == loose_text_hash(entry.text))
      continue;
    const auto resting = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find_resting_on(id); }));
    const bool rests_elsewhere =
        std::ranges::any_of(resting, [&](const Entry& one) { return one.active && is_folded(one) && one.id != entry.id; });
    if (!rests_elsewhere) over.push_back(id);
  }
  return over;
}

Tombstone along_with(const Tombstone& named, Tombstone tombstone) {
  if (tombstone.text_hash != named.text_hash && tombstone.loose != named.loose) tombstone.text_hash.clear();
  return tombstone;
}

}  // namespace

Tombstone tombstone_for(const Entry& entry, Tombstone::Reason reason, Instant at, std::string by, std::string superseded_by) {
  Tombstone tombstone{at, entry.id, entry.hash, reason, std::move(by), std::move(superseded_by)};
  if (!entry.text.empty()) tombstone.loose = loose_text_hash(entry.text);
  return tombstone;
}

Result<bool> says_otherwise(const Vault& vault, Entry entry) {
  return entry.edited && entry.place == Place::consolidated ? look_up_words(vault, entry) : Result<bool>(false);
}

Result<std::vector<Entry>> equal_entries(Memory& memory, const Entry& entry) {
  const std::string loose = entry.text.empty() ? std::string() : loose_text_hash(entry.text);
  auto found = memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find_text(entry.hash, loose); });
  if (found) std::erase_if(*found, [&](const Entry& other) { return other.id == entry.id || is_folded(other); });
  return found;
}

Result<std::vector<Tombstone>> ends_of_facts(Memory& memory, const std::vector<std::string>& facts, const Tombstone& named,
                                             const std::string& superseded_by, Equals equals) {
  std::vector<Tombstone> ends;
  std::set<std::string> known;
  for (const std::string& id : facts) {
    if (!known.insert(id).second) continue;
    const auto fact = TRY(entry_with_id(memory, id));
    const auto end = [&](const Entry& one) {
      ends.push_back(along_with(named, tombstone_for(one, named.reason, named.at, named.by, superseded_by)));
    };
    if (!fact) {
      ends.push_back({named.at, id, {}, named.reason, named.by, superseded_by});
      continue;
    }
    end(*fact);
    if (equals == Equals::stay || named.by == name_of(Actor::agent))
      continue;  // an agent ends what it names; what says the same is another's to keep
    for (const Entry& same : TRY(equal_entries(memory, *fact)))
      if (same.active && same.pending && same.place == Place::archive && same.kind == EntryKind::fact &&
          known.insert(same.id).second)
        end(same);
  }
  return ends;
}

Result<std::vector<Entry>> filed_and_not_settled(Memory& memory, const std::string& entry_id) {
  auto filed = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find_correcting(entry_id); }));
  std::erase_if(filed, [](const Entry& fact) { return !fact.pending || fact.source != Source::user; });
  return filed;
}

Result<std::vector<std::string>> facts_merged_into(Memory& memory, const Chronicle& chronicle, const std::string& id) {
  std::vector<std::string> facts;
  for (const std::string_view fact : chronicle.facts_merged_into(id)) {
    const auto resting = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find_resting_on(fact); }));
    const auto rests_here = [&](const Entry& entry) { return entry.active && is_folded(entry) && entry.id != id; };
    if (std::ranges::none_of(resting, rests_here)) facts.emplace_back(fact);
  }
  return facts;
}

Result<std::vector<std::string>> facts_of_entry(Memory& memory, const Chronicle& chronicle, const std::string& id,
                                                const std::vector<std::string>& from) {
  std::vector<std::string> facts = from;
  const auto add = [&](std::string_view fact) {
    if (std::ranges::find(facts, fact) == facts.end()) facts.emplace_back(fact);
  };
  for (const std::string& fact : TRY(facts_merged_into(memory, chronicle, id)))
    if (!TRY(stands_by_itself(memory, fact, id))) add(fact);
  for (const Entry& fact : TRY(filed_and_not_settled(memory, id))) add(fact.id);
  return facts;
}

namespace {

// Another entry holds it by now, which stands.
Result<bool> has_moved_on(Memory& memory, const Chronicle& chronicle, const std::string& fact, const std::string& entry) {
  const LedgerEntry* latest = chronicle.latest_line(fact);
  if (!latest || latest->outcome == LedgerEntry::Outcome::undone || latest->entry == entry || latest->into == entry) return false;
  const auto holder = TRY(entry_with_id(memory, latest->into.empty() ? latest->entry : latest->into));
  return holder && holder->active && is_folded(*holder) && std::ranges::find(holder->from, fact) != holder->from.end();
}

}  // namespace

Result<std::vector<std::string>> facts_of_entry(Memory& memory, const Chronicle& chronicle, const Entry& entry) {
  if (entry.place != Place::consolidated || !entry.has_metadata) return entry.from;
  const bool is_persons = TRY(says_otherwise(memory.vault(), entry));
  std::vector<std::string> from;
  for (const std::string& fact : entry.from)  // a person's words may have come with an old buffer, with all that it rested on then
    if (!is_persons || !TRY(has_moved_on(memory, chronicle, fact, entry.id))) from.push_back(fact);
  return facts_of_entry(memory, chronicle, entry.id, from);
}

Result<bool> stands_by_itself(Memory& memory, const std::string& fact_id, const std::string& home) {
  const auto fact = TRY(entry_with_id(memory, fact_id));
  if (!fact) return false;
  const auto same = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find_text(fact->hash, {}); }));
  return std::ranges::any_of(same, [&](const Entry& entry) {
    return entry.active && entry.place != Place::archive && entry.id != home &&
           std::ranges::find(entry.from, fact_id) == entry.from.end();
  });
}

namespace {

// By its last line in front of that one.
bool has_gone_elsewhere(const Chronicle& chronicle, std::string_view fact, std::string_view entry, const LedgerEntry* until) {
  const LedgerEntry* last = nullptr;
  for (const LedgerEntry* line : chronicle.lines_of_fact(fact))
    if (std::less<>{}(line, until)) last = line;
  return last && last->entry != entry && last->into != entry;
}

// By this fact alone.
std::set<std::string> settled_before(const Chronicle& chronicle, const Entry& fact) {
  std::set<std::string> facts;
  if (fact.corrects.empty()) return facts;
  for (const LedgerEntry* line : chronicle.lines_of_entry(fact.corrects)) {
    if (line->fact == fact.id) {
      std::erase_if(facts, [&](const std::string& one) { return has_gone_elsewhere(chronicle, one, fact.corrects, line); });
      return facts;
    }
    if (line->outcome == LedgerEntry::Outcome::undone)
      facts.erase(line->fact);
    else
      facts.insert(line->fact);
  }
  return {};  // it was never settled there
}

}  // namespace

Result<std::set<std::string>> facts_overruled_by(Memory& memory, const Chronicle& chronicle, const Entry& fact) {
  std::set<std::string> facts, seen{fact.id};
  std::vector<Entry> open{fact};
  while (!open.empty()) {
    const Entry one = std::move(open.back());
    open.pop_back();
    std::set<std::string> earlier = settled_before(chronicle, one);
    facts.insert(earlier.begin(), earlier.end());
    for (const std::string_view id : chronicle.replaced_by(one.id)) earlier.emplace(id);
    for (const std::string& id : earlier) {
      if (!seen.insert(id).second) continue;
      if (auto known = TRY(entry_with_id(memory, id))) open.push_back(std::move(*known));
    }
  }
  return facts;
}

Result<std::vector<std::string>> facts_that_end_with(Memory& memory, const Chronicle& chronicle, const Entry& fact) {
  std::vector<std::string> facts;
  for (const std::string& overruled : TRY(facts_overruled_by(memory, chronicle, fact)))
    if (!TRY(stands_by_itself(memory, overruled))) facts.push_back(overruled);
  return facts;
}

Result<std::vector<std::string>> with_overruled(Memory& memory, const Chronicle& chronicle, std::vector<std::string> facts) {
  std::vector<std::string> overruled;
  for (const std::string& id : facts)
    if (const auto fact = TRY(entry_with_id(memory, id)))
      std::ranges::move(TRY(facts_that_end_with(memory, chronicle, *fact)), std::back_inserter(overruled));
  std::ranges::move(overruled, std::back_inserter(facts));
  return facts;
}

Result<FoldedEntries> folded_entries(Memory& memory, const std::set<std::string>& facts) {
  FoldedEntries folded;
  std::set<std::string> seen = facts;
  for (const std::string& fact : facts) {
    auto found = memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find_resting_on(fact); });
    if (!found) return std::unexpected(found.error());
    for (Entry& entry : *found) {
      if (!is_folded(entry) || !seen.insert(entry.id).second) continue;
      const bool are_others = TRY(look_up_words(memory.vault(), entry));
      const auto stays_there = TRY(stays(memory, entry, facts));
      const auto over = are_others && !stays_there ? TRY(written_over(memory, entry, facts)) : std::vector<std::string>();
      const bool rests_on_others = std::ranges::any_of(
          entry.from, [&](const std::string& id) { return !facts.contains(id) && std::ranges::find(over, id) == over.end(); });
      std::ranges::copy(over, std::back_inserter(folded.overtaken));
      if (!stays_there)
        for (const Entry& filed : TRY(filed_and_not_settled(memory, entry.id))) folded.overtaken.push_back(filed.id);
      (stays_there ? folded.kept : rests_on_others ? folded.apart : folded.gone).push_back(std::move(entry));
    }
  }
  return folded;
}

Instant next_ledger_time(const Vault& vault, const Chronicle& chronicle) {
  const Instant now = vault.clock().now();
  const auto& ledger = chronicle.logs().ledger;
  return ledger.empty() ? now : std::max(now, ledger.back().at + std::chrono::milliseconds(1));
}

Result<std::vector<LedgerEntry>> lines_that_let_go(Memory& memory, const Chronicle& chronicle, const std::vector<Entry>& entries,
                                                   const std::set<std::string>& facts, const std::string& run,
                                                   const std::string& why) {
  std::vector<LedgerEntry> lines;
  const Instant at = next_ledger_time(memory.vault(), chronicle);
  const std::int64_t generation = std::max<std::int64_t>(chronicle.generation(), 1);
  for (const Entry& entry : entries)
    for (const std::string& id : entry.from) {
      if (facts.contains(id)) continue;
      const auto fact = TRY(entry_with_id(memory, id));
      if (!fact || !fact->active || fact->pending) continue;
      lines.push_back({generation, run, at, fact->id, fact->hash, LedgerEntry::Outcome::undone, entry.id, {}, {}, why});
    }
  return lines;
}

Status rest_on_others(DecidedChanges& changes, const Entry& entry, const std::set<std::string>& facts, const std::string& instead) {
  std::vector<std::string> from;
  std::ranges::copy_if(entry.from, std::back_inserter(from), [&](const std::string& id) { return !facts.contains(id); });
  if (!instead.empty()) from.push_back(instead);
  return changes.change(entry.places.front().file, [&](std::string_view bytes) { return set_entry_from(bytes, entry.id, from); });
}

}  // namespace loci
