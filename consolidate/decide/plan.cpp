#include "consolidate/decide/plan.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "consolidate/decide/history.h"
#include "memory/authority.h"
#include "parser/text_hash.h"
#include "parser/writer.h"
#include "words/statement.h"
#include "words/text_words.h"

namespace loci {
namespace {

using Kind = Operation::Kind;
using Outcome = LedgerEntry::Outcome;

constexpr size_t id_digits = 20;

std::string id_over(const std::string& seed) { return "c-" + hex(as_bytes(sha256(seed)), id_digits); }

void add_unique(std::vector<std::string>& list, const std::string& value) {
  if (!value.empty() && std::ranges::find(list, value) == list.end()) list.push_back(value);
}

void add_all(std::vector<std::string>& list, const std::vector<std::string>& values) {
  for (const std::string& value : values) add_unique(list, value);
}

std::string earlier_of(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  return std::min(a, b);
}

// An entry while operations add to it.
struct Draft {
  PlannedEntry planned;
  std::map<std::string, Source> rests_on;  // the texts, by hash: of equal ones the highest trust
  std::optional<Source> own;               // of an entry that goes on; counts where there are no facts
  bool is_new = false;
  bool is_rewritten = false;
  EntryState state;
  std::optional<std::string> project;                // none yet; empty: they do not agree
  std::vector<std::pair<Source, std::string>> said;  // days, and by whom

  void rest_on(const std::string& hash, Source source) {
    const auto [known, is_first] = rests_on.emplace(hash, source);
    if (!is_first) known->second = std::max(known->second, source);
  }
  void belong_to(const std::string& other) { project = !project || *project == other ? other : std::string(); }
};

class Planner {
 public:
  Planner(const Decision& decision, const Material& material, const Cluster& cluster, const RunIdentity& identity)
      : decision_(decision), material_(material), cluster_(cluster), identity_(identity) {
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
    for (Draft& draft : drafts_) finish(draft);
    for (const Operation& operation : decision_.operations) settle(operation);
    for (Draft& draft : drafts_) plan_.changes.push_back(std::move(draft.planned));
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
    Draft& draft = drafts_.emplace_back();
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
    Draft& draft = drafts_[index];
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
    if (keeps_words_of(target, operation)) draft.rest_on(target.hash, target.source);
    take_over_keys(draft, operation);
  }

  // What is trusted more than `source` and says what the operation's text says.
  std::vector<const std::string*> texts_above(const Operation& operation, Source source) const {
    std::vector<const std::string*> texts;
    for (const size_t fact : operation.facts)
      if (material_.facts[fact].source > source) texts.push_back(&material_.facts[fact].text);
    if (operation.target && material_.entries[*operation.target].source > source && !operation.is_correction)
      texts.push_back(&material_.entries[*operation.target].text);
    return texts;
  }

  // Does the text rest on something that is trusted less than the rest of what it is made from? It does if it has a value or a name
  // from there alone.
  bool has_value_only_of(const Statement& less, const Statement& text, const std::vector<Statement>& others) const {
    const auto is_only_there = [&](auto&& in) { return in(less) && in(text) && std::ranges::none_of(others, in); };
    return std::ranges::any_of(less.values,
                               [&](const Value& value) {
                                 return !value.is_weak && is_only_there([&](const Statement& one) {
                                   return std::ranges::any_of(one.values, [&](const Value& other) {
                                     return other.kind == value.kind && other.key == value.key;
                                   });
                                 });
                               }) ||
           std::ranges::any_of(less.names, [&](const Name& name) {
             return is_only_there([&](const Statement& one) { return has_name(one.words, name.folded); });
           });
  }

  // It also does if a good part of its words is not from what is trusted more. Of an entry, only words count that stand in it: a
  // fact takes its place. Of a fact all others do: no guess gains a person's authority by another wording.
  bool rests_on(const Operation& operation, const std::string& less, Source source, bool is_entry) {
    constexpr size_t good_part = 4;  // one in so many
    const auto above = texts_above(operation, source);
    if (above.empty()) return true;
    std::vector<Statement> others;
    Stems known;
    for (const std::string* other : above) {
      others.push_back(read_statement(*other));
      known.merge(stems_of(reader_.read(*other)));
    }
    if (has_value_only_of(read_statement(less), read_statement(operation.text), others)) return true;
    const Stems there = stems_of(reader_.read(less));
    size_t words = 0, unknown = 0;
    for (const TextWord& word : reader_.read(operation.text).words) {
      if (builds_sentence(word) || is_frame_word(word)) continue;
      ++words;
      unknown += !reader_.is_among(word, known) && (!is_entry || reader_.is_among(word, there));
    }
    return is_entry ? unknown > 0 && good_part * unknown >= words : good_part * unknown >= words;
  }

  bool keeps_words_of(const DurableEntry& target, const Operation& operation) {
    return !operation.is_correction && !texts_above(operation, target.source).empty() &&
           rests_on(operation, target.text, target.source, true);
  }

  // The wrong value goes with the facts that said it; what the entry is about goes on.
  void overrule(Draft& draft, const DurableEntry& target, const Operation& operation) {
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
    Draft& target = drafts_[into];
    drafts_[index].planned.removed = true;
    drafts_[index].planned.into = target.planned.id;
    drafts_[index].planned.facts = target.planned.facts;
    Metadata& metadata = target.planned.metadata;
    add_all(metadata.from, gone.from);
    add_all(metadata.sources, gone.sources);
    add_all(metadata.tags, gone.tags);
    add_all(metadata.about, gone.about);
    metadata.first_seen = earlier_of(metadata.first_seen, gone.first_seen);
    metadata.updated = std::max(metadata.updated, gone.updated);
    target.belong_to(gone.project);
    if (const auto equal = target.rests_on.find(gone.hash); equal != target.rests_on.end()) target.rest_on(gone.hash, gone.source);
    if (target.own) target.own = std::min(*target.own, gone.source);
  }

  // Text and trust stay as they are, but for a fact that says the very same with more trust.
  void duplicate(const Operation& operation) {
    const auto home = home_of(operation);
    if (!home) return;
    for (const size_t fact : operation.facts) home_of_.emplace(fact, *home);
    Draft& draft = drafts_[*home];
    for (const size_t index : operation.facts) {
      const Fact& fact = material_.facts[index];
      join(draft, fact);
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
    const DurableEntry& durable = material_.entries[entry];
    Draft& draft = drafts_.emplace_back();
    draft.own = durable.source;
    draft.planned.id = durable.id;
    draft.planned.before_hash = durable.hash;
    draft.planned.file = durable.file;
    draft.planned.text = durable.text;
    draft.state = durable.state;
    draft.project = durable.project;
    Metadata& metadata = draft.planned.metadata;
    metadata.source = durable.source;
    metadata.tags = durable.tags;
    metadata.about = durable.about;
    metadata.first_seen = durable.first_seen;
    metadata.updated = durable.updated;
    metadata.sources = durable.sources;
    metadata.from = durable.from;
    return known->second;
  }

  static void write_text(Draft& draft, const Operation& operation) { draft.planned.text = normalise_text(operation.text); }

  void take_in(Draft& draft, size_t index, const Operation& operation) {
    const Fact& fact = material_.facts[index];
    join(draft, fact);
    if (rests_on(operation, fact.text, fact.source, false)) draft.rest_on(fact.hash, fact.source);
  }

  void join(Draft& draft, const Fact& fact) const {
    Metadata& metadata = draft.planned.metadata;
    if (!std::ranges::binary_search(material_.ended, fact.id)) add_unique(metadata.from, fact.id);
    add_unique(metadata.sources, fact.day);
    add_all(metadata.tags, fact.tags);
    add_all(metadata.about, fact.about);
    metadata.first_seen = earlier_of(metadata.first_seen, fact.day);
    draft.said.emplace_back(fact.source, fact.day);
    draft.belong_to(fact.project);
    draft.planned.facts.push_back({fact.id, fact.hash, fact.text, fact.day, fact.source});
  }

  static void take_over_keys(Draft& draft, const Operation& operation) {
    if (!operation.about.empty()) draft.planned.metadata.about = operation.about;
  }

  void finish(Draft& draft) const {
    Metadata& metadata = draft.planned.metadata;
    metadata.id = draft.planned.id;
    write_state(metadata, draft.state);
    metadata.project = draft.project.value_or(std::string());
    std::ranges::sort(metadata.sources);
    if (draft.own) metadata.source = draft.own;
    if (draft.is_rewritten && !draft.rests_on.empty())
      metadata.source = std::ranges::min_element(draft.rests_on, {}, [](const auto& one) { return one.second; })->second;
    // The newest day that was said, whenever this run is; an echo that ranks lower makes nothing newer.
    for (const auto& [source, day] : draft.said)
      if (source >= metadata.source) metadata.updated = std::max(metadata.updated, day);
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
  WordReader reader_;
  Plan plan_;
  std::vector<Draft> drafts_;
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
