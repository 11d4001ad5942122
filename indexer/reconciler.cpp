#include "indexer/reconciler.h"

#include <algorithm>

#include "indexer/file_times.h"

namespace loci {

Reconciler::Reconciler(const Vault& vault, Database& database, EntryStore& entries, ReconcileReport& report)
    : vault_(vault),
      database_(database),
      entries_(entries),
      files_(database),
      slots_(database),
      loader_(vault, database, entries, files_, slots_),
      report_(report) {}

void Reconciler::apply(Changes changes, const std::function<void()>& progress) {
  pending_ = std::move(changes);
  // What is there before what is gone: an entry that moved finds its old row.
  for (const bool gone : {false, true}) {
    std::vector<std::string> paths;
    for (const auto& [path, state] : pending_)
      if (state.has_value() != gone) paths.push_back(path);
    for (const auto& path : paths) {
      if (database_.failed()) return;
      if (pending_.contains(path)) step(path);
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
  file.traits = {.path = state.path, .untrusted = state.untrusted, .front_date = file.details.resume.front_date};
  file.candidates = std::move(reading.candidates);
  batch_.emplace(state.path, std::move(file));
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

LoadedFile Reconciler::load(const std::string& path, bool whole) {
  std::optional<FileState> state;
  if (const auto pending = pending_.find(path); pending != pending_.end()) {
    state = pending->second;
    pending_.erase(pending);
  } else if (const auto now = examine(vault_, path)) {
    state = *now;
  } else if (const auto known = files_.find(path)) {
    state = known->state;  // what can't be examined is not gone
  }
  auto file = loader_.load(path, state, whole);
  ++report_.files_read;
  return file;
}

void Reconciler::step(const std::string& path) {
  auto file = load(path, false);
  if (file.unreadable || file.same_bytes) {
    settle_unchanged(file);
    return;
  }
  batch_.emplace(path, std::move(file));
  gather();
  write_batch();
}

void Reconciler::settle_unchanged(LoadedFile& file) {
  if (file.known.id == 0) file.known.id = files_.add(file.path);
  files_.set_state(file.known.id, file.state, file.indexed_at, !file.unreadable);
  if (file.unreadable) files_.set_details(file.known.id, file.details);
}

// --- which files belong together ---

void Reconciler::gather() {
  auto& first = batch_.begin()->second;
  const auto standing = standing_slots(first);
  const bool gives_up_text = first.only_grew() && std::ranges::find(standing, false) != standing.end();
  if (gives_up_text) {  // what was given up may stand again in the part that was not read
    const auto path = first.path;
    const auto state = first.state;
    batch_.at(path) = loader_.load(path, state, true);
  }
  while (!database_.failed() && gather_once()) {
  }
}

bool Reconciler::gather_once() {
  find_released();
  for (const auto& [path, file] : batch_) {
    for (const auto& candidate : file.candidates)
      if (!candidate.before && !candidate.claim().empty() && gather_holder(file, candidate)) return true;
    const auto standing = standing_slots(file);
    for (size_t i = 0; i < standing.size(); ++i)
      if (!standing[i] && gather_heir(file, file.old_slots[i].row)) return true;
  }
  return false;
}

void Reconciler::find_released() {
  released_.clear();
  for (const auto& [path, file] : batch_) {
    const auto standing = standing_slots(file);
    for (size_t i = 0; i < standing.size(); ++i)
      if (!standing[i]) released_.insert(file.old_slots[i].row);
  }
}

// Takes a file into the batch; false if it was there, or can't be read.
bool Reconciler::enlarge(const std::string& path) {
  if (path.empty() || batch_.contains(path)) return false;
  auto file = load(path, true);
  if (file.unreadable) {
    settle_unchanged(file);
    return false;
  }
  batch_.emplace(path, std::move(file));
  for (auto& [other, loaded] : batch_)
    if (loaded.only_grew()) loaded = loader_.load(other, loaded.state, true);
  return true;
}

// An entry that claims an id before the one that has it takes it away from there.
bool Reconciler::gather_holder(const LoadedFile& file, const Candidate& candidate) {
  const std::string id(candidate.claim());
  const RowId row = entries_.find(id);
  if (row == 0 || released_.contains(row)) return false;
  const auto holder = files_.path_of(entries_.summary(row).file);
  if (holder == file.path) return false;
  // An earlier file keeps its ids, unless it is about to change too: then an entry that moved keeps its row.
  if (holder < file.path) return pending_.contains(holder) && enlarge(holder);
  const bool taken_in = enlarge(holder);
  const auto found = batch_.find(holder);
  return (found != batch_.end() && unmatch(found->second, id)) || taken_in;
}

// What an entry leaves behind, its id or its place as the first of a text, goes to the next file that has a claim to it.
bool Reconciler::gather_heir(const LoadedFile& file, RowId row) {
  if (entries_.summary(row).file != file.known.id) return false;
  const auto id = entries_.id_of(row);
  const auto still_has = [&](const LoadedFile& other) {
    return std::ranges::any_of(other.candidates, [&](const Candidate& each) { return each.entry.id == id; });
  };
  if (still_has(file)) return false;
  std::string heir;
  const auto consider = [&](FileId other) {
    auto path = files_.path_of(other);
    const auto in_batch = batch_.find(path);
    if (in_batch != batch_.end() && !still_has(in_batch->second)) return;
    if (heir.empty() || path < heir) heir = std::move(path);
  };
  if (is_hash_id(id))
    for (Query place(database_, "SELECT file FROM places WHERE row = ?", row); place.next();) consider(place.integer(0));
  else
    for (Query claim(database_, "SELECT file FROM contested WHERE id = ?", id); claim.next();) consider(claim.integer(0));
  return enlarge(heir);
}

// --- writing ---

void Reconciler::write_batch() {
  for (auto& [path, file] : batch_)
    if (file.known.id == 0 && !file.is_gone) file.known.id = files_.add(path);
  for (auto& [path, file] : batch_)
    for (auto& candidate : file.candidates) {
      if (candidate.before) continue;
      if (!candidate.claim().empty()) assign_claim(file, candidate);
      if (candidate.claim().empty()) assign_text(file, candidate);
    }
  drop_released();
  settle_texts();
  write_contested();
  for (auto& [path, file] : batch_) write_slots(file);
  batch_.clear();
  released_.clear();
  assigned_.clear();
  texts_.clear();
  contested_.clear();
}

void Reconciler::assign_claim(LoadedFile& file, Candidate& candidate) {
  const std::string id(candidate.claim());
  const RowId row = entries_.find(id);
  const bool is_free = row == 0 || (released_.contains(row) && !assigned_.contains(id));
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
  candidate.entry = without_metadata(std::move(candidate.entry), file.traits);
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
  for (const RowId row : released_) {
    const auto id = entries_.id_of(row);
    if (is_hash_id(id)) {
      texts_.insert(row);
    } else if (!assigned_.contains(id)) {
      entries_.remove(row);
      ++report_.entries_removed;
    }
  }
}

void Reconciler::settle_texts() {
  if (texts_.empty()) return;
  std::map<RowId, std::map<std::string, const Candidate*>> places;
  for (const RowId row : texts_) places[row];
  for (const auto& [path, file] : batch_)
    for (const auto& candidate : file.candidates)
      if (const auto found = places.find(candidate.row); found != places.end()) found->second.emplace(path, &candidate);
  for (const auto& [row, found] : places) settle_text(row, found);
}

// `places`: the first one in each file of the batch that was read.
void Reconciler::settle_text(RowId row, const std::map<std::string, const Candidate*>& places) {
  std::map<std::string, FileId> files;
  const auto keep = [&](FileId file) {
    auto path = files_.path_of(file);
    const auto in_batch = batch_.find(path);
    const bool was_read = in_batch != batch_.end() && !in_batch->second.only_grew();
    if (!path.empty() && !was_read) files.emplace(std::move(path), file);
  };
  const auto summary = entries_.summary(row);
  keep(summary.file);
  for (Query place(database_, "SELECT file FROM places WHERE row = ?", row); place.next();) keep(place.integer(0));
  const auto before = files;
  for (const auto& [path, candidate] : places) files.emplace(path, batch_.at(path).known.id);
  if (files.empty()) {
    entries_.remove(row);
    ++report_.entries_removed;
    return;
  }

  const auto& [first, first_id] = *files.begin();
  const auto candidate = places.find(first);
  // A place in the part of a file that was not read again comes before any that was.
  if (candidate != places.end() && !before.contains(first))
    put(row, batch_.at(first), *candidate->second);
  else if (summary.file != first_id)
    entries_.move(row, first_id);
  run(database_, "DELETE FROM places WHERE row = ?", row);
  for (const auto& [path, id] : files)
    if (id != first_id) run(database_, "INSERT INTO places VALUES (?, ?)", row, id);
}

void Reconciler::write_slots(LoadedFile& file) {
  std::vector<Slot> after(file.old_slots.begin(), file.old_slots.begin() + static_cast<std::ptrdiff_t>(file.kept));
  after.reserve(file.kept + file.candidates.size());
  for (const auto& candidate : file.candidates)
    after.push_back({.row = candidate.row, .line = candidate.line, .line_end = candidate.line_end, .content = candidate.content});
  slots_.replace(file.details.layout, file.first_chunk, file.old_slots, after);
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
  for (const auto& [path, file] : batch_)
    for (Query claim(database_, "SELECT id FROM contested WHERE file = ?", file.known.id); claim.next();)
      contested_.emplace(claim.text(0));
  if (contested_.empty()) return;
  for (const auto& [path, file] : batch_) {
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

// The file that has the id may not be in the batch: nothing changed there.
void Reconciler::note_winner(const std::string& id) {
  const RowId row = entries_.find(id);
  if (row == 0) return;
  const auto file = entries_.summary(row).file;
  if (Query(database_, "SELECT 1 FROM contested WHERE id = ? AND file = ?", id, file).next()) return;
  std::optional<std::uint32_t> line;
  for (const auto& slot : slots_.load(files_.details(file).layout))
    if (slot.row == row) line = slot.line;
  if (line) run(database_, "INSERT OR IGNORE INTO contested VALUES (?, ?, ?)", id, file, *line);
}

}  // namespace loci
