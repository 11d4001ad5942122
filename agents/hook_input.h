// What an agent tells at one of its events, and the answer in the shape that it reads. Claude Code, Codex and Gemini CLI send
// nearly the same JSON to a command's standard input; what one of them lacks is empty here. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/json.h"
#include "base/result.h"

namespace loci {

enum class HookEvent : std::uint8_t { session_start, user_prompt_submit, stop, session_end, pre_compact, post_compact };

// As the command line and the HTTP routes name it: "user-prompt-submit". None for another word.
std::optional<HookEvent> hook_event_named(std::string_view name);
std::string_view name_of(HookEvent event);

struct HookInput {
  HookEvent event = HookEvent::session_start;
  std::string agents_event = {};  // its name at the agent, which the answer has to repeat: "UserPromptSubmit", "BeforeAgent"
  std::string session = {};
  std::string message = {};                   // the agent's id of the prompt; empty if it gives none
  std::string prompt = {}, answer = {};       // of this event; may be empty
  std::string project = {};                   // worked out by whoever knows the folder
  std::string source = {};                    // of session_start: "startup", "resume", "clear", "compact"
  path working_folder = {}, transcript = {};  // may be empty
  std::optional<Instant> told_at = {};        // when its hook was called: what that does may take its time
  std::string nonce = {};                     // of `loci hook`: the answer is to be proven (agents/hook_proof.h)
  bool asks_for_no_memory = false;            // somewhere in the prompt, also behind what is kept of it
  bool is_subagent = false;                   // it happened inside an agent that the agent started
  bool is_enqueued = false;                   // of to_json
  bool is_unanswered = false;                 // likewise: nothing is to be given
  bool may_go_on = false;                     // of stop: hooks of others may make it answer the same prompt once more
  bool shows_messages = true;                 // the agent shows its user what a hook has to tell; Codex refuses such an answer
  std::string trouble = {};                   // what could not be stored, and why: for the agent's user
};

inline constexpr size_t longest_hook_input = size_t{8} << 20;

// Unknown fields and fields of another type are left out: they differ from version to version. A text that is longer than an entry
// may be loses its end. ErrorCode::usage if it is no JSON object, or names no session.
Result<HookInput> parse_hook_input(HookEvent event, std::string_view json);

// The same, worked out: what `loci hook` hands on to a daemon. Its `enqueued` says that nothing of it is to be stored again.
Json to_json(const HookInput& input);

// {"hookSpecificOutput":{"hookEventName":…,"additionalContext":…}} and no other key: Codex refuses those that it does not know.
Json hook_output(const HookInput& input, const std::string& context);
// Adds to such an answer, or to an empty object, what the agent's user has to know of `trouble`.
void add_trouble(const HookInput& input, Json& answer);

// A command of the agent, which is nothing that anybody said: "/compact now".
bool is_slash_command(std::string_view prompt);

}  // namespace loci
