#include "sync/merge_entry.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "parser/text_hash.h"

namespace loci {
namespace {

using Variants = std::vector<PieceVariant>;
using Texts = std::vector<std::string>;

// As it would be written: what two equal pieces of metadata have in common.
std::string written(const PieceVariant& variant) { return variant.metadata ? format_metadata(*variant.metadata) : std::string(); }

bool is_as_written(const PieceVariant& variant) { return variant.metadata && variant.metadata->sum == sum_from_hash(variant.hash); }

std::set<std::string> facts_of(const PieceVariant& variant) {
  return {variant.metadata->from.begin(), variant.metadata->from.end()};
}

// --- metadata ---

// What one of them changed; what both did, of the first.
template <typename T>
T changed(const T* base, const T& first, const T& second) {
  if (base) return first == *base ? second : first;
  return first == T{} ? second : first;
}

Texts merged_list(const Texts* base, const Texts& first, const Texts& second) {
  if (first == second || (base && second == *base)) return first;
  if (base && first == *base) return second;
  const auto has = [](const Texts& list, const std::string& text) { return std::ranges::find(list, text) != list.end(); };
  Texts merged;
  std::set<std::string> added;
  for (const std::string& text : base ? *base : Texts{})
    if (has(first, text) && has(second, text)) merged.push_back(text);
  for (const Texts* list : {&first, &second})
    for (const std::string& text : *list)
      if (!base || !has(*base, text)) added.insert(text);
  for (const std::string& text : added)
    if (!has(merged, text)) merged.push_back(text);
  return merged;
}

// A key that this version does not know is never taken out: whoever wrote it may need it.
Json::Object merged_unknown(const Json::Object* base, const Json::Object& first, const Json::Object& second) {
  const auto find = [](const Json::Object& object, const std::string& key) -> const Json* {
    const auto found = std::ranges::find(object, key, &Json::Member::first);
    return found == object.end() ? nullptr : &found->second;
  };
  Json::Object merged;
  for (const auto& [key, value] : first) {
    const Json *other = find(second, key), *before = base ? find(*base, key) : nullptr;
    merged.emplace_back(key, other && before && value == *before ? *other : value);
  }
  Json::Object rest;
  for (const auto& member : second)
    if (!find(first, member.first)) rest.push_back(member);
  merged.insert(merged.end(), rest.begin(), rest.end());
  if (!rest.empty()) std::ranges::sort(merged, {}, &Json::Member::first);
  return merged;
}

// `first` is the one whose text stands: what belongs to the text comes from it alone.
Metadata merged_metadata(const Metadata* base, const Metadata& first, const Metadata& second) {
  Metadata merged = first;
  const auto take = [&](auto member) {
    merged.*member = changed(base ? &(base->*member) : nullptr, first.*member, second.*member);
  };
  take(&Metadata::at), take(&Metadata::source), take(&Metadata::kind), take(&Metadata::session), take(&Metadata::turn);
  take(&Metadata::role), take(&Metadata::task), take(&Metadata::project), take(&Metadata::category), take(&Metadata::confidence);
  take(&Metadata::corrects);
  for (auto list : {&Metadata::tags, &Metadata::about, &Metadata::sources, &Metadata::from})
    merged.*list = merged_list(base ? &(base->*list) : nullptr, first.*list, second.*list);
  if (!second.first_seen.empty() && (first.first_seen.empty() || second.first_seen < first.first_seen))
    merged.first_seen = second.first_seen;
  merged.updated = std::max(first.updated, second.updated);
  merged.unknown = merged_unknown(base ? &base->unknown : nullptr, first.unknown, second.unknown);
  return merged;
}

PieceVariant with_metadata(const PieceVariant& variant, Metadata metadata) {
  PieceVariant out = variant;
  if (out.metadata == metadata) return out;
  out.head = format_metadata(metadata) + (out.head.ends_with("\r\n") ? "\r\n" : "\n");
  out.metadata = std::move(metadata);
  return out;
}

// --- two variants ---

// The one whose text is written down: it differs from the base, or has more behind it, or its bytes come later.
bool comes_first(const PieceVariant& one, const PieceVariant& other, const PieceVariant* base) {
  if (base) {
    const bool one_is_old = one.bytes() == base->bytes(), other_is_old = other.bytes() == base->bytes();
    if (one_is_old != other_is_old) return other_is_old;
    if ((one.body == base->body) != (other.body == base->body)) return other.body == base->body;
  }
  if (one.metadata && other.metadata && one.metadata->updated != other.metadata->updated)
    return one.metadata->updated > other.metadata->updated;
  return one.bytes() > other.bytes();
}

// Both say the same, or only one of them says something else than the base.
PieceVariant joined(const PieceVariant* base, const PieceVariant& first, const PieceVariant& second) {
  if (!first.metadata || !second.metadata) return first;
  const Metadata* before = base && base->metadata ? &*base->metadata : nullptr;
  const bool same_text = first.hash == second.hash;
  Metadata metadata = merged_metadata(before, *first.metadata, *second.metadata);
  if (same_text && written(second) == format_metadata(metadata) && written(first) != written(second)) {
    PieceVariant out = second;  // its bytes, untouched
    return out;
  }
  return with_metadata(first, std::move(metadata));
}

// Of two texts that both differ from the base, and from each other: the one that stands alone. Null: both do.
const PieceVariant* winner_of(const PieceVariant& one, const PieceVariant& other, const MergeKnowledge& knowledge) {
  if (!one.metadata || !other.metadata) return nullptr;
  if (const std::string& ref = one.metadata->ref; !ref.empty()) {
    if (!knowledge.promoted) return nullptr;
    const bool one_is_ours = knowledge.promoted(ref, one.hash), other_is_ours = knowledge.promoted(ref, other.hash);
    if (one_is_ours != other_is_ours) {
      const auto& [ours, persons] = one_is_ours ? std::tie(one, other) : std::tie(other, one);
      return knowledge.only_followed && knowledge.only_followed(ref, ours.hash) ? nullptr : &persons;
    }
    return one_is_ours ? (comes_first(one, other, nullptr) ? &one : &other) : nullptr;
  }
  const bool one_is_run = is_as_written(one), other_is_run = is_as_written(other);
  if (one_is_run != other_is_run) return one_is_run ? &other : &one;
  if (!one_is_run) return nullptr;
  // Two runs: the text that rests on more. What only the other one rests on is pending again, once the logs are looked at.
  const auto ones = facts_of(one), others = facts_of(other);
  if (ones.size() != others.size()) return ones.size() > others.size() ? &one : &other;
  return comes_first(one, other, nullptr) ? &one : &other;
}

// With the facts that its text rests on, and no others.
PieceVariant won(const PieceVariant* base, const PieceVariant& winner, const PieceVariant& loser) {
  Metadata metadata = merged_metadata(base && base->metadata ? &*base->metadata : nullptr, *winner.metadata, *loser.metadata);
  metadata.from = winner.metadata->from;
  metadata.sources = winner.metadata->sources;
  metadata.source = winner.metadata->source;
  metadata.confidence = winner.metadata->confidence;
  return with_metadata(winner, std::move(metadata));
}

bool has_text(const Variants& variants, const PieceVariant& one) {
  return std::ranges::any_of(variants, [&](const PieceVariant& each) { return each.hash == one.hash; });
}

Variants merge_two(const PieceVariant* base, const PieceVariant& ours, const PieceVariant& theirs,
                   const MergeKnowledge& knowledge) {
  const bool ours_first = comes_first(ours, theirs, base);
  const PieceVariant &first = ours_first ? ours : theirs, &second = ours_first ? theirs : ours;
  if (first.hash == second.hash) return {joined(base, first, second)};
  if (base && second.hash == base->hash) return {joined(base, first, second)};
  if (base && first.hash == base->hash) return {joined(base, second, first)};
  if (const PieceVariant* winner = winner_of(first, second, knowledge))
    return {won(base, *winner, winner == &first ? second : first)};
  return {first, second};
}

// Where a conflict stood already: what a side took out of it went, what it put in came.
Variants merge_sets(const Variants& base, const Variants& ours, const Variants& theirs) {
  Variants merged;
  for (const Variants* side : {&ours, &theirs}) {
    const Variants& other = side == &ours ? theirs : ours;
    for (const PieceVariant& one : *side)
      if (!has_text(merged, one) && (has_text(other, one) || !has_text(base, one))) merged.push_back(one);
  }
  return merged;
}

// One side has taken it out, the other has `stands`.
Variants after_removal(const MergePiece& base, const MergePiece& stands, const MergeKnowledge& knowledge) {
  const bool untouched =
      std::ranges::all_of(stands.variants, [&](const PieceVariant& one) { return has_text(base.variants, one); });
  if (untouched) return {};
  const PieceVariant& one = stands.variants.front();
  const bool is_deleted = knowledge.is_removed && one.metadata && knowledge.is_removed(one.metadata->id);
  const auto goes = [&](const PieceVariant& variant) {  // no person wrote it, and nothing of it was new to who deleted it
    return is_as_written(variant) &&
           !(knowledge.says_standing_fact && knowledge.says_standing_fact(*variant.metadata, variant.hash));
  };
  if (is_deleted && std::ranges::all_of(stands.variants, goes)) return {};
  return stands.variants;
}

}  // namespace

Variants merge_variants(const MergePiece* base, const MergePiece* ours, const MergePiece* theirs, const MergeKnowledge& knowledge) {
  Variants merged;
  if (!ours || !theirs) {
    const MergePiece* stands = ours ? ours : theirs;
    if (!stands) return {};
    merged = base ? after_removal(*base, *stands, knowledge) : stands->variants;
  } else if (ours->variants.size() == 1 && theirs->variants.size() == 1 && (!base || base->variants.size() == 1)) {
    merged = merge_two(base ? &base->variants.front() : nullptr, ours->variants.front(), theirs->variants.front(), knowledge);
  } else {
    merged = merge_sets(base ? base->variants : Variants{}, ours->variants, theirs->variants);
    if (merged.empty()) merged = merge_sets({}, ours->variants, theirs->variants);  // each chose another one of the base's
  }
  std::ranges::sort(merged, {}, &PieceVariant::bytes);
  return merged;
}

}  // namespace loci
