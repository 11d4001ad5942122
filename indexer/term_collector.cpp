#include "indexer/term_collector.h"

#include <sqlite3.h>

#include <limits>

#include "indexer/fts5_api.h"

namespace loci {
namespace {

constexpr const char* pointer_type = "loci-matches";
constexpr int text_column = 0;

void add_one(std::uint16_t& count) {
  if (count < std::numeric_limits<std::uint16_t>::max()) ++count;
}

void count_phrase(const Fts5ExtensionApi* api, Fts5Context* context, int phrase, std::uint16_t& text, std::uint16_t& other) {
  Fts5PhraseIter place{};
  int column = 0;
  int offset = 0;
  if (api->xPhraseFirst(context, phrase, &place, &column, &offset) != SQLITE_OK) return;
  for (; column >= 0; api->xPhraseNext(context, &place, &column, &offset)) add_one(column == text_column ? text : other);
}

// collect(f, pointer to Matches). FTS5 keeps the pointer for the rows that follow.
void collect(const Fts5ExtensionApi* api, Fts5Context* context, sqlite3_context* result, int count, sqlite3_value** values) {
  auto* matches = static_cast<Matches*>(api->xGetAuxdata(context, 0));
  if (matches == nullptr) {
    matches = count == 1 ? static_cast<Matches*>(sqlite3_value_pointer(values[0], pointer_type)) : nullptr;
    const auto phrases = static_cast<size_t>(api->xPhraseCount(context));
    if (matches == nullptr || phrases > Matches::max_phrases) {
      sqlite3_result_error(result, matches == nullptr ? "collect() is not for people" : "too many phrases", -1);
      return;
    }
    matches->phrases = phrases;
    api->xSetAuxdata(context, matches, nullptr);
  }
  const std::int64_t row = api->xRowid(context);
  if (row <= 0 || row > std::numeric_limits<RowId>::max()) {
    sqlite3_result_error_code(result, SQLITE_CORRUPT);
    return;
  }
  try {
    const size_t first = matches->counts.size();
    matches->counts.resize(first + matches->phrases);
    matches->context_counts.resize(first + matches->phrases);
    for (size_t i = 0; i < matches->phrases; ++i)
      count_phrase(api, context, static_cast<int>(i), matches->counts[first + i], matches->context_counts[first + i]);
    matches->rows.push_back(static_cast<RowId>(row));
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(result);
    return;
  }
  sqlite3_result_null(result);
}

}  // namespace

Status register_term_collector(Database& database) {
  auto* api = fts5_api_of(database);
  if (api == nullptr) return fail(ErrorCode::failed, "this SQLite has no FTS5", "install a libsqlite3 that has it");
  if (api->xCreateFunction(api, "collect", nullptr, collect, nullptr) != SQLITE_OK)
    return fail(ErrorCode::failed, "SQLite refused the function collect");
  return {};
}

Result<Matches> collect_matches(Database& database, const std::string& expression) {
  Matches matches;
  run(database, "SELECT collect(fts, ?2) FROM fts WHERE fts MATCH ?1", expression, Pointer{&matches, pointer_type});
  TRY(database.take_status());
  return matches;
}

}  // namespace loci
