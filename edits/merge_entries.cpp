#include "edits/merge_entries.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/byte_order_mark.h"
#include "edits/file_pieces.h"
#include "edits/seen_file.h"
#include "parser/parser.h"
#include "parser/text_lines.h"

namespace loci {
namespace {

struct SideOfMerge {
  std::string_view bytes;
  ParsedFile parsed;
  std::vector<FilePiece> pieces;
  std::vector<std::string> names;  // of each piece: the same line again has another one
  std::map<std::string, size_t> by_name;

  std::string_view text_of(const FilePiece& piece) const { return bytes.substr(piece.begin, piece.end - piece.begin); }
  const FilePiece* find(const std::string& name) const {
    const auto found = by_name.find(name);
    return found == by_name.end() ? nullptr : &pieces[found->second];
  }
};

// Between its two rules, with them: a rule of the text is neither.
void mark_front_matter(std::string_view bytes, std::vector<FilePiece>& pieces) {
  if (pieces.empty() || pieces.front().key != "line ---" || !bytes.starts_with("---")) return;
  for (FilePiece& piece : pieces) {
    if (piece.entry) return;
    const bool ends = &piece != &pieces.front() && piece.key == "line ---";
    piece.key.insert(0, "front ");
    if (ends) return;
  }
}

// What stands on the other side, too, has its name from there. `unlike`: ends the names of lines that do not.
SideOfMerge cut(std::string_view bytes, const SideOfMerge& other, std::string_view unlike) {
  SideOfMerge side{bytes, parse(bytes), {}, {}, {}};
  side.pieces = pieces_of(bytes, side.parsed);
  mark_front_matter(bytes, side.pieces);
  const auto same = same_pieces(side.pieces, other.pieces);
  for (size_t i = 0; i < side.pieces.size(); ++i) {
    const FilePiece& piece = side.pieces[i];
    const std::string own = piece.entry ? piece.key : piece.key + std::string(unlike) + std::to_string(i);
    side.names.push_back(same[i] ? other.names[*same[i]] : own);
    side.by_name.emplace(side.names.back(), i);
  }
  return side;
}

bool ends_blank(std::string_view text) { return text.empty() || text.ends_with("\n\n") || text.ends_with("\n\r\n"); }

class Merge {
 public:
  Merge(std::string_view ours, std::string_view theirs, std::optional<std::string_view> base, const ChooseSide& choose)
      : ours_(cut(ours, {}, "\nours ")), theirs_(cut(theirs, ours_, "\ntheirs ")), choose_(choose) {
    if (!base) return;
    const SideOfMerge then = cut(*base, theirs_, "\nbase ");
    for (size_t i = 0; i < then.pieces.size(); ++i)
      base_.emplace(then.names[i], then.pieces[i].entry ? then.pieces[i].entry->hash : std::string());
    for (size_t i = 0; i < then.pieces.size(); ++i) {
      if (!then.pieces[i].entry || !then.pieces[i].entry->metadata) continue;
      name_as_in_base(ours_, then.names[i], *then.pieces[i].entry);
      name_as_in_base(theirs_, then.names[i], *then.pieces[i].entry);
    }
  }

  Result<MergedEntries> run() {
    size_t anchor = 0;                           // in ours, behind what came last on both sides
    bool behind_item = false, is_behind = true;  // directly: our side took out nothing in between
    for (size_t i = 0; i < theirs_.pieces.size(); ++i) {
      const FilePiece& piece = theirs_.pieces[i];
      if (const FilePiece* known = ours_.find(theirs_.names[i])) {
        anchor = known->end;
        behind_item = known->is_item;
        is_behind = true;
        if (piece.entry && known->entry) settle(theirs_.names[i], *known, piece);
      } else if (piece.entry || !base_.contains(theirs_.names[i])) {  // else a line that our side took out
        if (const FilePiece* next = is_behind ? nullptr : next_in_ours(i)) {
          anchor = next->begin;
          behind_item = false;
          is_behind = true;
        }
        if (const FilePiece* next = piece.is_item && !behind_item ? piece_at(anchor) : nullptr; next && next->is_item)
          anchor = next->begin;
        added_[anchor].push_back({as_ours(theirs_.text_of(piece)), piece.is_item && behind_item, piece.is_item});
        behind_item = piece.is_item;
      } else {
        is_behind = false;
      }
      if (piece.entry && !ours_.find(theirs_.names[i])) expected_.emplace(piece.key, piece.entry->hash);
    }
    for (size_t i = 0; i < ours_.pieces.size(); ++i)
      if (const FilePiece& piece = ours_.pieces[i]; piece.entry && !theirs_.find(ours_.names[i]))
        expected_.emplace(piece.key, piece.entry->hash);
    if (!merged_.undecided.empty()) return std::move(merged_);
    merged_.bytes = put_together();
    if (!reads_as_expected())
      return fail(ErrorCode::refused, "the two versions cannot be put together without changing what they say");
    return std::move(merged_);
  }

 private:
  struct Added {
    std::string bytes;
    bool is_tight = false, is_item = false;
  };

  // What comes behind a piece of theirs and stands in ours, too.
  const FilePiece* next_in_ours(size_t place) const {
    for (size_t i = place + 1; i < theirs_.pieces.size(); ++i)
      if (const FilePiece* known = ours_.find(theirs_.names[i])) return known;
    return nullptr;
  }

  // With the line ends of our side.
  std::string as_ours(std::string_view lines) const {
    std::string text(lines);
    std::erase(text, '\r');
    return with_line_ends(text, line_end_);
  }

  // A copy that gave up its comment is the entry that it was still.
  void name_as_in_base(SideOfMerge& side, const std::string& name, const ParsedEntry& then) {
    if (side.by_name.contains(name)) return;
    for (size_t i = 0; i < side.pieces.size(); ++i) {
      const ParsedEntry* entry = side.pieces[i].entry;
      if (!entry || entry->metadata || base_.contains(side.names[i]) || !is_without_comment(entry->text, then.text)) continue;
      side.by_name.erase(std::exchange(side.names[i], name));
      side.by_name.emplace(name, i);
      without_comment_.insert(&side.pieces[i]);
      return;
    }
  }

  // One entry that stands on both sides.
  void settle(const std::string& name, const FilePiece& ours, const FilePiece& theirs) {
    std::optional<Side> side = Side::ours;
    if (ours.entry->hash != theirs.entry->hash)
      side = side_of(name, ours, theirs);
    else if (without_comment_.contains(&theirs))
      side = Side::theirs;
    else if (theirs.entry->metadata && ours.entry->metadata && theirs.entry->metadata->updated > ours.entry->metadata->updated)
      side = Side::theirs;
    if (side == Side::theirs) replaced_[ours.begin] = {ours.end, as_ours(theirs_.text_of(theirs))};
    const FilePiece& stands = side == Side::theirs ? theirs : ours;
    if (side) expected_[stands.key] = stands.entry->hash;
  }

  std::optional<Side> side_of(const std::string& name, const FilePiece& ours, const FilePiece& theirs) {
    if (const auto base = base_.find(name); base != base_.end()) {
      const auto has_its_words = [&](const FilePiece& one) {
        return base->second == one.entry->hash || without_comment_.contains(&one);
      };
      if (has_its_words(ours)) return Side::theirs;
      if (has_its_words(theirs)) return Side::ours;
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
      if (!is_blank_at(position) && !(pieces.back().is_item && is_item_at(position))) out += line_end_;
    }
    copy_until(ours_.bytes.size());
    return out;
  }

  bool is_blank_at(size_t position) const {
    return position >= ours_.bytes.size() || ours_.bytes[position] == '\n' || ours_.bytes[position] == '\r';
  }

  // The first one of ours from there on.
  const FilePiece* piece_at(size_t position) const {
    const auto next = std::ranges::lower_bound(ours_.pieces, position, {}, &FilePiece::begin);
    return next == ours_.pieces.end() ? nullptr : &*next;
  }

  // A paragraph there would be a part of the item in front of it.
  bool is_item_at(size_t position) const {
    const FilePiece* next = piece_at(position);
    return !next || next->is_item;
  }

  void put_line_end(std::string& out) const {
    if (!out.empty() && !out.ends_with('\n')) out += line_end_;
  }

  void put_in(std::string& out, const Added& piece) const {
    put_line_end(out);
    if (!piece.is_tight && !ends_blank(out)) out += line_end_;
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

  SideOfMerge ours_, theirs_;
  std::set<const FilePiece*> without_comment_;  // that have their name from the base
  const std::string_view line_end_ = line_end_of(ours_.bytes);
  const ChooseSide& choose_;
  std::map<std::string, std::string> base_;      // name -> hash, empty for a line
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
