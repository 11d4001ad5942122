// A save of a buffer that was opened before loci wrote the file: what loci wrote since is put back, so that nobody loses it and the
// person's words stand.
#pragma once

#include <set>
#include <span>
#include <string>

#include "edits/earlier_names.h"
#include "edits/edit_context.h"
#include "edits/saves.h"

namespace loci {

// Lines without metadata that a person's save took out of the version in front of it. No log tells of those. Ids.
std::set<std::string> taken_out_by_hand(std::span<const KnownVersion> versions);

// The save with what loci wrote since `base`, from which it was made; or why the two cannot be put together. `elsewhere`: ids that
// stand in other files; `by_hand`: those that a person took out since the base, and wants again where they stand.
Result<Result<std::string>> with_what_came_since(EditContext& context, const std::string& file, const Save& save,
                                                 const Version& base, const std::set<std::string>& elsewhere,
                                                 std::set<std::string> by_hand, const EarlierNames& names = {});

// Writes `bytes`, the save with what loci wrote since. Facts that went into an entry of which the person's text stands are pending
// again. `changes`: of the person's, from the base.
Status put_back(EditContext& context, const std::string& file, const Save& save, const Version& base,
                const std::vector<Change>& changes, const std::string& bytes);

// What loci wrote while an earlier save is asked about is in no question: a buffer that was opened in between lacks what came
// since. Nothing is decided meanwhile, so one that equals what stood then is such a buffer, too. `asked_about`: the hash of the
// version that the question is about.
Status put_back_meanwhile(EditContext& context, const std::string& file, const Save& save, const std::string& asked_about);

}  // namespace loci
