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

// The rows of one phrase, in order, and where in each it stands.
struct PhraseRows {
  static constexpr int in_context = -1;  // in the place of a position

  std::vector<RowId> rows;
  std::vector<std::uint32_t> ends;  // of each row's positions
  std::vector<int> positions;       // in the text
};

// Reads the list of each phrase by itself, which costs what stands in it, and merges them: asking every phrase about every row
// would cost the product.
class Collector {
 public:
  Collector(Matches& matches, std::span<const PhraseMeaning> meanings) : matches_(matches), meanings_(meanings) {}

  // SQLite's code.
  int collect(const Fts5ExtensionApi* api, Fts5Context* context) {
    if (!begin(static_cast<size_t>(api->xPhraseCount(context)))) return SQLITE_RANGE;
    for (size_t phrase = 0; phrase < meanings_.size(); ++phrase) {
      list_ = &lists_[phrase];
      const int code = api->xQueryPhrase(context, static_cast<int>(phrase), this, add_row);
      if (code != SQLITE_OK) return code;
    }
    merge();
    return SQLITE_OK;
  }

 private:
  struct Occurrence {
    int position;
    int term;
    auto operator<=>(const Occurrence&) const = default;
  };
  // How far the list of a phrase was merged.
  struct Cursor {
    Cursor(const PhraseRows& list, const PhraseMeaning& means)
        : row(list.rows.data()),
          end_of_rows(row + list.rows.size()),
          position(list.positions.data()),
          first_position(position),
          end(list.ends.data()),
          meaning(&means) {}

    const RowId *row, *end_of_rows;
    const int *position, *first_position;
    const std::uint32_t* end;  // of the row's positions
    const PhraseMeaning* meaning;
  };

  // False: what the expression has is not what was announced.
  bool begin(size_t phrases) {
    if (phrases > Matches::max_phrases) return false;
    if (meanings_.empty()) {
      for (size_t phrase = 0; phrase < phrases; ++phrase) each_a_term_.push_back({.term = static_cast<std::uint8_t>(phrase)});
      meanings_ = each_a_term_;
    }
    if (meanings_.size() != phrases) return false;
    for (const PhraseMeaning& meaning : meanings_) matches_.terms = std::max<size_t>(matches_.terms, meaning.term + size_t{1});
    lists_.resize(phrases);
    return true;
  }

  // No exception may pass through SQLite.
  static int add_row(const Fts5ExtensionApi* api, Fts5Context* context, void* self) {
    try {
      return add_row(api, context, *static_cast<Collector*>(self)->list_);
    } catch (const std::bad_alloc&) {
      return SQLITE_NOMEM;
    }
  }

  static int add_row(const Fts5ExtensionApi* api, Fts5Context* context, PhraseRows& list) {
    const std::int64_t row = api->xRowid(context);
    if (row <= 0 || row > std::numeric_limits<RowId>::max()) return SQLITE_CORRUPT;
    if (!list.rows.empty() && row <= list.rows.back()) return SQLITE_CORRUPT;
    Fts5PhraseIter iterator{};
    int column = 0, position = 0;
    if (const int code = api->xPhraseFirst(context, 0, &iterator, &column, &position); code != SQLITE_OK) return code;
    for (; column >= 0; api->xPhraseNext(context, &iterator, &column, &position))
      list.positions.push_back(column == text_column ? position : PhraseRows::in_context);
    list.rows.push_back(static_cast<RowId>(row));
    list.ends.push_back(static_cast<std::uint32_t>(list.positions.size()));
    return SQLITE_OK;
  }

  void merge() {
    std::vector<Cursor> cursors;
    size_t longest = 0;
    for (size_t phrase = 0; phrase < lists_.size(); ++phrase) {
      if (lists_[phrase].rows.empty()) continue;
      cursors.emplace_back(lists_[phrase], meanings_[phrase]);
      longest = std::max(longest, lists_[phrase].rows.size());
    }
    matches_.rows.reserve(longest);
    matches_.cells.reserve(longest * matches_.terms);
    while (!cursors.empty()) {
      RowId row = std::numeric_limits<RowId>::max();
      for (const Cursor& cursor : cursors) row = std::min(row, *cursor.row);
      if (add_merged(row, cursors)) std::erase_if(cursors, [](const Cursor& c) { return c.row == c.end_of_rows; });
    }
  }

  // True: a list has come to its end.
  bool add_merged(RowId row, std::vector<Cursor>& cursors) {
    bool any_ends = false;
    const size_t first = matches_.cells.size();
    matches_.cells.resize(first + matches_.terms);
    matches_.rows.push_back(row);
    cells_ = matches_.cells.data() + first;
    places_.clear();
    for (Cursor& cursor : cursors) {
      if (*cursor.row != row) continue;
      const int* end = cursor.first_position + *cursor.end++;
      for (; cursor.position != end; ++cursor.position) add_occurrence(*cursor.meaning, *cursor.position);
      any_ends |= ++cursor.row == cursor.end_of_rows;
    }
    if (places_.size() > 1 && matches_.terms > 1) mark_neighbours();
    return any_ends;
  }

  void add_occurrence(const PhraseMeaning& meaning, int position) {
    Matches::Cell& cell = cells_[meaning.term];
    if (position == PhraseRows::in_context) {
      if (!meaning.repeats) add_up(cell.in_context, 1);
      return;
    }
    add_up(cell.weight, meaning.weight);
    if (meaning.exact) cell.exact = true;
    if (meaning.repeats) return;
    if (position == 0) cell.leads = true;
    places_.push_back({position, meaning.term});
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
  std::vector<PhraseRows> lists_;   // by phrase
  PhraseRows* list_ = nullptr;      // that is being read
  std::vector<Occurrence> places_;  // of the row at hand
  Matches::Cell* cells_ = nullptr;
};

// collect(f, pointer to a Collector), asked for the first row that matches: it reads the others itself.
void collect(const Fts5ExtensionApi* api, Fts5Context* context, sqlite3_context* result, int count, sqlite3_value** values) {
  auto* collector = count == 1 ? static_cast<Collector*>(sqlite3_value_pointer(values[0], pointer_type)) : nullptr;
  if (collector == nullptr) {
    sqlite3_result_error(result, "collect() is not for people", -1);
    return;
  }
  try {
    const int code = collector->collect(api, context);
    if (code == SQLITE_RANGE)
      sqlite3_result_error(result, "too many phrases", -1);
    else if (code != SQLITE_OK)
      sqlite3_result_error_code(result, code);
    else
      sqlite3_result_int(result, 0);
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(result);
  }
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
  run(database, "SELECT collect(fts, ?2) FROM fts WHERE fts MATCH ?1 LIMIT 1", expression, Pointer{&collector, pointer_type});
  TRY(database.take_status());
  return matches;
}

}  // namespace loci
