// Lines of a message block. Each is one line whatever the entry says: escaped, white space as single blanks. Pure but for counting.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "context/similarity.h"
#include "indexer/entry.h"
#include "tokens/token_counter.h"

namespace loci {

// "- [id | label | 0.90] text (file:line)"; the label is `correction`, else the category, else the source. Of a long text the
// sentences around the stems of `context`.
std::string fact_line(const Entry& entry, const StemCounts& context, const TokenCounter& counter);

// "- [id | 2026-11-18] text (file:line)", without the day where it is not known.
std::string history_line(const Entry& entry, const StemCounts& context, const TokenCounter& counter, const Clock& clock);

// "- Heading: text; text" of each heading of user.md, "- text" of what stands under none.
std::vector<std::string> user_context_lines(std::string_view user_file);

// The metadata's if that is a number from 0 to 1, else what its source counts for.
double confidence_of(const Entry& entry);

}  // namespace loci
