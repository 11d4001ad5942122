// Versions of a file in which conflicts stand already: what each of them may say, as one set of texts. Pure, and the same whoever
// merges.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sync/merge_three.h"

namespace loci {

// `resolve` can read it: no conflict stands in it, or each is told apart from its text.
bool can_be_resolved(std::string_view file);

// What the file may say, once its conflicts are resolved: one text if it has none.
std::vector<std::string> texts_between_markers(std::string_view file);

// What a side took out of a conflict went, what it put in came: sorted.
std::vector<std::string> merged_texts(const std::vector<std::string>& base, const std::vector<std::string>& ours,
                                      const std::vector<std::string>& theirs);

// All that `ours` and `theirs` may say, but for what the other side has resolved, between markers around what is not the same
// everywhere. What `resolve` could not read stands between them whole.
MergedFile merge_texts(const ThreeVersions& versions);

}  // namespace loci
