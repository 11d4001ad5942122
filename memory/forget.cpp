#include "memory/forget.h"

#include <algorithm>
#include <set>

#include "memory/agents_changes.h"
#include "memory/file_changes.h"
#include "memory/leave_out_private.h"
#include "memory/promoted_lines.h"
#include "memory/removal.h"
#include "memory/still_says.h"
#include "memory/unfinished_changes.h"
#include "vault/logs/chronicle.h"
#include "vault/purge/purge_markdown.h"

namespace loci {
namespace {

bool contains(const std::vector<Entry>& entries, const std::string& id) {
  return std::ranges::any_of(entries, [&](const Entry& entry) { return entry.id == id; });
}

Result<std::vector<Entry>> entries_of(Memory& memory, const std::vector<std::string>& ids) {
  std::vector<Entry> entries;
  for (const std::string& id : ids) {
    // One that is forgotten already is looked at again: a crash may have left its text in a file.
    auto entry = TRY(find_entry_to_change(memory, id, true));
    if (is_purged(entry.text)) return fail(ErrorCode::not_found, "'" + entry.id + "' was purged: there is nothing left to forget");
    if (!contains(entries, entry.id)) entries.push_back(std::move(entry));
  }
  return entries;
}

// What says exactly the same goes along, or is a person's to keep: then it is named as well.
Result<std::vector<Entry>> all_that_still_say(Memory& memory, const std::vector<Entry>& forgotten, Actor actor) {
  std::vector<Entry> all;
  for (const Entry& entry : forgotten) {
    auto others = TRY(what_still_says(memory, entry.text));
    for (Entry& other : others)
      if (!contains(forgotten, other.id) && !contains(all, other.id) && (actor == Actor::agent || other.hash != entry.hash))
        all.push_back(std::move(other));
  }
  return all;
}

std::unexpected<Error> already_forgotten(const Entry& entry) {
  return fail(ErrorCode::not_found, "'" + entry.id + "' was deleted or corrected already",
              "'loci show' tells by whom; 'loci restore' takes it back");
}

// Inactive through the tombstone of another id: without one of its own nothing could bring it back once its text has gone.
bool needs_tombstone(const Chronicle& chronicle, const Entry& entry) {
  return !chronicle.is_removed(entry.id) && (entry.place == Place::consolidated || entry.place == Place::user);
}

// One command's forgetting: first all that goes is found, then tombstones and ledger say so, then the texts leave their files.
class Forgetting {
 public:
  Forgetting(Memory& memory, const Chronicle& chronicle, const ForgetOptions& options)
      : memory_(memory), chronicle_(chronicle), options_(options), at_(next_tombstone_time(memory.vault(), chronicle.logs())) {}

  // With every entry that says the same, if a person asks, and what was made of their facts alone. What `restore` takes back
  // together has one time.
  Status add(const Entry& named) {
    if (contains(entries_, named.id)) return {};
    entries_.push_back(named);
    named_ = ending(named);
    TRY(end(named));
    if (options_.actor == Actor::person && !options_.alone)  // an agent ends what it names; what says the same is another's to keep
      for (const Entry& other : TRY(equal_entries(memory_, named))) TRY(add_as_well(other));
    auto folded = TRY(folded_entries(memory_, facts_));
    end_overtaken(folded.overtaken);
    for (const Entry& gone : folded.gone) TRY(add_as_well(gone));
    std::ranges::move(folded.apart, std::back_inserter(folded_.apart));
    std::ranges::move(folded.kept, std::back_inserter(folded_.kept));
    facts_of_all_.merge(facts_);
    facts_.clear();
    at_ += std::chrono::milliseconds(2);  // one for what was named, and one for what was overtaken
    return {};
  }

  // First the tombstones and the ledger say so, then the texts leave their files: one transaction. Fails with all as it was.
  Result<Forgotten> carry_out(std::vector<Entry> still_say) {
    drop_twice(folded_.apart);
    drop_twice(folded_.kept);
    Forgotten forgotten{std::move(entries_), std::move(still_say), {}, {}, {}};
    DecidedChanges changes(memory_.vault());
    for (const Entry& entry : forgotten.entries) changes.take_out(entry);
    for (const Entry& entry : folded_.apart) changes.take_out(entry);
    for (const std::string& fact : facts_of_all_)
      for (const std::string_view shown : chronicle_.entries_made_of(fact))
        if (!contains(folded_.kept, std::string(shown))) changes.take_out_of_core(std::string(shown));
    for (Entry& entry : folded_.kept) {
      if (const auto changed = rest_on_others(changes, entry, facts_of_all_); !changed)
        forgotten.notes.push_back("'" + entry.id + "' still names what was forgotten: " + changed.error().message);
      if (!contains(forgotten.still_say, entry.id)) forgotten.still_say.push_back(std::move(entry));
    }
    if (tombstones_.empty() && !changes.changes_files()) return already_forgotten(forgotten.entries.front());
    std::vector<LedgerEntry> lines;
    if (!folded_.apart.empty())
      lines = TRY(lines_that_let_go(memory_, chronicle_, folded_.apart, facts_of_all_, "forget-" + forgotten.entries.front().id,
                                    "a fact that it rested on was forgotten"));
    TRY(changes.carry_out(tombstones_, lines, forgotten.files, forgotten.notes));
    forgotten.apart = std::move(folded_.apart);
    return forgotten;
  }

 private:
  Tombstone ending(const Entry& entry) const {
    Tombstone tombstone = tombstone_for(entry, Tombstone::Reason::deleted, at_, std::string(name_of(options_.actor)));
    if (options_.alone) tombstone.text_hash = tombstone.loose = {};
    return tombstone;
  }

  bool is_new(const Entry& entry) const { return entry.active || needs_tombstone(chronicle_, entry); }

  Status add_as_well(const Entry& entry) {
    if (!is_new(entry) || is_purged(entry.text) || facts_.contains(entry.id) || contains(entries_, entry.id)) return {};
    entries_.push_back(entry);
    return end(entry);
  }

  // The entry's tombstone and those of every fact that it rests on, or has overruled.
  Status end(const Entry& entry) {
    facts_.insert(entry.id);
    if (is_new(entry)) tombstones_.push_back(ending(entry));
    std::vector<std::string> facts = TRY(facts_of_entry(memory_, chronicle_, entry));
    facts.push_back(entry.id);
    facts = TRY(with_overruled(memory_, chronicle_, std::move(facts)));
    if (is_new(entry)) return end_facts(facts, TRY(says_otherwise(memory_.vault(), entry)) ? Equals::stay : Equals::end);
    facts_.insert(facts.begin(), facts.end());
    return {};
  }

  // What has ended before did so otherwise, and does not come back with these.
  Status end_facts(const std::vector<std::string>& facts, Equals equals = Equals::end) {
    std::vector<std::string> standing;
    for (const std::string& id : facts) {
      const auto fact = chronicle_.is_removed(id) ? TRY(entry_with_id(memory_, id)) : std::nullopt;
      const bool has_ended = chronicle_.is_removed(id) && !(fact && fact->active);
      if (!facts_.contains(id) && !has_ended) standing.push_back(id);
    }
    for (Tombstone& end : TRY(ends_of_facts(memory_, standing, named_, {}, equals)))
      if (facts_.insert(end.id).second) tombstones_.push_back(std::move(end));
    return {};
  }

  // They were taken back by what was written over them: `restore` of what goes now does not bring them back. Without a hash: the
  // words may stand elsewhere.
  void end_overtaken(const std::vector<std::string>& facts) {
    for (const std::string& id : facts)
      if (!chronicle_.is_removed(id) && facts_.insert(id).second)
        tombstones_.push_back({at_ + std::chrono::milliseconds(1), id, {}, Tombstone::Reason::corrected, named_.by, {}});
  }

  // What an earlier name had kept or taken apart may be gone with a later one.
  void drop_twice(std::vector<Entry>& entries) const {
    std::set<std::string> seen;
    std::erase_if(entries, [&](const Entry& entry) { return contains(entries_, entry.id) || !seen.insert(entry.id).second; });
  }

  Memory& memory_;
  const Chronicle& chronicle_;
  const ForgetOptions& options_;
  Instant at_;
  Tombstone named_;  // of what is being added
  std::vector<Entry> entries_;
  std::vector<Tombstone> tombstones_;
  std::set<std::string> facts_, facts_of_all_;  // ids that go: of what is being added, and of all
  FoldedEntries folded_;
};

}  // namespace

Result<Entry> find_entry_to_change(Memory& memory, const std::string& id_or_prefix, bool inactive) {
  (void)finish_unfinished_changes(memory);  // what cannot be finished now stays noted
  const auto freshness = TRY(memory.bring_up_to_date());
  auto entry = find_entry(memory, id_or_prefix, inactive);
  if (entry || entry.error().code != ErrorCode::not_found || freshness.fresh()) return entry;
  TRY(memory.take_in({}));
  return find_entry(memory, id_or_prefix, inactive);
}

Result<Forgotten> forget(Memory& memory, const std::vector<std::string>& ids, const ForgetOptions& options) {
  auto entries = TRY(entries_of(memory, ids));
  for (const Entry& entry : entries) {
    TRY(may_change(options.actor, options.everywhere ? Intent::remove_everywhere : Intent::remove, entry));
    if (options.actor != Actor::agent) continue;
    TRY(check_agent_alone_said_it(memory, entry));
    TRY(check_agents_changes(memory, entry));
  }
  auto others = TRY(all_that_still_say(memory, entries, options.actor));
  if (options.everywhere) std::ranges::move(std::exchange(others, {}), std::back_inserter(entries));

  const auto chronicle = TRY(Chronicle::read(memory.vault()));
  Forgetting forgetting(memory, chronicle, options);
  for (const Entry& entry : entries) TRY(forgetting.add(entry));
  Forgotten forgotten = TRY(forgetting.carry_out(std::move(others)));
  std::erase_if(forgotten.still_say, [&](const Entry& entry) { return contains(forgotten.entries, entry.id); });
  forgotten.searchable = make_searchable(memory, forgotten.files);
  bring_lines_in_step(memory, {}, forgotten.files, forgotten.notes);
  if (options.actor == Actor::agent) leave_out_private(memory, forgotten);
  return forgotten;
}

}  // namespace loci
