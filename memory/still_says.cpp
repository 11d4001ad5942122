#include "memory/still_says.h"

#include "parser/shared_words.h"
#include "recall/search.h"

namespace loci {

Result<std::vector<Entry>> what_still_says(Memory& memory, std::string_view text) {
  // Only the words: what looks like a filter or an exclusion in a memory's text is neither.
  SearchQuery query;
  for (const std::string& word : folded_words(text)) {
    if (query.terms.size() == max_query_terms) break;
    query.terms.push_back({word, false, false});
  }
  if (query.terms.empty()) return std::vector<Entry>{};
  SearchOptions options;
  options.limit = most_still_said;
  options.history = true;
  const auto found =
      TRY(memory.ask<SearchResult>([&](IndexReader& reader) { return search(reader, query, options, memory.now()); }));
  std::vector<Entry> entries;
  for (const Hit& hit : found.hits)
    if (shared_words(text, hit.entry.text) >= says_the_same) entries.push_back(hit.entry);
  return entries;
}

}  // namespace loci
