// One entry of two versions of a file, and of the version that both were made from. Pure, and the same whoever is `ours`.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sync/merge_pieces.h"

namespace loci {

// What the logs tell a merge. Each may be missing: then nothing is known.
struct MergeKnowledge {
  std::function<bool(std::string_view id)> is_removed;                        // deleted or corrected, on any machine
  std::function<bool(std::string_view ref, std::string_view hash)> promoted;  // loci wrote this line of the core
  // And only because its entry says so by now: under the same id that is what a person made of the entry.
  std::function<bool(std::string_view ref, std::string_view hash)> only_followed = {};
  // An entry with this text says what a fact says that went into it and has not ended: whoever deleted it did not know that.
  std::function<bool(const Metadata& entry, std::string_view hash)> says_standing_fact = {};
};

// Empty: it goes. Several: nobody can say which, and all of them stay. A null pointer: it is not there.
std::vector<PieceVariant> merge_variants(const MergePiece* base, const MergePiece* ours, const MergePiece* theirs,
                                         const MergeKnowledge& knowledge);

}  // namespace loci
