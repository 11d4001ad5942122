// How an IndexReader puts an entry together from its rows.
#include <algorithm>

#include "indexer/claim_order.h"
#include "indexer/index_reader_impl.h"

namespace loci {
namespace {

constexpr size_t most_files_kept = 64;

Entry entry_from(StoredEntry stored) {
  Entry entry;
  auto& metadata = stored.metadata;
  entry.id = std::move(stored.id);
  entry.place = stored.place;
  entry.kind = stored.kind;
  entry.source = stored.source;
  const auto confidence = metadata.confidence;
  if (confidence && *confidence >= 0 && *confidence <= 1) entry.confidence = confidence;
  entry.at = stored.at;
  entry.updated = std::move(metadata.updated);
  entry.text = std::move(stored.text);
  entry.hash = std::move(stored.hash);
  entry.section = std::move(stored.section);
  entry.tags = std::move(stored.tags);
  entry.role = std::move(metadata.role);
  entry.project = std::move(metadata.project);
  entry.task = std::move(metadata.task);
  entry.session = std::move(metadata.session);
  entry.turn = metadata.turn;
  entry.category = std::move(metadata.category);
  entry.corrects = std::move(metadata.corrects);
  entry.first_seen = std::move(metadata.first_seen);
  entry.ref = std::move(metadata.ref);
  entry.about = std::move(metadata.about);
  entry.sources = std::move(metadata.sources);
  entry.from = std::move(metadata.from);
  entry.has_metadata = stored.has_metadata;
  entry.edited = stored.sum == SumState::differs;
  return entry;
}

}  // namespace

const IndexReader::Impl::FilePlaces& IndexReader::Impl::places_of(FileId file) {
  if (const auto known = places.find(file); known != places.end()) return known->second;
  if (places.size() >= most_files_kept) places.clear();
  auto& found = places[file];
  found.path = files.path_of(file);
  found.slots = slots.load(files.layout(file));
  for (std::uint32_t i = 0; i < found.slots.size(); ++i) found.by_row.emplace_back(found.slots[i].row, i);
  std::ranges::sort(found.by_row);
  return found;
}

std::vector<EntryPlace> IndexReader::Impl::places_of_entry(RowId row, FileId first) {
  std::vector<FileId> in{first};
  for (Query other(index.database, "SELECT file FROM places WHERE row = ?", row); other.next();) in.push_back(other.integer(0));
  std::vector<EntryPlace> found;
  for (const FileId file : in) {
    const auto& known = places_of(file);
    for (auto slot = std::ranges::lower_bound(known.by_row, std::pair{row, std::uint32_t{0}});
         slot != known.by_row.end() && slot->first == row; ++slot) {
      const auto& place = known.slots[slot->second];
      found.push_back({known.path, static_cast<int>(place.line), static_cast<int>(place.line_end)});
    }
  }
  std::ranges::stable_sort(found, ClaimOrder(), &EntryPlace::file);
  return found;
}

std::string IndexReader::Impl::text_hash_at(FileId file, int line) {
  const auto& known = places_of(file).slots;
  const auto slot = std::ranges::find(known, static_cast<std::uint32_t>(line), &Slot::line);
  Query text(index.database, "SELECT hash FROM entries WHERE row = ?", slot == known.end() ? RowId{0} : slot->row);
  return text.next() ? std::string(text.blob(0)) : std::string();
}

Result<Entry> IndexReader::Impl::entry(RowId row) {
  auto& database = index.database;
  auto stored = load_entry(database, columns, row);
  if (!stored) return std::unexpected(database.take_status().error());
  const ColumnRecord record = columns.read(row);
  const auto superseded_by = record.entry.active ? std::string() : standing_of(*stored, logs.findings(*stored)).superseded_by;
  Entry entry = entry_from(std::move(*stored));
  entry.row = row;
  entry.layer = record.entry.layer;
  entry.active = record.entry.active;
  entry.pending = record.entry.pending;
  entry.superseded_by = superseded_by;
  Query file(database, "SELECT file FROM entries WHERE row = ?", row);
  if (file.next()) entry.places = places_of_entry(row, file.integer(0));
  if (entry.places.empty()) database.report_damage("row " + std::to_string(row) + " stands nowhere");
  return checked(std::move(entry));
}

std::vector<Entry> IndexReader::Impl::entries_of(const std::vector<RowId>& rows) {
  std::vector<Entry> entries;
  for (const RowId row : rows) {
    auto found = entry(row);
    if (found) {
      entries.push_back(std::move(*found));
    } else if (!index.database.failed()) {
      index.database.report_damage(found.error().message);
    }
  }
  return entries;
}

}  // namespace loci
