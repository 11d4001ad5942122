#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include "base/unicode.h"
#include "consolidate/meaning.h"
#include "consolidate/operations.h"
#include "consolidate/wording.h"
#include "parser/writer.h"

namespace loci {
namespace {

using Kind = Operation::Kind;

constexpr size_t longest_why = 300;  // characters

std::string_view name_of(Kind kind) {
  constexpr std::array<std::string_view, 5> names = {"ADD", "REPLACE", "REMOVE", "DUPLICATE", "IGNORE"};
  return names[static_cast<size_t>(kind)];
}

bool contains(const std::vector<size_t>& indexes, size_t index) { return std::ranges::find(indexes, index) != indexes.end(); }

bool is_control(char c) { return (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == '\x7f'; }

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out.append(out.empty() ? "" : ", ").append(word);
  return out;
}

class DecisionCheck {
 public:
  DecisionCheck(const Decision& decision, const Material& material, const Cluster& cluster)
      : operations_(decision.operations), material_(material), cluster_(cluster) {}

  // What stands where comes first, for the whole answer: the rules about words may then follow every reference.
  Status check() {
    for (const auto rule :
         {&DecisionCheck::check_facts, &DecisionCheck::check_targets, &DecisionCheck::check_removal, &DecisionCheck::check_text,
          &DecisionCheck::check_ignored, &DecisionCheck::check_same_as, &DecisionCheck::check_end_of_duplicates,
          &DecisionCheck::check_trust, &DecisionCheck::check_correction, &DecisionCheck::check_losses_of_words,
          &DecisionCheck::check_values, &DecisionCheck::check_traces, &DecisionCheck::check_contradictions,
          &DecisionCheck::check_reversals, &DecisionCheck::check_outdated, &DecisionCheck::check_laundering})
      for (size_t i = 0; i < operations_.size(); ++i)
        if (auto allowed = (this->*rule)(operations_[i]); !allowed)
          return fail(ErrorCode::refused, "operation " + std::to_string(i + 1) + " (" + std::string(name_of(operations_[i].kind)) +
                                              ") " + allowed.error().message);
    return {};
  }

 private:
  static std::unexpected<Error> refuse(std::string message) { return fail(ErrorCode::refused, std::move(message)); }

  const Fact& fact(size_t index) const { return material_.facts[index]; }
  const DurableEntry& entry(size_t index) const { return material_.entries[index]; }
  bool is_here(size_t entry) const { return contains(cluster_.writable, entry) || contains(cluster_.shown, entry); }
  static bool writes_text(const Operation& operation) { return operation.kind == Kind::add || operation.kind == Kind::replace; }

  // The REPLACE of an entry, if there is one.
  const Operation* replacement_of(size_t entry) const {
    const auto found = std::ranges::find_if(
        operations_, [&](const Operation& operation) { return operation.kind == Kind::replace && operation.target == entry; });
    return found == operations_.end() ? nullptr : &*found;
  }

  std::vector<size_t> removed_into(size_t entry) const {
    std::vector<size_t> removed;
    for (const Operation& operation : operations_)
      if (operation.kind == Kind::remove && operation.into == entry) removed.push_back(*operation.target);
    return removed;
  }

  Source highest_trust(const Operation& operation) const {
    Source highest = Source::system;
    for (const size_t index : operation.facts) highest = std::max(highest, fact(index).source);
    return highest;
  }

  const TextWords& words_of(const std::string& text) {
    const auto [place, is_new] = words_.try_emplace(text);
    if (is_new) place->second = reader_.read(text);
    return place->second;
  }

  Status check_facts(const Operation& operation) {
    if (operation.kind == Kind::remove) return operation.facts.empty() ? Status() : refuse("has facts");
    if (operation.facts.empty()) return refuse("names no fact");
    for (const size_t index : operation.facts) {
      if (!contains(cluster_.facts, index)) return refuse("names a fact that is not of this cluster");
      const auto [place, is_new] = settled_by_.try_emplace(index, &operation);
      if (!is_new) return refuse("names a fact for the second time: " + fact(index).id);
    }
    return {};
  }

  Status check_targets(const Operation& operation) {
    if (operation.kind != Kind::replace && operation.kind != Kind::remove)
      return operation.target ? refuse("has a target") : Status();
    if (!operation.target) return refuse("has no target");
    if (!is_here(*operation.target)) return refuse("has a target that is not of this cluster");
    if (!contains(cluster_.writable, *operation.target))
      return refuse("has a target that may only be read: " + entry(*operation.target).id);
    if (!targets_.insert(*operation.target).second)
      return refuse("has the target of another operation: " + entry(*operation.target).id);
    return {};
  }

  Status check_removal(const Operation& operation) {
    if (operation.kind != Kind::remove) return operation.into ? refuse("has an entry to merge into") : Status();
    if (!operation.into || !replacement_of(*operation.into))
      return refuse("removes an entry that no REPLACE of this answer takes in: " + entry(*operation.target).id);
    return {};
  }

  // A fact's own words may stand as they are, whatever they look like: the archive has them already, and the writer escapes them.
  bool is_verbatim(const Operation& operation) const {
    return std::ranges::any_of(operation.facts, [&](size_t index) { return fact(index).text == operation.text; });
  }

  Status check_text(const Operation& operation) {
    if (!writes_text(operation)) return operation.text.empty() ? Status() : refuse("has a text");
    const std::string& text = operation.text;
    if (!is_valid_utf8(text)) return refuse("has a text that is no valid UTF-8");
    if (normalise_text(text).find_first_not_of(" \t\n") == std::string::npos) return refuse("has an empty text");
    if (is_verbatim(operation)) return {};
    if (std::ranges::any_of(text, is_control)) return refuse("has a text with control characters");
    if (count_code_points(text) > longest_entry_text)
      return refuse("has a text of more than " + std::to_string(longest_entry_text) + " characters");
    for (const std::string_view mark : {"<!--m", "<!--/m", "<!-- loci:core"})
      if (text.contains(mark)) return refuse("has a text with metadata or markers in it");
    return {};
  }

  Status check_ignored(const Operation& operation) {
    if (operation.kind != Kind::ignore) return {};
    for (const size_t index : operation.facts)
      if (fact(index).source >= Source::user) return refuse("ignores what a person said: " + fact(index).id);
    if (operation.why.find_first_not_of(" \t\n") == std::string::npos) return refuse("gives no reason");
    if (!is_valid_utf8(operation.why) || std::ranges::any_of(operation.why, is_control) ||
        count_code_points(operation.why) > longest_why)
      return refuse("has a reason that is no short text");
    return {};
  }

  Status check_same_as(const Operation& operation) {
    if (operation.kind != Kind::duplicate)
      return operation.same_as_fact || operation.same_as_entry ? refuse("is a duplicate of something") : Status();
    if (operation.same_as_fact.has_value() == operation.same_as_entry.has_value())
      return refuse("is not the duplicate of exactly one fact or entry");
    return {};
  }

  // Each duplicate has to lead to an entry, perhaps through other facts.
  Status check_end_of_duplicates(const Operation& operation) {
    if (operation.kind != Kind::duplicate) return {};
    const Operation* step = &operation;
    for (size_t steps = 0; step->kind == Kind::duplicate && step->same_as_fact; ++steps) {
      const auto next = settled_by_.find(*step->same_as_fact);
      if (next == settled_by_.end()) return refuse("is the duplicate of a fact that the answer does not settle");
      if (steps > operations_.size() || next->second == step) return refuse("is the duplicate of itself");
      step = next->second;
    }
    if (step->kind == Kind::ignore) return refuse("is the duplicate of a fact that is ignored");
    if (step->kind != Kind::duplicate) return {};
    if (!is_here(*step->same_as_entry)) return refuse("is the duplicate of an entry that is not of this cluster");
    const bool is_removed = std::ranges::any_of(
        operations_, [&](const Operation& other) { return other.kind == Kind::remove && other.target == step->same_as_entry; });
    return is_removed ? refuse("is the duplicate of an entry that is removed") : Status();
  }

  // What a person said, or corrected, yields only to facts that are trusted as much.
  Status check_trust(const Operation& operation) {
    if (operation.kind != Kind::replace && operation.kind != Kind::remove) return {};
    const DurableEntry& target = entry(*operation.target);
    if (target.source < Source::user) return {};
    const Operation& rewriting = operation.kind == Kind::replace ? operation : *replacement_of(*operation.into);
    if (highest_trust(rewriting) >= target.source) return {};
    return refuse("overrules an entry of source " + std::string(loci::name_of(target.source)) +
                  " with facts of lower trust: " + target.id);
  }

  Status check_correction(const Operation& operation) {
    if (!operation.is_correction) return {};
    if (operation.kind != Kind::replace) return refuse("is a correction");
    if (highest_trust(operation) == Source::correction) return {};
    return refuse("claims to correct, and none of its facts is a correction");
  }

  // An entry that rests on nothing but these facts says nothing that they do not say: a person edited them since.
  bool rests_only_on(const DurableEntry& target, const Operation& operation) const {
    return !target.from.empty() && std::ranges::all_of(target.from, [&](const std::string& id) {
      return std::ranges::any_of(operation.facts, [&](size_t index) { return fact(index).id == id; });
    });
  }

  Status check_losses_of_words(const Operation& operation) {
    if (operation.kind != Kind::replace) return {};
    const DurableEntry& target = entry(*operation.target);
    const TextWords& now = words_of(operation.text);
    if (!operation.is_correction && !rests_only_on(target, operation))
      if (const auto dropped = dropped_words(reader_, words_of(target.text), now); !dropped.empty())
        return refuse("drops what the entry said: " + listed(dropped));
    for (const size_t removed : removed_into(*operation.target)) {
      auto dropped = dropped_words(reader_, words_of(entry(removed).text), now);
      // The wrong value that a correction takes away may stand in both.
      if (operation.is_correction)
        std::erase_if(dropped, [&](const std::string& word) {
          return std::ranges::any_of(words_of(target.text).words, [&](const TextWord& old) { return old.folded == word; });
        });
      if (!dropped.empty()) return refuse("drops what the entry that it takes in said: " + listed(dropped));
    }
    return {};
  }

  void add_source(Sources& sources, const DurableEntry& source) {
    sources.texts.push_back(words_of(source.text));
    sources.texts.push_back(reader_.read(source.project + " " + listed(source.tags) + ", " + listed(source.about)));
    sources.days.insert(sources.days.end(), source.sources.begin(), source.sources.end());
    sources.days.push_back(source.first_seen);
    sources.days.push_back(source.updated);
  }

  bool is_verbatim_of_trusted(const Operation& operation) const {
    return std::ranges::any_of(operation.facts, [&](size_t index) {
      return fact(index).text == operation.text && fact(index).source >= entry(*operation.target).source;
    });
  }

  // What values may come from: the facts of at least that trust, and the entries that are rewritten.
  Sources all_of(const Operation& operation, Source least) {
    Sources sources;
    for (const size_t index : operation.facts) {
      const Fact& source = fact(index);
      if (source.source < least) continue;
      sources.texts.push_back(words_of(source.text));
      sources.texts.push_back(reader_.read(source.project + " " + listed(source.tags) + ", " + listed(source.about)));
      sources.days.push_back(source.day);
      sources.fact_days.push_back(source.day);
    }
    if (operation.target) {
      add_source(sources, entry(*operation.target));
      for (const size_t removed : removed_into(*operation.target)) add_source(sources, entry(removed));
    }
    return sources;
  }

  Status check_values(const Operation& operation) {
    if (!writes_text(operation) || is_verbatim(operation)) return {};
    const auto invented = invented_values(reader_, words_of(operation.text), all_of(operation, Source::system));
    return invented.empty() ? Status() : refuse("has values that neither its facts nor its entry have: " + listed(invented));
  }

  // The texts that a fact is said to be in. For a duplicate of an entry that is rewritten, old and new.
  std::vector<const std::string*> texts_for(const Operation& operation) const {
    if (operation.kind != Kind::duplicate) return {&operation.text};
    if (operation.same_as_fact) return {&fact(*operation.same_as_fact).text};
    std::vector<const std::string*> texts = {&entry(*operation.same_as_entry).text};
    if (const Operation* rewriting = replacement_of(*operation.same_as_entry)) texts.push_back(&rewriting->text);
    return texts;
  }

  // Does the text say what a person said? A duplicate says all of it; a text that is written, at least half, and every value.
  bool keeps(const Operation& operation, const Fact& said, const std::string& text) {
    const TextWords &fact_words = words_of(said.text), &words = words_of(text);
    const Coverage found = coverage(reader_, fact_words, words);
    // Something that is corrected in the same breath need not stand.
    if (said.source < highest_trust(operation)) return found.has_a_trace();
    if (swaps_values(fact_words, words)) return false;
    const Kept kept = kept_words(reader_, fact_words, words);
    if (operation.kind == Kind::duplicate) return kept.missing.empty() && kept.missing_values.empty();
    if (count_code_points(said.text) > longest_entry_text) return found.has_a_trace() && kept.at_least_half();
    return kept.at_least_half() && kept.missing_values.empty();
  }

  // What a person said is settled only into a text that says it: else it would be ignored by another name.
  Status check_traces(const Operation& operation) {
    if (!writes_text(operation) && operation.kind != Kind::duplicate) return {};
    for (const size_t index : operation.facts) {
      const Fact& said = fact(index);
      if (said.source < Source::user) continue;
      const bool is_in_one = std::ranges::any_of(
          texts_for(operation), [&](const std::string* text) { return *text == said.text || keeps(operation, said, *text); });
      if (!is_in_one) return refuse("settles what a person said into a text that does not say it: " + said.id);
    }
    return {};
  }

  // May the fact be settled into the text? A written one may say that what the fact says is over: "no longer".
  bool agrees(const Operation& operation, const std::string& fact_text, const std::string& text) {
    const TextWords &said = words_of(fact_text), &words = words_of(text);
    if (denies(said, words)) return false;
    if (!denies(words, said)) return true;
    // "Avoids nuts" may become "does not eat nuts", not "does not avoid nuts".
    const auto turns = [](const TextWord& word) { return is_reversing(word); };
    const bool is_turned = std::ranges::any_of(said.words, turns) && std::ranges::none_of(words.words, turns);
    return writes_text(operation) && (words.tells_of_past || is_turned);
  }

  // A "not" is neither dropped nor added. Of the facts that a text is written from, those trusted most count.
  Status check_contradictions(const Operation& operation) {
    if (!writes_text(operation) && operation.kind != Kind::duplicate) return {};
    const Source highest = highest_trust(operation);
    for (const size_t index : operation.facts) {
      if (writes_text(operation) && fact(index).source < highest) continue;
      const auto texts = texts_for(operation);
      if (std::ranges::none_of(texts, [&](const std::string* text) { return agrees(operation, fact(index).text, *text); }))
        return refuse("says the opposite of a fact, with a \"not\" more or less: " + fact(index).id);
    }
    return {};
  }

  // The texts that a new one is written from.
  std::vector<TextWords> sources_of(const Operation& operation, Source least) {
    std::vector<TextWords> sources;
    for (const size_t index : operation.facts)
      if (fact(index).source >= least) sources.push_back(words_of(fact(index).text));
    if (!operation.target) return sources;
    sources.push_back(words_of(entry(*operation.target).text));
    for (const size_t removed : removed_into(*operation.target)) sources.push_back(words_of(entry(removed).text));
    return sources;
  }

  // What turns a meaning without a "not" is neither dropped nor added.
  Status check_reversals(const Operation& operation) {
    if (!writes_text(operation) && operation.kind != Kind::duplicate) return {};
    const Source highest = highest_trust(operation);
    for (const size_t index : operation.facts) {
      if (writes_text(operation) && fact(index).source < highest) continue;
      const TextWords& said = words_of(fact(index).text);
      const auto texts = texts_for(operation);
      if (std::ranges::all_of(texts, [&](const std::string* text) { return loses_reversal(reader_, said, words_of(*text)); }))
        return refuse("leaves out the word that turns what a fact says: " + fact(index).id);
    }
    if (!writes_text(operation)) return {};
    const auto added = added_reversals(words_of(operation.text), sources_of(operation, Source::system));
    return added.empty() ? Status() : refuse("has words that turn what its facts say: " + listed(added));
  }

  // A person edited a fact: the entry that rests on nothing else is rewritten, or it would say for ever what it said before. It
  // stays where another fact still says it, or where the fact is trusted less.
  Status check_outdated(const Operation& operation) {
    if (operation.kind != Kind::add) return {};
    for (const size_t index : operation.facts)
      for (const size_t place : cluster_.writable) {
        const DurableEntry& old = entry(place);
        if (!contains_id(old.from, fact(index).id)) continue;
        const bool may = old.source < Source::user || fact(index).source >= old.source;
        const bool is_said_again = std::ranges::any_of(cluster_.facts, [&](size_t other) { return fact(other).hash == old.hash; });
        if (old.from.size() == 1 && may && !is_said_again)
          return refuse("adds a fact anew whose entry says what it said before: REPLACE " + old.id);
        break;  // of two entries one is enough
      }
    return {};
  }

  static bool contains_id(const std::vector<std::string>& ids, const std::string& id) {
    return std::ranges::find(ids, id) != ids.end();
  }

  // A trusted fact in the list lends its trust to its own words alone.
  Status check_laundering(const Operation& operation) {
    if (operation.kind != Kind::replace || is_verbatim_of_trusted(operation)) return {};
    Source least = entry(*operation.target).source;
    for (const size_t removed : removed_into(*operation.target)) least = std::max(least, entry(removed).source);
    if (least < Source::user) return {};
    const auto trusted = sources_of(operation, least);
    auto unknown = new_words(reader_, words_of(operation.text), trusted);
    for (std::string& value : invented_values(reader_, words_of(operation.text), all_of(operation, least)))
      unknown.push_back(std::move(value));
    if (unknown.empty()) return {};
    return refuse("rewrites what a person said with words that no fact of their trust has: " + listed(unknown));
  }

  const std::vector<Operation>& operations_;
  const Material& material_;
  const Cluster& cluster_;
  WordReader reader_;
  std::map<std::string, TextWords> words_;
  std::map<size_t, const Operation*> settled_by_;  // facts
  std::set<size_t> targets_;
};

}  // namespace

Status check_decision(const Decision& decision, const Material& material, const Cluster& cluster) {
  return DecisionCheck(decision, material, cluster).check();
}

}  // namespace loci
