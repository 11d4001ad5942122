#include "recall/ranking_plan.h"

#include <algorithm>

#include "base/unicode.h"
#include "recall/asking_words.h"
#include "recall/rarity.h"
#include "recall/word_forms.h"

namespace loci {
namespace {

TermKind kind_of(const QueryTerm& term) {
  if (term.prefix) return TermKind::prefix;
  return term.phrase ? TermKind::phrase : TermKind::word;
}

// An occurrence weighs this many twentieths: as it was asked for; with the same stem; another word of the family (word_forms.h);
// as what it was read as (spelling.h).
constexpr std::uint8_t exact_weight = PhraseMeaning::one, stem_weight = 11, family_weight = 16, misspelt_weight = 12;

struct Form {
  TermExpression expression;
  std::uint8_t weight = exact_weight;
  bool exact = true, repeats = false;
};

// If there is room.
void add_form(RankingPlan& plan, size_t term, const Form& form) {
  if (plan.meanings.size() + form.expression.phrases > Matches::max_phrases) return;
  if (!plan.expression.empty()) plan.expression += " OR ";
  plan.expression += form.expression.text;
  const PhraseMeaning meaning{static_cast<std::uint8_t>(term), form.weight, form.exact, form.repeats};
  plan.meanings.insert(plan.meanings.end(), form.expression.phrases, meaning);
}

// One scored term on its way into the plan.
struct Candidate {
  std::string word;         // the index term if it is a single plain one
  std::string typed;        // then folded as it was asked for
  std::string beginning;    // of a prefix of one plain word, folded
  std::vector<Form> forms;  // the term itself first
  double weight = 1, rarity = 1;
};

class Planner {
 public:
  Planner(IndexReader& reader, const Statistics& statistics)
      : reader_(reader), entries_(statistics.turns.entries + statistics.rest.entries) {}

  Result<RankingPlan> plan(const std::vector<QueryTerm>& terms) {
    for (const QueryTerm& term : terms) TRY(add_candidate(term));
    TRY(drop_common());
    if (candidates_.size() > Matches::max_terms) candidates_.resize(Matches::max_terms);
    for (const Candidate& candidate : candidates_) {
      plan_.weights.push_back(candidate.weight);
      plan_.rarities.push_back(candidate.rarity);
      plan_.words.push_back(candidate.typed);
    }
    for (size_t rank = 0; add_forms(rank); ++rank) {
    }
    return std::move(plan_);
  }

 private:
  Status add_candidate(const QueryTerm& term) {
    TermExpression expression = reader_.expression_for(term.text, kind_of(term));
    if (expression.phrases == 0 || expression.phrases > max_query_terms) return {};
    const bool known =
        std::ranges::any_of(candidates_, [&](const Candidate& c) { return c.forms[0].expression.text == expression.text; });
    if (known) return {};
    Candidate candidate;
    candidate.forms.push_back({std::move(expression)});
    candidate.rarity = rarity_of_term(term.text);
    if (!term.phrase && !term.prefix) add_word_forms(term.text, candidate);
    if (term.prefix && reader_.tokens_of(term.text).size() == 1) TRY(add_beginning(fold(term.text), candidate));
    candidates_.push_back(std::move(candidate));
    return {};
  }

  // Of several parts that of the rarest; an inflected form is as common as its stem.
  double rarity_of_term(const std::string& text) {
    const auto tokens = reader_.tokens_of(text);
    double rarity = 0;
    for (const std::string& token : tokens) rarity = std::max(rarity, rarity_of(token));
    return tokens.size() == 1 ? std::min({rarity, rarity_of(text), rarity_of(fold(text))}) : rarity;
  }

  // Where one term begins so, it is asked for itself: FTS5 puts the rows of a beginning together anew each time.
  Status add_beginning(const std::string& beginning, Candidate& candidate) {
    candidate.beginning = beginning;
    TermExpression expression;
    for (const std::string& begun : {beginning, original_mark + beginning}) {
      const auto terms = TRY(reader_.first_terms_beginning_with(begun, 2));
      if (terms.empty()) continue;
      if (expression.phrases++ > 0) expression.text += " OR ";
      expression.text += terms.size() == 1 ? quote_phrase(terms[0]) : quote_phrase(begun) + "*";
    }
    if (expression.phrases > 0) candidate.forms[0].expression = std::move(expression);
    return {};
  }

  // A word that is its own stem cannot be told from its inflected forms; of another one the index has it as it was written, too.
  void add_word_forms(const std::string& text, Candidate& candidate) {
    const std::string folded = fold(text);
    candidate.weight = weight_of_question_word(folded);
    auto tokens = reader_.tokens_of(text);
    if (tokens.size() == 1) {
      candidate.word = std::move(tokens[0]);
      candidate.typed = folded;
      if (candidate.word != folded) {
        candidate.forms[0] = {candidate.forms[0].expression, stem_weight, false, false};
        candidate.forms.push_back({{quote_phrase(original_mark + folded), 1}, exact_weight - stem_weight, true, true});
      }
    }
    for (const std::string_view form : other_forms(folded)) {
      TermExpression other = reader_.expression_for(form, TermKind::word);
      const bool same = std::ranges::any_of(candidate.forms, [&](const Form& f) { return f.expression.text == other.text; });
      if (other.phrases == 1 && !same) candidate.forms.push_back({std::move(other), family_weight, false, false});
    }
  }

  Status drop_common() {
    if (entries_ <= large_list || candidates_.size() < 2) return {};
    std::vector<bool> everywhere(candidates_.size(), false);
    for (size_t i = 0; i < candidates_.size(); ++i) {
      const auto rows = TRY(rows_with(candidates_[i]));
      everywhere[i] = rows > large_list && rows > entries_ / 2;
    }
    if (std::ranges::find(everywhere, false) == everywhere.end()) return {};
    size_t i = 0;
    std::erase_if(candidates_, [&](const Candidate&) { return everywhere[i++]; });
    return {};
  }

  // At least in how many rows it stands; 0 where that is not known without looking.
  Result<std::uint64_t> rows_with(const Candidate& candidate) {
    if (!candidate.word.empty()) return reader_.document_frequency(candidate.word);
    if (candidate.beginning.empty()) return 0;
    const auto among_stems = TRY(reader_.most_rows_with_beginning(candidate.beginning));
    const auto among_words = TRY(reader_.most_rows_with_beginning(original_mark + candidate.beginning));
    return std::max(among_stems, among_words);
  }

  // The form with that rank of each term, as far as there is room: what was asked for comes before other forms of it.
  bool add_forms(size_t rank) {
    bool any = false;
    for (size_t term = 0; term < candidates_.size(); ++term) {
      if (rank >= candidates_[term].forms.size()) continue;
      any = true;
      const Form& form = candidates_[term].forms[rank];
      add_form(plan_, term, form);
    }
    return any;
  }

  IndexReader& reader_;
  std::uint64_t entries_;
  std::vector<Candidate> candidates_;
  RankingPlan plan_;
};

}  // namespace

Result<RankingPlan> plan_ranking(IndexReader& reader, const std::vector<QueryTerm>& terms, const Statistics& statistics) {
  return Planner(reader, statistics).plan(terms);
}

void add_reading(IndexReader& reader, RankingPlan& plan, size_t term, std::string_view word) {
  add_form(plan, term, {reader.expression_for(word, TermKind::word), misspelt_weight, false, false});
}

std::string expression_of(IndexReader& reader, const QueryTerm& term) {
  return reader.expression_for(term.text, kind_of(term)).text;
}

}  // namespace loci
