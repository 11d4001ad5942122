#include "recall/confidence.h"

#include <algorithm>
#include <cmath>

namespace loci {
namespace {

constexpr double least_met = 0.43;  // one of the four thousand commonest words has less

double least_share(double entries) { return 0.258 + 0.014 * std::log(entries); }

double share_of_question(const RelevanceParts& parts) {
  return std::min(1.0, parts.total() / parts.bound) * std::pow(parts.words, 0.25);
}

double chance_of(const CommonGround& common) {
  return 0.65 * std::log(common.length + 5) + 0.25 * std::log(common.sharing) + 0.03 * std::log(common.entries) - 1.35;
}

}  // namespace

bool is_confident(const RelevanceParts& parts) {
  const CommonGround& common = parts.common;
  if (parts.bound <= 0) return false;
  if (parts.has_all && common.met >= least_met) return true;
  if (common.of_turn) return share_of_question(parts) >= least_share(common.entries);
  return common.met >= std::max(least_met, chance_of(common));
}

}  // namespace loci
