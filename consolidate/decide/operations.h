// What a model, or the builtin rules, propose for one cluster, and which of it may be done. Each operation passes or fails by
// itself; nothing in it is repaired by guessing. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "consolidate/decide/clusters.h"
#include "consolidate/decide/material.h"

namespace loci {

inline constexpr size_t longest_entry_text = 1'000;  // characters

// Facts and entries are indexes into the Material.
struct Operation {
  enum class Kind : std::uint8_t { add, replace, remove, duplicate, ignore };
  Kind kind = Kind::add;
  std::vector<size_t> facts;            // rising; of all kinds but remove
  std::optional<size_t> target;         // of replace and remove: an entry
  std::optional<size_t> into;           // of remove: the entry that takes it in
  std::optional<size_t> against;        // of add: an entry that it contradicts and may not change
  std::optional<size_t> same_as_entry;  // of duplicate: one of the two
  std::optional<size_t> same_as_fact;
  std::string text;                // of add and replace
  std::vector<std::string> about;  // likewise
  bool is_correction = false;      // of replace: else a change over time
  std::string why;                 // of ignore
  bool is_as_it_was_said = false;  // of add: no other text for it was accepted

  bool operator==(const Operation&) const = default;
};

std::string_view name_of(Operation::Kind kind);  // "ADD", as in the prompt

struct Decision {
  std::vector<Operation> operations;
  std::vector<std::string> unreadable = {};  // of an answer: why an operation of it is none

  // Facts of the cluster that no operation names: they stay pending, and the cluster counts as failed for them.
  std::vector<size_t> left_out(const Cluster& cluster) const;
};

// One that may not be done, and all that is wrong with it, in sentences.
struct RefusedOperation {
  Operation operation;
  std::vector<std::string> why;
};

// The first complete JSON object with the required keys that stands in the answer; prose and code fences around it are allowed.
// ErrorCode::refused: no object, or one of another shape. An operation with unknown or missing fields, fields that do not belong to
// it, numbers of nothing or of what is private is left out, and told in `unreadable`. The shape is in decide_prompt.h; topic keys
// are made as topic_keys.h says. Numbers: facts are 1…F in the order of cluster.facts; entries F+1… in the order of
// cluster.writable, then cluster.shown.
Result<Decision> parse_decision(std::string_view answer, const Material& material, const Cluster& cluster);

// By operation of a decision, all that is wrong with it, in sentences; none: it may be done.
using Violations = std::vector<std::vector<std::string>>;

// Each operation is judged by itself, by what code can know; meaning is a reader's (second_reading.h).
//
// - A fact is named once: of a fact in two operations every one that names it fails. A target is a writable entry of this cluster
//   and is named once. REMOVE needs a REPLACE of its `into`. DUPLICATE leads to an entry that stays, perhaps through other facts.
//   IGNORE has a reason, and takes nothing that a person said, and no update that took effect.
// - A text has one to 1,000 characters, no controls, nothing invisible and no markers, or is a fact's own.
// - An entry yields only to facts of which one is trusted as much; so does one that is merged away. One of `correction` may be
//   changed by what a person said on a later day. A correction needs a fact of a person's that is trusted as much and concerns the
//   entry: it names it or one of its facts, or shares a key, a name or a value with it.
// - Values and names of a text come from its facts and the entries that are rewritten; into a person's entry only from a person's
//   facts. Those of a person's facts, and of the entries, stand in the text, unless what `history` holds says them, or a correction
//   takes the wrong one away. A duplicate is checked as if the text that stays were its text (statement_check.h).
// - No "not" and no "perhaps" is lost or added.
// - A fact whose words a person edited is not added beside the entry that rests on it alone.
Violations check_operations(const Decision& decision, const Material& material, const Cluster& cluster);

// A REPLACE and its REMOVEs pass or fail together, and a DUPLICATE with the operation that it points to.
void refuse_dependents(const Decision& decision, Violations& violations);

// The operations without violations.
Decision passed_by(const Decision& decision, const Violations& violations);

// The decision in parts that can be done without each other: two operations are of one part if they name one fact or one entry. In
// the order of the answer.
std::vector<Decision> independent_parts(const Decision& decision);

// What is certain without a model: a fact with the text of an entry, or of an earlier fact, is its duplicate; everything else is
// added. Only an entry that rests on one fact alone follows it when a person edited that fact; nothing else is replaced, nothing is
// removed. Equal texts are equal hashes. It passes check_operations(). Linear.
Decision builtin_decision(const Material& material, const Cluster& cluster);

}  // namespace loci
