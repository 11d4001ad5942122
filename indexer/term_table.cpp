#include "indexer/term_table.h"

namespace loci {
namespace {

constexpr size_t most_changes = size_t{1} << 16;   // held in memory: a build of many entries has more terms than that
constexpr size_t most_recorded = size_t{1} << 18;  // bytes

std::uint64_t first_number(Query&& row) { return row.next() ? static_cast<std::uint64_t>(row.integer(0)) : 0; }

}  // namespace

void TermTable::begin() {
  if (record_.size() > most_recorded) hand_over();
  record_.begin_row();
}

void TermTable::take(const Token& token, bool is_of_text) { record_.add_term(token.term, is_of_text && !token.colocated); }
void TermTable::count_row(int change) { record_.count_row(change); }
void TermTable::count_fact(int change) { record_.count_fact(change); }

void TermTable::hand_over() {
  wait();
  if (counts_.size() > most_changes) write();
  counting_ = std::async(when_, [this, record = record_.take()] { counts_.replay(record); });
}

void TermTable::wait() {
  if (counting_.valid()) counting_.get();
}

void TermTable::flush() {
  hand_over();
  wait();
  write();
}

// In order, so that neighbours in the table are written together.
void TermTable::write() {
  for (const auto& [term, count] : counts_.take()) {
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

std::uint64_t rows_with_beginning(Database& database, std::string_view beginning) {
  const std::string behind = std::string(beginning) + '\xFF';
  return first_number(Query(database, "SELECT max(rows) FROM terms WHERE term >= ? AND term < ?", beginning, behind));
}

std::uint64_t facts_with_stem(Database& database, std::string_view stem) {
  return first_number(Query(database, "SELECT facts FROM terms WHERE term = ?", stem));
}

}  // namespace loci
