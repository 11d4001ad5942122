#include "recall/question_fit.h"

#include <algorithm>
#include <cmath>

namespace loci {
namespace {

// What the question does not ask of: the assistant's turns; if it asks what the assistant said, the others.
constexpr double other_speaker = 0.7;
constexpr double first_person_bonus = 1.15, asked_kind_bonus = 1.2;
constexpr double day_bonus = 0.8, day_spread = 3;

}  // namespace

double role_of(const EntryColumns& columns, const QuestionCues& cues) {
  const bool assistants = columns.speaker == Speaker::assistant;
  double role = 1;
  if (columns.speaker != Speaker::unknown && assistants != cues.of_assistant) role = other_speaker;
  if (assistants) return role;
  if (columns.traits.first_person) role *= first_person_bonus;
  if (cues.number && columns.traits.number) role *= asked_kind_bonus;
  if (cues.time && (columns.traits.time || columns.traits.number)) role *= asked_kind_bonus;
  return role;
}

double time_of(const EntryColumns& columns, const RankingPlan& plan) {
  if (!plan.cues.day || columns.at == std::numeric_limits<std::int64_t>::min()) return 1;
  constexpr double day = 86'400'000;
  const double days_ago = static_cast<double>(plan.asked_at - columns.at) / day;
  const double distance = std::max(0.0, std::abs(days_ago - plan.cues.day->days_ago) - plan.cues.day->width) / day_spread;
  return 1 + day_bonus * std::exp(-distance * distance / 2);
}

}  // namespace loci
