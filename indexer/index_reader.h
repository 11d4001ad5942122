// Reading the index: a snapshot on one read-only connection. Never waits for a writer, never sees half an update.
// One reader belongs to one thread at a time.
//
// Relevance is computed above, in recall/, from what one pass over FTS5 gives: how often each phrase stands in each
// matching entry. Per entry there is a fixed-size record (EntryColumns), kept in pages, so that scoring 90,000 matches reads
// about a hundred rows of SQLite and not 90,000.
#pragma once

#include <array>
#include <cstdint>
#include <future>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "indexer/entry.h"
#include "indexer/term_expression.h"
#include "indexer/text_traits.h"
#include "vault/layout/problem.h"
#include "vault/layout/vault.h"

namespace loci {

using ThreadId = std::uint32_t;  // of a session in the index; 0: none, the entry is a thread of its own

enum class Speaker : std::uint8_t { unknown, user, assistant };  // who said a turn

struct EntryColumns {
  std::uint32_t text_length = 0;     // tokens of the text (colocated ones not counted)
  std::uint16_t context_length = 0;  // tokens of headings and tags that are indexed with it; of more than that many, the most
  ThreadId thread = 0;
  RowId previous = 0, next = 0;                                // neighbours in the thread by (turn, at, id)
  std::int64_t at = std::numeric_limits<std::int64_t>::min();  // milliseconds since 1970; min: no date
  Layer layer = Layer::L1;
  EntryKind kind = EntryKind::fact;
  Source source = Source::user;
  Speaker speaker = Speaker::unknown;
  TextTraits traits;
  bool active = false;  // false also for a row that does not exist
  bool pending = false;
};

struct ThreadColumns {
  std::uint32_t length = 0;  // tokens of all its active entries, text and context
  std::uint32_t entries = 0;
};

// Of active entries. Turns (entries with a thread) and the rest are two classes, each with its own averages.
struct ClassStatistics {
  std::uint64_t entries = 0, text_length = 0, context_length = 0;
  std::uint64_t window_length = 0;  // sum over entries of the text lengths of an entry and its two neighbours
  std::uint64_t threads = 0, thread_length = 0;
};
struct Statistics {
  ClassStatistics turns, rest;
};

// What a phrase of an FTS5 expression stands for: a term of the question is asked for in several forms.
struct PhraseMeaning {
  // Occurrences are weighed in twentieths: the weights of phrases that hit the same place add up.
  static constexpr std::uint16_t one = 20;

  std::uint8_t term = 0;
  std::uint8_t weight = one;
  bool exact = true;     // an entry with it has the term as it was asked for
  bool repeats = false;  // stands only where another phrase of the term does: counts in texts only
};

// What one pass found: which rows match, and of each row one cell a term.
struct Matches {
  static constexpr size_t max_phrases = 192, max_terms = 64;

  struct Cell {
    std::uint16_t weight = 0;      // of all occurrences in the text, in twentieths
    std::uint8_t in_context = 0;   // occurrences in headings and tags
    bool exact : 1 = false;        // one of those in the text is exact
    bool leads : 1 = false;        // the text begins with it
    bool beside_next : 1 = false;  // stands near the next term somewhere: at most two words between them, in any order
  };
  static_assert(sizeof(Cell) == 4);

  size_t terms = 0;
  std::vector<RowId> rows;
  std::vector<Cell> cells;

  std::span<const Cell> of(size_t match) const { return std::span(cells).subspan(match * terms, terms); }
};

struct IndexInfo {
  std::int64_t generation = 0;
  std::int64_t entries = 0;           // rows, inactive ones too
  std::uint64_t bytes = 0;            // of the database file
  std::optional<Instant> checked_at;  // when a sweep last found nothing left to do
};

struct FactCounts {
  std::int64_t total = 0, pending = 0, settled = 0, deleted = 0;
  std::string watermark;  // the latest day such that no fact on it or before is pending; empty if there is none
};

struct LayerCounts {
  std::int64_t L0 = 0, L1 = 0, L2 = 0;  // active entries
};

struct SessionSummary {
  std::string id;
  std::int64_t entries = 0, turns = 0;
  std::optional<Instant> first, last;
  std::string project;
};

// What list, recent and filters ask for. Everything given must hold.
struct EntryFilter {
  std::vector<Layer> layers;  // empty: any
  std::vector<EntryKind> kinds;
  std::vector<Source> sources;
  std::vector<std::string> tags;  // all of them
  std::string project, session, task;
  std::optional<Instant> since, until;  // [since, until); an entry without a date never matches
  std::string file;                     // exact relative path
  bool inactive = false;                // inactive ones too
};

struct Staleness;
struct Scan;

class IndexReader {
 public:
  // Opens the newest generation in the state folder. ErrorCode::not_found if there is none; ErrorCode::refused if it is of
  // another schema, ErrorCode::failed if it is damaged: an Indexer that is opened then rebuilds it.
  static Result<IndexReader> open(const path& state_folder);
  // Lets go of the snapshot, which would keep the index's log from being emptied. Nothing may be asked until renew(), which shows
  // the newest state on the same connection; false if that is no longer the one to ask: another generation, or it failed.
  void release();
  bool renew();
  IndexReader(IndexReader&&) noexcept;
  IndexReader& operator=(IndexReader&&) noexcept;
  ~IndexReader();

  // --- for ranking ---
  // The index terms that a word of a query becomes: stems, CJK code points, the parts of an identifier. Empty if nothing in it
  // can be found.
  std::vector<std::string> tokens_of(std::string_view word);
  // The same as an FTS5 expression, quoted, with the number of its phrases: terms are joined by " OR " and given to match().
  TermExpression expression_for(std::string_view term, TermKind kind);
  // `expression` is an FTS5 query of quoted phrases of index terms (expression_for, quote_phrase), with what its phrases mean, from
  // the left. Without meanings each phrase is a term.
  Result<Matches> match(const std::string& expression, std::span<const PhraseMeaning> meanings = {});
  // In how many rows a term stands; of the empty one: in all.
  Result<std::uint64_t> document_frequency(const std::string& term);
  Result<std::vector<std::string>> first_terms_beginning_with(const std::string& beginning, size_t limit);
  // Of the terms of the index that begin so, in how many rows the one stands that stands in most; 0 if none begins so.
  Result<std::uint64_t> most_rows_with_beginning(const std::string& beginning);
  // The terms of the index that begin so, with the rows each stands in.
  Result<std::vector<std::pair<std::string, std::uint64_t>>> terms_beginning_with(const std::string& beginning);
  EntryColumns columns(RowId row);
  void columns(std::span<const RowId> rows, std::span<EntryColumns> found);  // one for each row
  // In the texts of how many active entries of L1 a stem stands; of the empty one: in all.
  Result<std::uint64_t> facts_with(const std::string& stem);
  ThreadColumns thread(ThreadId thread);
  std::string session_of(ThreadId thread);
  Statistics statistics();
  // The rows that pass a filter, sorted; for a filter of columns alone (layers, kinds, sources, dates) use columns() instead.
  Result<std::vector<RowId>> rows_matching(const EntryFilter& filter);

  // --- entries ---
  std::string id_of(RowId row);    // empty for a row that does not exist
  Result<Entry> entry(RowId row);  // checked against the hash of its content: ErrorCode::failed if the index is damaged there
  Result<std::vector<Entry>> find(std::string_view id_or_prefix,
                                  size_t limit = 10);  // an exact id alone, else all with that prefix
  // Inactive ones too, but for lines that only show an entry: with this text, or with one that differs in marks only.
  Result<std::vector<Entry>> find_text(std::string_view hash, std::string_view loose_hash);
  // The rows of those with exactly this text, sorted. Nothing is read of them, so that a search can ask for hundreds.
  Result<std::vector<RowId>> rows_with_text(std::string_view hash);
  // Whose `from` names this id, inactive ones too.
  Result<std::vector<Entry>> find_resting_on(std::string_view id);
  // Whose `corrects` does.
  Result<std::vector<Entry>> find_correcting(std::string_view id);
  // Newest first: by time, then turn, then id. `before` is a cursor (the last id of the page before), or empty.
  Result<std::vector<Entry>> recent(const EntryFilter& filter, size_t limit, const std::string& before = {});
  // By file and line.
  Result<std::vector<Entry>> list(const EntryFilter& filter, size_t limit, const std::string& after = {});
  // Active facts of the archive that are not settled, by time and id, those without a time first.
  struct PendingFact {
    Entry entry;
    bool quarantined = false;
  };
  Result<std::vector<PendingFact>> pending_facts();
  // How many, without reading them.
  struct PendingCounts {
    std::int64_t pending = 0;  // quarantined ones not counted
    std::int64_t quarantined = 0;
    std::optional<Instant> oldest;  // of those that are not quarantined; none if none has a time
  };
  PendingCounts pending_counts();
  Result<std::vector<SessionSummary>> sessions(size_t limit);  // latest first
  Result<std::vector<Entry>> session(const std::string& id);   // in turn order

  // --- about itself ---
  // The bytes of a file as it was last indexed; 0 for an unknown one.
  std::uint64_t size_of_file(const std::string& path);
  IndexInfo info();
  LayerCounts layers();
  FactCounts facts();
  std::vector<Problem> problems();  // as stored by the last reconcile
  // Something that was read made no sense: whoever can take the writer lock should rebuild. A function that returns no Result gives
  // zeros then, and the next one that does fails.
  bool is_damaged() const;

 private:
  friend Result<Staleness> find_stale(const Vault& vault, IndexReader& reader, std::future<Result<Scan>> walk);

  struct Impl;
  explicit IndexReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace loci
