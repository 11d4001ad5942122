// What may go into a message block, found and ranked: search's hits for the message that are an answer to it, by
//
//   similarity × recall.similarity_weight + confidence × recall.confidence_weight
//
// where similarity is to the message and to the last user and final assistant turns (context/similarity.h). Without a message and
// turns: all active entries of L1, by confidence, then `updated`, the newest first, then id. A message that nothing answers has no
// candidates. What may not be sent is none. One thread; fails as reading the index does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "context/similarity.h"
#include "memory/memory.h"

namespace loci {

inline constexpr size_t most_candidates = 50;
inline constexpr size_t context_characters = 2'000;  // of each text beside the message, from its end

struct Utterance {
  std::string role;  // "user" or "assistant"; what others said, such as tools, is no context
  std::string text;
};

struct ContextRequest {
  std::string message;  // empty: none
  std::string session;  // empty: none
  std::optional<std::int64_t> turn;
  std::vector<Utterance> recent;        // oldest first; if empty, the session's newest earlier turn with an answer
  std::optional<std::int64_t> budget;   // tokens; else recall.max_injection_tokens
  std::optional<Instant> since, until;  // with either, History is what was said then
  std::string project;                  // the one that is worked on
  std::string task;                     // the active one; else the one that the session is linked to
  bool compacted = false;               // the agent's conversation was, since the system block was given
  // Whether the agent was given the system block; else User Context stands in for it. Without a value: if its session was.
  std::optional<bool> has_system_block = {};
  bool leave_out_still_given = false;  // what the session's ten messages before were given, and has not changed
};

struct ContextEntry {
  Entry entry;
  double relevance = 0;   // search's score
  double similarity = 0;  // 0..1
  double rank = 0;
};

struct ContextEntries {
  std::vector<ContextEntry> facts, history;  // best first
  StemCounts context;                        // what they were compared with
};

// A question for Memory::ask() or ask_fresh(): it writes nothing.
Result<ContextEntries> find_candidates(Memory& memory, IndexReader& reader, const ContextRequest& request);

}  // namespace loci
