// Which entries no model may see: [privacy] never_send, asked of every place that an entry stands in. Pure.
#pragma once

#include <algorithm>

#include "indexer/entry.h"
#include "vault/never_send.h"

namespace loci {

inline bool is_private(const NeverSend& never_send, const Entry& entry) {
  return std::ranges::any_of(entry.places,
                             [&](const EntryPlace& place) { return never_send.matches(entry.tags, entry.project, place.file); });
}

}  // namespace loci
