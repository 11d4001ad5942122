#include "sync/merge_three.h"

#include <algorithm>
#include <map>
#include <set>

#include "parser/parser.h"
#include "parser/text_lines.h"
#include "sync/merge_notes.h"

namespace loci {
namespace {

using Kind = MergePiece::Kind;
using Pieces = std::vector<MergePiece>;
using Texts = std::vector<std::string>;

struct CutFile {
  explicit CutFile(std::string_view bytes) : pieces(cut_into_pieces(bytes)) {
    for (size_t i = 0; i < pieces.size(); ++i) at.emplace(pieces[i].key, i);
  }
  const MergePiece* find(const std::string& key) const {
    const auto found = at.find(key);
    return found == at.end() ? nullptr : &pieces[found->second];
  }
  const std::string* before(const std::string& key) const {
    const auto found = at.find(key);
    return found == at.end() || found->second == 0 ? nullptr : &pieces[found->second - 1].key;
  }
  Pieces pieces;
  std::map<std::string, size_t> at;
};

// Where a new entry stands among other new ones.
using Rank = std::pair<std::string, std::string>;  // first seen, key

Rank rank_of(const MergePiece& piece) {
  const auto& metadata = piece.variants.front().metadata;
  return {metadata ? metadata->first_seen : std::string(), piece.key};
}

class ThreeWay {
 public:
  ThreeWay(const ThreeVersions& versions, const MergeKnowledge& knowledge)
      : versions_(versions), knowledge_(knowledge), base_(versions.base), ours_(versions.ours), theirs_(versions.theirs) {}

  MergedFile run() {
    decide();
    weave(skeleton());
    MergedFile merged;
    for (const bool loose : {false, true}) {
      merged.bytes = put_together(loose);
      merged.conflicts = conflicts_;
      if (reads_as_it_should(merged.bytes)) return merged;
    }
    MergedFile whole = merge_texts(versions_);
    return {std::move(whole.bytes), conflicts_ + whole.conflicts};
  }

 private:
  // --- what stands ---

  void decide() {
    std::set<std::string> keys;
    for (const CutFile* side : {&ours_, &theirs_})
      for (const MergePiece& piece : side->pieces) keys.insert(piece.key);
    for (const std::string& key : keys) {
      const MergePiece *base = base_.find(key), *ours = ours_.find(key), *theirs = theirs_.find(key);
      if (ours && theirs && ours->kind != theirs->kind) theirs = ours;  // a key is of one kind; never so
      const bool is_entry = (ours ? ours : theirs)->kind == Kind::entry;
      MergePiece piece = *(ours ? ours : theirs);
      if (ours && theirs && theirs->is_tight != ours->is_tight) piece.is_tight = true;
      piece.variants = is_entry ? merge_variants(base, ours, theirs, knowledge_) : merge_words(base, ours, theirs);
      if (piece.variants.empty()) continue;
      conflicts_ += piece.variants.size() > 1 ? 1 : 0;
      standing_.emplace(key, std::move(piece));
    }
  }

  // Of what has no id: it says the same wherever it stands, give or take white space.
  static std::vector<PieceVariant> merge_words(const MergePiece* base, const MergePiece* ours, const MergePiece* theirs) {
    if (!ours || !theirs) return base ? std::vector<PieceVariant>{} : (ours ? ours : theirs)->variants;
    const auto &one = ours->variants, &other = theirs->variants;
    if (one.front().body == other.front().body) return one;
    if (base && base->variants.front().body == one.front().body) return other;
    if (base && base->variants.front().body == other.front().body) return one;
    return std::max(one, other, [](const auto& a, const auto& b) { return a.front().body < b.front().body; });
  }

  // --- where it stands ---

  std::vector<std::string> order_of(const CutFile& side, const CutFile& among) const {
    std::vector<std::string> keys;
    for (const MergePiece& piece : side.pieces)
      if (standing_.contains(piece.key) && among.find(piece.key)) keys.push_back(piece.key);
    return keys;
  }

  // What both have, as the side has it that alone moved anything.
  std::vector<std::string> skeleton() const {
    auto ours = order_of(ours_, theirs_), theirs = order_of(theirs_, ours_);
    if (ours == theirs) return ours;
    const auto known = [&](const std::vector<std::string>& keys) {
      std::vector<std::string> out;
      for (const std::string& key : keys)
        if (base_.find(key)) out.push_back(key);
      return out;
    };
    const auto before = known(order_of(base_, ours_));
    const auto common = [&](std::vector<std::string> keys) {
      std::erase_if(keys, [&](const std::string& key) { return !theirs_.find(key); });
      return keys;
    };
    const bool ours_moved = known(ours) != common(before), theirs_moved = known(theirs) != common(before);
    if (ours_moved != theirs_moved) return ours_moved ? ours : theirs;
    return std::min(ours, theirs);
  }

  // By what they stand behind.
  using Anchored = std::map<std::string, std::vector<std::string>>;

  Anchored anchored(const CutFile& side, const std::set<std::string>& in_skeleton) const {
    Anchored out;
    std::string anchor;
    for (const MergePiece& piece : side.pieces) {
      if (in_skeleton.contains(piece.key))
        anchor = piece.key;
      else if (standing_.contains(piece.key))
        out[anchor].push_back(piece.key);
    }
    return out;
  }

  static bool is_conflict(const MergePiece& piece) { return piece.key.starts_with("conflict "); }

  // What a person's blocks say: those outside of conflicts are one text.
  static Texts texts_of(const std::vector<const MergePiece*>& pieces) {
    std::string plain, conflicts;
    for (const MergePiece* piece : pieces) {
      if (is_conflict(*piece)) conflicts += bytes_of(*piece);
      if (piece->kind != Kind::text) continue;
      if (!plain.empty() && !piece->is_tight) plain += "\n";
      plain += bytes_of(*piece);
    }
    Texts texts = conflicts.empty() ? Texts{} : texts_between_markers(conflicts);
    std::erase(texts, std::string());
    if (!plain.empty()) texts.push_back(std::move(plain));
    return texts;
  }

  // Blocks of a person's that both sides have taken out, or changed, by what they stood behind.
  std::map<std::string, Texts> changed_by_both(const std::set<std::string>& in_skeleton) const {
    std::map<std::string, std::vector<const MergePiece*>> changed;
    std::string anchor;
    for (const MergePiece& piece : base_.pieces) {
      if (in_skeleton.contains(piece.key)) anchor = piece.key;
      const bool is_words = piece.kind == Kind::text || is_conflict(piece);
      if (is_words && !ours_.find(piece.key) && !theirs_.find(piece.key)) changed[anchor].push_back(&piece);
    }
    std::map<std::string, Texts> texts;
    for (const auto& [behind, pieces] : changed) texts.emplace(behind, texts_of(pieces));
    return texts;
  }

  void weave(const std::vector<std::string>& skeleton) {
    const std::set<std::string> in_skeleton(skeleton.begin(), skeleton.end());
    auto ours = anchored(ours_, in_skeleton), theirs = anchored(theirs_, in_skeleton);
    const auto contested = changed_by_both(in_skeleton);
    const auto behind = [&](const std::string& anchor) {
      const auto before = contested.find(anchor);
      if (before != contested.end()) set_apart(ours[anchor], theirs[anchor], before->second);
      braid(ours[anchor], theirs[anchor]);
    };
    behind({});
    for (const std::string& key : skeleton) {
      order_.push_back(key);
      behind(key);
    }
  }

  // Several texts of persons in the place of one: all stand, between markers, but for what a side has resolved.
  void set_apart(std::vector<std::string>& ours, std::vector<std::string>& theirs, const Texts& before) {
    const auto is_words = [&](const std::string& key) {
      return standing_.at(key).kind == Kind::text || is_conflict(standing_.at(key));
    };
    const auto said = [&](const std::vector<std::string>& keys) {
      std::vector<const MergePiece*> pieces;
      for (const std::string& key : keys)
        if (is_words(key)) pieces.push_back(&standing_.at(key));
      return texts_of(pieces);
    };
    const Texts one = said(ours), other = said(theirs);
    if (one.empty() || other.empty()) return;
    for (auto* keys : {&ours, &theirs})
      std::erase_if(*keys, [&](const std::string& key) { return is_words(key) && standing_.erase(key) > 0; });
    stand_together(merged_texts(before, one, other));
  }

  void stand_together(const Texts& texts) {
    if (texts.size() == 1) return stand(cut_into_pieces(texts.front()));
    conflicts_ += 1;
    std::string blocks;
    for (size_t i = 0; i < texts.size(); i += 2) {
      const std::string apart = i == 0 || !list_marker(texts[i]).empty() ? "" : "\n";  // where both are chosen, a paragraph each
      blocks += conflict_block(apart + texts[i], i + 1 < texts.size() ? apart + texts[i + 1] : std::string());
    }
    stand(cut_into_pieces(blocks));
  }

  void stand(Pieces pieces) {
    for (MergePiece& piece : pieces) {
      order_.push_back(piece.key);
      std::string key = piece.key;
      standing_.insert_or_assign(std::move(key), std::move(piece));
    }
  }

  // An entry with what follows it up to the next one.
  size_t unit_end(const std::vector<std::string>& keys, size_t begin) const {
    size_t end = begin + 1;
    while (end < keys.size() && standing_.at(keys[end]).kind != Kind::entry) ++end;
    return end;
  }

  void braid(const std::vector<std::string>& ours, const std::vector<std::string>& theirs) {
    size_t i = 0, j = 0;
    while (i < ours.size() || j < theirs.size()) {
      const bool take_ours =
          j >= theirs.size() || (i < ours.size() && rank_of(standing_.at(ours[i])) < rank_of(standing_.at(theirs[j])));
      const auto& keys = take_ours ? ours : theirs;
      size_t& at = take_ours ? i : j;
      const size_t end = unit_end(keys, at);
      order_.insert(order_.end(), keys.begin() + static_cast<std::ptrdiff_t>(at), keys.begin() + static_cast<std::ptrdiff_t>(end));
      at = end;
    }
  }

  // --- bytes ---

  // The blank lines between two pieces: as a side has them where it has these two in a row.
  std::string blank_between(const std::string* previous, const MergePiece& piece, bool loose) const {
    std::optional<std::string> blank;
    for (const CutFile* side : {&ours_, &theirs_}) {
      const MergePiece* stood = side->find(piece.key);
      const std::string* before = stood ? side->before(piece.key) : nullptr;
      const bool in_a_row = stood && (before == nullptr) == (previous == nullptr) && (!before || *before == *previous);
      if (in_a_row) blank = blank ? std::max(*blank, stood->blank) : stood->blank;
    }
    if (blank && !loose) return *blank;
    if (!previous || (blank && !blank->empty())) return blank.value_or(std::string());
    const bool tight = !loose && piece.is_tight && standing_.at(*previous).is_tight;
    return tight ? std::string() : std::string(piece.variants.front().body.ends_with("\r\n") ? "\r\n" : "\n");
  }

  std::string put_together(bool loose) const {
    std::string out;
    const std::string* previous = nullptr;
    for (const std::string& key : order_) {
      const MergePiece& piece = standing_.at(key);
      out += blank_between(previous, piece, loose && piece.kind != Kind::line);
      out += bytes_of(piece);
      previous = &key;
    }
    return out;
  }

  bool reads_as_it_should(const std::string& bytes) const {
    std::multiset<std::string> expected, found;
    const auto note = [](const MergePiece& piece, std::multiset<std::string>& into) {
      for (const PieceVariant& variant : piece.variants)
        into.insert(piece.kind == Kind::entry ? piece.key + '\n' + variant.hash + '\n' +
                                                    (variant.metadata ? format_metadata(*variant.metadata) : std::string())
                    : piece.kind == Kind::text ? variant.hash
                                               : variant.body);
    };
    for (const auto& [key, piece] : standing_) note(piece, expected);
    for (const MergePiece& piece : cut_into_pieces(bytes)) note(piece, found);
    return expected == found;
  }

  const ThreeVersions& versions_;
  const MergeKnowledge& knowledge_;
  const CutFile base_, ours_, theirs_;
  std::map<std::string, MergePiece> standing_;
  std::vector<std::string> order_;
  size_t conflicts_ = 0;
};

}  // namespace

MergedFile merge_entry_files(const ThreeVersions& versions, const MergeKnowledge& knowledge) {
  if (versions.ours == versions.theirs || versions.theirs == versions.base) return {std::string(versions.ours)};
  if (versions.ours == versions.base) return {std::string(versions.theirs)};
  return ThreeWay(versions, knowledge).run();
}

MergedFile merge_lines(const ThreeVersions& versions) {
  std::string out;
  std::set<std::string_view> known;
  std::set<std::string> added;
  const auto visit = [](std::string_view bytes, const auto& take) {
    for (size_t begin = 0; begin < bytes.size(); begin = next_line(bytes, begin)) {
      std::string_view line = bytes.substr(begin, next_line(bytes, begin) - begin);
      while (line.ends_with('\n')) line.remove_suffix(1);
      if (!line.empty()) take(line);
    }
  };
  visit(versions.base, [&](std::string_view line) {
    if (known.insert(line).second) out.append(line) += '\n';
  });
  for (const std::string_view side : {versions.ours, versions.theirs})
    visit(side, [&](std::string_view line) {
      if (!known.contains(line)) added.emplace(line);
    });
  for (const std::string& line : added) out.append(line) += '\n';
  return {std::move(out)};
}

}  // namespace loci
