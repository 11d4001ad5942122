#include "consolidate/decide/plan.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "consolidate/decide/entry_draft.h"
#include "consolidate/decide/history.h"
#include "consolidate/decide/text_basis.h"
#include "memory/authority.h"
#include "parser/text_hash.h"
#include "parser/writer.h"

namespace loci {
namespace {

using Kind = Operation::Kind;
using Outcome = LedgerEntry::Outcome;

constexpr size_t id_digits = 20;

std::string id_over(const std::string& seed) { return "c-" + hex(as_bytes(sha256(seed)), id_digits); }

class Planner {
 public:
  Planner(const Decision& decision, const Material& material, const Cluster& cluster, const RunIdentity& identity)
      : decision_(decision), material_(material), cluster_(cluster), identity_(identity), basis_(material) {
    for (const DurableEntry& entry : material.entries) taken_.insert(entry.id);
    taken_.insert(material.ended.begin(), material.ended.end());
  }

  Plan plan() {
    for (const Operation& operation : decision_.operations) {
      if (operation.kind == Kind::add) add(operation);
      if (operation.kind == Kind::replace) replace(operation);
    }
    for (const Operation& operation : decision_.operations)
      if (operation.kind == Kind::remove) remove(operation);
    for (const Operation& operation : decision_.operations)
      if (operation.kind == Kind::duplicate) duplicate(operation);
    remove_overtaken();
    for (EntryDraft& draft : drafts_) draft.finish();
    for (const Operation& operation : decision_.operations) settle(operation);
    for (EntryDraft& draft : drafts_) plan_.changes.push_back(std::move(draft.planned));
    return std::move(plan_);
  }

 private:
  // --- entries ---

  void add(const Operation& operation) {
    const auto own = entry_saying(operation.facts);
    const size_t index = own ? draft_of(*own) : new_draft(operation);
    drafts_[index].is_rewritten = true;
    write_text(drafts_[index], operation);
    for (const size_t fact : operation.facts) {
      home_of_[fact] = index;
      take_in(drafts_[index], fact, operation);
    }
    take_over_keys(drafts_[index], operation);
    EntryState& state = drafts_[index].state;
    state.as_it_was_said = !operation.is_as_it_was_said ? AsSaid::no : own ? AsSaid::offered_again : AsSaid::to_be_offered;
    if (const std::string other = contradicted_by(operation); !own || !operation.is_as_it_was_said || !other.empty())
      state.against = other;
  }

  size_t new_draft(const Operation& operation) {
    EntryDraft& draft = drafts_.emplace_back();
    draft.is_new = true;
    draft.planned.id = new_id(material_.facts[operation.facts.front()]);
    return drafts_.size() - 1;
  }

  // The entry in which one of these facts stands word for word already.
  std::optional<size_t> entry_saying(const std::vector<size_t>& facts) const {
    for (const size_t fact : facts)
      if (material_.facts[fact].stands_in) return material_.facts[fact].stands_in;
    return std::nullopt;
  }

  // Such an entry goes where its fact went.
  void remove_overtaken() {
    for (const Operation& operation : decision_.operations)
      for (const size_t fact : operation.facts) {
        const auto& own = material_.facts[fact].stands_in;
        const auto into = own ? id_of_home(fact, operation) : std::nullopt;
        if (!into || *into == material_.entries[*own].id) continue;
        PlannedEntry& gone = drafts_[draft_of(*own)].planned;
        gone.removed = true;
        gone.into = *into;
      }
  }

  std::optional<std::string> id_of_home(size_t fact, const Operation& operation) const {
    if (const auto home = home_of_.find(fact); home != home_of_.end()) return drafts_[home->second].planned.id;
    if (operation.same_as_entry) return material_.entries[*operation.same_as_entry].id;
    return std::nullopt;
  }

  // The entry that goes on to say something else: named by the answer, or by a fact that says that it corrects it.
  std::string contradicted_by(const Operation& operation) const {
    if (operation.against) return material_.entries[*operation.against].id;
    for (const size_t fact : operation.facts) {
      const std::string& wrong = material_.facts[fact].corrects;
      if (wrong.empty()) continue;
      for (const DurableEntry& entry : material_.entries)
        if (entry.id == wrong || std::ranges::find(entry.from, wrong) != entry.from.end()) return entry.id;
    }
    return {};
  }

  void replace(const Operation& operation) {
    const size_t index = draft_of(*operation.target);
    EntryDraft& draft = drafts_[index];
    const DurableEntry& target = material_.entries[*operation.target];
    draft.is_rewritten = true;
    write_text(draft, operation);
    if (operation.is_correction) {
      overrule(draft, target, operation);
      draft.state.history.clear();  // what was never true stands in no former state either
    } else if (draft.planned.text != target.text) {
      add_to_history(draft.state.history, {target.updated.empty() ? target.first_seen : target.updated, target.text});
    }
    draft.state.as_it_was_said = AsSaid::no;
    draft.state.against.clear();
    for (const size_t fact : operation.facts) {
      home_of_[fact] = index;
      take_in(draft, fact, operation);
      const Fact& said = material_.facts[fact];
      if (said.hash == target.hash) draft.rest_on(said.hash, target.source);
    }
    if (basis_.rests_on(operation, target)) draft.rest_on(target.hash, target.source);
    take_over_keys(draft, operation);
  }

  // The wrong value goes with the facts that said it; what the entry is about goes on.
  void overrule(EntryDraft& draft, const DurableEntry& target, const Operation& operation) {
    const auto right = std::ranges::max_element(operation.facts, {}, [&](size_t fact) { return material_.facts[fact].source; });
    const size_t corrector = right == operation.facts.end() ? operation.facts.front() : *right;
    const auto bury = [&](const std::string& id, const std::string& hash) {
      plan_.tombstones.push_back({identity_.at, id, hash, Tombstone::Reason::corrected, std::string(name_of(Actor::model)),
                                  material_.facts[corrector].id});
    };
    for (const std::string& fact : target.from) {
      // One that is pending says something else by now, and is decided about by itself.
      if (std::ranges::find(material_.facts, fact, &Fact::id) != material_.facts.end()) continue;
      bury(fact, {});
      // The entry no longer says it: if a person restores the fact, it is pending.
      LedgerEntry& line = line_of(fact, {}, Outcome::undone);
      line.entry = target.id;
      line.entry_hash = stored_text_hash(operation.text);
    }
    const bool still_said =
        std::ranges::any_of(operation.facts, [&](size_t fact) { return material_.facts[fact].hash == target.hash; });
    if (!still_said && target.hash != stored_text_hash(operation.text)) bury(id_from_hash(target.hash), target.hash);
    draft.planned.metadata.from.clear();
    draft.planned.metadata.sources.clear();
    draft.planned.metadata.updated.clear();
  }

  void remove(const Operation& operation) {
    const DurableEntry& gone = material_.entries[*operation.target];
    const size_t into = draft_of(*operation.into), index = draft_of(*operation.target);
    merged_into_[*operation.target] = into;
    EntryDraft& target = drafts_[into];
    drafts_[index].planned.removed = true;
    drafts_[index].planned.into = target.planned.id;
    drafts_[index].planned.facts = target.planned.facts;
    target.absorb(gone);
  }

  // Text and trust stay as they are, but for a fact that says the very same with more trust.
  void duplicate(const Operation& operation) {
    const auto home = home_of(operation);
    if (!home) return;
    for (const size_t fact : operation.facts) home_of_.emplace(fact, *home);
    EntryDraft& draft = drafts_[*home];
    for (const size_t index : operation.facts) {
      const Fact& fact = material_.facts[index];
      draft.join(fact, material_.ended);
      if (const auto equal = draft.rests_on.find(fact.hash); equal != draft.rests_on.end()) draft.rest_on(fact.hash, fact.source);
      if (draft.own && fact.hash == draft.planned.before_hash) draft.own = std::max(*draft.own, fact.source);
    }
  }

  // The draft that takes duplicates in: none if what they repeat is not settled by this decision, or its entry may not be written.
  std::optional<size_t> home_of(const Operation& duplicate) {
    if (duplicate.same_as_entry) {
      const size_t entry = *duplicate.same_as_entry;
      if (const auto merged = merged_into_.find(entry); merged != merged_into_.end()) return merged->second;
      return is_writable(entry) ? std::optional(draft_of(entry)) : std::nullopt;
    }
    if (!duplicate.same_as_fact) return std::nullopt;
    const auto known = home_of_.find(*duplicate.same_as_fact);
    if (known != home_of_.end()) return known->second;
    const Operation* other = duplicate_with(*duplicate.same_as_fact);  // a chain; check_operations() refuses circles
    return other && other != &duplicate ? home_of(*other) : std::nullopt;
  }

  const Operation* duplicate_with(size_t fact) const {
    const auto found = std::ranges::find_if(decision_.operations, [&](const Operation& operation) {
      return operation.kind == Kind::duplicate && std::ranges::find(operation.facts, fact) != operation.facts.end();
    });
    return found == decision_.operations.end() ? nullptr : &*found;
  }

  bool is_writable(size_t entry) const {
    return material_.entries[entry].writable && std::ranges::binary_search(cluster_.writable, entry);
  }

  size_t draft_of(size_t entry) {
    const auto [known, is_new] = draft_of_.emplace(entry, drafts_.size());
    if (!is_new) return known->second;
    drafts_.push_back(EntryDraft::of(material_.entries[entry]));
    return known->second;
  }

  static void write_text(EntryDraft& draft, const Operation& operation) { draft.planned.text = normalise_text(operation.text); }

  void take_in(EntryDraft& draft, size_t index, const Operation& operation) {
    const Fact& fact = material_.facts[index];
    draft.join(fact, material_.ended);
    if (basis_.rests_on(operation, fact)) draft.rest_on(fact.hash, fact.source);
  }

  static void take_over_keys(EntryDraft& draft, const Operation& operation) {
    if (!operation.about.empty()) draft.planned.metadata.about = operation.about;
  }

  std::string new_id(const Fact& fact) {
    std::string id = id_over(fact.id);
    for (std::string seed = fact.id + '\n' + fact.hash; !taken_.insert(id).second; seed += '\n') id = id_over(seed);
    return id;
  }

  // --- the ledger ---

  void settle(const Operation& operation) {
    switch (operation.kind) {
      case Kind::add:
        return settle(operation.facts, Outcome::added);
      case Kind::replace:
        return settle(operation.facts, Outcome::replaced);
      case Kind::duplicate:
        return settle_duplicates(operation);
      case Kind::ignore:
        for (const size_t fact : operation.facts)
          line_of(material_.facts[fact].id, material_.facts[fact].hash, Outcome::ignored).why = operation.why;
        return;
      case Kind::remove:
        for (const std::string& fact : material_.entries[*operation.target].from) settle_merged(fact, operation);
    }
  }

  void settle(const std::vector<size_t>& facts, Outcome outcome) {
    for (const size_t fact : facts) {
      const PlannedEntry& entry = drafts_[home_of_.at(fact)].planned;
      if (settle_again(fact, entry.id, entry.text)) continue;
      LedgerEntry& line = line_of(material_.facts[fact].id, material_.facts[fact].hash, outcome);
      line.entry = entry.id;
      line.entry_hash = stored_text_hash(entry.text);
    }
  }

  // Of a fact that is settled already: its entry was merged into that one, or has another text, or stays. False: it is pending.
  bool settle_again(size_t index, const std::string& entry, const std::string& text) {
    const Fact& fact = material_.facts[index];
    if (!fact.stands_in) return false;
    const std::string& own = material_.entries[*fact.stands_in].id;
    if (own == entry && stored_text_hash(text) == fact.hash) return true;
    LedgerEntry& line = line_of(fact.id, fact.hash, own == entry ? Outcome::replaced : Outcome::merged);
    line.entry = own;
    (own == entry ? line.entry_hash : line.into) = own == entry ? stored_text_hash(text) : entry;
    return true;
  }

  void settle_duplicates(const Operation& operation) {
    if (const auto known = home_of_.find(operation.facts.front()); known != home_of_.end())
      return settle(operation.facts, Outcome::duplicate);
    if (!operation.same_as_entry) return;  // what they repeat stays pending, and so do they
    const DurableEntry& entry = material_.entries[*operation.same_as_entry];
    for (const size_t fact : operation.facts) {
      if (settle_again(fact, entry.id, entry.text)) continue;
      LedgerEntry& line = line_of(material_.facts[fact].id, material_.facts[fact].hash, Outcome::duplicate);
      line.entry = entry.id;
      line.entry_hash = entry.hash;
    }
  }

  void settle_merged(const std::string& fact, const Operation& operation) {
    LedgerEntry& line = line_of(fact, {}, Outcome::merged);
    line.entry = material_.entries[*operation.target].id;
    line.into = material_.entries[*operation.into].id;
  }

  LedgerEntry& line_of(const std::string& fact, const std::string& hash, Outcome outcome) {
    LedgerEntry& line = plan_.ledger.emplace_back();
    line.generation = identity_.generation;
    line.run = identity_.run;
    line.at = identity_.at;
    line.fact = fact;
    line.fact_hash = hash;
    line.outcome = outcome;
    return line;
  }

  const Decision& decision_;
  const Material& material_;
  const Cluster& cluster_;
  const RunIdentity& identity_;
  TextBasis basis_;
  Plan plan_;
  std::vector<EntryDraft> drafts_;
  std::map<size_t, size_t> draft_of_;     // entry -> draft
  std::map<size_t, size_t> merged_into_;  // removed entry -> draft
  std::map<size_t, size_t> home_of_;      // fact -> draft
  std::set<std::string, std::less<>> taken_;
};

}  // namespace

Plan make_plan(const Decision& decision, const Material& material, const Cluster& cluster, const RunIdentity& identity) {
  return Planner(decision, material, cluster, identity).plan();
}

}  // namespace loci
