#include "consolidate/decide/decision_view.h"

#include <algorithm>

namespace loci {

using Kind = Operation::Kind;

const Operation* DecisionView::replacement_of(size_t entry) const {
  const auto found = std::ranges::find_if(
      operations_, [&](const Operation& operation) { return operation.kind == Kind::replace && operation.target == entry; });
  return found == operations_.end() ? nullptr : &*found;
}

const Operation* DecisionView::operation_with(size_t fact) const {
  const auto found = std::ranges::find_if(
      operations_, [&](const Operation& operation) { return std::ranges::find(operation.facts, fact) != operation.facts.end(); });
  return found == operations_.end() ? nullptr : &*found;
}

std::vector<size_t> DecisionView::removed_into(size_t entry) const {
  std::vector<size_t> removed;
  for (const Operation& operation : operations_)
    if (operation.kind == Kind::remove && operation.into == entry && operation.target && is_writable(*operation.target))
      removed.push_back(*operation.target);
  return removed;
}

Source DecisionView::highest_trust(const Operation& operation) const {
  Source highest = Source::system;
  for (const size_t index : operation.facts)
    if (is_here(index)) highest = std::max(highest, fact(index).source);
  return highest;
}

bool DecisionView::is_verbatim(const Operation& operation) const {
  return std::ranges::any_of(operation.facts, [&](size_t index) { return fact(index).text == operation.text; });
}

const Statement& DecisionView::statement(const std::string& text) {
  const auto [place, is_new] = statements_.try_emplace(text);
  if (is_new) place->second = read_statement(text);
  return place->second;
}

}  // namespace loci
