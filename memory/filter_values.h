// A choice of entries as a person or a client writes it -> an EntryFilter. One place for the command line and for HTTP. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "indexer/index_reader.h"

namespace loci {

// How many of what a `limit` may ask for, from 1 up; who asks for more gets so many.
inline constexpr size_t most_hits = 1'000, most_listed = 100'000;

struct FilterValues {
  std::vector<std::string> layers, kinds, sources, tags;
  std::string project, session, since, until;  // empty: any
  std::string task = {};
  std::optional<Instant> now = {};  // what dates like "7d" count back from; without it they are refused
};

// ErrorCode::usage names the value that means nothing.
Result<EntryFilter> filter_from(const FilterValues& values);

}  // namespace loci
