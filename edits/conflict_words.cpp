#include "edits/conflict_words.h"

#include <algorithm>
#include <utility>

#include "parser/parser.h"
#include "parser/text_lines.h"

namespace loci {
namespace {

struct Piece {
  size_t begin = 0, end = 0;
  bool has_id = false;
  std::string text;  // of words: as they are shown

  bool touches(size_t from, size_t to) const { return begin < to && end > from; }
};

using Pieces = std::vector<Piece>;

std::string without_line_ends(std::string_view text) {
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  return std::string(text);
}

// Comments that are no metadata are marks, not words.
void add_lines_between(std::string_view bytes, size_t begin, size_t end, Pieces& pieces) {
  for (size_t next; begin < end; begin = next) {
    next = std::min(next_line(bytes, begin), end);
    const std::string line = without_line_ends(bytes.substr(begin, next - begin));
    if (!is_blank_line(line)) pieces.push_back({begin, next, line.starts_with("<!--"), line});
  }
}

Pieces pieces_of(std::string_view bytes) {
  Pieces pieces;
  size_t position = 0;
  for (const ParsedEntry& entry : parse(bytes).entries) {
    add_lines_between(bytes, position, entry.begin, pieces);
    pieces.push_back({entry.begin, entry.end, entry.metadata || entry.of_copy, entry.text});
    position = std::max(position, entry.end);
  }
  add_lines_between(bytes, position, bytes.size(), pieces);
  return pieces;
}

// How far the pieces that a conflict cuts into reach beyond it.
struct Reach {
  size_t before = 0, behind = 0;
};

Reach reach_of(const Pieces& pieces, size_t begin, size_t end) {
  Reach reach;
  for (const Piece& piece : pieces) {
    if (!piece.touches(begin, end)) continue;
    if (piece.begin < begin) reach.before = std::max(reach.before, begin - piece.begin);
    if (piece.end > end) reach.behind = std::max(reach.behind, piece.end - end);
  }
  return reach;
}

// Conflicts as whole pieces on either side: what stands around them is the same on both. Those that meet are one.
std::vector<ConflictPlace> whole_places(const ConflictSides& sides, const Pieces& ours, const Pieces& theirs) {
  std::vector<ConflictPlace> places;
  for (const ConflictPlace& place : sides.places) {  // one with more than two sides is more than one pair of them
    const bool goes_on =
        !places.empty() && place.ours_begin == places.back().ours_end && place.theirs_begin == places.back().theirs_end;
    if (goes_on)
      places.back().ours_end = place.ours_end, places.back().theirs_end = place.theirs_end;
    else
      places.push_back(place);
  }
  for (size_t i = 0; i < places.size();) {
    ConflictPlace& place = places[i];
    const Reach our = reach_of(ours, place.ours_begin, place.ours_end),
                their = reach_of(theirs, place.theirs_begin, place.theirs_end);
    const size_t before = std::max(our.before, their.before), behind = std::max(our.behind, their.behind);
    const bool meets_last = i > 0 && before > place.ours_begin - places[i - 1].ours_end;
    const bool meets_next = i + 1 < places.size() && behind > places[i + 1].ours_begin - place.ours_end;
    if (meets_last || meets_next) {
      const size_t first = meets_last ? i - 1 : i;
      places[first].ours_end = places[first + 1].ours_end;
      places[first].theirs_end = places[first + 1].theirs_end;
      places.erase(places.begin() + static_cast<std::ptrdiff_t>(first) + 1);
      i = first;
      continue;
    }
    place.ours_begin -= std::min(before, place.ours_begin), place.theirs_begin -= std::min(before, place.theirs_begin);
    place.ours_end += behind, place.theirs_end += behind;
    if (before == 0 && behind == 0) ++i;
  }
  return places;
}

// One side's words in one place, without those that the other side has there, too.
struct Words {
  Pieces pieces;
  std::string bytes, text;  // as they stand, and as they are shown
};

Pieces words_in(const Pieces& pieces, size_t begin, size_t end) {
  Pieces words;
  for (const Piece& piece : pieces)
    if (!piece.has_id && piece.touches(begin, end)) words.push_back(piece);
  return words;
}

Words words_alone(std::string_view side, const Pieces& all, const Pieces& others) {
  Words words;
  for (const Piece& piece : all) {
    if (std::ranges::find(others, piece.text, &Piece::text) != others.end()) continue;
    if (!words.pieces.empty()) {
      const size_t end = words.pieces.back().end;
      const std::string_view between = side.substr(end, piece.begin - end);
      words.bytes += between.find_first_not_of(" \t\r\n") == std::string_view::npos ? between : "\n";
      words.text += "\n\n";
    }
    words.bytes += side.substr(piece.begin, piece.end - piece.begin);
    words.text += piece.text;
    words.pieces.push_back(piece);
  }
  return words;
}

// Typed words, as an item of a list if that is what they replace.
std::string as_it_stood(const std::string& text, std::string_view before) {
  const auto marker = std::string(list_marker(before.substr(0, next_line(before, 0))));
  std::string out = marker;
  for (const char c : without_line_ends(text)) {
    out += c;
    if (c == '\n') out.append(marker.size(), ' ');
  }
  return out + '\n';
}

std::string words_of(Side side, const Words& ours, const Words& theirs) {
  if (side == Side::ours || (side == Side::both && theirs.bytes.empty())) return ours.bytes;
  if (side == Side::theirs || ours.bytes.empty()) return theirs.bytes;
  const bool is_list = !list_marker(ours.bytes).empty() && !list_marker(theirs.bytes).empty();
  return ours.bytes + (ours.bytes.ends_with('\n') ? "" : "\n") + (is_list ? "" : "\n") + theirs.bytes;
}

struct ByteEdit {
  size_t begin = 0, end = 0;
  std::string bytes;
};

// The first of the words becomes the text, the others go, each with the blank lines in front of it.
void replace_words(std::string_view side, const Words& words, std::string text, std::vector<ByteEdit>& edits) {
  for (const Piece& piece : words.pieces) {
    size_t begin = piece.begin;
    if (text.empty())
      while (begin > 0 && is_blank_line(side.substr(previous_line(side, begin), begin - previous_line(side, begin))))
        begin = previous_line(side, begin);
    edits.push_back({begin, piece.end, std::exchange(text, {})});
  }
}

void carry_out(const std::vector<ByteEdit>& edits, std::string& side) {
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) side.replace(edit->begin, edit->end - edit->begin, edit->bytes);
}

}  // namespace

std::vector<Disagreement> settle_words(ConflictSides& sides, const ChooseSide& choose, const Reword& reword) {
  const Pieces ours = pieces_of(sides.ours), theirs = pieces_of(sides.theirs);
  std::vector<ByteEdit> in_ours, in_theirs;
  std::vector<Disagreement> undecided;
  for (const ConflictPlace& place : whole_places(sides, ours, theirs)) {
    const Pieces all_ours = words_in(ours, place.ours_begin, place.ours_end),
                 all_theirs = words_in(theirs, place.theirs_begin, place.theirs_end);
    const Words our = words_alone(sides.ours, all_ours, all_theirs), their = words_alone(sides.theirs, all_theirs, all_ours);
    if (our.pieces.empty() && their.pieces.empty()) continue;
    Disagreement one{{}, our.text, their.text};
    const auto text = reword ? reword(one) : std::nullopt;
    const auto side = text ? std::nullopt : choose(one);
    if (!text && !side) undecided.push_back(std::move(one));
    if (!text && !side) continue;
    const std::string stands = text ? as_it_stood(*text, our.bytes.empty() ? their.bytes : our.bytes) : words_of(*side, our, their);
    replace_words(sides.ours, our, stands, in_ours);
    replace_words(sides.theirs, their, stands, in_theirs);
  }
  carry_out(in_ours, sides.ours);
  carry_out(in_theirs, sides.theirs);
  sides.places.clear();
  return undecided;
}

}  // namespace loci
