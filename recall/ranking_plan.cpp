#include "recall/ranking_plan.h"

#include <algorithm>

#include "base/unicode.h"
#include "recall/word_forms.h"

namespace loci {
namespace {

TermKind kind_of(const QueryTerm& term) {
  if (term.prefix) return TermKind::prefix;
  return term.phrase ? TermKind::phrase : TermKind::word;
}

// One scored term on its way into the plan.
struct Candidate {
  std::string word;                   // the index term if it is a single plain one: it may lead a text or pair up
  std::vector<TermExpression> forms;  // the term itself first
  bool common = false;                // stands in so many rows that refinements would cost more than they tell
};

class Planner {
 public:
  Planner(IndexReader& reader, const Statistics& statistics)
      : reader_(reader), entries_(statistics.turns.entries + statistics.rest.entries), has_turns_(statistics.turns.entries > 0) {}

  Result<RankingPlan> plan(const std::vector<QueryTerm>& terms) {
    for (const QueryTerm& term : terms) add_candidate(term);
    TRY(drop_common());
    for (const Candidate& candidate : candidates_) add_term(candidate);
    for (size_t i = 0; i < candidates_.size(); ++i) add_other_forms(candidates_[i], plan_.terms[i]);
    for (size_t i = 0; i + 1 < candidates_.size(); ++i) add_pair(candidates_[i], candidates_[i + 1]);
    for (size_t i = 0; has_turns_ && i < candidates_.size(); ++i) add_leading(candidates_[i], plan_.terms[i]);
    return std::move(plan_);
  }

 private:
  void add_candidate(const QueryTerm& term) {
    TermExpression expression = reader_.expression_for(term.text, kind_of(term));
    if (expression.phrases == 0 || expression.phrases > max_query_terms) return;
    const bool known = std::ranges::any_of(candidates_, [&](const Candidate& c) { return c.forms[0].text == expression.text; });
    if (known) return;
    Candidate candidate;
    candidate.forms.push_back(std::move(expression));
    if (!term.phrase && !term.prefix) {
      auto tokens = reader_.tokens_of(term.text);
      if (tokens.size() == 1) candidate.word = std::move(tokens[0]);
      for (const std::string_view form : other_forms(fold(term.text))) {
        TermExpression other = reader_.expression_for(form, TermKind::word);
        const bool same = std::ranges::any_of(candidate.forms, [&](const TermExpression& f) { return f.text == other.text; });
        if (other.phrases == 1 && !same) candidate.forms.push_back(std::move(other));
      }
    }
    candidates_.push_back(std::move(candidate));
  }

  Status drop_common() {
    if (entries_ <= large_list) return {};
    std::vector<bool> everywhere(candidates_.size(), false);
    for (size_t i = 0; i < candidates_.size(); ++i) {
      if (candidates_[i].word.empty()) continue;
      const auto rows = TRY(reader_.document_frequency(candidates_[i].word));
      candidates_[i].common = rows > large_list;
      everywhere[i] = candidates_[i].common && rows > entries_ / 2;
    }
    if (std::ranges::find(everywhere, false) == everywhere.end()) return {};
    size_t i = 0;
    std::erase_if(candidates_, [&](const Candidate&) { return everywhere[i++]; });
    return {};
  }

  // The number of its first phrase, if there is room.
  std::optional<size_t> add(const std::string& expression, size_t phrases) {
    if (plan_.phrases + phrases > Matches::max_phrases) return std::nullopt;
    if (!plan_.expression.empty()) plan_.expression += " OR ";
    plan_.expression += expression;
    plan_.phrases += phrases;
    return plan_.phrases - phrases;
  }

  void add_phrases(const TermExpression& form, RankingPlan::Term& term) {
    const auto first = add(form.text, form.phrases);
    for (size_t i = 0; first && i < form.phrases; ++i) term.phrases.push_back(*first + i);
  }

  void add_term(const Candidate& candidate) { add_phrases(candidate.forms[0], plan_.terms.emplace_back()); }

  void add_other_forms(const Candidate& candidate, RankingPlan::Term& term) {
    for (size_t i = 1; i < candidate.forms.size(); ++i) add_phrases(candidate.forms[i], term);
  }

  void add_pair(const Candidate& left, const Candidate& right) {
    if (left.word.empty() || right.word.empty() || left.common || right.common) return;
    // A word of the text may stand between them, or the other order be used: "books about dragons", "dragon books".
    const std::string near = "NEAR(" + quote_phrase(left.word) + " " + quote_phrase(right.word) + ", 2)";
    if (const auto phrase = add(near, 2)) plan_.pairs.push_back(*phrase);
  }

  void add_leading(const Candidate& candidate, RankingPlan::Term& term) {
    if (!candidate.word.empty() && !candidate.common) term.leading = add("^" + quote_phrase(candidate.word), 1);
  }

  IndexReader& reader_;
  std::uint64_t entries_;
  bool has_turns_;
  std::vector<Candidate> candidates_;
  RankingPlan plan_;
};

}  // namespace

Result<RankingPlan> plan_ranking(IndexReader& reader, const std::vector<QueryTerm>& terms, const Statistics& statistics) {
  return Planner(reader, statistics).plan(terms);
}

std::string expression_of(IndexReader& reader, const QueryTerm& term) {
  return reader.expression_for(term.text, kind_of(term)).text;
}

}  // namespace loci
