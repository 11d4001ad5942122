#include "consolidate/decide/history.h"

#include <algorithm>

#include "base/unicode.h"

namespace loci {
namespace {

constexpr std::string_view history_key = "history", as_is_key = "asis";

const Json* value_of(const Metadata& metadata, std::string_view key) {
  for (const auto& [name, value] : metadata.unknown)
    if (name == key) return &value;
  return nullptr;
}

}  // namespace

std::vector<FormerState> history_in(const Metadata& metadata) {
  std::vector<FormerState> history;
  const Json* list = value_of(metadata, history_key);
  const Json::Array* states = list ? list->as_array() : nullptr;
  if (!states) return history;
  for (const Json& state : *states)
    if (state.as_object() && !state.text_at("text").empty()) add_to_history(history, {state.text_at("day"), state.text_at("text")});
  return history;
}

bool is_as_it_was_said(const Metadata& metadata) {
  const Json* value = value_of(metadata, as_is_key);
  return value && value->as_integer() && *value->as_integer() == 1;
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

void write_history(Metadata& metadata, const std::vector<FormerState>& history, bool as_it_was_said) {
  std::erase_if(metadata.unknown, [](const auto& key) { return key.first == history_key || key.first == as_is_key; });
  if (as_it_was_said) metadata.unknown.emplace_back(as_is_key, Json(std::int64_t{1}));
  if (history.empty()) return;
  Json states = Json::array();
  for (const FormerState& state : history) states.push_back(Json::Object{{"day", state.day}, {"text", state.text}});
  metadata.unknown.emplace_back(history_key, std::move(states));
}

}  // namespace loci
