// What may be found: the conditions of flags and of a query put together, checked on an entry's fixed-size record. Pure.
#pragma once

#include <optional>

#include "indexer/index_reader.h"

namespace loci {

// Everything of both must hold; none if nothing can pass ("layer:L1" and "layer:L2").
std::optional<EntryFilter> both(const EntryFilter& a, const EntryFilter& b);

bool is_empty(const EntryFilter& filter);

// The condition needs more than EntryColumns: IndexReader::rows_matching knows.
bool needs_rows(const EntryFilter& filter);

// What a record alone can tell: layers, kinds, sources, dates, activity.
bool passes(const EntryFilter& filter, const EntryColumns& columns);

// Asks for L2: by a layer, a date, a session or a kind that only L2 has.
bool asks_for_history(const EntryFilter& filter);

}  // namespace loci
