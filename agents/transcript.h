// The end of an agent's own record of a conversation, for what its hooks do not say. JSON lines, of Claude Code or of Codex; only
// what a person and the agent said to each other is read: tool output, notes of the agent's own, subagents, and memory that was put
// in front of a message are left out. Any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/json.h"
#include "base/result.h"

namespace loci {

struct TranscriptTurn {
  std::string message;          // the agent's id of the prompt, if it has one
  std::string user, assistant;  // the assistant's last words; one of them may be empty
  std::optional<Instant> at;    // of what was said first
  bool is_hidden = false;       // the person said something of which nothing may be stored: neither side is here
};

// What is read of a transcript: so much as holds what a person said last, in steps from the first to the second.
inline constexpr size_t transcript_tail = size_t{256} << 10, longest_transcript_tail = size_t{16} << 20;

// The turns in the transcript's end, oldest first. Only a regular file of this user's below one of `homes` is read:
// ErrorCode::refused for another one.
Result<std::vector<TranscriptTurn>> read_transcript_tail(FileSystem& files, const path& file, std::span<const path> homes);

// What a person or the agent says in one line of a transcript, without what was put into it; no text in a line of anything else: a
// note of the agent's own, tool output, a subagent, a command.
struct SaidLine {
  std::string role, text, message;  // "user" or "assistant"; the agent's id of the prompt, if it has one
  std::optional<Instant> at = {};
  // A person's words of which nothing is stored: a command, a picture alone, #nomemory in what is taken out, what nobody can read.
  bool is_hidden = false;
};
SaidLine said_in_transcript(const Json& line);  // Pure.
// In a line that is no JSON, broken off or damaged: hidden words, if it may be a person's. Pure.
SaidLine said_in_broken_line(std::string_view line);

// The lines of one conversation, one after the other: what is answered to hidden words is as hidden as they are.
class StoredLines {
 public:
  // Whether the next line is to be stored.
  bool has(const SaidLine& said);

 private:
  bool is_hidden_ = false;
};

// The turns of these lines; of those with hidden words only one at the end. Pure.
std::vector<TranscriptTurn> turns_of_transcript(std::string_view lines);

// A message as its writer typed it: without the memory and the reminders that were put in it. Pure.
std::string without_injected(std::string_view text);

}  // namespace loci
