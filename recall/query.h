// What a person or an agent types -> what is searched. Never an error: whatever cannot be a term or a filter is plain text or
// dropped. Pure.
//
//   words "a phrase" -not -"not this" prefix* tag:x project:y task:t source:user kind:turn layer:L2 session:s since:2026-05
//   until:2026-06
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "indexer/index_reader.h"

namespace loci {

struct QueryTerm {
  std::string text;     // as typed, without marks
  bool phrase = false;  // words in this order
  bool prefix = false;
};

struct SearchQuery {
  std::string text;              // as it was read
  std::vector<QueryTerm> terms;  // scored; function words only if there is nothing else
  std::vector<QueryTerm> excluded;
  EntryFilter filter;
  std::vector<std::string> since, until;  // dates by their distance ("7d"), which search() counts back from its now
  std::vector<EntryFilter> without;       // "-tag:x": entries that pass one of these are left out
  bool history = false;                   // a layer, a date or a question about the past asks for L2
  bool about_past = false;                // a question about the past
  bool tells_nothing = false;             // no word of it belongs to a subject: all are of the asking, or carry grammar
  std::vector<std::string> ignored;       // filters with a value that means nothing ("since:soon"): a caller may tell
};

// A question about the past with no word to look for: "what did we talk about yesterday".
inline bool asks_for_newest(const SearchQuery& query) { return query.about_past && query.tells_nothing; }

inline constexpr size_t max_query_bytes = 4096;
inline constexpr size_t max_query_terms = 64;

SearchQuery parse_query(std::string_view text);

// Does the text ask about what was said before? A table of phrases in several languages.
bool asks_about_history(std::string_view text);

}  // namespace loci
