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
// ErrorCode::refused says what is wrong with it: no object, unknown or missing fields, fields that do not belong to the operation,
// numbers of nothing or of what is private. The shape is in decide_prompt.h; topic keys are made as topic_keys.h says.
// Numbers: facts are 1…F in the order of cluster.facts; entries F+1… in the order of cluster.writable, then cluster.shown.
Result<Decision> parse_decision(std::string_view answer, const Material& material, const Cluster& cluster);

// ErrorCode::refused names the operation and the rule that it breaks, of which some are about words (wording.h):
//
// - A fact is named once. A target is a writable entry of this cluster and is named once. REMOVE needs a REPLACE of its `into`.
//   DUPLICATE leads to an entry that stays, perhaps through other facts. IGNORE has a reason, and takes nothing that a person said,
//   and no update that took effect.
// - A text has one to 1,000 characters, no controls, nothing invisible and no markers, or is a fact's own.
// - An entry yields only to facts of which one is trusted as much; so does one that is merged away. One of `correction` may be
// changed
//   by what a person said on a later day. A correction needs a fact of a person's that is trusted as much and concerns the entry:
//   it names it or one of its facts, or shares a key, a name or a value with it.
// - A change, and a merge, keeps the words of the old texts, unless the entry rests on nothing but these facts.
// - Numbers, names and dates come from the facts and the entries that are rewritten.
// - A text that is written keeps at least half of what a person said, and all its values; a duplicate has all of it. Equal words
//   have their values in equal order, and what stands behind "in", "from" or "over" does not change places. Of an agent's fact a
//   duplicate has half, and its values; a text that is written has a word of it.
// - No more of a text is new than stands in its facts and its entry.
// - No "not" is dropped or added, against the facts that are trusted most; nor is another word that turns a meaning ("avoid").
// - A fact whose words a person edited is not added beside the entry that rests on it alone.
// - What is new in an entry of `user` or `correction` comes from facts of these.
Status check_decision(const Decision& decision, const Material& material, const Cluster& cluster);

// What is certain without a model: a fact with the text of an entry, or of an earlier fact, is its duplicate; everything else is
// added. Only an entry that rests on one fact alone follows it when a person edited that fact; nothing else is replaced, nothing is
// removed. Equal texts are equal hashes. It passes check_decision(). Linear.
Decision builtin_decision(const Material& material, const Cluster& cluster);

}  // namespace loci
