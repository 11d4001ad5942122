#include "edits/file_pieces.h"

#include <algorithm>
#include <set>

#include "base/byte_order_mark.h"
#include "parser/lines.h"
#include "parser/text_lines.h"

namespace loci {
namespace {

void add_lines_between(std::string_view bytes, size_t begin, size_t end, std::vector<FilePiece>& pieces) {
  for (size_t next; begin < end; begin = next) {
    next = std::min(next_line(bytes, begin), end);
    std::string_view line = bytes.substr(begin, next - begin);
    if (begin == 0) take_byte_order_mark(line);
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    if (!is_blank_line(line)) pieces.push_back({"line " + std::string(line), begin, next, nullptr, line.starts_with("<!--")});
  }
}

using Keys = std::set<std::string_view>;

Keys keys_of(const FileFrame& frame) {
  Keys keys;
  for (const FileFrame::Piece& piece : frame.pieces) keys.insert(piece.key);
  return keys;
}

std::vector<std::string_view> in_their_order(const FileFrame& frame, const Keys& wanted) {
  std::vector<std::string_view> order;
  Keys taken;
  for (const FileFrame::Piece& piece : frame.pieces)
    if (wanted.contains(piece.key) && taken.insert(piece.key).second) order.emplace_back(piece.key);
  return order;
}

size_t lines_of_one(const FileFrame& one, const FileFrame& other) {
  std::map<std::string_view, int> left;
  for (const FileFrame::Piece& piece : one.pieces) left[piece.key] += piece.is_line ? 1 : 0;
  for (const FileFrame::Piece& piece : other.pieces) left[piece.key] -= piece.is_line ? 1 : 0;
  size_t lines = 0;
  for (const auto& [key, count] : left) lines += static_cast<size_t>(std::abs(count));
  return lines;
}

// A piece by its key and that of the one in front of it -> the blank lines between the two.
std::map<std::pair<std::string_view, std::string_view>, size_t> gaps_of(const FileFrame& frame) {
  std::map<std::pair<std::string_view, std::string_view>, size_t> gaps;
  std::string_view in_front;
  for (const FileFrame::Piece& piece : frame.pieces) {
    gaps.emplace(std::pair(in_front, std::string_view(piece.key)), piece.blank_lines);
    in_front = piece.key;
  }
  return gaps;
}

}  // namespace

namespace {

// Where each key stands.
std::map<std::string_view, std::vector<size_t>> places_of(const std::vector<FilePiece>& pieces) {
  std::map<std::string_view, std::vector<size_t>> places;
  for (size_t i = 0; i < pieces.size(); ++i) places[pieces[i].key].push_back(i);
  return places;
}

class SamePieces {
 public:
  SamePieces(const std::vector<FilePiece>& pieces, const std::vector<FilePiece>& others)
      : pieces_(pieces), others_(others), same_(pieces.size()), taken_(others.size()) {}

  std::vector<std::optional<size_t>> find() {
    const auto here = places_of(pieces_), there = places_of(others_);
    for (const auto& [key, places] : here)
      if (const auto found = there.find(key); found != there.end() && places.size() == 1 && found->second.size() == 1)
        take(places.front(), found->second.front());
    if (!pieces_.empty() && !others_.empty()) take_from_the_ends();
    for (const auto& [key, places] : here)
      if (const auto found = there.find(key); found != there.end()) take_in_order(places, found->second);
    return std::move(same_);
  }

 private:
  void take(size_t one, size_t other) {
    if (same_[one] || taken_[other] || pieces_[one].key != others_[other].key) return;
    same_[one] = other;
    taken_[other] = true;
  }

  // From each that is known, and from both ends of the files.
  void take_from_the_ends() {
    take(pieces_.size() - 1, others_.size() - 1);
    for (size_t i = pieces_.size() - 1; i > 0; --i)
      if (same_[i] && *same_[i] > 0) take(i - 1, *same_[i] - 1);
    take(0, 0);
    for (size_t i = 0; i + 1 < pieces_.size(); ++i)
      if (same_[i] && *same_[i] + 1 < others_.size()) take(i + 1, *same_[i] + 1);
  }

  void take_in_order(const std::vector<size_t>& here, const std::vector<size_t>& there) {
    auto next = there.begin();
    for (const size_t place : here) {
      if (same_[place]) continue;
      next = std::find_if(next, there.end(), [&](size_t other) { return !taken_[other]; });
      if (next == there.end()) return;
      take(place, *next);
    }
  }

  const std::vector<FilePiece>&pieces_, &others_;
  std::vector<std::optional<size_t>> same_;
  std::vector<bool> taken_;
};

}  // namespace

std::vector<std::optional<size_t>> same_pieces(const std::vector<FilePiece>& pieces, const std::vector<FilePiece>& others) {
  return SamePieces(pieces, others).find();
}

std::string key_of(const ParsedEntry& entry) {
  return entry.metadata && !entry.metadata->ref.empty() ? "ref " + entry.metadata->ref : "id " + entry.id;
}

std::vector<FilePiece> pieces_of(std::string_view bytes, const ParsedFile& parsed) {
  std::vector<FilePiece> pieces;
  const Lines lines(bytes);
  size_t position = 0;
  for (const ParsedEntry& entry : parsed.entries) {
    add_lines_between(bytes, position, entry.begin, pieces);
    const size_t text = lines.begin(static_cast<size_t>(entry.line) - 1);
    const bool is_item = !list_marker(bytes.substr(text, next_line(bytes, text) - text)).empty();
    pieces.push_back({key_of(entry), entry.begin, entry.end, &entry, is_item});
    position = std::max(position, entry.end);
  }
  add_lines_between(bytes, position, bytes.size(), pieces);
  return pieces;
}

FileFrame frame_of(std::string_view bytes, const ParsedFile& parsed, ComparedLines compared) {
  FileFrame frame;
  frame.has_mark = !byte_order_mark_of(bytes).empty();
  frame.line_end = line_end_of(bytes);
  size_t position = 0;
  for (FilePiece& piece : pieces_of(bytes, parsed)) {
    const std::string_view between = bytes.substr(position, piece.begin - std::min(position, piece.begin));
    const bool is_line = !piece.entry || piece.entry->line < compared.first || piece.entry->line > compared.last;
    frame.pieces.push_back({std::move(piece.key), is_line, static_cast<size_t>(std::ranges::count(between, '\n'))});
    position = piece.end;
  }
  return frame;
}

size_t frame_differences(const FileFrame& version, const FileFrame& newest, const FileFrame& now) {
  size_t differences = lines_of_one(version, now);
  if (in_their_order(version, keys_of(now)) != in_their_order(now, keys_of(version))) ++differences;
  const auto gaps_then = gaps_of(version), gaps_in_newest = gaps_of(newest);
  for (const auto& [neighbours, blank_lines] : gaps_of(now)) {
    const auto then = gaps_then.find(neighbours);
    if (then != gaps_then.end() && then->second != blank_lines && gaps_in_newest.contains(neighbours)) ++differences;
  }
  return differences + (version.line_end != now.line_end ? 1 : 0) + (version.has_mark != now.has_mark ? 1 : 0);
}

bool has_lines_since(const FileFrame& earlier, const FileFrame& later, const FileFrame& now) {
  const Keys before = keys_of(earlier), present = keys_of(now);
  return std::ranges::any_of(later.pieces, [&](const FileFrame::Piece& piece) {
    return piece.is_line && !before.contains(piece.key) && present.contains(piece.key);
  });
}

}  // namespace loci
