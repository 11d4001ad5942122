#include "capture/session_summary.h"

#include <algorithm>

#include "capture/excerpt.h"

namespace loci {
namespace {

constexpr size_t longest_line = 160;

std::string span_of_time(const Clock& clock, std::span<const SaidTurn> turns) {
  std::optional<Instant> first, last;
  for (const SaidTurn& turn : turns) {
    if (!turn.at) continue;
    first = first ? std::min(*first, *turn.at) : *turn.at;
    last = last ? std::max(*last, *turn.at) : *turn.at;
  }
  if (!first) return {};
  const std::string from = clock.local_date(*first), to = clock.local_date(*last);
  return from == to ? " on " + from : " from " + from + " to " + to;
}

std::string opening(const SaidTurn& first) {
  const bool is_user = !first.user.empty();
  const std::string who = is_user ? "The user began" : "The assistant began";
  return first.is_unstored ? who + '.' : who + ": " + first_sentences(is_user ? first.user : first.assistant, longest_line);
}

}  // namespace

std::string summary_by_rule(const Clock& clock, std::span<const SaidTurn> turns) {
  const std::string count = std::to_string(turns.size()) + (turns.size() == 1 ? " turn" : " turns");
  std::string text = "Conversation of " + count + span_of_time(clock, turns) + ". " + opening(turns.front());
  std::string list;
  size_t listed = 0, left_out = 0;
  for (const SaidTurn& turn : turns.subspan(1)) {
    if (turn.user.empty() || turn.is_unstored) continue;
    if (listed == most_listed_turns) {
      ++left_out;
      continue;
    }
    list += "\n- " + first_sentences(turn.user, longest_line);
    ++listed;
  }
  if (left_out > 0) list += "\n- … and " + std::to_string(left_out) + " more";
  return list.empty() ? text : text + "\n\nThen:" + list;
}

}  // namespace loci
