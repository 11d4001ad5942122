#include "consolidate/decision_view.h"

#include <algorithm>
#include <array>

namespace loci {

using Kind = Operation::Kind;

const Operation* DecisionView::replacement_of(size_t entry) const {
  const auto found = std::ranges::find_if(
      operations_, [&](const Operation& operation) { return operation.kind == Kind::replace && operation.target == entry; });
  return found == operations_.end() ? nullptr : &*found;
}

std::vector<size_t> DecisionView::removed_into(size_t entry) const {
  std::vector<size_t> removed;
  for (const Operation& operation : operations_)
    if (operation.kind == Kind::remove && operation.into == entry) removed.push_back(*operation.target);
  return removed;
}

Source DecisionView::highest_trust(const Operation& operation) const {
  Source highest = Source::system;
  for (const size_t index : operation.facts) highest = std::max(highest, fact(index).source);
  return highest;
}

bool DecisionView::is_verbatim(const Operation& operation) const {
  return std::ranges::any_of(operation.facts, [&](size_t index) { return fact(index).text == operation.text; });
}

const TextWords& DecisionView::words_of(const std::string& text) {
  const auto [place, is_new] = words_.try_emplace(text);
  if (is_new) place->second = reader_.read(text);
  return place->second;
}

std::unexpected<Error> refusal_of(const DecisionView& view, const Operation& operation, const Error& why) {
  constexpr std::array<std::string_view, 5> names = {"ADD", "REPLACE", "REMOVE", "DUPLICATE", "IGNORE"};
  const auto number = &operation - view.operations().data() + 1;
  return fail(ErrorCode::refused, "operation " + std::to_string(number) + " (" +
                                      std::string(names[static_cast<size_t>(operation.kind)]) + ") " + why.message);
}

}  // namespace loci
