#include <algorithm>
#include <utility>

#include "edits/merge_entries.h"
#include "parser/parser.h"
#include "parser/text_lines.h"

namespace loci {
namespace {

enum class Part : std::uint8_t { both, ours, base, theirs };

bool is_marker(std::string_view line, char mark) {
  constexpr size_t width = 7;
  if (line.size() < width || line.find_first_not_of(mark) < width) return false;
  return line.size() == width || line[width] == ' ' || line[width] == '\r' || line[width] == '\n';
}

// The part that begins behind this line, if it is the marker that comes next.
std::optional<Part> begun_by(std::string_view line, Part part) {
  if (part == Part::both) return is_marker(line, '<') ? std::optional(Part::ours) : std::nullopt;
  if (part == Part::ours && is_marker(line, '|')) return Part::base;
  if ((part == Part::ours || part == Part::base) && is_marker(line, '=')) return Part::theirs;
  if (part == Part::theirs && is_marker(line, '>')) return Part::both;
  return std::nullopt;
}

bool is_fence(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return line.starts_with("```") || line.starts_with("~~~");
}

}  // namespace

std::optional<ConflictSides> sides_of_conflict(std::string_view file) {
  ConflictSides sides;
  std::string base;
  Part part = Part::both;
  size_t conflicts = 0, bases = 0;
  bool in_code = false;
  for (size_t begin = 0; begin < file.size(); begin = next_line(file, begin)) {
    const std::string_view line = file.substr(begin, next_line(file, begin) - begin);
    if (is_fence(line)) in_code = !in_code;
    const auto next = in_code ? std::nullopt : begun_by(line, part);
    if (next) {
      conflicts += *next == Part::ours ? 1 : 0;
      bases += *next == Part::base ? 1 : 0;
      part = *next;
      if (part == Part::ours) sides.places.push_back({sides.ours.size(), 0, sides.theirs.size(), 0});
      if (part == Part::both)
        sides.places.back().ours_end = sides.ours.size(), sides.places.back().theirs_end = sides.theirs.size();
      continue;
    }
    if (part == Part::both || part == Part::ours) sides.ours += line;
    if (part == Part::both || part == Part::theirs) sides.theirs += line;
    if (part == Part::both || part == Part::base) base += line;
  }
  // A fence that only one side opens makes code of what is a marker to the other: that is for a person to mend.
  if (conflicts == 0 || part != Part::both || parse(sides.ours).held || parse(sides.theirs).held) return std::nullopt;
  if (bases == conflicts) sides.base = std::move(base);
  return sides;
}

ConflictSides as_seen_here(const ConflictSides& sides, std::string_view had_here) {
  const auto likeness = [&](std::string_view text) { return text.empty() ? 0 : had_here.contains(text) ? 1 : -1; };
  ConflictSides seen{{}, {}, sides.base};
  size_t our_end = 0, their_end = 0;
  for (const ConflictPlace& place : sides.places) {
    std::string_view here = std::string_view(sides.ours).substr(place.ours_begin, place.ours_end - place.ours_begin),
                     there = std::string_view(sides.theirs).substr(place.theirs_begin, place.theirs_end - place.theirs_begin);
    if (likeness(there) > likeness(here)) std::swap(here, there);
    seen.ours.append(sides.ours, our_end, place.ours_begin - our_end);
    seen.theirs.append(sides.theirs, their_end, place.theirs_begin - their_end);
    seen.places.push_back(
        {seen.ours.size(), seen.ours.size() + here.size(), seen.theirs.size(), seen.theirs.size() + there.size()});
    seen.ours += here;
    seen.theirs += there;
    our_end = place.ours_end;
    their_end = place.theirs_end;
  }
  seen.ours.append(sides.ours, our_end);
  seen.theirs.append(sides.theirs, their_end);
  return seen;
}

ConflictSides sides_of_files(std::string ours, std::string theirs) {
  size_t same = 0, end = 0;
  const size_t most = std::min(ours.size(), theirs.size());
  for (size_t next; same < most; same = next) {
    next = next_line(ours, same);
    if (next != next_line(theirs, same) || ours.compare(same, next - same, theirs, same, next - same) != 0) break;
  }
  while (same + end < most) {
    const size_t our_line = previous_line(ours, ours.size() - end), their_line = previous_line(theirs, theirs.size() - end);
    const size_t size = ours.size() - end - our_line;
    if (our_line < same || their_line < same ||
        ours.compare(our_line, size, theirs, their_line, theirs.size() - end - their_line) != 0)
      break;
    end += size;
  }
  const ConflictPlace place{same, ours.size() - end, same, theirs.size() - end};
  return {std::move(ours), std::move(theirs), std::nullopt, {place}};
}

}  // namespace loci
