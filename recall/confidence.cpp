#include "recall/confidence.h"

#include <algorithm>
#include <cmath>

namespace loci {
namespace {

constexpr double least_met = 0.43;  // one of the four thousand commonest words has less

constexpr double least_lead = 0.33;  // of a turn over other conversations
constexpr double weight_of_own = 1.2, weight_of_others = 0.4;

double lead_of_turn(RelevanceParts parts) {
  parts.own *= weight_of_own;
  return (parts.total() / parts.bound - weight_of_others * parts.common.others) * std::pow(parts.words, 0.3);
}

double chance_of(const CommonGround& common) {
  return 0.65 * std::log(common.length + 5) + 0.25 * std::log(common.sharing) + 0.03 * std::log(common.entries) - 1.35;
}

}  // namespace

bool is_confident(const RelevanceParts& parts) {
  const CommonGround& common = parts.common;
  if (parts.bound <= 0) return false;
  if (parts.has_all && common.met >= least_met) return true;
  if (common.of_turn) return lead_of_turn(parts) >= least_lead;
  return common.met >= std::max(least_met, chance_of(common));
}

}  // namespace loci
