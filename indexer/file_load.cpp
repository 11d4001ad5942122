#include "indexer/file_load.h"

#include <algorithm>
#include <set>
#include <span>
#include <unordered_map>

#include "base/hash.h"
#include "base/out_of_memory.h"
#include "indexer/file_times.h"
#include "parser/limits.h"

namespace loci {
namespace {

// Who has an id that is claimed twice, in one file or in two, is settled with all that claim it.
bool is_of_claim(const ParseProblem& problem) { return problem.code == "duplicate-id"; }

// Makes candidates of what was parsed from a point on, and completes the points where reading may go on.
void take(ParsedFile parsed, const ReadingPoint& from, const FileTraits& traits, Reading& reading) {
  auto& points = reading.details.points;
  for (auto& resume : parsed.checkpoints) points.checkpoints.push_back({.point = {std::move(resume), {}}});
  points.last.resume = std::move(parsed.resume);
  HeadingState headings = from.headings;
  size_t number = from.resume.entries;
  auto checkpoint = points.checkpoints.begin();
  const auto note_headings = [&] {
    for (; checkpoint != points.checkpoints.end() && checkpoint->point.resume.entries == number; ++checkpoint)
      checkpoint->point.headings = headings;
    if (points.last.resume.entries == number) points.last.headings = headings;
  };
  reading.candidates.reserve(parsed.entries.size());
  for (auto& entry : parsed.entries) {
    note_headings();
    Candidate candidate;
    candidate.line = static_cast<std::uint32_t>(entry.line);
    candidate.line_end = static_cast<std::uint32_t>(entry.line_end);
    candidate.entry = stored_from(std::move(entry), traits, headings);
    candidate.content = content_hash(candidate.entry);
    reading.candidates.push_back(std::move(candidate));
    ++number;
  }
  note_headings();
  std::erase_if(parsed.problems, is_of_claim);
  for (auto& problem : parsed.problems)
    reading.details.problems.push_back({traits.path, problem.line, std::move(problem.code), std::move(problem.message)});
}

void set_bytes(FileDetails& details, std::string_view bytes) {
  details.length = bytes.size();
  details.hash = hash64(bytes);
}

// Finds for each candidate the old slot that it is: at the ends by position, in between by content.
void match(LoadedFile& file) {
  const auto& old = file.old_slots;
  auto& now = file.candidates;
  const size_t begin = file.above.count;
  const size_t end = old.size() - file.below.count;
  const size_t most = std::min(end - begin, now.size());
  const auto pair = [&](size_t slot, Candidate& candidate) {
    candidate.before = slot;
    candidate.row = old[slot].row;
  };
  size_t head = 0;
  for (; head < most && old[begin + head].content == now[head].content; ++head) pair(begin + head, now[head]);
  size_t tail = 0;
  for (; tail < most - head && old[end - 1 - tail].content == now[now.size() - 1 - tail].content; ++tail)
    pair(end - 1 - tail, now[now.size() - 1 - tail]);
  if (head + tail == end - begin || head + tail == now.size()) return;

  std::unordered_multimap<std::uint64_t, size_t> by_content;
  for (size_t slot = begin + head; slot < end - tail; ++slot) by_content.emplace(old[slot].content, slot);
  for (size_t i = head; i < now.size() - tail; ++i) {
    const auto found = by_content.find(now[i].content);
    if (found == by_content.end()) continue;
    pair(found->second, now[i]);
    by_content.erase(found);
  }
}

KeptSlots kept(std::span<const Slot> slots) {
  KeptSlots kept{.count = slots.size(), .rows = {}};
  kept.rows.reserve(slots.size());
  for (const auto& slot : slots) kept.rows.push_back(slot.row);
  if (!std::ranges::is_sorted(kept.rows)) std::ranges::sort(kept.rows);
  return kept;
}

bool has_copies(const ParsedFile& parsed) {
  return std::ranges::any_of(parsed.entries, [](const ParsedEntry& entry) { return entry.of_copy != nullptr; });
}

// Of several entries of a file that claim one id the first has it: all of them are settled anew if one is new.
void unmatch_claimed(LoadedFile& file) {
  std::set<std::string, std::less<>> claimed;
  for (const auto& candidate : file.candidates)
    if (!candidate.before && !candidate.claim().empty()) claimed.emplace(candidate.claim());
  for (auto& candidate : file.candidates) {
    if (!candidate.before || !claimed.contains(candidate.claim())) continue;
    candidate.before.reset();
    candidate.row = 0;
  }
}

std::string_view up_to_line_end(std::string_view bytes, size_t offset) {
  return bytes.substr(0, std::min(bytes.find('\n', offset), bytes.size() - 1) + 1);
}

// Adds to what was read of a part what is known of those above and below it.
void join(const FileDetails& old, const ReadingPoint& from, const ReadingPoint* until, FileDetails& read) {
  FileDetails all;
  for (const auto& checkpoint : old.points.checkpoints)
    if (checkpoint.point.resume.offset <= from.resume.offset) all.points.checkpoints.push_back(checkpoint);
  all.points.checkpoints.push_back({.point = from});
  for (const auto& problem : old.problems)
    if (problem.line < from.resume.line) all.problems.push_back(problem);

  const auto end = read.points.last.resume;
  for (auto& checkpoint : read.points.checkpoints)
    if (until == nullptr || checkpoint.point.resume.offset < end.offset) all.points.checkpoints.push_back(std::move(checkpoint));
  for (auto& problem : read.problems)
    if (until == nullptr || problem.line < end.line) all.problems.push_back(std::move(problem));

  if (until != nullptr) {
    const auto& before = until->resume;
    for (const auto& checkpoint : old.points.checkpoints)
      if (checkpoint.point.resume.offset >= before.offset)
        all.points.checkpoints.push_back({.point = shifted(checkpoint.point, before, end)});
    for (auto problem : old.problems) {
      if (problem.line < before.line) continue;
      problem.line += end.line - before.line;
      all.problems.push_back(std::move(problem));
    }
    read.points.last = shifted(old.points.last, before, end);
  }
  read.points.checkpoints = std::move(all.points.checkpoints);
  read.problems = std::move(all.problems);
}

}  // namespace

Reading read_whole(std::string_view bytes, FileTraits traits) {
  Reading reading;
  auto parsed = parse(bytes);
  traits.front_date = parsed.front_date;
  traits.wholesale = is_changed_wholesale(traits.path, parsed.entries);
  set_bytes(reading.details, bytes);
  take(std::move(parsed), {}, traits, reading);
  settle(reading.details.points, bytes);
  return reading;
}

bool KeptSlots::have(RowId row) const { return std::ranges::binary_search(rows, row); }

LoadedFile FileLoader::load(const std::string& path, const std::optional<FileState>& state, bool whole) {
  auto loaded = within_memory("read " + path, [&]() -> Result<LoadedFile> {
    LoadedFile file = recall(path, state);
    if (state) read(file, whole);
    return file;
  });
  if (loaded) return std::move(*loaded);
  LoadedFile file = recall(path, state);
  file.unreadable = true;
  file.details.problems = {{path, 0, "unreadable", loaded.error().message}};
  return file;
}

// What the index knows of it.
LoadedFile FileLoader::recall(const std::string& path, const std::optional<FileState>& state) {
  LoadedFile file;
  file.path = path;
  if (auto known = files_.find(path)) {
    file.known = std::move(*known);
    file.details = files_.details(file.known.id);
  }
  file.traits = {.path = path, .untrusted = state && state->untrusted, .front_date = {}};
  file.is_gone = !state.has_value();
  if (state) file.state = *state;
  if (!state) file.old_slots = slots_.load(file.details.layout);
  return file;
}

void FileLoader::read(LoadedFile& file, bool whole) {
  file.indexed_at = nanoseconds(vault_.clock().now());
  const auto limit = static_cast<size_t>(std::max<std::int64_t>(vault_.config().max_file_bytes, 0));
  const auto bytes = read_file(vault_.files(), vault_.file(file.path), limit);
  if (!bytes) {
    file.is_gone = bytes.error().code == ErrorCode::not_found;
    file.unreadable = !file.is_gone;
    if (file.unreadable)
      file.details.problems = {{file.path, 0, "unreadable", bytes.error().message}};
    else
      file.old_slots = slots_.load(file.details.layout);
    return;
  }
  const bool is_known = file.known.id != 0 && file.known.readable && file.known.state.untrusted == file.traits.untrusted;
  file.same_bytes = !whole && is_known && bytes->size() == file.details.length && hash64(*bytes) == file.details.hash;
  if (file.same_bytes) return;
  file.old_slots = slots_.load(file.details.layout);
  if (whole || !is_known || !may_read_a_part(file) || !read_part(file, *bytes)) read_all(file, *bytes);
}

// Who has an id that is claimed twice may change anywhere in a file; so may what the sums of a file of consolidated/ tell.
bool FileLoader::may_read_a_part(const LoadedFile& file) {
  if (place_of(file.path) == Place::consolidated) return false;
  if (file.traits.untrusted) return false;
  return !Query(database_, "SELECT 1 FROM contested WHERE file = ? LIMIT 1", file.known.id).next();
}

bool FileLoader::read_part(LoadedFile& file, std::string_view bytes) {
  const auto& old = file.details;
  const auto part = part_to_read(old.points, old.length, old.hash, bytes);
  if (!part) return false;
  const ReadingPoint start;
  const auto& from = part->from != nullptr ? *part->from : start;
  const size_t below = part->until != nullptr ? part->until->resume.entries : file.old_slots.size();
  if (from.resume.entries > below || below > file.old_slots.size()) return false;
  const std::span slots(file.old_slots);
  LoadedFile now = file;
  now.above = kept(slots.first(from.resume.entries));
  now.below = kept(slots.subspan(below));

  bool takes_id_from_below = false;
  const auto stands_above = [&](std::string_view id) {
    const RowId row = entries_.find(id);
    takes_id_from_below |= now.below.have(row);
    return now.above.have(row);
  };
  const size_t end = part->end(old.length, bytes);
  auto parsed = parse_from(part->until != nullptr ? up_to_line_end(bytes, end) : bytes, from.resume, stands_above);
  if (is_left_out(parsed) || has_copies(parsed) || from.resume.entries + parsed.entries.size() + now.below.count > most_entries)
    return false;
  now.traits.front_date = parsed.front_date;
  Reading reading;
  take(std::move(parsed), from, now.traits, reading);
  const auto& last = reading.details.points.last;
  if (part->until != nullptr) {
    if (last.resume.offset != end || !go_on_alike(last, *part->until)) return false;
    reading.candidates.resize(last.resume.entries - from.resume.entries);
    now.lines_moved = last.resume.line - part->until->resume.line;
  }
  join(old, from, part->until, reading.details);
  set_bytes(reading.details, bytes);
  settle(reading.details.points, bytes);
  reading.details.layout = old.layout;
  now.details = std::move(reading.details);
  now.candidates = std::move(reading.candidates);
  match(now);
  if (takes_id_from_below || concerns_kept_parts(now)) return false;
  file = std::move(now);
  return true;
}

// What the part gives up may stand in the other parts too and be what the index says of it from now on; and what is new in it may
// come before the same text below.
bool FileLoader::concerns_kept_parts(const LoadedFile& file) {
  const auto standing = standing_slots(file);
  for (size_t i = 0; i < standing.size(); ++i)
    if (!standing[i] && file.keeps(file.old_slots[i].row)) return true;
  return std::ranges::any_of(file.candidates, [&](const Candidate& candidate) {
    return !candidate.before && file.below.count > 0 && file.below.have(entries_.find(candidate.entry.id));
  });
}

void FileLoader::read_all(LoadedFile& file, std::string_view bytes) {
  auto reading = read_whole(bytes, file.traits);
  reading.details.layout = std::move(file.details.layout);
  file.details = std::move(reading.details);
  file.candidates = std::move(reading.candidates);
  file.traits.front_date = file.details.points.last.resume.front_date;
  match(file);
  unmatch_claimed(file);
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
  std::fill_n(standing.begin(), file.above.count, true);
  std::fill_n(standing.rbegin(), file.below.count, true);
  for (const auto& candidate : file.candidates)
    if (candidate.before) standing[*candidate.before] = true;
  return standing;
}

}  // namespace loci
