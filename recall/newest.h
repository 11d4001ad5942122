// What is found where a question has no word to look for: the newest first.
#pragma once

#include "recall/admission.h"
#include "recall/question_cues.h"
#include "recall/search.h"

namespace loci {

// What passes `filter` and no exclusion of `admission` hides, newest first.
Result<SearchResult> newest(IndexReader& reader, const Admission& admission, const EntryFilter& filter,
                            const SearchOptions& options, Instant now);

// Of a question about the past: what is newest around the day that it names, or at any time if there is nothing.
Result<SearchResult> newest_of_the_past(IndexReader& reader, const Admission& admission, const QuestionCues& cues,
                                        const SearchOptions& options, Instant now);

}  // namespace loci
