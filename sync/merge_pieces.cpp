#include "sync/merge_pieces.h"

#include <algorithm>
#include <map>

#include "parser/conflict_markers.h"
#include "parser/front_matter.h"
#include "parser/lines.h"
#include "parser/parser.h"
#include "parser/text_lines.h"

namespace loci {
namespace {

constexpr std::string_view upper_marker = "<<<<<<< one\n", middle_marker = "=======\n", lower_marker = ">>>>>>> other\n";

std::string with_line_end(std::string_view text) {
  std::string out(text);
  if (!out.empty() && !out.ends_with('\n')) out += '\n';
  return out;
}

bool is_fence(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return line.starts_with("```") || line.starts_with("~~~");
}

struct Region {
  size_t begin = 0, end = 0;
};

// The conflicts of the file, as offsets.
std::vector<Region> conflicts_in(std::string_view file) {
  if (!file.contains("<<<<<<<")) return {};
  ConflictMarkers markers;
  std::vector<size_t> begins;
  bool in_code = false;
  for (size_t begin = 0; begin < file.size(); begin = next_line(file, begin)) {
    std::string_view line = file.substr(begin, next_line(file, begin) - begin);
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    if (is_fence(line)) in_code = !in_code;
    (void)markers.drops(begins.size(), line, in_code);
    begins.push_back(begin);
  }
  std::vector<Region> regions;
  for (const ConflictRegion& region : markers.complete())
    regions.push_back({begins[region.first], next_line(file, begins[region.last])});
  return regions;
}

PieceVariant variant_of(const ParsedEntry& entry, std::string_view bytes) {
  PieceVariant variant{entry.metadata, entry.hash, {}, with_line_end(bytes)};
  if (!entry.metadata) return variant;
  const size_t behind = next_line(variant.body, 0);
  variant.head = variant.body.substr(0, behind);
  variant.body.erase(0, behind);
  return variant;
}

std::string key_of(const ParsedEntry& entry) {
  if (!entry.metadata) return "text " + entry.hash;
  return entry.metadata->ref.empty() ? "id " + entry.id : "ref " + entry.metadata->ref;
}

// The one entry that all a conflict's sides are versions of; none if there is more, or another thing, in it.
std::optional<MergePiece> entry_in_conflict(std::string_view region) {
  MergePiece piece;
  ConflictMarkers markers;
  std::string side;
  const auto take = [&] {
    const ParsedFile parsed = parse(side);
    std::string rest = side;
    side.clear();
    if (is_blank_line(rest)) return true;
    if (parsed.entries.size() != 1 || !parsed.entries[0].metadata) return false;
    const ParsedEntry& entry = parsed.entries[0];
    if (!is_blank_line(rest.substr(0, entry.begin)) || rest.find_first_not_of(" \t\r\n", entry.end) != std::string::npos)
      return false;
    if (!piece.key.empty() && piece.key != key_of(entry)) return false;
    piece.key = key_of(entry);
    piece.variants.push_back(variant_of(entry, std::string_view(rest).substr(entry.begin, entry.end - entry.begin)));
    return true;
  };
  size_t number = 0;
  for (size_t begin = 0; begin < region.size(); begin = next_line(region, begin)) {
    const std::string_view whole = region.substr(begin, next_line(region, begin) - begin);
    std::string_view line = whole;
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    if (!markers.drops(number++, line, false))
      side += whole;
    else if (!take())
      return std::nullopt;
  }
  if (piece.variants.empty()) return std::nullopt;
  piece.kind = MergePiece::Kind::entry;
  return piece;
}

class Cutter {
 public:
  std::vector<MergePiece> cut(std::string_view file) {
    size_t position = front_matter(file);
    for (const Region& conflict : conflicts_in(file)) {
      if (conflict.begin < position) continue;
      plain(file.substr(position, conflict.begin - position));
      add_conflict(file.substr(conflict.begin, conflict.end - conflict.begin));
      position = conflict.end;
    }
    plain(file.substr(position));
    return std::move(pieces_);
  }

 private:
  // How much of the file it takes.
  size_t front_matter(std::string_view file) {
    const size_t count = read_front_matter(Lines(file)).lines;
    if (count == 0) return 0;
    const size_t end = line_begin(file, static_cast<int>(count) + 1);
    add({MergePiece::Kind::line,
         "front " + std::string(file.substr(0, end)),
         {{{}, {}, {}, with_line_end(file.substr(0, end))}},
         {},
         false});
    return end;
  }

  void plain(std::string_view text) {
    size_t position = 0;
    const ParsedFile parsed = parse(text);
    const Lines all(text);
    for (const ParsedEntry& entry : parsed.entries) {
      if (entry.begin < position) continue;
      lines(text.substr(position, entry.begin - position));
      const size_t begin = all.begin(static_cast<size_t>(entry.line) - 1);
      const bool is_item = !list_marker(text.substr(begin, next_line(text, begin) - begin)).empty();
      const auto kind = entry.metadata ? MergePiece::Kind::entry : MergePiece::Kind::text;
      add({kind, key_of(entry), {variant_of(entry, text.substr(entry.begin, entry.end - entry.begin))}, {}, is_item});
      position = entry.end;
    }
    lines(text.substr(position));
  }

  void lines(std::string_view text) {
    for (size_t begin = 0; begin < text.size(); begin = next_line(text, begin)) {
      const std::string_view line = text.substr(begin, next_line(text, begin) - begin);
      if (is_blank_line(line))
        blank_ += with_line_end(line);
      else
        add({MergePiece::Kind::line, "line " + trimmed(line), {{{}, {}, {}, with_line_end(line)}}, {}, line.starts_with("<!--")});
    }
  }

  static std::string trimmed(std::string_view line) {
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    return std::string(line);
  }

  void add_conflict(std::string_view region) {
    if (auto entry = entry_in_conflict(region)) {
      if (!seen_.contains(entry->key)) return add(std::move(*entry));
      if (MergePiece& last = pieces_.back(); last.key == entry->key && last.variants.size() > 1)  // a third text follows the two
        return void(std::ranges::move(entry->variants, std::back_inserter(last.variants)));
    }
    if (!pieces_.empty() && blank_.empty() && pieces_.back().key.starts_with("conflict ")) {  // one with more than two sides
      std::string& body = pieces_.back().variants.front().body;
      body += with_line_end(region);
      pieces_.back().key = "conflict " + body;
      return;
    }
    add({MergePiece::Kind::line, "conflict " + std::string(region), {{{}, {}, {}, with_line_end(region)}}, {}, false});
  }

  // Of equal ones the second is another piece than the first.
  void add(MergePiece piece) {
    if (const int before = seen_[piece.key]++; before > 0) piece.key += " #" + std::to_string(before);
    piece.blank = std::exchange(blank_, {});
    pieces_.push_back(std::move(piece));
  }

  std::vector<MergePiece> pieces_;
  std::map<std::string, int> seen_;
  std::string blank_;
};

}  // namespace

std::vector<MergePiece> cut_into_pieces(std::string_view file) { return Cutter().cut(file); }

std::string conflict_block(std::string one, std::string other) {
  if (other < one) std::swap(one, other);
  return std::string(upper_marker).append(one).append(middle_marker).append(other).append(lower_marker);
}

std::string bytes_of(const MergePiece& piece) {
  if (piece.variants.size() == 1) return piece.variants.front().bytes();
  std::string out;
  for (size_t i = 0; i < piece.variants.size(); i += 2)
    out += conflict_block(piece.variants[i].bytes(), i + 1 < piece.variants.size() ? piece.variants[i + 1].bytes() : std::string());
  return out;
}

}  // namespace loci
