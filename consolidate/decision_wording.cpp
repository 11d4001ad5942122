#include "consolidate/decision_wording.h"

#include <algorithm>
#include <span>

#include "base/unicode.h"
#include "words/meaning.h"
#include "words/wording.h"

namespace loci {
namespace {

using Kind = Operation::Kind;

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out.append(out.empty() ? "" : ", ").append(word);
  return out;
}

std::unexpected<Error> refuse(std::string message) { return fail(ErrorCode::refused, std::move(message)); }

class WordingCheck {
 public:
  explicit WordingCheck(DecisionView& view) : view_(view) {}

  Status check_losses_of_words(const Operation& operation) {
    if (operation.kind != Kind::replace) return {};
    const DurableEntry& target = view_.entry(*operation.target);
    const TextWords& now = view_.words_of(operation.text);
    if (!operation.is_correction && !rests_only_on(target, operation))
      if (const auto dropped = dropped_words(view_.reader(), view_.words_of(target.text), now); !dropped.empty())
        return refuse("drops what the entry said: " + listed(dropped));
    for (const size_t removed : view_.removed_into(*operation.target)) {
      auto dropped = dropped_words(view_.reader(), view_.words_of(view_.entry(removed).text), now);
      // The wrong value that a correction takes away may stand in both.
      if (operation.is_correction)
        std::erase_if(dropped, [&](const std::string& word) {
          return std::ranges::any_of(view_.words_of(target.text).words, [&](const TextWord& old) { return old.folded == word; });
        });
      if (!dropped.empty()) return refuse("drops what the entry that it takes in said: " + listed(dropped));
    }
    return {};
  }

  Status check_values(const Operation& operation) {
    if (!DecisionView::writes_text(operation) || view_.is_verbatim(operation)) return {};
    const auto invented = invented_values(view_.reader(), view_.words_of(operation.text), all_of(operation, Source::system));
    return invented.empty() ? Status() : refuse("has values that neither its facts nor its entry have: " + listed(invented));
  }

  // A fact is settled only into a text that says it: else it would be ignored by another name.
  Status check_traces(const Operation& operation) {
    if (!DecisionView::writes_text(operation) && operation.kind != Kind::duplicate) return {};
    for (const size_t index : operation.facts) {
      const Fact& said = view_.fact(index);
      const bool is_in_one = std::ranges::any_of(
          texts_for(operation), [&](const std::string* text) { return *text == said.text || keeps(operation, said, *text); });
      const std::string_view what = said.source < Source::user ? "a fact" : "what a person said";
      if (!is_in_one) return refuse("settles " + std::string(what) + " into a text that does not say it: " + said.id);
    }
    return {};
  }

  // A "not" is neither dropped nor added. Of the facts that a text is written from, those trusted most count.
  Status check_contradictions(const Operation& operation) {
    if (!DecisionView::writes_text(operation) && operation.kind != Kind::duplicate) return {};
    const Source highest = view_.highest_trust(operation);
    for (const size_t index : operation.facts) {
      if (DecisionView::writes_text(operation) && view_.fact(index).source < highest) continue;
      const auto texts = texts_for(operation);
      if (std::ranges::none_of(texts, [&](const std::string* text) { return agrees(operation, view_.fact(index).text, *text); }))
        return refuse("says the opposite of a fact, with a \"not\" more or less: " + view_.fact(index).id);
    }
    return {};
  }

  // What turns a meaning without a "not" is neither dropped nor added.
  Status check_reversals(const Operation& operation) {
    if (!DecisionView::writes_text(operation) && operation.kind != Kind::duplicate) return {};
    const Source highest = view_.highest_trust(operation);
    for (const size_t index : operation.facts) {
      if (DecisionView::writes_text(operation) && view_.fact(index).source < highest) continue;
      const TextWords& said = view_.words_of(view_.fact(index).text);
      const auto texts = texts_for(operation);
      if (std::ranges::all_of(texts,
                              [&](const std::string* text) { return loses_reversal(view_.reader(), said, view_.words_of(*text)); }))
        return refuse("leaves out the word that turns what a fact says: " + view_.fact(index).id);
    }
    if (!DecisionView::writes_text(operation)) return {};
    const auto added = added_reversals(view_.words_of(operation.text), sources_of(operation, Source::system));
    return added.empty() ? Status() : refuse("has words that turn what its facts say: " + listed(added));
  }

  // A trusted fact in the list lends its trust to its own words alone.
  Status check_laundering(const Operation& operation) {
    if (operation.kind != Kind::replace || is_verbatim_of_trusted(operation)) return {};
    Source least = view_.entry(*operation.target).source;
    for (const size_t removed : view_.removed_into(*operation.target)) least = std::max(least, view_.entry(removed).source);
    if (least < Source::user) return {};
    least = Source::user;  // what was corrected may go on with what a person says later
    const auto trusted = sources_of(operation, least);
    auto unknown = new_words(view_.reader(), view_.words_of(operation.text), trusted);
    for (std::string& value : invented_values(view_.reader(), view_.words_of(operation.text), all_of(operation, least)))
      unknown.push_back(std::move(value));
    if (unknown.empty()) return {};
    return refuse("rewrites what a person said with words that no fact of their trust has: " + listed(unknown));
  }

  // A model may word what it was told anew, not add to it.
  Status check_additions(const Operation& operation) {
    if (!DecisionView::writes_text(operation) || view_.is_verbatim(operation)) return {};
    const TextWords& text = view_.words_of(operation.text);
    const auto sources = all_of(operation, Source::system).texts;
    const auto unknown = new_words(view_.reader(), text, sources);
    if (unknown.size() <= words_from(view_.reader(), text, sources)) return {};
    return refuse("says more that is new than what its facts and its entry say: " + listed(unknown));
  }

 private:
  // An entry that rests on nothing but these facts says nothing that they do not say: a person edited them since.
  bool rests_only_on(const DurableEntry& target, const Operation& operation) const {
    return !target.from.empty() && std::ranges::all_of(target.from, [&](const std::string& id) {
      return std::ranges::any_of(operation.facts, [&](size_t index) { return view_.fact(index).id == id; });
    });
  }

  void add_source(Sources& sources, const DurableEntry& source) {
    sources.texts.push_back(view_.words_of(source.text));
    sources.texts.push_back(view_.reader().read(source.project + " " + listed(source.tags) + ", " + listed(source.about)));
    sources.days.insert(sources.days.end(), source.sources.begin(), source.sources.end());
    sources.days.push_back(source.first_seen);
    sources.days.push_back(source.updated);
  }

  bool is_verbatim_of_trusted(const Operation& operation) const {
    return std::ranges::any_of(operation.facts, [&](size_t index) {
      return view_.fact(index).text == operation.text && view_.fact(index).source >= view_.entry(*operation.target).source;
    });
  }

  // What values may come from: the facts of at least that trust, and the entries that are rewritten.
  Sources all_of(const Operation& operation, Source least) {
    Sources sources;
    for (const size_t index : operation.facts) {
      const Fact& source = view_.fact(index);
      if (source.source < least) continue;
      sources.texts.push_back(view_.words_of(source.text));
      sources.texts.push_back(view_.reader().read(source.project + " " + listed(source.tags) + ", " + listed(source.about)));
      sources.days.push_back(source.day);
      sources.fact_days.push_back(source.day);
    }
    if (operation.target) {
      add_source(sources, view_.entry(*operation.target));
      for (const size_t removed : view_.removed_into(*operation.target)) add_source(sources, view_.entry(removed));
    }
    return sources;
  }

  // The texts that a fact is said to be in. For a duplicate of an entry that is rewritten, old and new.
  std::vector<const std::string*> texts_for(const Operation& operation) const {
    if (operation.kind != Kind::duplicate) return {&operation.text};
    if (operation.same_as_fact) return {&view_.fact(*operation.same_as_fact).text};
    std::vector<const std::string*> texts = {&view_.entry(*operation.same_as_entry).text};
    if (const Operation* rewriting = view_.replacement_of(*operation.same_as_entry)) texts.push_back(&rewriting->text);
    return texts;
  }

  // Does the text say what the fact says? Of what a person said a duplicate has all, a text that is written at least half, and
  // every value. Of an agent's fact a duplicate has half, and its values; a text that is written, something.
  bool keeps(const Operation& operation, const Fact& said, const std::string& text) {
    const TextWords &fact_words = view_.words_of(said.text), &words = view_.words_of(text);
    const Coverage found = coverage(view_.reader(), fact_words, words);
    // Something that is corrected in the same breath need not stand.
    if (said.source < view_.highest_trust(operation)) return found.has_a_trace();
    const Kept kept = kept_words(view_.reader(), fact_words, words);
    if (said.source < Source::user)
      return operation.kind == Kind::duplicate ? kept.at_least_half() && kept.missing_values.empty() : found.has_a_word();
    if (swaps_values(fact_words, words)) return false;
    if (swaps_places(view_.reader(), fact_words, words, sources_of(operation, Source::system))) return false;
    if (operation.kind == Kind::duplicate) return kept.missing.empty() && kept.missing_values.empty();
    if (count_code_points(said.text) > longest_entry_text) return found.has_a_trace() && kept.at_least_half();
    return kept.at_least_half() && kept.missing_values.empty();
  }

  // May the fact be settled into the text? A written one may say that what the fact says is over: "no longer".
  bool agrees(const Operation& operation, const std::string& fact_text, const std::string& text) {
    const TextWords &said = view_.words_of(fact_text), &words = view_.words_of(text);
    if (denies(said, words)) return false;
    if (!denies(words, said)) return true;
    // "Avoids nuts" may become "does not eat nuts", not "does not avoid nuts".
    const auto turns = [](const TextWord& word) { return is_reversing(word); };
    const bool is_turned = std::ranges::any_of(said.words, turns) && std::ranges::none_of(words.words, turns);
    return DecisionView::writes_text(operation) && (words.tells_of_past || is_turned);
  }

  // The texts that a new one is written from.
  std::vector<TextWords> sources_of(const Operation& operation, Source least) {
    std::vector<TextWords> sources;
    for (const size_t index : operation.facts)
      if (view_.fact(index).source >= least) sources.push_back(view_.words_of(view_.fact(index).text));
    if (!operation.target) return sources;
    sources.push_back(view_.words_of(view_.entry(*operation.target).text));
    for (const size_t removed : view_.removed_into(*operation.target)) sources.push_back(view_.words_of(view_.entry(removed).text));
    return sources;
  }

  DecisionView& view_;
};

}  // namespace

Status check_wording(DecisionView& view) {
  WordingCheck check(view);
  for (const auto rule : {&WordingCheck::check_losses_of_words, &WordingCheck::check_values, &WordingCheck::check_traces,
                          &WordingCheck::check_contradictions, &WordingCheck::check_reversals, &WordingCheck::check_laundering,
                          &WordingCheck::check_additions})
    for (const Operation& operation : view.operations())
      if (auto allowed = (check.*rule)(operation); !allowed) return refusal_of(view, operation, allowed.error());
  return {};
}

}  // namespace loci
