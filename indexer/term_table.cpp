#include "indexer/term_table.h"

#include <algorithm>

namespace loci {
namespace {

constexpr size_t most_changes = size_t{1} << 16;  // held in memory: a build of many entries has more terms than that

std::uint64_t first_number(Query&& row) { return row.next() ? static_cast<std::uint64_t>(row.integer(0)) : 0; }

}  // namespace

void TermTable::begin() {
  if (changes_.size() > most_changes) flush();
  terms_.clear();
  ++row_;
  take({}, true);
}

void TermTable::take(const Token& token, bool is_of_text) {
  const bool is_stem_of_text = is_of_text && !token.colocated;
  auto known = changes_.find(token.term);
  if (known == changes_.end()) known = changes_.emplace(std::string(token.term), Count()).first;
  Count& count = known->second;
  if (count.row == row_) {
    terms_[count.place].is_stem_of_text |= is_stem_of_text;
    return;
  }
  count.row = row_;
  count.place = terms_.size();
  terms_.push_back({&count, is_stem_of_text});
}

void TermTable::count_row(int change) {
  for (const TermOfRow& term : terms_) term.count->rows += change;
}

void TermTable::count_fact(int change) {
  for (const TermOfRow& term : terms_)
    if (term.is_stem_of_text) term.count->facts += change;
}

// In order, so that neighbours in the table are written together.
void TermTable::flush() {
  using Change = std::pair<std::string, Count>;
  std::vector<Change> changes(changes_.begin(), changes_.end());
  changes_.clear();
  terms_.clear();
  std::ranges::sort(changes, {}, &Change::first);
  for (const auto& [term, count] : changes) {
    if (count.rows == 0 && count.facts == 0) continue;
    run(database_,
        "INSERT INTO terms VALUES (?, ?, ?)"
        " ON CONFLICT(term) DO UPDATE SET rows = rows + excluded.rows, facts = facts + excluded.facts",
        term, count.rows, count.facts);
    if (count.rows < 0) run(database_, "DELETE FROM terms WHERE term = ? AND rows <= 0", term);
  }
}

std::uint64_t rows_with_term(Database& database, std::string_view term) {
  return first_number(Query(database, "SELECT rows FROM terms WHERE term = ?", term));
}

std::uint64_t facts_with_stem(Database& database, std::string_view stem) {
  return first_number(Query(database, "SELECT facts FROM terms WHERE term = ?", stem));
}

}  // namespace loci
