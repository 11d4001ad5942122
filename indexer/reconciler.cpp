#include "indexer/reconciler.h"

#include <algorithm>

#include "indexer/file_times.h"

namespace loci {
namespace {

// What a slot has for the content of an entry whose row another file's entry made: it is no candidate's, so that whoever reads the
// file again settles it anew.
constexpr std::uint64_t of_another_place = 0;

}  // namespace

Reconciler::Reconciler(const Vault& vault, Database& database, EntryStore& entries, ReconcileReport& report)
    : database_(database),
      entries_(entries),
      files_(database),
      slots_(database),
      loader_(vault, database, entries, files_, slots_),
      batch_(vault, database, entries, files_, loader_, report),
      report_(report) {}

void Reconciler::apply(FileBatch::Changes changes, const std::function<void()>& progress) {
  batch_.pending = std::move(changes);
  // What is there before what is gone: an entry that moved finds its old row.
  for (const bool gone : {false, true}) {
    std::vector<std::string> paths;
    for (const auto& [path, state] : batch_.pending)
      if (state.has_value() != gone) paths.push_back(path);
    for (const auto& path : paths) {
      if (database_.failed()) return;
      if (batch_.pending.contains(path)) step(path);
      progress();
    }
  }
}

void Reconciler::add(const FileState& state, std::int64_t read_at, Reading reading) {
  LoadedFile file;
  file.path = state.path;
  file.state = state;
  file.indexed_at = read_at;
  file.details = std::move(reading.details);
  file.traits = {.path = state.path, .untrusted = state.untrusted, .front_date = file.details.points.last.resume.front_date};
  file.candidates = std::move(reading.candidates);
  batch_.take(std::move(file));
  write_batch();
}

void Reconciler::add_unreadable(const FileState& state, const Error& error) {
  LoadedFile file;
  file.path = state.path;
  file.state = state;
  file.unreadable = true;
  file.details.problems = {{state.path, 0, "unreadable", error.message}};
  settle_unchanged(file);
}

void Reconciler::step(const std::string& path) {
  if (batch_.gather(path))
    write_batch();
  else
    settle_unchanged(batch_.files().at(path));
}

void Reconciler::settle_unchanged(LoadedFile& file) {
  if (file.known.id == 0) file.known.id = files_.add(file.path);
  files_.set_state(file.known.id, file.state, file.indexed_at, !file.unreadable);
  if (!file.unreadable) return;
  files_.set_details(file.known.id, file.details);
  ++report_.files_unreadable;
}

void Reconciler::write_batch() {
  for (auto& [path, file] : batch_.files())
    if (file.known.id == 0 && !file.is_gone) file.known.id = files_.add(path);
  for (auto& [path, file] : batch_.files())
    for (auto& candidate : file.candidates) {
      if (candidate.before) continue;
      if (!candidate.claim().empty()) assign_claim(file, candidate);
      if (candidate.row == 0) assign_text(file, candidate);
    }
  drop_released();
  settle_texts();
  write_contested();
  for (auto& [path, file] : batch_.files()) write_slots(file);
  batch_.clear();
  assigned_.clear();
  texts_.clear();
  contested_.clear();
}

void Reconciler::assign_claim(LoadedFile& file, Candidate& candidate) {
  const std::string id(candidate.claim());
  const RowId row = entries_.find(id);
  const bool is_free = row == 0 || (batch_.is_free(row) && !assigned_.contains(id));
  if (is_free) {
    candidate.row = row;
    if (row == 0) {
      candidate.row = entries_.add(candidate.entry, file.known.id, candidate.content);
      ++report_.entries_added;
    } else {
      put(row, file, candidate);
    }
    assigned_.emplace(id, candidate.row);
    return;
  }
  candidate.lost_claim = id;
  contested_.insert(id);
  if (entries_.says(row, candidate.entry.hash)) {
    candidate.row = row;
    candidate.content = of_another_place;
    texts_.insert(row);
    return;
  }
  candidate.entry = as_copy(std::move(candidate.entry));
  candidate.content = content_hash(candidate.entry);
}

void Reconciler::assign_text(LoadedFile& file, Candidate& candidate) {
  candidate.row = entries_.find(candidate.entry.id);
  if (candidate.row == 0) {
    candidate.row = entries_.add(candidate.entry, file.known.id, candidate.content);
    ++report_.entries_added;
    return;
  }
  texts_.insert(candidate.row);
}

// Makes a row what this place says.
void Reconciler::put(RowId row, const LoadedFile& file, const Candidate& candidate) {
  const auto summary = entries_.summary(row);
  if (summary.content != candidate.content) {
    entries_.change(row, candidate.entry, file.known.id, candidate.content);
    ++report_.entries_changed;
  } else if (summary.file != file.known.id) {
    entries_.move(row, file.known.id);
  }
}

void Reconciler::drop_released() {
  for (const RowId row : batch_.released()) {
    const auto id = entries_.id_of(row);
    if (is_hash_id(id) || is_contested(id)) {
      texts_.insert(row);
    } else if (!assigned_.contains(id)) {
      entries_.remove(row);
      ++report_.entries_removed;
    }
  }
}

void Reconciler::settle_texts() {
  if (texts_.empty()) return;
  std::map<RowId, FirstPlaces> places;
  for (const RowId row : texts_) places[row];
  for (const auto& [path, file] : batch_.files())
    for (const auto& candidate : file.candidates)
      if (const auto found = places.find(candidate.row); found != places.end()) found->second.emplace(path, &candidate);
  for (const auto& [row, found] : places) settle_text(row, found);
}

// `now`: the first place in each file of the batch that was read. One in a part that was not read comes before, and is as it was.
void Reconciler::settle_text(RowId row, const FirstPlaces& now) {
  const auto summary = entries_.summary(row);
  const auto first_before = files_.path_of(summary.file);
  const auto stands_in = [&](const LoadedFile& file) { return file.keeps(row) || now.contains(file.path); };
  for (const auto& [path, file] : batch_.files())
    run(database_, stands_in(file) ? "INSERT OR IGNORE INTO places VALUES (?, ?)" : "DELETE FROM places WHERE row = ? AND file = ?",
        row, file.known.id);
  const auto* holder = batch_.find(first_before);
  const bool holds_still = holder == nullptr || stands_in(*holder);
  auto first = holds_still ? first_before : first_other_place(row);
  if (!now.empty() && (first.empty() || ClaimOrder()(now.begin()->first, first))) first = now.begin()->first;
  if (first.empty()) {
    entries_.remove(row);
    ++report_.entries_removed;
    return;
  }
  if (holds_still && first != first_before) run(database_, "INSERT OR IGNORE INTO places VALUES (?, ?)", row, summary.file);
  const auto* first_file = batch_.find(first);
  if (const auto candidate = now.find(first); candidate != now.end() && !first_file->keeps(row))
    put(row, *first_file, *candidate->second);
  else if (const auto known = files_.find(first); known && known->id != summary.file)
    entries_.move(row, known->id);
  run(database_, "DELETE FROM places WHERE row = ? AND file = (SELECT file FROM entries WHERE row = ?)", row, row);
}

std::string Reconciler::first_other_place(RowId row) {
  std::string first;
  for (Query place(database_, "SELECT path FROM places JOIN files USING (file) WHERE row = ?", row); place.next();)
    if (const auto path = place.text(0); first.empty() || ClaimOrder()(path, first)) first = path;
  return first;
}

void Reconciler::write_slots(LoadedFile& file) {
  std::vector<Slot> after;
  after.reserve(file.above.count + file.candidates.size() + file.below.count);
  std::copy_n(file.old_slots.begin(), file.above.count, std::back_inserter(after));
  for (const auto& candidate : file.candidates)
    after.push_back({.row = candidate.row, .line = candidate.line, .line_end = candidate.line_end, .content = candidate.content});
  const auto lines_moved = static_cast<std::uint32_t>(file.lines_moved);
  for (size_t i = file.old_slots.size() - file.below.count; i < file.old_slots.size(); ++i) {
    after.push_back(file.old_slots[i]);
    after.back().line += lines_moved;
    after.back().line_end += lines_moved;
  }
  slots_.replace(file.details.layout, file.old_slots, after);
  if (file.is_gone) {
    if (file.known.id == 0) return;
    files_.remove(file.known.id);
    ++report_.files_removed;
    return;
  }
  files_.set_details(file.known.id, file.details);
  files_.set_state(file.known.id, file.state, file.indexed_at, true);
  ++report_.files_changed;
}

// --- ids that are claimed more than once ---

void Reconciler::write_contested() {
  for (const auto& [path, file] : batch_.files())
    for (Query claim(database_, "SELECT id FROM contested WHERE file = ?", file.known.id); claim.next();)
      contested_.emplace(claim.text(0));
  if (contested_.empty()) return;
  for (const auto& [path, file] : batch_.files()) {
    run(database_, "DELETE FROM contested WHERE file = ?", file.known.id);
    for (const auto& candidate : file.candidates) {
      const std::string id(candidate.lost_claim.empty() ? candidate.claim() : std::string_view(candidate.lost_claim));
      if (contested_.contains(id))
        run(database_, "INSERT OR IGNORE INTO contested VALUES (?, ?, ?)", id, file.known.id, candidate.line);
    }
  }
  for (const auto& id : contested_) note_winner(id);
  for (const auto& id : contested_)
    run(database_, "DELETE FROM contested WHERE id = ?1 AND (SELECT count(*) FROM contested WHERE id = ?1) < 2", id);
}

bool Reconciler::is_contested(const std::string& id) {
  return contested_.contains(id) || Query(database_, "SELECT 1 FROM contested WHERE id = ? LIMIT 1", id).next();
}

// The file that has the id may not be in the batch: nothing changed there.
void Reconciler::note_winner(const std::string& id) {
  const RowId row = entries_.find(id);
  if (row == 0) return;
  const auto file = entries_.summary(row).file;
  if (Query(database_, "SELECT 1 FROM contested WHERE id = ? AND file = ?", id, file).next()) return;
  for (const auto& slot : slots_.load(files_.layout(file)))
    if (slot.row == row) run(database_, "INSERT INTO contested VALUES (?, ?, ?)", id, file, slot.line);
}

}  // namespace loci
