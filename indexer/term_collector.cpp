#include "indexer/term_collector.h"

#include <sqlite3.h>

#include <algorithm>
#include <limits>

#include "indexer/fts5_api.h"

namespace loci {
namespace {

constexpr const char* pointer_type = "loci-collector";
constexpr int text_column = 0;
constexpr int nearness = 3;  // of neighbouring terms: two words may stand between them

template <typename Number>
void add_up(Number& sum, unsigned value) {
  sum = static_cast<Number>(std::min<unsigned>(sum + value, std::numeric_limits<Number>::max()));
}

// Writes one row after the other into `matches`.
class Collector {
 public:
  Collector(Matches& matches, std::span<const PhraseMeaning> meanings) : matches_(matches), meanings_(meanings) {}

  // False: what the expression has is not what was announced.
  bool begin(size_t phrases) {
    if (phrases > Matches::max_phrases) return false;
    if (meanings_.empty()) {
      for (size_t phrase = 0; phrase < phrases; ++phrase) each_a_term_.push_back({.term = static_cast<std::uint8_t>(phrase)});
      meanings_ = each_a_term_;
    }
    if (meanings_.size() != phrases) return false;
    for (const PhraseMeaning& meaning : meanings_) matches_.terms = std::max<size_t>(matches_.terms, meaning.term + size_t{1});
    return true;
  }

  void add_row(const Fts5ExtensionApi* api, Fts5Context* context, RowId row) {
    const size_t first = matches_.cells.size();
    matches_.cells.resize(first + matches_.terms);
    matches_.rows.push_back(row);
    cells_ = matches_.cells.data() + first;
    places_.clear();
    for (size_t phrase = 0; phrase < meanings_.size(); ++phrase) add_phrase(api, context, static_cast<int>(phrase));
    if (places_.size() > 1 && matches_.terms > 1) mark_neighbours();
  }

 private:
  struct Occurrence {
    int position;
    int term;
    auto operator<=>(const Occurrence&) const = default;
  };

  void add_phrase(const Fts5ExtensionApi* api, Fts5Context* context, int phrase) {
    const PhraseMeaning& meaning = meanings_[static_cast<size_t>(phrase)];
    Matches::Cell& cell = cells_[meaning.term];
    Fts5PhraseIter iterator{};
    int column = 0, position = 0;
    if (api->xPhraseFirst(context, phrase, &iterator, &column, &position) != SQLITE_OK) return;
    for (; column >= 0; api->xPhraseNext(context, &iterator, &column, &position)) {
      if (column != text_column) {
        if (!meaning.repeats) add_up(cell.in_context, 1);
        continue;
      }
      add_up(cell.weight, meaning.weight);
      if (meaning.exact) cell.exact = true;
      if (meaning.repeats) continue;
      if (position == 0) cell.leads = true;
      places_.push_back({position, meaning.term});
    }
  }

  void mark_neighbours() {
    std::ranges::sort(places_);
    for (auto a = places_.begin(); a != places_.end(); ++a)
      for (auto b = a + 1; b != places_.end() && b->position - a->position <= nearness; ++b)
        if (std::abs(a->term - b->term) == 1 && a->position != b->position) cells_[std::min(a->term, b->term)].beside_next = true;
  }

  Matches& matches_;
  std::span<const PhraseMeaning> meanings_;
  std::vector<PhraseMeaning> each_a_term_;
  std::vector<Occurrence> places_;  // of the row at hand
  Matches::Cell* cells_ = nullptr;
};

// collect(f, pointer to a Collector). FTS5 keeps the pointer for the rows that follow. It gives 0: no row is wanted for itself.
void collect(const Fts5ExtensionApi* api, Fts5Context* context, sqlite3_context* result, int count, sqlite3_value** values) {
  auto* collector = static_cast<Collector*>(api->xGetAuxdata(context, 0));
  try {
    if (collector == nullptr) {
      collector = count == 1 ? static_cast<Collector*>(sqlite3_value_pointer(values[0], pointer_type)) : nullptr;
      if (collector == nullptr || !collector->begin(static_cast<size_t>(api->xPhraseCount(context)))) {
        sqlite3_result_error(result, collector == nullptr ? "collect() is not for people" : "too many phrases", -1);
        return;
      }
      api->xSetAuxdata(context, collector, nullptr);
    }
    const std::int64_t row = api->xRowid(context);
    if (row <= 0 || row > std::numeric_limits<RowId>::max()) {
      sqlite3_result_error_code(result, SQLITE_CORRUPT);
      return;
    }
    collector->add_row(api, context, static_cast<RowId>(row));
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(result);
    return;
  }
  sqlite3_result_int(result, 0);
}

}  // namespace

Status register_term_collector(Database& database) {
  auto* api = fts5_api_of(database);
  if (api == nullptr) return fail(ErrorCode::failed, "this SQLite has no FTS5", "install a libsqlite3 that has it");
  if (api->xCreateFunction(api, "collect", nullptr, collect, nullptr) != SQLITE_OK)
    return fail(ErrorCode::failed, "SQLite refused the function collect");
  return {};
}

Result<Matches> collect_matches(Database& database, const std::string& expression, std::span<const PhraseMeaning> meanings) {
  Matches matches;
  Collector collector(matches, meanings);
  run(database, "SELECT 1 FROM fts WHERE fts MATCH ?1 AND collect(fts, ?2)", expression, Pointer{&collector, pointer_type});
  TRY(database.take_status());
  return matches;
}

}  // namespace loci
