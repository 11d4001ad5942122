// Two versions of one file as one: entry by entry, by id. What only one side has is kept, where it stood; what both have alike
// stands once. Text is never lost without being asked about: an entry that says two things needs a choice. Pure.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace loci {

enum class Side : std::uint8_t {
  ours,
  theirs,
  both,  // one behind the other: of words without an id alone
};

// One entry with two texts, neither of which is the one that both came from.
struct Disagreement {
  std::string id;  // of a promoted line its ref; empty: words without one
  std::string ours, theirs;
};

// None: nobody can say.
using ChooseSide = std::function<std::optional<Side>(const Disagreement&)>;

struct MergedEntries {
  std::string bytes;
  std::vector<Disagreement> undecided;  // if there are any, `bytes` is empty
};

// `base`: what both came from, if it is known; an entry that only one side changed is then no disagreement. Of one text with two
// sets of metadata that with the later `updated` stands. ErrorCode::refused if the result does not read as both sides do.
Result<MergedEntries> merge_entries(std::string_view ours, std::string_view theirs, std::optional<std::string_view> base,
                                    const ChooseSide& choose);

// Where one conflict stands on either side.
struct ConflictPlace {
  size_t ours_begin = 0, ours_end = 0, theirs_begin = 0, theirs_end = 0;
};

struct ConflictSides {
  std::string ours, theirs;
  std::optional<std::string> base;         // if git was told to write it (diff3)
  std::vector<ConflictPlace> places = {};  // in their order
};

// The two files that git could not merge. None if no complete conflict stands in it.
std::optional<ConflictSides> sides_of_conflict(std::string_view file);

// As ours what this machine had, whose file was `had_here`: markers that loci wrote have the two texts in the order of their bytes.
ConflictSides as_seen_here(const ConflictSides& sides, std::string_view had_here);

// Two whole files: from their first line that differs to the last one is one place.
ConflictSides sides_of_files(std::string ours, std::string theirs);

}  // namespace loci
