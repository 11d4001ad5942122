#include "memory/import_plan.h"

#include <algorithm>
#include <map>
#include <set>

#include "memory/import_versions.h"

namespace loci {
namespace {

// What this vault has of the entries to be taken in, and of what they name: the index is asked for those alone, however large the
// vault is.
class Known {
 public:
  Status load(Memory& memory, const std::vector<ExportedEntry>& entries) {
    std::set<std::string> ids, hashes, sessions;
    for (const ExportedEntry& one : entries) {
      const Entry& entry = one.entry;
      ids.insert(entry.id);
      ids.insert(entry.from.begin(), entry.from.end());
      if (one.settled) ids.insert(one.settled->entry);
      if (entry.kind == EntryKind::turn && !entry.session.empty()) sessions.insert(entry.session);
      if (entry.kind == EntryKind::fact || is_durable(entry)) hashes.insert(entry.hash);
    }
    using Entries = std::vector<Entry>;
    for (const std::string& id : ids)
      for (const Entry& entry : TRY(memory.ask<Entries>([&](IndexReader& reader) { return reader.find(id, 1); })))
        if (entry.id == id) add(entry);
    for (const std::string& hash : hashes)
      for (const Entry& entry : TRY(memory.ask<Entries>([&](IndexReader& reader) { return reader.find_text(hash, {}); })))
        add(entry);
    for (const std::string& session : sessions) TRY(load_said(memory, session, ids));
    return {};
  }

  void add(const Entry& entry) {
    if (entry.active) standing_[entry.id] = entry.hash;
    if (entry.edited) edited_.insert(entry.id);
    ids_.insert(entry.id);
    if (entry.place == Place::archive || entry.place == Place::consolidated) stored_.insert(entry.id);
    if (entry.active && entry.kind == EntryKind::fact) (entry.from.empty() ? facts_ : durable_).insert(entry.hash);
  }

  bool has_id(const std::string& id) const { return ids_.contains(id); }
  bool is_stored(const std::string& id) const { return stored_.contains(id); }  // where loci stores entries
  // A fact said twice is one, and so is a durable entry. Words said twice are two turns, but not if they come once more, of the
  // same conversation, by another way than they came before: each of those stands for one.
  bool take_as_known(const Entry& entry) {
    if (entry.kind != EntryKind::turn)
      return is_durable(entry) ? durable_.contains(entry.hash) : entry.kind == EntryKind::fact && facts_.contains(entry.hash);
    const auto found = said_.find(said(entry));
    if (found == said_.end()) return false;
    said_.erase(found);
    return true;
  }
  bool stands(const std::string& id) const { return standing_.contains(id); }
  bool says(const std::string& id, const std::string& hash) const {
    const auto found = standing_.find(id);
    return found != standing_.end() && found->second == hash;
  }
  // The hash of the text that loci wrote under this id: empty if a person has changed it since.
  std::string written_under(const std::string& id) const {
    const auto found = standing_.find(id);
    return found == standing_.end() || edited_.contains(id) ? std::string() : found->second;
  }

 private:
  static std::string said(const Entry& entry) { return entry.session + '\n' + entry.role + '\n' + entry.hash; }

  Status load_said(Memory& memory, const std::string& session, const std::set<std::string>& given) {
    EntryFilter filter;
    filter.session = session;
    filter.inactive = true;
    for (const RowId row : TRY(memory.ask<std::vector<RowId>>([&](IndexReader& reader) { return reader.rows_matching(filter); }))) {
      const Entry entry = TRY(memory.ask<Entry>([&](IndexReader& reader) { return reader.entry(row); }));
      if (entry.kind == EntryKind::turn && !given.contains(entry.id)) said_.insert(said(entry));
    }
    return {};
  }

  std::map<std::string, std::string> standing_;  // id -> hash
  std::set<std::string> ids_, stored_, edited_, facts_, durable_;
  std::multiset<std::string> said_;  // turns of the same conversations that came by another way, one for each
};

// What this vault has removed.
class Removed {
 public:
  explicit Removed(const Chronicle& chronicle) : chronicle_(chronicle) {
    for (const Tombstone& tombstone : chronicle.logs().tombstones)
      if (ends_its_text(tombstone) && chronicle.tombstone_of(tombstone.id) == &tombstone && removes(tombstone))
        by_text_[tombstone.text_hash] = &tombstone;
  }

  const Tombstone* by_id(const std::string& id) const {
    const Tombstone* own = chronicle_.tombstone_of(id);
    return own && removes(*own) ? own : nullptr;
  }

  // Two corrections may have swapped their texts: what one of them retired is what the other says.
  const Tombstone* by_text(const Entry& entry) const {
    const auto found = by_text_.find(entry.hash);
    if (found == by_text_.end()) return nullptr;
    const bool is_swap = found->second->reason == Tombstone::Reason::corrected && entry.source == Source::correction;
    return is_swap ? nullptr : found->second;
  }

 private:
  const Chronicle& chronicle_;
  std::map<std::string_view, const Tombstone*> by_text_;
};

LeftOut left_out(const Entry& entry, const Tombstone& tombstone) {
  if (is_purged(tombstone)) return {entry.id, entry.text, LeftOut::Why::purged, {}};
  const bool corrected = tombstone.reason == Tombstone::Reason::corrected;
  return {entry.id, entry.text, corrected ? LeftOut::Why::corrected : LeftOut::Why::deleted, tombstone.id};
}

class Planning {
 public:
  Planning(const Vault& vault, const Chronicle& chronicle, const Known& known, const RecordVersions& versions,
           const std::vector<ExportedEntry>& entries, const std::set<std::string>& kept_out, OwnFiles own)
      : vault_(vault),
        chronicle_(chronicle),
        removed_(chronicle),
        known_(known),
        versions_(versions),
        entries_(entries),
        kept_out_(kept_out),
        own_(std::move(own)) {}

  Result<ImportPlan> plan() {
    for (const ExportedEntry& one : entries_)
      if (!one.own.empty()) TRY(decide_own(one));
    const auto without_room = own_.without_room();
    std::ranges::copy_if(own_.taken(), std::back_inserter(plan_.own),
                         [&](const ImportedText& text) { return !without_room.contains(text.entry); });
    // Whether a durable entry may stand is told by its facts.
    for (const bool durable : {false, true})
      for (const ExportedEntry& one : entries_)
        if (is_durable(one.entry) == durable) decide_rest(one, without_room);
    for (const ExportedEntry& one : entries_)
      if (one.entry.place == Place::archive && one.entry.kind == EntryKind::fact) settle(one);
    return std::move(plan_);
  }

 private:
  // What goes into user.md and MEMORY.md. Where else a text is known does not count: it is in every prompt because it stands there.
  Status decide_own(const ExportedEntry& exported) {
    const Entry& entry = exported.entry;
    if (removed_.by_id(entry.id) || removed_.by_text(entry) || kept_out_.contains(entry.id)) return {};  // decide() says so
    if (!known_.is_stored(entry.id)) TRY(own_.take(exported));
    return {};
  }

  // What stands in user.md or MEMORY.md alone is decided by that; what does not fit there is stored like any other.
  void decide_rest(const ExportedEntry& exported, const std::set<std::string>& without_room) {
    const Entry& entry = exported.entry;
    if (shows_another(exported)) return void(++plan_.known);
    const bool is_without_room = without_room.contains(entry.id);
    const bool stands_there_alone = !exported.own.empty() && (entry.place == Place::user || entry.place == Place::core);
    if (stands_there_alone && !is_without_room && own_.says(exported.own.front().file, entry)) {
      if (std::ranges::find(plan_.own, entry.id, &ImportedText::entry) == plan_.own.end()) ++plan_.known;
      return;
    }
    const size_t facts = plan_.facts.size();
    decide(exported);
    if (is_without_room && plan_.facts.size() > facts) plan_.no_room.push_back({entry.id, entry.text, exported.own.front().file});
  }

  // A line that loci promoted, of an entry that is taken in by itself.
  bool shows_another(const ExportedEntry& exported) {
    if (!exported.metadata || exported.metadata->ref.empty()) return false;
    if (hash_of_.empty())
      for (const ExportedEntry& one : entries_) hash_of_.emplace(one.entry.id, one.entry.hash);
    const auto shown = hash_of_.find(exported.metadata->ref);
    return shown != hash_of_.end() && shown->second == exported.entry.hash;
  }

  void decide(const ExportedEntry& exported) {
    const Entry& entry = exported.entry;
    if (exported.is_record && versions_.has(entry.id)) {
      if (!records_.insert(entry.id).second) return void(++plan_.known);  // an export says each record once: the first counts
      if (versions_.is_known(exported)) return void(++plan_.known);
      if (versions_.id_of(exported) != entry.id) return decide_version(exported);
    }
    if (const Tombstone* own = removed_.by_id(entry.id)) return leave_out(entry, *own);
    if (known_.has_id(entry.id) || known_.take_as_known(entry)) return void(++plan_.known);
    if (const Tombstone* text = removed_.by_text(entry)) return leave_out(entry, *text);
    if (kept_out_.contains(entry.id)) return plan_.left_out.push_back({entry.id, entry.text, LeftOut::Why::kept_out, {}});
    ExportedEntry one = exported;
    if (is_durable(entry) && !rests_on_what_stands(one)) return;
    known_.add(entry);
    (is_durable(entry) ? plan_.consolidated : plan_.facts).push_back(std::move(one));
  }

  // The record is here with another text: that gives way, unless it is a person's to say by now.
  void decide_version(const ExportedEntry& exported) {
    const Entry& entry = exported.entry;
    const Tombstone* own = removed_.by_id(entry.id);
    if (own && own->reason == Tombstone::Reason::deleted) return leave_out(entry, *own);
    if (const Tombstone* text = removed_.by_text(entry)) return leave_out(entry, *text);
    const std::string old = versions_.standing(entry.id);
    if (old.empty()) return plan_.left_out.push_back({entry.id, entry.text, LeftOut::Why::changed, {}});
    if (versions_.is_earlier(exported, old)) return void(++plan_.known);
    if (kept_out_.contains(entry.id)) return plan_.left_out.push_back({entry.id, entry.text, LeftOut::Why::kept_out, {}});
    if (!updated_.insert(old).second) return;
    ExportedEntry one = exported;
    one.entry.id = versions_.id_of(exported);
    if (one.metadata) one.metadata->id = one.entry.id;
    plan_.updates.push_back({std::move(one), old});
  }

  void leave_out(const Entry& entry, const Tombstone& tombstone) {
    LeftOut out = left_out(entry, tombstone);
    removed_here_.emplace(entry.id, out.restore);
    plan_.left_out.push_back(std::move(out));
  }

  bool is_kept_out(const std::string& fact) const { return kept_out_.contains(fact) && !known_.has_id(fact); }

  // The id to restore, if this fact is removed here, by its id or by the text that it has there; nothing restores one that is kept
  // out.
  std::optional<std::string> restore_of(const std::string& fact) const {
    if (const auto found = removed_here_.find(fact); found != removed_here_.end()) return found->second;
    if (is_kept_out(fact)) return std::string();
    const Tombstone* own = removed_.by_id(fact);
    return own ? std::optional(is_purged(*own) ? std::string() : own->id) : std::nullopt;
  }

  // An entry that a removed fact went into says that fact, unless a person wrote it, or it says what another of its facts does. If
  // it goes, its other facts come alone, and are pending.
  bool rests_on_what_stands(ExportedEntry& one) {
    std::vector<std::string> standing;
    std::optional<std::string> restore;
    auto why = LeftOut::Why::rests_on_removed;
    bool has_words_of_its_own = one.entry.edited;
    for (const std::string& fact : one.entry.from) {
      const auto removed = restore_of(fact);
      if (removed) {
        restore = removed;
        if (is_kept_out(fact)) why = LeftOut::Why::kept_out;
        continue;
      }
      standing.push_back(fact);
      has_words_of_its_own = has_words_of_its_own || known_.says(fact, one.entry.hash);
    }
    if (!restore) return true;
    if (!has_words_of_its_own) {
      plan_.left_out.push_back({one.entry.id, one.entry.text, why, *restore});
      return false;
    }
    if (one.metadata) one.metadata->from = standing;
    one.entry.from = std::move(standing);
    return true;
  }

  // An export of an earlier version does not say what is settled: there, a fact was if an entry rests on it.
  std::optional<Settled> settled(const ExportedEntry& one) {
    if (one.tells_settled) return one.settled;
    if (entry_of_fact_.empty())
      for (const ExportedEntry& other : entries_)
        for (const std::string& fact : other.entry.from) entry_of_fact_.emplace(fact, other.entry.id);
    const auto found = entry_of_fact_.find(one.entry.id);
    return found == entry_of_fact_.end() ? std::nullopt : std::optional(Settled{LedgerEntry::Outcome::added, found->second});
  }

  void settle(const ExportedEntry& one) {
    const auto into = settled(one);
    if (!into || !known_.says(one.entry.id, one.entry.hash) || !chronicle_.lines_of_fact(one.entry.id).empty()) return;
    if (!into->entry.empty() && !known_.stands(into->entry)) return;  // it was left out: the fact is pending here
    LedgerEntry line;
    line.generation = std::max<std::int64_t>(1, chronicle_.generation());
    line.run = "import";
    line.at = vault_.clock().now();
    line.fact = one.entry.id;
    line.fact_hash = one.entry.hash;
    line.outcome = into->outcome;
    line.entry = into->entry;
    // With a hash it would say that loci wrote the text, and an edit of a person's would not be seen as one.
    line.entry_hash = known_.written_under(into->entry);
    plan_.ledger.push_back(std::move(line));
  }

  const Vault& vault_;
  const Chronicle& chronicle_;
  const Removed removed_;
  Known known_;  // and what is taken in
  const RecordVersions& versions_;
  std::set<std::string> updated_, records_;  // each once in one go
  const std::vector<ExportedEntry>& entries_;
  const std::set<std::string>& kept_out_;
  OwnFiles own_;  // and what goes into them
  ImportPlan plan_;
  std::map<std::string, std::string> hash_of_;        // by id, of what is in the export
  std::map<std::string, std::string> removed_here_;   // left out -> what restores it
  std::map<std::string, std::string> entry_of_fact_;  // by what the entries rest on
};

}  // namespace

bool is_durable(const Entry& entry) { return entry.place == Place::consolidated && !entry.from.empty(); }

Result<ImportPlan> plan_import(Memory& memory, const std::vector<ExportedEntry>& entries, const std::set<std::string>& kept_out) {
  Known known;
  TRY(known.load(memory, entries));
  const auto chronicle = TRY(Chronicle::read(memory.vault()));
  RecordVersions versions;
  TRY(versions.load(memory, chronicle, entries));
  OwnFiles own;
  if (std::ranges::any_of(entries, [](const ExportedEntry& one) { return !one.own.empty(); })) TRY(own.load(memory.vault()));
  return Planning(memory.vault(), chronicle, known, versions, entries, kept_out, std::move(own)).plan();
}

}  // namespace loci
