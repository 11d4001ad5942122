#include "edits/merge_entries.h"

#include <algorithm>
#include <map>

#include "parser/parser.h"
#include "parser/text_lines.h"

namespace loci {
namespace {

// An entry, or a line between entries: a heading, a rule, a marker.
struct Piece {
  std::string key;  // what makes two pieces of two sides the same one
  size_t begin = 0, end = 0;
  const ParsedEntry* entry = nullptr;
  bool is_item = false;  // of a list, or a comment: these stand without blank lines between them
};

struct SideOfMerge {
  std::string_view bytes;
  ParsedFile parsed;
  std::vector<Piece> pieces;
  std::map<std::string, size_t> by_key;

  std::string_view text_of(const Piece& piece) const { return bytes.substr(piece.begin, piece.end - piece.begin); }
  const Piece* find(const std::string& key) const {
    const auto found = by_key.find(key);
    return found == by_key.end() ? nullptr : &pieces[found->second];
  }
};

std::string key_of(const ParsedEntry& entry) {
  return entry.metadata && !entry.metadata->ref.empty() ? "ref " + entry.metadata->ref : "id " + entry.id;
}

void add_lines_between(SideOfMerge& side, size_t begin, size_t end) {
  for (size_t next; begin < end; begin = next) {
    next = std::min(next_line(side.bytes, begin), end);
    std::string_view line = side.bytes.substr(begin, next - begin);
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    if (!is_blank_line(line)) side.pieces.push_back({"line " + std::string(line), begin, next, nullptr, line.starts_with("<!--")});
  }
}

SideOfMerge cut(std::string_view bytes) {
  SideOfMerge side{bytes, parse(bytes), {}, {}};
  size_t position = 0;
  for (const ParsedEntry& entry : side.parsed.entries) {
    add_lines_between(side, position, entry.begin);
    const size_t text = line_begin(bytes, entry.line);
    const bool is_item = !list_marker(bytes.substr(text, next_line(bytes, text) - text)).empty();
    side.pieces.push_back({key_of(entry), entry.begin, entry.end, &entry, is_item});
    position = std::max(position, entry.end);
  }
  add_lines_between(side, position, bytes.size());
  for (size_t i = 0; i < side.pieces.size(); ++i) side.by_key.emplace(side.pieces[i].key, i);
  return side;
}

bool ends_blank(std::string_view text) { return text.empty() || text.ends_with("\n\n") || text.ends_with("\n\r\n"); }

// How an editor begins a file, and no part of what it says.
std::string_view take_byte_order_mark(std::string_view& bytes) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (!bytes.starts_with(mark)) return {};
  bytes.remove_prefix(mark.size());
  return mark;
}

class Merge {
 public:
  Merge(std::string_view ours, std::string_view theirs, std::optional<std::string_view> base, const ChooseSide& choose)
      : ours_(cut(ours)), theirs_(cut(theirs)), choose_(choose) {
    if (base)
      for (const ParsedEntry& entry : parse(*base).entries) base_.emplace(key_of(entry), entry.hash);
  }

  Result<MergedEntries> run() {
    size_t anchor = 0;  // in ours, behind what came last on both sides
    bool behind_item = false;
    for (const Piece& piece : theirs_.pieces) {
      if (const Piece* known = ours_.find(piece.key)) {
        anchor = known->end;
        behind_item = known->is_item;
        if (piece.entry && known->entry) settle(*known, piece);
      } else {
        added_[anchor].push_back({std::string(theirs_.text_of(piece)), piece.is_item && behind_item});
        behind_item = piece.is_item;
      }
      if (piece.entry) expected_.emplace(piece.key, piece.entry->hash);
    }
    for (const Piece& piece : ours_.pieces)
      if (piece.entry) expected_.emplace(piece.key, piece.entry->hash);
    if (!merged_.undecided.empty()) return std::move(merged_);
    merged_.bytes = put_together();
    if (!reads_as_expected())
      return fail(ErrorCode::refused, "the two versions cannot be put together without changing what they say");
    return std::move(merged_);
  }

 private:
  struct Added {
    std::string bytes;
    bool is_tight = false;
  };

  // One entry that stands on both sides.
  void settle(const Piece& ours, const Piece& theirs) {
    std::optional<Side> side = Side::ours;
    if (ours.entry->hash != theirs.entry->hash)
      side = side_of(ours, theirs);
    else if (theirs.entry->metadata && ours.entry->metadata && theirs.entry->metadata->updated > ours.entry->metadata->updated)
      side = Side::theirs;
    if (side == Side::theirs) replaced_[ours.begin] = {ours.end, std::string(theirs_.text_of(theirs))};
    if (side) expected_[ours.key] = side == Side::theirs ? theirs.entry->hash : ours.entry->hash;
  }

  std::optional<Side> side_of(const Piece& ours, const Piece& theirs) {
    if (const auto base = base_.find(ours.key); base != base_.end()) {
      if (base->second == ours.entry->hash) return Side::theirs;
      if (base->second == theirs.entry->hash) return Side::ours;
    }
    Disagreement disagreement{ours.key.substr(ours.key.find(' ') + 1), ours.entry->text, theirs.entry->text};
    const auto side = choose_(disagreement);
    if (!side) merged_.undecided.push_back(std::move(disagreement));
    return side;
  }

  std::string put_together() const {
    std::string out;
    size_t position = 0;
    const auto copy_until = [&](size_t end) {
      while (position < end) {
        const auto next = replaced_.lower_bound(position);
        const size_t stop = next == replaced_.end() ? end : std::min(end, next->first);
        out += ours_.bytes.substr(position, stop - position);
        position = stop;
        if (next == replaced_.end() || next->first != stop || stop >= end) continue;
        put_line_end(out);
        out += next->second.bytes;
        put_line_end(out);
        position = next->second.end;
      }
    };
    for (const auto& [anchor, pieces] : added_) {
      copy_until(anchor);
      for (const Added& piece : pieces) put_in(out, piece);
      const bool is_loose = !pieces.back().is_tight && position < ours_.bytes.size() && ours_.bytes[position] != '\n' &&
                            ours_.bytes[position] != '\r';
      if (is_loose) out += '\n';
    }
    copy_until(ours_.bytes.size());
    return out;
  }

  static void put_line_end(std::string& out) {
    if (!out.empty() && !out.ends_with('\n')) out += '\n';
  }

  static void put_in(std::string& out, const Added& piece) {
    put_line_end(out);
    if (!piece.is_tight && !ends_blank(out)) out += '\n';
    out += piece.bytes;
    put_line_end(out);
  }

  bool reads_as_expected() const {
    std::map<std::string, std::string> found;
    const ParsedFile parsed = parse(merged_.bytes);
    for (const ParsedEntry& entry : parsed.entries) found.emplace(key_of(entry), entry.hash);
    return !parsed.held && found == expected_;
  }

  struct Replaced {
    size_t end = 0;
    std::string bytes;
  };

  const SideOfMerge ours_, theirs_;
  const ChooseSide& choose_;
  std::map<std::string, std::string> base_;      // key -> hash
  std::map<std::string, std::string> expected_;  // key -> hash
  std::map<size_t, std::vector<Added>> added_;   // by the offset in ours that they go to
  std::map<size_t, Replaced> replaced_;          // by their offset in ours
  MergedEntries merged_;
};

}  // namespace

Result<MergedEntries> merge_entries(std::string_view ours, std::string_view theirs, std::optional<std::string_view> base,
                                    const ChooseSide& choose) {
  const std::string_view mark = take_byte_order_mark(ours);
  take_byte_order_mark(theirs);
  if (base) take_byte_order_mark(*base);
  auto merged = Merge(ours, theirs, base, choose).run();
  if (merged && merged->undecided.empty()) merged->bytes.insert(0, mark);
  return merged;
}

}  // namespace loci
