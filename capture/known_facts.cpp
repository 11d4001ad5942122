#include "capture/known_facts.h"

#include "capture/content_words.h"
#include "capture/said_lines.h"
#include "memory/may_send.h"
#include "recall/search.h"

namespace loci {
namespace {

constexpr std::int64_t longest_shown_tokens = 250;

// Only words: what looks like a filter or an exclusion in the text is neither.
SearchQuery query_for(std::string_view text) {
  SearchQuery query;
  for (std::string& word : content_words(text, max_query_terms)) query.terms.push_back({std::move(word), false, false});
  return query;
}

}  // namespace

Result<std::vector<KnownFact>> nearest_known(Memory& memory, std::string_view text, size_t limit) {
  std::vector<KnownFact> known;
  const SearchQuery query = query_for(text);
  if (query.terms.empty()) return known;
  Sendable sendable(memory);
  SearchOptions options;
  options.filter.layers = {Layer::L0, Layer::L1};  // not what was said, even where no fact is near
  options.limit = sendable.has_rules() ? 5 * limit : limit;
  const auto found =
      TRY(memory.ask<SearchResult>([&](IndexReader& reader) { return search(reader, query, options, memory.now()); }));
  for (const Hit& hit : found.hits) {
    if (known.size() == limit) break;
    const auto may_send = TRY(sendable.may_send(hit.entry));
    if (may_send)
      known.push_back({hit.entry.id, std::string(pieces_of(hit.entry.text, longest_shown_tokens).front()),
                       hit.entry.at ? utc_date(*hit.entry.at) : std::string()});
  }
  return known;
}

}  // namespace loci
