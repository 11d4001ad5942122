#include "indexer/term_collector.h"

#include <sqlite3.h>

#include <limits>

#include "indexer/fts5_api.h"
#include "indexer/match_merge.h"

namespace loci {
namespace {

constexpr const char* pointer_type = "loci-collector";
constexpr int text_column = 0;

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
    matches_ = merge_lists(lists_, meanings_);
    return SQLITE_OK;
  }

 private:
  // False: what the expression has is not what was announced.
  bool begin(size_t phrases) {
    if (phrases > Matches::max_phrases) return false;
    if (meanings_.empty()) {
      for (size_t phrase = 0; phrase < phrases; ++phrase) each_a_term_.push_back({.term = static_cast<std::uint8_t>(phrase)});
      meanings_ = each_a_term_;
    }
    if (meanings_.size() != phrases) return false;
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

  Matches& matches_;
  std::span<const PhraseMeaning> meanings_;
  std::vector<PhraseMeaning> each_a_term_;
  std::vector<PhraseRows> lists_;  // by phrase
  PhraseRows* list_ = nullptr;     // that is being read
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
