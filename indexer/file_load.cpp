#include "indexer/file_load.h"

#include <algorithm>
#include <unordered_map>

#include "base/hash.h"
#include "indexer/file_times.h"

namespace loci {
namespace {

// Entries one after the other, as the file has them.
void take_entries(std::vector<ParsedEntry> parsed, size_t entries_before, size_t resume_entries, const FileTraits& traits,
                  HeadingState headings, Reading& reading) {
  reading.candidates.reserve(parsed.size());
  size_t number = entries_before;
  for (auto& entry : parsed) {
    if (number++ == resume_entries) reading.details.headings = headings;
    Candidate candidate;
    candidate.line = static_cast<std::uint32_t>(entry.line);
    candidate.line_end = static_cast<std::uint32_t>(entry.line_end);
    candidate.entry = stored_from(std::move(entry), traits, headings);
    candidate.content = content_hash(candidate.entry);
    reading.candidates.push_back(std::move(candidate));
  }
  if (number <= resume_entries) reading.details.headings = std::move(headings);
}

void take_problems(const std::vector<ParseProblem>& parsed, const std::string& path, std::vector<Problem>& out) {
  for (const auto& problem : parsed) out.push_back({path, problem.line, problem.code, problem.message});
}

void set_bytes(FileDetails& details, std::string_view bytes) {
  details.length = bytes.size();
  details.hash = hash64(bytes);
}

// Finds for each candidate the old slot that it is: at the ends by position, in between by content.
void match(LoadedFile& file) {
  const auto& old = file.old_slots;
  auto& now = file.candidates;
  size_t head = 0;
  const size_t old_count = old.size() - file.kept;
  const size_t most = std::min(old_count, now.size());
  const auto pair = [&](size_t slot, Candidate& candidate) {
    candidate.before = slot;
    candidate.row = old[slot].row;
  };
  for (; head < most && old[file.kept + head].content == now[head].content; ++head) pair(file.kept + head, now[head]);
  size_t tail = 0;
  for (; tail < most - head && old[old.size() - 1 - tail].content == now[now.size() - 1 - tail].content; ++tail)
    pair(old.size() - 1 - tail, now[now.size() - 1 - tail]);
  if (head + tail == old_count || head + tail == now.size()) return;

  std::unordered_multimap<std::uint64_t, size_t> by_content;
  for (size_t slot = file.kept + head; slot < old.size() - tail; ++slot) by_content.emplace(old[slot].content, slot);
  for (size_t i = head; i < now.size() - tail; ++i) {
    const auto found = by_content.find(now[i].content);
    if (found == by_content.end()) continue;
    pair(found->second, now[i]);
    by_content.erase(found);
  }
}

}  // namespace

Reading read_whole(std::string_view bytes, FileTraits traits) {
  Reading reading;
  auto parsed = parse(bytes);
  traits.front_date = parsed.front_date;
  set_bytes(reading.details, bytes);
  take_entries(std::move(parsed.entries), 0, parsed.resume.entries, traits, {}, reading);
  take_problems(parsed.problems, traits.path, reading.details.problems);
  reading.details.resume = std::move(parsed.resume);
  return reading;
}

LoadedFile FileLoader::load(const std::string& path, const std::optional<FileState>& state, bool whole) {
  LoadedFile file;
  file.path = path;
  if (auto known = files_.find(path)) {
    file.known = std::move(*known);
    file.details = files_.details(file.known.id);
  }
  file.traits = {.path = path, .untrusted = state && state->untrusted, .front_date = {}};
  file.is_gone = !state.has_value();
  if (state) file.state = *state;

  if (state) {
    file.indexed_at = nanoseconds(vault_.clock().now());
    const auto limit = static_cast<size_t>(std::max<std::int64_t>(vault_.config().max_file_bytes, 0));
    const auto bytes = read_file(vault_.files(), vault_.file(path), limit);
    if (bytes) {
      const bool same_traits = file.known.state.untrusted == file.traits.untrusted;
      file.same_bytes = !whole && file.known.id != 0 && file.known.readable && same_traits &&
                        bytes->size() == file.details.length && hash64(*bytes) == file.details.hash;
      if (file.same_bytes) return file;
      if (!whole && same_traits && grew(file, *bytes))
        read_on(file, *bytes);
      else
        read_all(file, *bytes);
      return file;
    }
    file.is_gone = bytes.error().code == ErrorCode::not_found;
    file.unreadable = !file.is_gone;
    if (file.unreadable) {
      file.details.problems = {{path, 0, "unreadable", bytes.error().message}};
      return file;
    }
  }
  file.old_slots = slots_.load(file.details.layout);
  return file;
}

bool FileLoader::grew(const LoadedFile& file, std::string_view bytes) {
  const auto& details = file.details;
  if (file.known.id == 0 || !file.known.readable || details.length == 0 || details.length >= bytes.size()) return false;
  if (hash64(bytes.substr(0, details.length)) != details.hash) return false;
  if (details.resume.entries > count_slots(details.layout) || details.resume.offset > details.length) return false;
  // An id that is claimed twice may change hands anywhere in the file.
  return !Query(database_, "SELECT 1 FROM contested WHERE file = ? LIMIT 1", file.known.id).next();
}

void FileLoader::read_on(LoadedFile& file, std::string_view bytes) {
  auto& details = file.details;
  const size_t entries_before = details.resume.entries;
  size_t slots_before = 0;
  while (file.first_chunk + 1 < details.layout.size() && slots_before + details.layout[file.first_chunk].slots <= entries_before)
    slots_before += details.layout[file.first_chunk++].slots;
  file.kept = entries_before - slots_before;
  file.old_slots = slots_.load(details.layout, file.first_chunk);
  if (database_.failed() || file.kept > file.old_slots.size()) return;

  const auto stands_above = [&](std::string_view id) {
    const RowId row = entries_.find(id);
    if (row == 0 || entries_.summary(row).file != file.known.id) return false;
    return std::none_of(file.old_slots.begin() + static_cast<std::ptrdiff_t>(file.kept), file.old_slots.end(),
                        [&](const Slot& slot) { return slot.row == row; });
  };
  auto parsed = parse_from(bytes, details.resume, stands_above);
  file.traits.front_date = parsed.front_date;
  Reading reading;
  set_bytes(reading.details, bytes);
  take_entries(std::move(parsed.entries), entries_before, parsed.resume.entries, file.traits, details.headings, reading);
  for (auto& problem : details.problems)
    if (problem.line < details.resume.line) reading.details.problems.push_back(std::move(problem));
  take_problems(parsed.problems, file.path, reading.details.problems);
  reading.details.resume = std::move(parsed.resume);
  reading.details.layout = std::move(details.layout);
  details = std::move(reading.details);
  file.candidates = std::move(reading.candidates);
  match(file);
}

void FileLoader::read_all(LoadedFile& file, std::string_view bytes) {
  auto reading = read_whole(bytes, file.traits);
  reading.details.layout = std::move(file.details.layout);
  file.details = std::move(reading.details);
  file.candidates = std::move(reading.candidates);
  file.traits.front_date = file.details.resume.front_date;
  file.old_slots = slots_.load(file.details.layout);
  match(file);
}

bool unmatch(LoadedFile& file, std::string_view id) {
  bool changed = false;
  for (auto& candidate : file.candidates) {
    if (!candidate.before || candidate.claim() != id) continue;
    candidate.before.reset();
    candidate.row = 0;
    changed = true;
  }
  return changed;
}

std::vector<bool> standing_slots(const LoadedFile& file) {
  std::vector<bool> standing(file.old_slots.size(), false);
  std::fill_n(standing.begin(), file.kept, true);
  for (const auto& candidate : file.candidates)
    if (candidate.before) standing[*candidate.before] = true;
  return standing;
}

}  // namespace loci
