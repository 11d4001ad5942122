#include "recall/admission.h"

#include <algorithm>

#include "base/relative_time.h"
#include "recall/entry_filter.h"
#include "recall/ranking_plan.h"

namespace loci {

Result<std::optional<Admission>> Admission::of(IndexReader& reader, const SearchQuery& query, const EntryFilter& wanted,
                                               bool inactive, Instant now) {
  auto filter = both(wanted, query.filter);
  if (!filter) return std::nullopt;
  Admission admission;
  admission.filter_ = std::move(*filter);
  EntryFilter& own = admission.filter_;
  own.inactive |= inactive;
  for (const std::string& since : query.since) own.since = std::max(own.since, parse_date(since, now));
  for (const std::string& until : query.until)
    if (const auto end = parse_date_end(until, now)) own.until = std::min(own.until.value_or(*end), *end);
  admission.shows_everything_ = is_empty(own) && query.excluded.empty() && query.without.empty();
  TRY(admission.hide(reader, query));
  if (!needs_rows(own)) return admission;
  auto rows = TRY(reader.rows_matching(own));
  admission.allowed_ = std::move(rows);
  return admission;
}

Status Admission::hide(IndexReader& reader, const SearchQuery& query) {
  for (const QueryTerm& term : query.excluded) {
    const std::string expression = expression_of(reader, term);
    if (expression.empty()) continue;
    const auto matches = TRY(reader.match(expression));
    hidden_.insert(hidden_.end(), matches.rows.begin(), matches.rows.end());
  }
  for (const EntryFilter& without : query.without) {
    const auto rows = TRY(reader.rows_matching(without));
    hidden_.insert(hidden_.end(), rows.begin(), rows.end());
  }
  std::ranges::sort(hidden_);
  return {};
}

bool Admission::may_show(RowId row, const EntryColumns& columns) const {
  return passes(filter_, columns) && (!needs_rows(filter_) || std::ranges::binary_search(allowed_, row)) && !is_hidden(row);
}

bool Admission::is_hidden(RowId row) const { return std::ranges::binary_search(hidden_, row); }

bool Admission::may_show_history() const {
  return filter_.layers.empty() || std::ranges::find(filter_.layers, Layer::L2) != filter_.layers.end();
}

}  // namespace loci
