#include "indexer/file_batch.h"

#include <algorithm>

namespace loci {
namespace {

bool has_id(const LoadedFile& file, const std::string& id) {
  return std::ranges::any_of(file.candidates, [&](const Candidate& each) { return each.entry.id == id; });
}

}  // namespace

bool FileBatch::gather(const std::string& path) {
  clear();
  auto& first = files_.emplace(path, load(path, false)).first->second;
  if (first.unreadable || first.same_bytes) return false;
  while (!database_.failed() && gather_once()) {
  }
  return true;
}

void FileBatch::take(LoadedFile file) {
  clear();
  auto path = file.path;
  files_.emplace(std::move(path), std::move(file));
}

void FileBatch::clear() {
  files_.clear();
  released_.clear();
  free_.clear();
}

LoadedFile* FileBatch::find(const std::string& path) {
  const auto found = files_.find(path);
  return found != files_.end() ? &found->second : nullptr;
}

LoadedFile FileBatch::load(const std::string& path, bool whole) {
  std::optional<FileState> state;
  if (const auto change = pending.find(path); change != pending.end()) {
    state = change->second;
    pending.erase(change);
  } else if (const auto now = examine(vault_, path)) {
    state = *now;
  } else if (const auto known = file_table_.find(path)) {
    state = known->state;  // what can't be examined is not gone
  }
  ++report_.files_read;
  return loader_.load(path, state, whole);
}

// Takes a file into the batch; false if it was there. One that can't be read keeps what it has: it will be tried again.
bool FileBatch::enlarge(const std::string& path) {
  if (path.empty() || files_.contains(path)) return false;
  auto file = load(path, true);
  if (file.unreadable) return false;
  files_.emplace(path, std::move(file));
  for (auto& [other, loaded] : files_)
    if (loaded.is_partial()) read_whole(loaded);
  return true;
}

void FileBatch::read_whole(LoadedFile& file) {
  auto whole = loader_.load(file.path, file.state, true);
  if (!whole.unreadable) file = std::move(whole);
}

bool FileBatch::gather_once() {
  find_released();
  for (const auto& [path, file] : files_) {
    for (const auto& candidate : file.candidates)
      if (!candidate.before && !candidate.claim().empty() && gather_holder(file, candidate)) return true;
    const auto standing = standing_slots(file);
    for (size_t i = 0; i < standing.size(); ++i)
      if (!standing[i] && gather_heir(file, file.old_slots[i].row)) return true;
  }
  return false;
}

void FileBatch::find_released() {
  released_.clear();
  free_.clear();
  for (const auto& [path, file] : files_) {
    const auto standing = standing_slots(file);
    for (size_t i = 0; i < standing.size(); ++i) {
      if (standing[i]) continue;
      const RowId row = file.old_slots[i].row;
      released_.insert(row);
      if (entries_.summary(row).file == file.known.id) free_.insert(row);
    }
  }
}

// An entry that claims an id before the one that has it takes it away from there. What becomes of the one that has it concerns all
// that claim its id: they are places of it while they say the same.
bool FileBatch::gather_holder(const LoadedFile& file, const Candidate& candidate) {
  const std::string id(candidate.claim());
  const RowId row = entries_.find(id);
  if (row == 0) return false;
  const auto holder = file_table_.path_of(entries_.summary(row).file);
  if (holder == file.path || is_free(row)) return gather_claimants(id);
  // An earlier file keeps its ids, unless it is about to change too: then an entry that moved keeps its row.
  if (ClaimOrder()(holder, file.path)) return pending.contains(holder) && enlarge(holder);
  const bool taken_in = enlarge(holder);
  auto* found = find(holder);
  return (found != nullptr && unmatch(*found, id)) || taken_in;
}

bool FileBatch::gather_claimants(const std::string& id) {
  std::vector<std::string> paths;
  for (Query claim(database_, "SELECT path FROM contested JOIN files USING (file) WHERE id = ?", id); claim.next();)
    paths.emplace_back(claim.text(0));
  return std::ranges::any_of(paths, [&](const std::string& path) { return enlarge(path); });
}

// What an entry leaves behind, its id or its place as the first of a text, goes to the next file that has a claim to it.
bool FileBatch::gather_heir(const LoadedFile& file, RowId row) {
  if (entries_.summary(row).file != file.known.id) return false;
  const auto id = entries_.id_of(row);
  if (has_id(file, id)) return false;
  std::string heir;
  const auto consider = [&](std::string path) {
    const auto* in_batch = find(path);
    if (in_batch != nullptr && !has_id(*in_batch, id)) return;
    if (heir.empty() || ClaimOrder()(path, heir)) heir = std::move(path);
  };
  if (is_hash_id(id))
    for (Query place(database_, "SELECT path FROM places JOIN files USING (file) WHERE row = ?", row); place.next();)
      consider(std::string(place.text(0)));
  else
    for (Query claim(database_, "SELECT path FROM contested JOIN files USING (file) WHERE id = ?", id); claim.next();)
      consider(std::string(claim.text(0)));
  return enlarge(heir);
}

}  // namespace loci
