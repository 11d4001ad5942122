// The lists of an IndexReader: by time, by place, by session. Each reads about as much as it returns.
#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

#include "indexer/index_reader_impl.h"
#include "indexer/shelf.h"
#include "parser/tag_names.h"

namespace loci {
namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

template <typename T>
bool is_any_of(T value, const std::vector<T>& wanted) {
  return wanted.empty() || std::ranges::find(wanted, value) != wanted.end();
}

std::int64_t bound(const std::optional<Instant>& instant, std::int64_t otherwise) {
  return instant ? instant->time_since_epoch().count() : otherwise;
}

// Where an entry stands in the order of recent().
struct Moment {
  std::int64_t at = highest, turn = highest;
  std::string id;

  auto operator<=>(const Moment&) const = default;
};

struct Dated {
  Moment moment;
  RowId row = 0;
};

// One shelf, newest first, below a moment.
class ShelfCursor {
 public:
  ShelfCursor(Database& database, int shelf, std::int64_t since, const Moment& below)
      : query_(database,
               "SELECT row, at, turn, id FROM entries WHERE shelf = ? AND at >= ? AND (at, turn, id) < (?, ?, ?)"
               " ORDER BY at DESC, turn DESC, id DESC",
               shelf, since, below.at, below.turn, below.id) {
    advance();
  }
  void advance() {
    present_ = query_.next();
    if (present_)
      head_ = {{query_.integer(1), query_.integer(2), std::string(query_.text(3))}, static_cast<RowId>(query_.integer(0))};
  }
  bool present() const { return present_; }
  const Dated& head() const { return head_; }

 private:
  Query query_;
  bool present_ = false;
  Dated head_;
};

// The shelves that can hold what a filter wants, merged.
class Timeline {
 public:
  Timeline(Database& database, const EntryFilter& filter, const Moment& below) {
    for (int shelf = 0; shelf < shelves_count; ++shelf)
      if (is_any_of(kind_of_shelf(shelf), filter.kinds) && is_any_of(layer_of_shelf(shelf), filter.layers) &&
          (filter.inactive || is_active_shelf(shelf)))
        cursors_.push_back(
            std::make_unique<ShelfCursor>(database, shelf, bound(filter.since, filter.until ? lowest + 1 : lowest), below));
  }
  std::optional<Dated> next() {
    ShelfCursor* newest = nullptr;
    for (const auto& cursor : cursors_)
      if (cursor->present() && (newest == nullptr || cursor->head().moment > newest->head().moment)) newest = cursor.get();
    if (newest == nullptr) return std::nullopt;
    Dated found = newest->head();
    newest->advance();
    return found;
  }

 private:
  std::vector<std::unique_ptr<ShelfCursor>> cursors_;
};

void intersect(std::optional<std::vector<RowId>>& rows, std::vector<RowId> others) {
  std::ranges::sort(others);
  others.erase(std::ranges::unique(others).begin(), others.end());
  if (!rows) {
    rows = std::move(others);
    return;
  }
  std::vector<RowId> both;
  std::ranges::set_intersection(*rows, others, std::back_inserter(both));
  rows = std::move(both);
}

std::vector<RowId> rows_of(Query&& query) {
  std::vector<RowId> rows;
  while (query.next()) rows.push_back(static_cast<RowId>(query.integer(0)));
  return rows;
}

// "deploy" finds "deploy/staging" too.
std::vector<RowId> rows_tagged(Database& database, const std::string& label) {
  auto rows = rows_labelled(database, LabelKind::tag, label);
  const auto below = rows_of(Query(database, "SELECT row FROM labels WHERE kind = ? AND label >= ? AND label < ?",
                                   static_cast<int>(LabelKind::tag), label + "/", label + "0"));
  rows.insert(rows.end(), below.begin(), below.end());
  return rows;
}

std::optional<Moment> moment_of(Database& database, const std::string& id) {
  Query row(database, "SELECT at, turn FROM entries WHERE id = ?", id);
  if (!row.next()) return std::nullopt;
  return Moment{row.integer(0), row.integer(1), id};
}

std::unexpected<Error> fail_cursor(const std::string& id) {
  return fail(ErrorCode::not_found, "there is no entry " + id + " to go on from", "start from the first page");
}

}  // namespace

bool IndexReader::Impl::passes(const ColumnRecord& record, const EntryFilter& filter) const {
  const auto& entry = record.entry;
  if (!record.exists || (!entry.active && !filter.inactive)) return false;
  if (!is_any_of(entry.layer, filter.layers) || !is_any_of(entry.kind, filter.kinds) || !is_any_of(entry.source, filter.sources))
    return false;
  if (!filter.since && !filter.until) return true;
  return entry.at != lowest && entry.at >= bound(filter.since, lowest) && entry.at < bound(filter.until, highest);
}

std::optional<std::vector<RowId>> IndexReader::Impl::rows_named(const EntryFilter& filter) {
  auto& database = index.database;
  std::optional<std::vector<RowId>> rows;
  for (const auto& written : filter.tags) {
    const auto tags = tag_items(written);
    if (tags.empty()) intersect(rows, {});
    for (const auto& tag : tags) intersect(rows, rows_tagged(database, tag));
  }
  if (!filter.project.empty()) intersect(rows, rows_labelled(database, LabelKind::project, filter.project));
  if (!filter.task.empty()) intersect(rows, rows_labelled(database, LabelKind::task, filter.task));
  if (!filter.session.empty())
    intersect(rows, rows_of(Query(database, "SELECT row FROM entries WHERE session = (SELECT session FROM sessions WHERE name = ?)",
                                  filter.session)));
  if (!filter.file.empty()) {
    std::vector<RowId> here;
    if (const auto file = files.find(filter.file))
      for (const auto& slot : places_of(file->id).slots) here.push_back(slot.row);
    intersect(rows, std::move(here));
  }
  return rows;
}

Result<std::vector<RowId>> IndexReader::rows_matching(const EntryFilter& filter) {
  std::vector<RowId> rows;
  if (auto named = impl_->rows_named(filter)) {
    rows = std::move(*named);
    std::erase_if(rows, [&](RowId row) { return !impl_->passes(impl_->columns.read(row), filter); });
  } else {
    impl_->columns.for_each([&](RowId row, const ColumnRecord& record) {
      if (impl_->passes(record, filter)) rows.push_back(row);
    });
  }
  return impl_->checked(std::move(rows));
}

Result<std::vector<Entry>> IndexReader::recent(const EntryFilter& filter, size_t limit, const std::string& before) {
  auto& database = impl_->index.database;
  Moment below;
  if (!before.empty()) {
    const auto cursor = moment_of(database, before);
    if (!cursor) return fail_cursor(before);
    below = *cursor;
  }
  if (filter.until) below = std::min(below, Moment{bound(filter.until, highest), lowest, {}});
  const auto named = impl_->rows_named(filter);
  const auto wanted = [&](RowId row) {
    return (!named || std::ranges::binary_search(*named, row)) && impl_->passes(impl_->columns.read(row), filter);
  };

  std::vector<RowId> rows;
  // Few named entries are sorted; many are met soon enough on the way through time.
  constexpr size_t few = 4096;
  if (named && named->size() <= few) {
    std::vector<Dated> dated;
    for (const RowId row : *named) {
      Query moment(database, "SELECT at, turn, id FROM entries WHERE row = ?", row);
      if (!wanted(row) || !moment.next()) continue;
      Dated found{{moment.integer(0), moment.integer(1), std::string(moment.text(2))}, row};
      if (found.moment < below) dated.push_back(std::move(found));
    }
    std::ranges::sort(dated, std::greater{}, &Dated::moment);
    for (size_t i = 0; i < std::min(limit, dated.size()); ++i) rows.push_back(dated[i].row);
  } else {
    Timeline timeline(database, filter, below);
    while (rows.size() < limit) {
      const auto found = timeline.next();
      if (!found) break;
      if (wanted(found->row)) rows.push_back(found->row);
    }
  }
  return impl_->checked(impl_->entries_of(rows));
}

Result<std::vector<Entry>> IndexReader::list(const EntryFilter& filter, size_t limit, const std::string& after) {
  auto& database = impl_->index.database;
  std::string from_path;
  RowId from_row = 0;
  if (!after.empty()) {
    Query cursor(database, "SELECT row, path FROM entries JOIN files USING (file) WHERE id = ?", after);
    if (!cursor.next()) return fail_cursor(after);
    from_row = static_cast<RowId>(cursor.integer(0));
    from_path = cursor.text(1);
  }
  const auto named = impl_->rows_named(filter);
  std::vector<RowId> rows;
  Query file = filter.file.empty() ? Query(database, "SELECT file FROM files WHERE path >= ? ORDER BY path", from_path)
                                   : Query(database, "SELECT file FROM files WHERE path = ?", filter.file);
  while (rows.size() < limit && file.next()) {
    const FileId id = file.integer(0);
    const auto& places = impl_->places_of(id);
    bool behind_cursor = from_row == 0 || places.path != from_path;
    for (std::uint32_t i = 0; i < places.slots.size() && rows.size() < limit; ++i) {
      const RowId row = places.slots[i].row;
      // An entry that stands in several places is listed at the first.
      if (std::ranges::lower_bound(places.by_row, std::pair{row, std::uint32_t{0}})->second != i) continue;
      if (!behind_cursor) {
        behind_cursor = row == from_row;
        continue;
      }
      if (named && !std::ranges::binary_search(*named, row)) continue;
      if (!impl_->passes(impl_->columns.read(row), filter)) continue;
      if (Query(database, "SELECT 1 FROM entries WHERE row = ? AND file = ?", row, id).next()) rows.push_back(row);
    }
  }
  return impl_->checked(impl_->entries_of(rows));
}

IndexReader::PendingCounts IndexReader::pending_counts() {
  PendingCounts counts;
  std::int64_t oldest = highest;
  impl_->columns.for_each([&](RowId, const ColumnRecord& record) {
    if (!record.entry.pending) return;
    ++(record.quarantined ? counts.quarantined : counts.pending);
    if (!record.quarantined && record.entry.at != lowest) oldest = std::min(oldest, record.entry.at);
  });
  if (oldest != highest) counts.oldest = Instant(std::chrono::milliseconds(oldest));
  return counts;
}

Result<std::vector<IndexReader::PendingFact>> IndexReader::pending_facts() {
  std::vector<RowId> rows;
  impl_->columns.for_each([&](RowId row, const ColumnRecord& record) {
    if (record.entry.pending) rows.push_back(row);
  });
  std::vector<PendingFact> found;
  found.reserve(rows.size());
  for (const RowId row : rows) {
    auto fact = TRY(entry(row));
    found.push_back({std::move(fact), impl_->columns.read(row).quarantined});
  }
  std::ranges::sort(found, [](const PendingFact& a, const PendingFact& b) {
    return std::tie(a.entry.at, a.entry.id) < std::tie(b.entry.at, b.entry.id);
  });
  return impl_->checked(std::move(found));
}

Result<std::vector<SessionSummary>> IndexReader::sessions(size_t limit) {
  auto& database = impl_->index.database;
  std::vector<SessionSummary> found;
  const int first_turn = shelf_of(EntryKind::turn, Layer::L0, true);
  for (Query row(database,
                 "SELECT session, count(*), sum(shelf >= ?1 AND shelf < ?2), min(nullif(at, ?3)), max(nullif(at, ?3)) AS latest,"
                 " (SELECT name FROM sessions WHERE sessions.session = entries.session) AS name"
                 " FROM entries WHERE session IS NOT NULL AND shelf < ?4 GROUP BY session ORDER BY latest DESC, name LIMIT ?5",
                 first_turn, first_turn + layers_count, lowest, shelves_count / 2, std::uint64_t{limit});
       row.next();) {
    SessionSummary summary;
    summary.id = row.text(5);
    summary.entries = row.integer(1);
    summary.turns = row.integer(2);
    if (!row.is_null(3)) summary.first = Instant(std::chrono::milliseconds(row.integer(3)));
    if (!row.is_null(4)) summary.last = Instant(std::chrono::milliseconds(row.integer(4)));
    for (Query newest(database, "SELECT row FROM entries WHERE session = ? AND shelf < ? ORDER BY at DESC, id DESC LIMIT 1",
                      row.integer(0), shelves_count / 2);
         newest.next();)
      if (const auto entry = load_entry(database, impl_->columns, static_cast<RowId>(newest.integer(0))))
        summary.project = entry->metadata.project;
    found.push_back(std::move(summary));
  }
  return impl_->checked(std::move(found));
}

Result<std::vector<Entry>> IndexReader::session(const std::string& id) {
  const auto rows =
      rows_of(Query(impl_->index.database,
                    "SELECT row FROM entries WHERE session = (SELECT session FROM sessions WHERE name = ?) AND shelf < ?"
                    " ORDER BY turn, at, id",
                    id, shelves_count / 2));
  return impl_->checked(impl_->entries_of(rows));
}

}  // namespace loci
