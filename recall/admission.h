// What a search may show: what its filters let through and its exclusions do not hide.
#pragma once

#include <optional>
#include <vector>

#include "base/clock.h"
#include "indexer/index_reader.h"
#include "recall/query.h"

namespace loci {

class Admission {
 public:
  // What both the query and `wanted` let through; `inactive`: also what was forgotten or corrected. None if nothing can pass. Fails
  // as the reader does.
  static Result<std::optional<Admission>> of(IndexReader& reader, const SearchQuery& query, const EntryFilter& wanted,
                                             bool inactive, Instant now);

  bool may_show(RowId row, const EntryColumns& columns) const;
  bool is_hidden(RowId row) const;  // by an exclusion
  bool shows_everything() const { return shows_everything_ && filter_.layers.empty(); }
  bool may_show_history() const;

  const EntryFilter& filter() const { return filter_; }
  void set_layers(std::vector<Layer> layers) { filter_.layers = std::move(layers); }

 private:
  Status hide(IndexReader& reader, const SearchQuery& query);

  EntryFilter filter_;
  bool shows_everything_ = false;        // but for layers
  std::vector<RowId> allowed_, hidden_;  // sorted; the former only where the filter asks for rows
};

}  // namespace loci
