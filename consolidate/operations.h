// What a model, or the builtin rules, propose for one cluster, and whether it may be done. An answer is taken as a whole or refused
// as a whole; nothing in it is repaired by guessing. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "consolidate/clusters.h"
#include "consolidate/material.h"

namespace loci {

inline constexpr size_t longest_entry_text = 1'000;  // characters

// Facts and entries are indexes into the Material.
struct Operation {
  enum class Kind : std::uint8_t { add, replace, remove, duplicate, ignore };
  Kind kind = Kind::add;
  std::vector<size_t> facts;            // rising; of all kinds but remove
  std::optional<size_t> target;         // of replace and remove: an entry
  std::optional<size_t> into;           // of remove: the entry that takes it in
  std::optional<size_t> same_as_entry;  // of duplicate: one of the two
  std::optional<size_t> same_as_fact;
  std::string text;                // of add and replace
  std::vector<std::string> about;  // likewise
  bool is_correction = false;      // of replace: else a change over time
  std::string why;                 // of ignore

  bool operator==(const Operation&) const = default;
};

struct Decision {
  std::vector<Operation> operations;

  // Facts of the cluster that no operation names: they stay pending, and the cluster counts as failed for them.
  std::vector<size_t> left_out(const Cluster& cluster) const;
};

// The first complete JSON object with the required keys that stands in the answer; prose and code fences around it are allowed.
// ErrorCode::refused says what is wrong with it: no object, unknown or missing fields, numbers of nothing.
// Numbers: facts are 1…F in the order of cluster.facts; entries F+1… in the order of cluster.writable, then cluster.shown.
Result<Decision> parse_decision(std::string_view answer, const Material& material, const Cluster& cluster);

// Every rule of the design. ErrorCode::refused names the operation and the rule that it breaks.
Status check_decision(const Decision& decision, const Material& material, const Cluster& cluster);

// What is certain without a model: a fact with the text of an entry, or of an earlier fact, is its duplicate; everything else is
// added. Nothing is replaced or removed. Equal texts are equal hashes.
Decision builtin_decision(const Material& material, const Cluster& cluster);

}  // namespace loci
