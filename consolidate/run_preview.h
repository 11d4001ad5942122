// What a run would ask, and how many tokens that would send. Writes nothing, asks nobody.
#pragma once

#include "consolidate/consolidator.h"

namespace loci {

// `model` may be null. Adds previews, calls and tokens to `result`.
Status preview_run(Memory& memory, const LanguageModel* model, const ConsolidateOptions& options, Consolidated& result);

}  // namespace loci
