// What a promotion is chosen from, besides the entries.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "consolidate/promote/promotion.h"
#include "vault/layout/vault.h"
#include "vault/logs/recall_log.h"

namespace loci {

struct PromotionMaterial {
  RecallCounts recalls;
  std::vector<std::string> barred;  // ids, and hashes of texts: a person took their line out, and nobody has restored them since
  size_t most_lines = 0;
  std::vector<std::string> shown;  // refs of the lines in the core

  std::string today;  // the local date

  // Refers to both.
  PromotionInput with(const std::vector<DurableEntry>& entries) const {
    return {entries, recalls, barred, most_lines, shown, today};
  }
};

Result<PromotionMaterial> read_promotion_material(const Vault& vault);

}  // namespace loci
