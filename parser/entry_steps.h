// What one version of a file has made of another, entry by entry, and the same made of a third one, in which somebody has edited
// since: forwards to finish what was begun, backwards to take it back. A text without metadata can go, and does not come. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace loci {

// An entry with its metadata, as it stands in the file; empty: it is not there.
struct EntryStep {
  std::string id;
  std::string from, to;

  bool operator==(const EntryStep&) const = default;
};

// The entries that are not the same in both, by their order in `from`; what is new comes last.
std::vector<EntryStep> steps_between(std::string_view from, std::string_view to);

struct Stepped {
  std::string bytes;
  std::vector<std::string> done;  // ids of what stands as in `to` now, or did already
  std::vector<std::string> kept;  // of what stands neither as in `from` nor as in `to`: somebody's, and as it was
};

// Whether any entry that the steps make, or change, stands in `now` as they have it.
bool has_any_of(std::string_view now, const std::vector<EntryStep>& steps);

// Each entry that stands in `now` as in `from` as it is in `to`; all others stay. ErrorCode::refused if `now` is not UTF-8, or if
// anything else in it would read differently.
Result<Stepped> apply_steps(std::string_view now, const std::vector<EntryStep>& steps);

}  // namespace loci
