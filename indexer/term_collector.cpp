#include "indexer/term_collector.h"

#include <sqlite3.h>

#include <limits>

#include "indexer/fts5_api.h"
#include "indexer/match_merge.h"

namespace loci {
namespace {

constexpr const char* pointer_type = "loci-collector";
constexpr int text_column = 0;

enum class Order : std::uint8_t { rising, falling };  // of rows

// What a row has of a phrase, which it is known to have.
int add_row(const Fts5ExtensionApi* api, Fts5Context* context, Order order, PhraseRows& list) {
  const std::int64_t row = api->xRowid(context);
  if (row <= 0 || row > std::numeric_limits<RowId>::max()) return SQLITE_CORRUPT;
  if (!list.rows.empty() && (order == Order::rising ? row <= list.rows.back() : row >= list.rows.back())) return SQLITE_CORRUPT;
  Fts5PhraseIter iterator{};
  int column = 0, position = 0;
  if (const int code = api->xPhraseFirst(context, 0, &iterator, &column, &position); code != SQLITE_OK) return code;
  for (; column >= 0; api->xPhraseNext(context, &iterator, &column, &position))
    list.positions.push_back(column == text_column ? position : PhraseRows::in_context);
  list.rows.push_back(static_cast<RowId>(row));
  list.ends.push_back(static_cast<std::uint32_t>(list.positions.size()));
  return SQLITE_OK;
}

// What is to be done with the rows of an expression. collect() calls it for the first of them, or for one after the other.
class Collector {
 public:
  virtual ~Collector() = default;
  virtual int collect(const Fts5ExtensionApi* api, Fts5Context* context) = 0;  // SQLite's code
};

// Reads the list of each phrase by itself, which costs what stands in it: asking every phrase about every row would cost the
// product.
class WholeLists final : public Collector {
 public:
  explicit WholeLists(size_t phrases) : lists(phrases) {}

  std::vector<PhraseRows> lists;  // by phrase; empty ones if collect() was not called, because no row matches

  int collect(const Fts5ExtensionApi* api, Fts5Context* context) override {
    if (static_cast<size_t>(api->xPhraseCount(context)) != lists.size()) return SQLITE_RANGE;
    for (size_t phrase = 0; phrase < lists.size(); ++phrase) {
      const int code = api->xQueryPhrase(context, static_cast<int>(phrase), &lists[phrase], add_row_of_query);
      if (code != SQLITE_OK) return code;
    }
    return SQLITE_OK;
  }

 private:
  // No exception may pass through SQLite.
  static int add_row_of_query(const Fts5ExtensionApi* api, Fts5Context* context, void* list) {
    try {
      return add_row(api, context, Order::rising, *static_cast<PhraseRows*>(list));
    } catch (const std::bad_alloc&) {
      return SQLITE_NOMEM;
    }
  }
};

// The last rows of an expression of one phrase, from the last one upwards.
class EndOfOneList final : public Collector {
 public:
  int collect(const Fts5ExtensionApi* api, Fts5Context* context) override {
    return add_row(api, context, Order::falling, falling_);
  }
  PhraseRows in_order() const {
    PhraseRows list;
    for (size_t i = falling_.rows.size(); i-- > 0;) {
      const auto places = falling_.positions.begin();
      list.positions.insert(list.positions.end(), places + (i > 0 ? falling_.ends[i - 1] : 0), places + falling_.ends[i]);
      list.rows.push_back(falling_.rows[i]);
      list.ends.push_back(static_cast<std::uint32_t>(list.positions.size()));
    }
    return list;
  }

 private:
  PhraseRows falling_;
};

// collect(f, pointer to a Collector).
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

Pointer pointer_to(Collector& collector) { return {&collector, pointer_type}; }

Result<std::vector<PhraseRows>> whole_lists(Database& database, const std::string& expression, size_t phrases) {
  WholeLists whole(phrases);
  run(database, "SELECT collect(fts, ?2) FROM fts WHERE fts MATCH ?1 LIMIT 1", expression, pointer_to(whole));
  TRY(database.take_status());
  return std::move(whole.lists);
}

std::vector<PhraseMeaning> each_a_term(size_t phrases) {
  std::vector<PhraseMeaning> meanings;
  for (size_t phrase = 0; phrase < phrases; ++phrase) meanings.push_back({.term = static_cast<std::uint8_t>(phrase)});
  return meanings;
}

// The lists that a question needs: those that are kept, with what came since, and the others read whole.
class ListReader {
 public:
  ListReader(Database& database, KeptLists& kept) : database_(database), kept_(kept) {}

  Result<Matches> read(const std::vector<std::string>& phrases, std::span<const PhraseMeaning> meanings) {
    lists_.resize(phrases.size());
    TRY(take_kept(phrases));
    TRY(read_missing(phrases));
    return meanings.empty() ? merge_lists(lists_, each_a_term(lists_.size())) : merge_lists(lists_, meanings);
  }

 private:
  Status take_kept(const std::vector<std::string>& phrases) {
    for (size_t i = 0; i < phrases.size(); ++i) {
      auto found = kept_.find(phrases[i]);
      if (!found) {
        missing_.push_back(i);
        continue;
      }
      lists_[i] = std::move(found->list);
      if (found->until < kept_.texts().last_row) TRY(read_on(phrases[i], found->until, lists_[i]));
    }
    return {};
  }

  // From the end: FTS5 would go through all rows before `until`.
  Status read_on(const std::string& phrase, RowId until, PhraseRows& list) {
    EndOfOneList last;
    run(database_, "SELECT collect(fts, ?2) FROM fts WHERE fts MATCH ?1 AND rowid > ?3 ORDER BY rowid DESC", phrase,
        pointer_to(last), until);
    TRY(database_.take_status());
    const PhraseRows rows = last.in_order();
    kept_.add_on(phrase, rows);
    const auto before = static_cast<std::uint32_t>(list.positions.size());
    list.rows.insert(list.rows.end(), rows.rows.begin(), rows.rows.end());
    for (const std::uint32_t end : rows.ends) list.ends.push_back(before + end);
    list.positions.insert(list.positions.end(), rows.positions.begin(), rows.positions.end());
    return {};
  }

  Status read_missing(const std::vector<std::string>& phrases) {
    if (missing_.empty()) return {};
    auto read = TRY(whole_lists(database_, joined(phrases), missing_.size()));
    for (size_t i = 0; i < missing_.size(); ++i) {
      kept_.add(phrases[missing_[i]], read[i]);
      lists_[missing_[i]] = std::move(read[i]);
    }
    return {};
  }

  std::string joined(const std::vector<std::string>& phrases) const {
    std::string expression;
    for (const size_t number : missing_) expression += (expression.empty() ? "" : " OR ") + phrases[number];
    return expression;
  }

  Database& database_;
  KeptLists& kept_;
  std::vector<PhraseRows> lists_;  // by phrase
  std::vector<size_t> missing_;    // numbers of phrases
};

}  // namespace

Status register_term_collector(Database& database) {
  auto* api = fts5_api_of(database);
  if (api == nullptr) return fail(ErrorCode::failed, "this SQLite has no FTS5", "install a libsqlite3 that has it");
  if (api->xCreateFunction(api, "collect", nullptr, collect, nullptr) != SQLITE_OK)
    return fail(ErrorCode::failed, "SQLite refused the function collect");
  return {};
}

Result<Matches> collect_matches(Database& database, KeptLists& kept, const std::string& expression,
                                std::span<const PhraseMeaning> meanings) {
  const auto phrases = split_phrases(expression);
  const bool is_as_announced = meanings.empty() || meanings.size() == phrases.size();
  if (phrases.empty() || !is_as_announced || phrases.size() > Matches::max_phrases)
    return fail(ErrorCode::usage, "this is no expression of as many phrases: " + expression);
  return ListReader(database, kept).read(phrases, meanings);
}

}  // namespace loci
