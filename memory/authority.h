// Who may change what, and whose words it is from then on: asked by the command line, the HTTP routes, the agent's write tool and
// capture before anything is written, and by a consolidation run for what a model decided. Callers ask, and do as they are told.
// Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "indexer/entry.h"
#include "parser/metadata.h"

namespace loci {

// Who asks. Trust follows the road, not a claim: a person is the command line; an agent is `remember` and every other client of
// HTTP; a model is what answered a prompt.
enum class Actor : std::uint8_t { person, agent, model };
std::string_view name_of(Actor actor);  // as a tombstone names it: "user", "agent", "model"

enum class Intent : std::uint8_t {
  reword,     // a new text in the place of the old one
  retag,      // new tags
  supersede,  // a new fact in the place of what stands in a file that only its owner writes
  correct,    // the old text was never true
  remove,
  remove_everywhere,  // with all that says the same
};

// The source of a text that this actor puts in the place of one of `before`, and who says so in its tombstone.
struct Author {
  Source source = Source::correction;
  std::string by = "user";
  std::set<std::string> lines = {};  // refs of lines of MEMORY.md that a person reworded, the one among them that says this
};
Author author_of(Actor actor, Intent intent, Source before);

// The highest source that a new entry may claim.
Source most_trusted_source(Actor actor);

// ErrorCode::refused for what only loci writes (summaries), ErrorCode::usage for a turn that can be none.
Status may_add(Actor actor, const Metadata& metadata);

// ErrorCode::refused: an agent never changes or removes what was said (L2), and nobody's command writes into a person's own files.
Status may_change(Actor actor, Intent intent, const Entry& entry);

inline constexpr std::int64_t last_turn_number = 1'000'000'000;
inline constexpr size_t longest_session = 512;  // bytes

// ErrorCode::usage for a number that no turn has.
Status check_turn_number(const std::optional<std::int64_t>& turn);

}  // namespace loci
