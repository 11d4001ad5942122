// The block in front of a user's message: the facts, and where they are asked for the conversations, that concern it.
//
//   <memory-context>
//   User Context:
//   - Heading: what user.md says under it
//
//   History:
//   - [id | 2026-11-18] text (file:line)
//
//   Facts:
//   - [id | label | 0.90] text (file:line)
//   </memory-context>
//
// Empty sections vanish, and with all of them the block. It is never over its budget of tokens, headings and separators counted,
// and never over 9,500 bytes. Corrections come first and may use 500 tokens before anything else does; User Context and History
// together use at most 800. Within each, entries are added until the first that does not fit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "context/candidates.h"
#include "context/kept_session.h"

namespace loci {

struct GivenEntry {
  std::string id, file;
  int line = 0;
  std::string hash;
};

struct CutEntry {
  std::string id;
  std::string why;
};

struct MessageBlock {
  std::string text;               // no line end behind it; empty if nothing was remembered
  std::int64_t tokens = 0;        // of the text
  bool exact = false;             // false: estimated, for lack of the encoding's table
  std::vector<GivenEntry> given;  // what it says, in its order, and what it would say if the system block did not
  std::vector<CutEntry> cut;      // what was found and left out
  Json scores;                    // by id, for the log
};

// What the agent was given before.
struct GivenBefore {
  std::string system_block;  // empty: none
  GivenHashes entries;       // that are not given again while they say the same
};
Result<MessageBlock> make_message_block(Memory& memory, const ContextRequest& request, const ContextEntries& found,
                                        const GivenBefore& before);

}  // namespace loci
