#include "consolidate/decide/statement_check.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/unicode.h"
#include "recall/function_words.h"

namespace loci {
namespace {

using Kind = Operation::Kind;

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out.append(out.empty() ? "\"" : ", \"").append(word).append("\"");
  return out;
}

std::vector<std::string> key_words(const std::vector<std::string>& about, const std::vector<std::string>& tags,
                                   const std::string& project) {
  std::vector<std::string> words;
  for (const auto* list : {&about, &tags})
    for (const std::string& word : *list) words.push_back(fold(word));
  if (!project.empty()) words.push_back(fold(project));
  return words;
}

class StatementCheck {
 public:
  StatementCheck(DecisionView& view, const Operation& operation) : view_(view), operation_(operation) {}

  std::vector<std::string> wrong() {
    if (operation_.kind == Kind::duplicate) check_duplicates();
    if (!DecisionView::writes_text(operation_)) return std::move(wrong_);
    const Statement& text = view_.statement(operation_.text);
    check_added(text);
    for (const size_t index : operation_.facts) check_fact(index, text);
    if (operation_.target) {
      check_entry(view_.entry(*operation_.target), text, "the entry");
      for (const size_t removed : view_.removed_into(*operation_.target))
        check_entry(view_.entry(removed), text, "the entry that is merged into it");
    }
    check_certainty_added(text);
    return std::move(wrong_);
  }

 private:
  Said said_by(const Fact& fact) {
    return {&view_.statement(fact.text), {fact.day}, key_words(fact.about, fact.tags, fact.project)};
  }

  Said said_by(const DurableEntry& entry) {
    Said said{&view_.statement(entry.text), entry.sources, key_words(entry.about, entry.tags, entry.project)};
    for (const std::string& day : {entry.first_seen, entry.updated})
      if (!day.empty()) said.days.push_back(day);
    return said;
  }

  // What the text may be made from: the facts of at least that trust, and the entries that are rewritten.
  std::vector<Said> all_said(Source least) {
    std::vector<Said> said;
    for (const size_t index : operation_.facts)
      if (view_.fact(index).source >= least) said.push_back(said_by(view_.fact(index)));
    if (!operation_.target) return said;
    said.push_back(said_by(view_.entry(*operation_.target)));
    for (const size_t removed : view_.removed_into(*operation_.target)) said.push_back(said_by(view_.entry(removed)));
    return said;
  }

  // A trusted fact in the list lends its trust to its own values alone.
  Source least_trust() const {
    if (!operation_.target) return Source::system;
    Source least = view_.entry(*operation_.target).source;
    for (const size_t removed : view_.removed_into(*operation_.target)) least = std::max(least, view_.entry(removed).source);
    return std::min(least, Source::user);
  }

  void check_added(const Statement& text) {
    if (view_.is_verbatim(operation_)) return;
    const auto said = all_said(Source::system);
    const auto values = values_from_nowhere(text, said), names = names_from_nowhere(text, said);
    if (!values.empty()) wrong_.push_back("has values that none of its facts and entries has: " + listed(values));
    if (!names.empty()) wrong_.push_back("has names that none of its facts and entries has: " + listed(names));
    if (least_trust() < Source::user || !values.empty() || !names.empty()) return;
    const auto trusted = all_said(Source::user);
    auto unproven = values_from_nowhere(text, trusted);
    std::ranges::move(names_from_nowhere(text, trusted), std::back_inserter(unproven));
    if (!unproven.empty())
      wrong_.push_back("writes into a person's entry what only an agent's facts say (ADD it beside): " + listed(unproven));
  }

  // --- what may not be lost ---

  struct Missing {
    std::vector<std::string> values, names;
  };

  // What a newer or equally trusted fact of the operation names as wrong or former: "not Jon", "instead of 14:00".
  bool is_named_wrong(const std::string& folded, Source holder) {
    return std::ranges::any_of(operation_.facts, [&](size_t index) {
      const Statement& fact = view_.statement(view_.fact(index).text);
      if (view_.fact(index).source < std::max(holder, Source::user)) return false;
      for (size_t i = 0; i < fact.words.size(); ++i)
        if (fact.named_wrong[i] && fact.words[i].folded == folded) return true;
      return false;
    });
  }

  bool is_value_named_wrong(const Value& value, Source holder) {
    return std::ranges::any_of(operation_.facts, [&](size_t index) {
      const Statement& fact = view_.statement(view_.fact(index).text);
      if (view_.fact(index).source < std::max(holder, Source::user)) return false;
      return std::ranges::any_of(fact.values, [&](const Value& other) {
        return fact.named_wrong[other.word] && other.kind == value.kind && other.key == value.key;
      });
    });
  }

  // A text that changes an entry keeps what was; one that corrects it, or is new, leaves out what was never so.
  bool may_leave_wrong_out() const { return operation_.kind != Kind::replace || operation_.is_correction; }

  Missing missing(const Said& said, const Statement& text, Source holder) {
    Missing lost;
    const bool may = may_leave_wrong_out();
    for (const size_t i : values_missing(said, text)) {
      const Value& value = said.statement->values[i];
      if (may && is_value_named_wrong(value, holder)) continue;
      lost.values.push_back(value.written);
    }
    for (const size_t i : names_missing(said, text)) {
      const Name& name = said.statement->names[i];
      if (may && is_named_wrong(name.folded, holder)) continue;
      if (is_users_name(name.folded)) continue;
      lost.names.push_back(name.written);
    }
    return lost;
  }

  void tell(const Missing& lost, const std::string& whose) {
    if (!lost.values.empty()) wrong_.push_back("leaves out values of " + whose + ": " + listed(lost.values));
    if (!lost.names.empty()) wrong_.push_back("leaves out names of " + whose + ": " + listed(lost.names));
  }

  void check_fact(size_t index, const Statement& text) {
    const Fact& fact = view_.fact(index);
    if (fact.text == operation_.text) return;
    const Said said = said_by(fact);
    if (fact.source >= Source::user)
      tell(short_of_long(fact, said, missing(said, text, fact.source)), "the fact \"" + opening(fact.text) + "\"");
    if (fact.source < view_.highest_trust(operation_)) return;
    const bool is_contrast = may_leave_wrong_out() && denies_only_in_contrast(said.statement->words, said.statement->language);
    if (!is_contrast && loses_negation(said.statement->negation, text.negation))
      wrong_.push_back("leaves out the \"not\" of the fact \"" + opening(fact.text) + "\"");
    if (loses_hedge(*said.statement, text))
      wrong_.push_back("says as certain or done what is only possible, planned or wanted in the fact \"" + opening(fact.text) +
                       "\"");
  }

  // Of what is longer than a text may be, half of the values have to do.
  static Missing short_of_long(const Fact& fact, const Said& said, Missing lost) {
    if (count_code_points(fact.text) <= longest_entry_text) return lost;
    if (2 * lost.values.size() <= said.statement->values.size()) lost.values.clear();
    if (2 * lost.names.size() <= said.statement->names.size()) lost.names.clear();
    return lost;
  }

  void check_entry(const DurableEntry& entry, const Statement& text, const std::string& whose) {
    if (rests_only_on_facts(entry)) return;
    const Said said = said_by(entry);
    Missing lost = missing(said, text, entry.source);
    // Of the target only: what is merged into it was never said to be wrong.
    if (operation_.is_correction && &entry == &view_.entry(*operation_.target)) leave_out_replaced(lost, said, text);
    leave_out_history(lost, entry);
    tell(lost, whose);
    if (operation_.is_correction) return;
    if (loses_negation(said.statement->negation, text.negation)) wrong_.push_back("leaves out the \"not\" of " + whose);
    if (loses_hedge(*said.statement, text)) wrong_.push_back("says as certain what is only possible or planned in " + whose);
  }

  // An entry that rests on nothing but these facts says nothing that they do not say: a person edited them since.
  bool rests_only_on_facts(const DurableEntry& entry) const {
    return !entry.from.empty() && std::ranges::all_of(entry.from, [&](const std::string& id) {
      return std::ranges::any_of(operation_.facts, [&](size_t index) { return view_.fact(index).id == id; });
    });
  }

  // A correction puts a new value of a kind in the place of an old one.
  void leave_out_replaced(Missing& lost, const Said& said, const Statement& text) {
    std::map<Value::Kind, size_t> fresh;
    for (const Value& value : text.values) {
      const Statement one{text.words, text.language, {value}, {}, {}, {}, {}};
      if (!value.is_weak && !values_from_nowhere(one, std::span(&said, 1)).empty()) ++fresh[value.kind];
    }
    const auto missing_now = values_missing(said, text);
    std::map<Value::Kind, size_t> gone;
    for (const size_t i : missing_now) ++gone[said.statement->values[i].kind];
    std::erase_if(lost.values, [&](const std::string& written) {
      return std::ranges::any_of(missing_now, [&](size_t i) {
        const Value& value = said.statement->values[i];
        return value.written == written && gone[value.kind] <= fresh[value.kind];
      });
    });
    const auto new_names = names_from_nowhere(text, std::span(&said, 1));
    if (names_missing(said, text).size() <= new_names.size()) lost.names.clear();
  }

  void leave_out_history(Missing& lost, const DurableEntry& entry) {
    for (const FormerState& former : entry.state.history) {
      const Statement& state = view_.statement(former.text);
      std::erase_if(lost.values, [&](const std::string& written) {
        return std::ranges::any_of(state.values, [&](const Value& value) { return value.written == written; });
      });
      std::erase_if(lost.names, [&](const std::string& written) { return has_name(state.words, fold(written)); });
    }
  }

  // --- certainty ---

  bool loses_hedge(const Statement& from, const Statement& to) const {
    if (to.hedges.any()) return false;
    const bool is_lost = from.hedges.guesses || (from.hedges.wishes && !to.hedges.intends);
    if (!is_lost) return false;
    const auto is_new = [&](const std::string& turn) {
      return std::ranges::find(from.negation.turns, turn) == from.negation.turns.end();
    };
    return std::ranges::none_of(to.negation.turns, is_new);  // "cancelled", "previously planned"
  }

  void check_certainty_added(const Statement& text) {
    if (view_.is_verbatim(operation_)) return;
    const auto said = all_said(Source::system);
    const auto any = [&](auto&& has) { return std::ranges::any_of(said, [&](const Said& one) { return has(*one.statement); }); };
    if (text.negation.denies &&
        !any([&](const Statement& one) { return one.negation.denies || !loses_negation(text.negation, one.negation); }))
      wrong_.emplace_back("says \"not\" where none of its facts and entries does");
    const bool tells_later = text.hedges.only_could && any([](const Statement& one) { return one.hedges.can; });
    if (text.hedges.guesses && !tells_later && !any([](const Statement& one) { return one.hedges.any(); }))
      wrong_.emplace_back("says as possible what its facts say as certain");
  }

  // --- duplicates ---

  // The texts that a fact is said to be in. For a duplicate of an entry that is rewritten, old and new.
  std::vector<const std::string*> texts_that_stay() const {
    if (operation_.same_as_fact) {
      const Operation* home = view_.operation_with(*operation_.same_as_fact);
      if (home && DecisionView::writes_text(*home)) return {&home->text};
      return {&view_.fact(*operation_.same_as_fact).text};
    }
    std::vector<const std::string*> texts = {&view_.entry(*operation_.same_as_entry).text};
    if (const Operation* rewriting = view_.replacement_of(*operation_.same_as_entry)) texts.push_back(&rewriting->text);
    return texts;
  }

  void check_duplicates() {
    for (const size_t index : operation_.facts) {
      std::vector<std::string> first;
      bool is_in_one = false;
      for (const std::string* text : texts_that_stay()) {
        auto wrong = wrong_in_duplicate(view_.fact(index), *text);
        is_in_one = is_in_one || wrong.empty();
        if (first.empty()) first = std::move(wrong);
      }
      if (!is_in_one) std::ranges::move(first, std::back_inserter(wrong_));
    }
  }

  std::vector<std::string> wrong_in_duplicate(const Fact& fact, const std::string& kept) {
    if (fact.text == kept) return {};
    const Said said = said_by(fact);
    const Statement &from = *said.statement, &text = view_.statement(kept);
    const bool is_persons = fact.source >= Source::user;
    std::vector<std::string> wrong;
    std::vector<std::string> lost;
    for (const size_t i : values_missing(said, text)) lost.push_back(from.values[i].written);
    for (const size_t i : names_missing(said, text))
      if (!is_users_name(from.names[i].folded) && (is_persons || !from.names[i].opens)) lost.push_back(from.names[i].written);
    const std::string that = "the text that stays (\"" + opening(kept) + "\")";
    if (!lost.empty()) wrong.push_back("is no duplicate: " + that + " does not have " + listed(lost));
    const bool has_value = std::ranges::any_of(from.values, [](const Value& value) { return !value.is_weak; });
    if (!is_persons && !has_value) return wrong;
    if (loses_negation(from.negation, text.negation)) wrong.push_back("is no duplicate: " + that + " has no \"not\"");
    if (!from.negation.denies && text.negation.in_each_part && loses_negation(text.negation, from.negation))
      wrong.push_back("is no duplicate: " + that + " says \"not\"");
    if (is_persons && loses_hedge(from, text)) wrong.push_back("is no duplicate: " + that + " says it as certain");
    const bool is_one_sentence = text.words.empty() || text.words.back().sentence == 0;
    if (is_persons && is_one_sentence && text.hedges.guesses && !from.hedges.any())
      wrong.push_back("is no duplicate: " + that + " says it as possible only");
    return wrong;
  }

  // --- words for a person ---

  static std::string opening(const std::string& text) {
    constexpr size_t most = 60;
    std::string start;
    for (size_t at = 0, count = 0; at < text.size() && count < most; ++count) append_code_point(start, decode_code_point(text, at));
    std::ranges::replace(start, '\n', ' ');
    return start.size() < text.size() ? start + "…" : start;
  }

  // "My name is Anna": her name need not stand in every text about her.
  bool is_users_name(const std::string& folded) {
    if (!users_names_) {
      users_names_.emplace();
      for (const size_t index : view_.cluster().facts) add_users_names(view_.fact(index).text);
      for (const auto* list : {&view_.cluster().writable, &view_.cluster().shown})
        for (const size_t index : *list) add_users_names(view_.entry(index).text);
    }
    return users_names_->contains(folded);
  }

  void add_users_names(const std::string& text) {
    const auto& words = view_.statement(text).words;
    const auto at = [&](size_t i) { return i < words.size() ? std::string_view(words[i].folded) : std::string_view(); };
    size_t begin = 0;
    if ((at(0) == "my" || at(0) == "user") && at(1) == "name" && at(2) == "is") begin = 3;
    if (at(0) == "name" && at(1) == "is") begin = 2;
    if ((at(0) == "ich" && at(1) == "heisse") || (at(0) == "me" && at(1) == "llamo")) begin = 2;
    for (size_t i = begin;
         begin > 0 && i < words.size() && begins_with_capital(words[i].written) && words[i].clause == words[begin].clause; ++i)
      users_names_->insert(words[i].folded);
  }

  DecisionView& view_;
  const Operation& operation_;
  std::vector<std::string> wrong_;
  std::optional<std::set<std::string>> users_names_;
};

bool is_telling(const WrittenWord& word) { return word.is_cjk || (word.folded.size() > 2 && !is_function_word(word.folded)); }

}  // namespace

std::vector<std::string> wrong_in_statement(DecisionView& view, const Operation& operation) {
  return StatementCheck(view, operation).wrong();
}

bool is_about(DecisionView& view, const Fact& fact, const DurableEntry& entry) {
  const auto is_shared = [&](const std::string& key) {
    return key != "user" && std::ranges::find(entry.about, key) != entry.about.end();
  };
  if (std::ranges::any_of(fact.about, is_shared)) return true;
  const Statement &said = view.statement(fact.text), &before = view.statement(entry.text);
  for (const Name& name : said.names)
    if (has_name(before.words, name.folded)) return true;
  for (const Name& name : before.names)
    if (has_name(said.words, name.folded)) return true;
  for (size_t i = 0; i < said.words.size(); ++i)
    if (said.named_wrong[i] && is_telling(said.words[i]) && has_name(before.words, said.words[i].folded)) return true;
  const Said one{&said, {}, {}};
  return std::ranges::any_of(before.values, [&](const Value& value) {
    const Statement only{before.words, before.language, {value}, {}, {}, {}, {}};
    const bool counts = !value.is_weak && value.kind != Value::Kind::year && value.kind != Value::Kind::weekday;
    return counts && std::ranges::any_of(said.values, [&](const Value& other) { return other.kind == value.kind; }) &&
           values_from_nowhere(only, std::span(&one, 1)).empty();
  });
}

}  // namespace loci
