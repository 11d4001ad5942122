// Three versions of a file as one: what two machines did to it since they last had it in common. Pure, total, and the same whoever
// merges: with `ours` and `theirs` exchanged the bytes are equal.
//
// A file of entries is merged entry by entry. What one side changed is taken, what one side deleted and the other did not touch
// goes, what both added stands once. Of one entry that both changed a person's text beats a run's, and of two runs' texts that
// which rests on more facts stands. Two persons' texts both stand, between git's conflict markers around that entry alone. No text
// of a person's is lost: where the result would not read as its parts do, both versions stand whole between markers.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "sync/merge_entry.h"

namespace loci {

struct ThreeVersions {
  std::string_view base;  // empty: both added the file
  std::string_view ours, theirs;
};

struct MergedFile {
  std::string bytes;
  size_t conflicts = 0;
};

MergedFile merge_entry_files(const ThreeVersions& versions, const MergeKnowledge& knowledge = {});

// A log of lines that never change: those of both, in the order of the base, then by their bytes.
MergedFile merge_lines(const ThreeVersions& versions);

}  // namespace loci
