// The rows of entries: full text, columns, labels, thread, standing. One change here touches one entry and its neighbours.
// Belongs to the writing connection; failures are the connection's.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "indexer/columns.h"
#include "indexer/fts_tokenizer.h"
#include "indexer/kept_lists.h"
#include "indexer/log_tables.h"
#include "indexer/sqlite.h"
#include "indexer/stored_entry.h"
#include "indexer/term_table.h"
#include "indexer/threads.h"

namespace loci {

using FileId = std::int64_t;

enum class LabelKind : std::uint8_t {
  tag,  // tag_names()
  project,
  task,
  from,
  loose,     // the loose hash, of an entry whose text hash is another
  corrects,  // what a fact took the place of
};

// What is in the index of a row, to compare with.
struct RowSummary {
  FileId file = 0;  // where the entry stands first
  std::uint64_t content = 0;
};

// With this label, sorted; inactive ones too.
std::vector<RowId> rows_labelled(Database& database, LabelKind kind, std::string_view label);
// With exactly this text, sorted; inactive ones too.
std::vector<RowId> rows_with_text(Database& database, std::string_view hash);
// Entries with these ids or texts, and those that rest on the ids; sorted.
std::vector<RowId> rows_concerned(Database& database, const Concerned& concerned);

class EntryStore {
 public:
  // A building store leaves threads and averages to finish_build().
  EntryStore(Database& database, IndexTokenizer& tokenizer, LogTables& logs, bool building)
      : database_(database),
        tokenizer_(tokenizer),
        logs_(logs),
        columns_(database),
        threads_(database, columns_),
        terms_(database, building),
        building_(building) {}

  RowId find(std::string_view id);  // 0: none
  RowSummary summary(RowId row);
  bool says(RowId row, std::string_view text_hash);
  std::string id_of(RowId row);
  std::vector<RowId> rows_concerned(const Concerned& concerned) { return loci::rows_concerned(database_, concerned); }
  // Ids that got or lost their row here, and those that they correct, but for those of a build.
  const std::set<std::string>& came_or_went() const { return came_or_went_; }

  RowId add(const StoredEntry& entry, FileId file, std::uint64_t content);
  void change(RowId row, const StoredEntry& entry, FileId file, std::uint64_t content);
  void move(RowId row, FileId file);
  void remove(RowId row);
  // Looks at the logs again; true if that changed anything.
  bool refresh_standing(RowId row);

  void finish_build();
  void flush();

 private:
  std::optional<std::int64_t> section_of(const StoredEntry& entry);
  void write_text(RowId row, const StoredEntry& entry);
  void remove_text(RowId row);
  void read_terms(const StoredEntry& entry);
  void write_record(RowId row, const StoredEntry& entry, const Standing& standing);
  void write_labels(RowId row, const StoredEntry& entry);
  void remove_labels(RowId row, const StoredEntry& entry);
  void note_passage(const StoredEntry& entry);
  // terms_ has the entry's.
  void attach(RowId row);
  void detach(RowId row);

  Database& database_;
  IndexTokenizer& tokenizer_;
  LogTables& logs_;
  ColumnPages columns_;
  Threads threads_;
  TermTable terms_;
  bool building_;
  std::int64_t removals_ = 0;  // of texts, since the last flush
  std::set<std::string> came_or_went_;
  // The section asked for last: entries come in the order of their files.
  std::vector<std::string> last_section_;
  std::optional<std::int64_t> last_section_id_;
};

// How often a text was taken out, and the last row that has one.
KeptLists::Texts texts_of_snapshot(Database& database);

// The entry in a row, checked against the hash of its content. None, and the connection reports damage, if it does not match or is
// not there.
std::optional<StoredEntry> load_entry(Database& database, ColumnPages& columns, RowId row);

}  // namespace loci
