#include "consolidate/decide/history.h"

#include <algorithm>

#include "base/unicode.h"

namespace loci {
namespace {

constexpr std::string_view history_key = "history", as_is_key = "asis", against_key = "against";

const Json* value_of(const Metadata& metadata, std::string_view key) {
  for (const auto& [name, value] : metadata.unknown)
    if (name == key) return &value;
  return nullptr;
}

}  // namespace

EntryState state_in(const Metadata& metadata) {
  EntryState state;
  for (FormerState& former : former_states_in(metadata)) add_to_history(state.history, std::move(former));
  if (const Json* value = value_of(metadata, as_is_key); value && value->as_integer())
    state.as_it_was_said = *value->as_integer() == 1   ? AsSaid::to_be_offered
                           : *value->as_integer() == 2 ? AsSaid::offered_again
                                                       : AsSaid::no;
  if (const Json* value = value_of(metadata, against_key); value && value->as_string()) state.against = *value->as_string();
  return state;
}

void add_to_history(std::vector<FormerState>& history, FormerState state) {
  if (!history.empty() && history.back().text == state.text) return;
  history.push_back(std::move(state));
  size_t characters = 0, first = history.size();
  while (first > 0 && history.size() - first < most_former_states) {
    characters += count_code_points(history[first - 1].text);
    if (characters > longest_history) break;
    --first;
  }
  history.erase(history.begin(), history.begin() + static_cast<std::ptrdiff_t>(first));
}

void write_state(Metadata& metadata, const EntryState& state) {
  std::erase_if(metadata.unknown,
                [](const auto& key) { return key.first == history_key || key.first == as_is_key || key.first == against_key; });
  if (state.as_it_was_said != AsSaid::no)
    metadata.unknown.emplace_back(as_is_key, Json(static_cast<std::int64_t>(state.as_it_was_said)));
  if (!state.against.empty()) metadata.unknown.emplace_back(against_key, Json(state.against));
  if (state.history.empty()) return;
  Json states = Json::array();
  for (const FormerState& one : state.history) states.push_back(Json::Object{{"day", one.day}, {"text", one.text}});
  metadata.unknown.emplace_back(history_key, std::move(states));
}

}  // namespace loci
