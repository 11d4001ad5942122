#include "memory/successor_removal.h"

#include <algorithm>

#include "memory/removal.h"
#include "parser/text_hash.h"

namespace loci {
namespace {

bool contains(const std::vector<Entry>& entries, const std::string& id) {
  return std::ranges::any_of(entries, [&](const Entry& entry) { return entry.id == id; });
}

// Follows every chain from the restored ids on. `visit` gets each id behind them, and the one that it began at.
template <typename Visit>
void follow_corrections(const Chronicle& chronicle, const std::vector<Tombstone>& restored, Visit visit) {
  std::set<std::string> seen;
  for (const Tombstone& tombstone : restored) seen.insert(tombstone.id);
  for (const Tombstone& tombstone : restored) {
    if (tombstone.reason != Tombstone::Reason::corrected) continue;
    std::vector<std::string> chain{tombstone.id};
    for (size_t i = 0; i < chain.size(); ++i)
      for (const std::string_view next : chronicle.successors_of(chain[i])) {
        if (!seen.emplace(next).second) continue;
        visit(std::string(next), tombstone.id);
        const Tombstone* ended = chronicle.tombstone_of(next);
        if (ended && ended->reason == Tombstone::Reason::corrected) chain.emplace_back(next);
      }
  }
}

}  // namespace

std::map<std::string, std::string> successors_of(const Chronicle& chronicle, const std::vector<Tombstone>& restored) {
  std::map<std::string, std::string> successors;
  follow_corrections(chronicle, restored, [&](const std::string& id, const std::string& began) {
    if (!chronicle.is_removed(id)) successors.emplace(id, began);
  });
  return successors;
}

Status SuccessorRemoval::plan(const std::vector<Tombstone>& restored, std::set<std::string> back) {
  back_ = std::move(back);
  for (const Tombstone& tombstone : restored) chain_.insert(tombstone.id);
  follow_corrections(chronicle_, restored, [&](const std::string& id, const std::string&) { chain_.insert(id); });
  for (const auto& [id, to] : successors_of(chronicle_, restored)) TRY(add(id, to));
  // Of a correction whose entry found no place, or has lost it.
  auto pending =
      TRY(memory_.ask<std::vector<IndexReader::PendingFact>>([](IndexReader& reader) { return reader.pending_facts(); }));
  for (const IndexReader::PendingFact& fact : pending)
    for (const Tombstone& tombstone : restored)
      if (tombstone.reason == Tombstone::Reason::corrected && fact.entry.corrects == tombstone.id &&
          !chain_.contains(fact.entry.id)) {
        facts_.insert(fact.entry.id);
        end(fact.entry.id, tombstone.id);
      }
  return add_what_was_made_of_facts();
}

Status SuccessorRemoval::add(const std::string& id, const std::string& to) {
  const auto entry = TRY(entry_with_id(memory_, id));
  if (!entry) {  // its file may be on its way, or a person has just taken it out
    end(id, to);
    std::vector<std::string> facts;
    for (const LedgerEntry* line : chronicle_.lines_of_entry(id)) facts.push_back(line->fact);
    return add_filed(facts, to);
  }
  if (entry->place == Place::archive) {
    facts_.insert(id);
    end(id, to);
    return {};
  }
  gives_way_to_.emplace(id, to);
  TRY(add_filed(entry->from, to));
  // What rests on facts that end is looked at with all that does.
  if (std::ranges::any_of(entry->from, [&](const std::string& fact) { return facts_.contains(fact); })) return {};
  if (entry->edited) {
    kept_.push_back(*entry);
    return {};
  }
  leaving_.push_back(*entry);
  // The id of a text without metadata is that of all who say it: it leaves the file, and that is all.
  if (entry->has_metadata && !back_.contains(id)) end(id, to);
  return {};
}

// Those that the correction filed; what was folded into it since is somebody else's.
Status SuccessorRemoval::add_filed(const std::vector<std::string>& facts, const std::string& to) {
  for (const std::string& id : facts) {
    const auto fact = TRY(entry_with_id(memory_, id));
    if (!fact || !chain_.contains(fact->corrects) || chain_.contains(id) || chronicle_.is_removed(id)) continue;
    facts_.insert(id);
    end(id, to);
  }
  return {};
}

Status SuccessorRemoval::add_what_was_made_of_facts() {
  auto folded = TRY(folded_entries(memory_, facts_));
  const auto gives_way_to = [&](const Entry& entry) {
    for (const std::string& id : entry.from)
      if (const auto to = gives_way_to_.find(id); to != gives_way_to_.end()) return to->second;
    return gives_way_to_.begin()->second;
  };
  for (auto* entries : {&folded.gone, &folded.apart})
    for (Entry& entry : *entries) {
      if (!chronicle_.is_removed(entry.id)) end(entry.id, gives_way_to(entry));
      if (entries == &folded.apart) apart_.push_back(entry);
      if (!contains(leaving_, entry.id)) leaving_.push_back(std::move(entry));
    }
  for (const std::string& id : folded.overtaken) end(id, gives_way_to_.begin()->second);
  for (Entry& entry : folded.kept)
    if (!contains(kept_, entry.id)) kept_.push_back(std::move(entry));
  return {};
}

void SuccessorRemoval::end(const std::string& id, const std::string& to) {
  gives_way_to_.emplace(id, to);
  if (std::ranges::find(ids_, id) == ids_.end()) ids_.push_back(id);
}

std::vector<Entry> SuccessorRemoval::leaving() const {
  std::vector<Entry> entries;
  std::ranges::copy_if(leaving_, std::back_inserter(entries),
                       [&](const Entry& entry) { return std::ranges::find(ids_, entry.id) != ids_.end(); });
  return entries;
}

std::vector<Entry> SuccessorRemoval::instead_of(const std::string& restored) const {
  std::vector<Entry> entries;
  std::ranges::copy_if(leaving_, std::back_inserter(entries), [&](const Entry& entry) {
    const auto to = gives_way_to_.find(entry.id);
    return to != gives_way_to_.end() && to->second == restored;
  });
  return entries;
}

// By its id and the text that it has: other words that somebody saves under the id, of an old buffer too, are theirs.
Result<std::vector<Tombstone>> SuccessorRemoval::tombstones(Instant at) const {
  std::vector<Tombstone> lines;
  for (const std::string& id : ids_) {
    Tombstone& line = lines.emplace_back(Tombstone{at, id, {}, Tombstone::Reason::corrected, "user", gives_way_to_.at(id)});
    if (const auto entry = TRY(entry_with_id(memory_, id))) line.loose = loose_text_hash(entry->text);
  }
  return lines;
}

Result<std::vector<LedgerEntry>> SuccessorRemoval::lines(const std::string& run) const {
  return lines_that_let_go(memory_, chronicle_, apart_, facts_, run, "what it rested on gave way to what it had corrected");
}

}  // namespace loci
