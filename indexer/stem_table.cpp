#include "indexer/stem_table.h"

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

namespace loci {
namespace {

constexpr size_t most_changes = size_t{1} << 16;  // held in memory: a build of many entries has more stems than that

// Each stem of a text once: a text of megabytes may say one word a million times.
class StemsOnce final : public TokenSink {
 public:
  bool take(const Token& token) override {
    if (!stems.contains(token.term)) stems.emplace(token.term);
    return true;
  }
  std::set<std::string, std::less<>> stems;
};

}  // namespace

void StemTable::count(std::string_view text, const EntryColumns& entry, int change) {
  if (!entry.active || entry.layer != Layer::L1) return;
  StemsOnce found;
  tokenizer_.tokenize(text, TokenForm::query, found);
  for (const std::string& stem : found.stems) changes_[stem] += change;
  if (changes_.size() > most_changes) flush();
}

// In order, so that neighbours in the table are written together.
void StemTable::flush() {
  std::vector<std::pair<std::string, std::int64_t>> changes(changes_.begin(), changes_.end());
  changes_.clear();
  std::ranges::sort(changes);
  for (const auto& [stem, change] : changes) {
    if (change == 0) continue;
    run(database_, "INSERT INTO stems VALUES (?, ?) ON CONFLICT(stem) DO UPDATE SET facts = facts + excluded.facts", stem, change);
    if (change < 0) run(database_, "DELETE FROM stems WHERE stem = ? AND facts <= 0", stem);
  }
}

std::uint64_t facts_with_stem(Database& database, std::string_view stem) {
  Query row(database, "SELECT facts FROM stems WHERE stem = ?", stem);
  return row.next() ? static_cast<std::uint64_t>(row.integer(0)) : 0;
}

}  // namespace loci
