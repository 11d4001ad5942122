#include "recall/newest.h"

#include <chrono>

#include "recall/score.h"
#include "recall/snippet.h"

namespace loci {

Result<SearchResult> newest(IndexReader& reader, const Admission& admission, const EntryFilter& filter,
                            const SearchOptions& options, Instant now) {
  SearchResult result;
  std::string before;
  while (result.hits.size() < options.limit) {
    auto page = TRY(reader.recent(filter, options.limit, before));
    if (page.empty()) break;
    before = page.back().id;
    for (Entry& found : page) {
      if (result.hits.size() == options.limit || admission.is_hidden(found.row)) continue;
      std::string snippet = snippet_of(found.text, {});
      const HitReasons why{
          0, 0, recency_of(found.at, now, options.recency_half_life_days, options.recency_floor), trust_of(found.source), {}};
      result.hits.push_back({std::move(found), 0, why, std::move(snippet), true});
    }
  }
  result.confident = !result.hits.empty();
  return result;
}

Result<SearchResult> newest_of_the_past(IndexReader& reader, const Admission& admission, const QuestionCues& cues,
                                        const SearchOptions& options, Instant now) {
  EntryFilter filter = admission.filter();
  const bool is_around_a_day = cues.day && !filter.since && !filter.until;
  if (is_around_a_day) {
    using Days = std::chrono::duration<double, std::ratio<86400>>;
    const auto at = [&](double days_ago) { return now - std::chrono::duration_cast<std::chrono::milliseconds>(Days(days_ago)); };
    filter.since = std::chrono::floor<std::chrono::days>(at(cues.day->days_ago + cues.day->width));
    filter.until = at(cues.day->days_ago - cues.day->width);
  }
  auto result = TRY(newest(reader, admission, filter, options, now));
  if (result.hits.empty() && is_around_a_day) {
    filter.since = filter.until = std::nullopt;
    auto any_time = TRY(newest(reader, admission, filter, options, now));
    result = std::move(any_time);
  }
  result.from_history = shows_history(result);
  return result;
}

}  // namespace loci
