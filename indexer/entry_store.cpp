#include "indexer/entry_store.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "base/hash.h"
#include "base/unicode.h"
#include "indexer/schema.h"
#include "indexer/shelf.h"
#include "parser/tag_names.h"
#include "parser/text_hash.h"

namespace loci {
namespace {

constexpr std::int64_t no_date = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t no_turn = -1;

int digit_of(char c) { return c >= 'a' ? c - 'a' + 10 : c - '0'; }

// 32 hex digits as 16 bytes. The parser writes them in lower case.
std::string packed_hash(std::string_view digits) {
  std::string bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2) bytes += static_cast<char>(digit_of(digits[i]) * 16 + digit_of(digits[i + 1]));
  return bytes;
}

std::int64_t at_column(const StoredEntry& entry) { return entry.at ? entry.at->time_since_epoch().count() : no_date; }

Speaker speaker_of(const StoredEntry& entry) {
  if (entry.metadata.role == "assistant") return Speaker::assistant;
  return entry.metadata.role == "user" ? Speaker::user : Speaker::unknown;
}

int shelf_column(const StoredEntry& entry, const Standing& standing) {
  return shelf_of(entry.kind, standing.layer, standing.active);
}

std::optional<std::int64_t> optional_id(ThreadId id) {
  if (id == 0) return std::nullopt;
  return id;
}

template <typename Visitor>
void for_each_label(const StoredEntry& entry, const std::string& loose, Visitor visit) {
  std::set<std::string> names;
  for (const auto& tag : entry.tags)
    for (auto& name : tag_names(tag)) names.insert(std::move(name));
  for (const auto& name : names) visit(LabelKind::tag, name);
  if (!entry.metadata.project.empty()) visit(LabelKind::project, entry.metadata.project);
  if (!entry.metadata.task.empty()) visit(LabelKind::task, entry.metadata.task);
  for (const auto& id : entry.metadata.from) visit(LabelKind::from, id);
  if (loose != entry.hash) visit(LabelKind::loose, loose);
  if (!entry.metadata.corrects.empty()) visit(LabelKind::corrects, entry.metadata.corrects);
}

bool is_active_fact(const EntryColumns& entry) { return entry.active && entry.layer == Layer::L1; }

class TermsOf final : public TokenSink {
 public:
  TermsOf(TermTable& terms, bool is_of_text) : terms_(terms), is_of_text_(is_of_text) {}
  bool take(const Token& token) override {
    terms_.take(token, is_of_text_);
    return true;
  }

 private:
  TermTable& terms_;
  bool is_of_text_;
};

}  // namespace

RowId EntryStore::find(std::string_view id) {
  Query row(database_, "SELECT row FROM entries WHERE id = ?", id);
  return row.next() ? static_cast<RowId>(row.integer(0)) : 0;
}

RowSummary EntryStore::summary(RowId row) {
  Query found(database_, "SELECT file, content FROM entries WHERE row = ?", row);
  if (!found.next()) return {};
  return {found.integer(0), static_cast<std::uint64_t>(found.integer(1))};
}

bool EntryStore::says(RowId row, std::string_view text_hash) {
  Query found(database_, "SELECT hash FROM entries WHERE row = ?", row);
  return found.next() && found.blob(0) == packed_hash(text_hash);
}

std::string EntryStore::id_of(RowId row) {
  Query found(database_, "SELECT id FROM entries WHERE row = ?", row);
  return found.next() ? std::string(found.text(0)) : std::string();
}

std::vector<RowId> rows_labelled(Database& database, LabelKind kind, std::string_view label) {
  std::vector<RowId> rows;
  for (Query found(database, "SELECT row FROM labels WHERE kind = ? AND label = ? ORDER BY row", static_cast<int>(kind), label);
       found.next();)
    rows.push_back(static_cast<RowId>(found.integer(0)));
  return rows;
}

std::vector<RowId> rows_with_text(Database& database, std::string_view hash) {
  const auto bytes = packed_hash(hash);
  std::vector<RowId> rows;
  for (Query found(database, "SELECT row FROM entries WHERE substr(hash, 1, 5) = ? AND hash = ? ORDER BY row",
                   Blob{std::string_view(bytes).substr(0, 5)}, Blob{bytes});
       found.next();)
    rows.push_back(static_cast<RowId>(found.integer(0)));
  return rows;
}

std::vector<RowId> rows_concerned(Database& database, const Concerned& concerned) {
  std::vector<RowId> rows;
  const auto take = [&](Query&& found) {
    while (found.next()) rows.push_back(static_cast<RowId>(found.integer(0)));
  };
  for (const auto& id : concerned.ids) {
    take(Query(database, "SELECT row FROM entries WHERE id = ?", id));
    std::ranges::copy(rows_labelled(database, LabelKind::from, id), std::back_inserter(rows));
  }
  for (const auto& hash : concerned.hashes) {
    std::ranges::copy(rows_with_text(database, hash), std::back_inserter(rows));
    std::ranges::copy(rows_labelled(database, LabelKind::loose, hash), std::back_inserter(rows));
  }
  std::ranges::sort(rows);
  rows.erase(std::ranges::unique(rows).begin(), rows.end());
  return rows;
}

RowId EntryStore::add(const StoredEntry& entry, FileId file, std::uint64_t content) {
  const auto standing = standing_of(entry, logs_.findings(entry));
  const ThreadId session = entry.metadata.session.empty() ? 0 : threads_.thread_of(entry.metadata.session);
  const ThreadId thread = entry.is_turn() && standing.active ? session : 0;
  run(database_,
      "INSERT INTO entries(id, hash, content, file, shelf, at, turn, session, thread, section, extra)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      entry.id, Blob{packed_hash(entry.hash)}, content, file, shelf_column(entry, standing), at_column(entry),
      entry.metadata.turn.value_or(no_turn), optional_id(session), optional_id(thread), section_of(entry), Blob{pack_extra(entry)});
  const auto row = static_cast<RowId>(database_.last_row());
  if (!building_) note_passage(entry);
  columns_.write(row, [&](ColumnRecord& record) {
    record = {};
    record.entry.thread = entry.is_turn() ? session : 0;
  });
  write_text(row, entry);
  write_record(row, entry, standing);
  write_labels(row, entry);
  attach(row);
  return row;
}

void EntryStore::change(RowId row, const StoredEntry& entry, FileId file, std::uint64_t content) {
  const auto old = load_entry(database_, columns_, row);
  if (!old) return;
  const auto standing = standing_of(entry, logs_.findings(entry));
  read_terms(*old);
  detach(row);
  const auto& before = old->metadata.session;
  const ThreadId old_session = before.empty() ? 0 : threads_.thread_of(before);
  const ThreadId session = entry.metadata.session.empty() ? 0 : threads_.thread_of(entry.metadata.session);
  const ThreadId thread = entry.is_turn() && standing.active ? session : 0;
  run(database_,
      "UPDATE entries SET id = ?, hash = ?, content = ?, file = ?, shelf = ?, at = ?, turn = ?, session = ?, thread = ?, section = "
      "?,"
      " extra = ?"
      " WHERE row = ?",
      entry.id, Blob{packed_hash(entry.hash)}, content, file, shelf_column(entry, standing), at_column(entry),
      entry.metadata.turn.value_or(no_turn), optional_id(session), optional_id(thread), section_of(entry), Blob{pack_extra(entry)},
      row);
  columns_.write(row, [&](ColumnRecord& record) { record.entry.thread = entry.is_turn() ? session : 0; });
  if (old->text != entry.text || old->context != entry.context) {
    remove_text(row);
    write_text(row, entry);
  }
  write_record(row, entry, standing);
  remove_labels(row, *old);
  write_labels(row, entry);
  attach(row);
  if (old_session != 0 && old_session != session) threads_.release(old_session);
}

void EntryStore::move(RowId row, FileId file) { run(database_, "UPDATE entries SET file = ? WHERE row = ?", file, row); }

void EntryStore::remove(RowId row) {
  const auto old = load_entry(database_, columns_, row);
  if (!old) return;
  note_passage(*old);
  read_terms(*old);
  detach(row);
  remove_labels(row, *old);
  remove_text(row);
  run(database_, "DELETE FROM entries WHERE row = ?", row);
  run(database_, "DELETE FROM places WHERE row = ?", row);
  columns_.write(row, [](ColumnRecord& record) { record = {}; });
  if (!old->metadata.session.empty()) threads_.release(threads_.thread_of(old->metadata.session));
}

// What it took the place of has its facts looked at again, too.
void EntryStore::note_passage(const StoredEntry& entry) {
  came_or_went_.insert(entry.id);
  if (!entry.metadata.corrects.empty()) came_or_went_.insert(entry.metadata.corrects);
}

bool EntryStore::refresh_standing(RowId row) {
  const auto entry = load_entry(database_, columns_, row);
  if (!entry) return false;
  const auto standing = standing_of(*entry, logs_.findings(*entry));
  const ColumnRecord record = columns_.read(row);
  if (record.entry.active == standing.active && record.entry.pending == standing.pending &&
      record.quarantined == standing.quarantined && record.entry.layer == standing.layer)
    return false;
  read_terms(*entry);
  detach(row);
  run(database_, "UPDATE entries SET shelf = ?, thread = ? WHERE row = ?", shelf_column(*entry, standing),
      optional_id(standing.active ? record.entry.thread : 0), row);
  write_record(row, *entry, standing);
  attach(row);
  return true;
}

std::optional<std::int64_t> EntryStore::section_of(const StoredEntry& entry) {
  if (entry.section == last_section_) return last_section_id_;
  last_section_ = entry.section;
  last_section_id_.reset();
  if (entry.section.empty()) return std::nullopt;
  const auto titles = pack_section(entry.section);
  run(database_, "INSERT OR IGNORE INTO sections(titles) VALUES (?)", Blob{titles});
  if (Query row(database_, "SELECT section FROM sections WHERE titles = ?", Blob{titles}); row.next())
    last_section_id_ = row.integer(0);
  return last_section_id_;
}

void EntryStore::write_text(RowId row, const StoredEntry& entry) {
  tokenizer_.reset();
  terms_.begin();
  tokenizer_.terms = &terms_;
  run(database_, "INSERT INTO fts(rowid, text, context) VALUES (?, ?, ?)", row, entry.text, entry.context);
  tokenizer_.terms = nullptr;
  terms_.count_row(1);
  columns_.write(row, [&](ColumnRecord& record) {
    EntryColumns& columns = record.entry;
    columns.text_length = tokenizer_.counts[0];
    columns.context_length =
        static_cast<std::uint16_t>(std::min<std::uint32_t>(tokenizer_.counts[1], std::numeric_limits<std::uint16_t>::max()));
    columns.traits = entry.traits;
  });
}

void EntryStore::remove_text(RowId row) {
  run(database_, "DELETE FROM fts WHERE rowid = ?", row);
  ++removals_;
  terms_.count_row(-1);
}

void EntryStore::read_terms(const StoredEntry& entry) {
  terms_.begin();
  for (const std::string* part : {&entry.text, &entry.context}) {
    TermsOf terms(terms_, part == &entry.text);
    tokenizer_.tokenizer.tokenize(*part, TokenForm::index, terms);
  }
}

void EntryStore::write_record(RowId row, const StoredEntry& entry, const Standing& standing) {
  columns_.write(row, [&](ColumnRecord& record) {
    record.exists = true;
    record.place = entry.place;
    record.day = entry.day;
    record.quarantined = standing.quarantined;
    record.entry.at = at_column(entry);
    record.entry.layer = standing.layer;
    record.entry.kind = entry.kind;
    record.entry.source = entry.source;
    record.entry.speaker = speaker_of(entry);
    record.entry.active = standing.active;
    record.entry.pending = standing.pending;
  });
}

void EntryStore::write_labels(RowId row, const StoredEntry& entry) {
  for_each_label(entry, entry.loose, [&](LabelKind kind, const std::string& label) {
    run(database_, "INSERT OR IGNORE INTO labels VALUES (?, ?, ?)", static_cast<int>(kind), label, row);
  });
}

void EntryStore::remove_labels(RowId row, const StoredEntry& entry) {
  for_each_label(entry, loose_text_hash(entry.text), [&](LabelKind kind, const std::string& label) {
    run(database_, "DELETE FROM labels WHERE kind = ? AND label = ? AND row = ?", static_cast<int>(kind), label, row);
  });
}

void EntryStore::attach(RowId row) {
  const EntryColumns entry = columns_.entry(row);
  if (is_active_fact(entry)) terms_.count_fact(1);
  if (!building_ && entry.active) threads_.attach(row);
}

void EntryStore::detach(RowId row) {
  const EntryColumns entry = columns_.entry(row);
  if (is_active_fact(entry)) terms_.count_fact(-1);
  if (!building_ && entry.active) threads_.detach(row);
}

void EntryStore::finish_build() {
  create_indexes(database_);
  columns_.flush();
  threads_.attach_all();
  building_ = false;
}

void EntryStore::flush() {
  columns_.flush();
  threads_.flush();
  terms_.flush();
  if (removals_ > 0)
    run(database_, "INSERT INTO about VALUES ('removals', ?) ON CONFLICT(name) DO UPDATE SET value = value + excluded.value",
        std::exchange(removals_, 0));
}

KeptLists::Texts texts_of_snapshot(Database& database) {
  KeptLists::Texts texts;
  if (Query removals(database, "SELECT value FROM about WHERE name = 'removals'"); removals.next())
    texts.removals = removals.integer(0);
  if (Query last(database, "SELECT max(row) FROM entries"); last.next()) texts.last_row = static_cast<RowId>(last.integer(0));
  return texts;
}

std::optional<StoredEntry> load_entry(Database& database, ColumnPages& columns, RowId row) {
  Query found(database,
              "SELECT id, hash, content, at, extra, (SELECT name FROM sessions WHERE sessions.session = entries.session),"
              " (SELECT titles FROM sections WHERE sections.section = entries.section) FROM entries WHERE row = ?",
              row);
  Query text(database, "SELECT c0, c1 FROM fts_content WHERE id = ?", row);
  if (!found.next() || !text.next()) {
    if (!database.failed()) database.report_damage("row " + std::to_string(row) + " is not there");
    return std::nullopt;
  }
  const ColumnRecord record = columns.read(row);
  StoredEntry entry;
  entry.id = found.text(0);
  entry.hash = hex(found.blob(1), 32);
  entry.text = text.text(0);
  entry.context = text.text(1);
  entry.place = record.place;
  entry.kind = record.entry.kind;
  entry.source = record.entry.source;
  entry.day = record.day;
  entry.metadata.session = found.text(5);
  entry.section = unpack_section(found.blob(6));
  if (found.integer(3) != no_date) entry.at = Instant(std::chrono::milliseconds(found.integer(3)));
  if (!unpack_extra(found.blob(4), entry) || content_hash(entry) != static_cast<std::uint64_t>(found.integer(2))) {
    database.report_damage("row " + std::to_string(row) + " is not as it was written");
    return std::nullopt;
  }
  return entry;
}

}  // namespace loci
