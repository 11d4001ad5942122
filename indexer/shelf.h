// The number that `recent` sorts by first: entries of one kind, layer and standing lie together in the order of time, so that
// the newest of any choice of them is a merge of a few runs of one index.
#pragma once

#include <cstdint>

#include "indexer/index_reader.h"

namespace loci {

inline constexpr int kinds_count = 4;
inline constexpr int layers_count = 3;
inline constexpr int shelves_count = 2 * kinds_count * layers_count;

constexpr int shelf_of(EntryKind kind, Layer layer, bool active) {
  return ((active ? 0 : 1) * kinds_count + static_cast<int>(kind)) * layers_count + static_cast<int>(layer);
}
constexpr Layer layer_of_shelf(int shelf) { return static_cast<Layer>(shelf % layers_count); }
constexpr EntryKind kind_of_shelf(int shelf) { return static_cast<EntryKind>(shelf / layers_count % kinds_count); }
constexpr bool is_active_shelf(int shelf) { return shelf < kinds_count * layers_count; }

}  // namespace loci
