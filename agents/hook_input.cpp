#include "agents/hook_input.h"

#include <algorithm>
#include <array>

#include "base/unicode.h"
#include "capture/pauses.h"
#include "vault/archive/append.h"

namespace loci {
namespace {

struct EventNames {
  HookEvent event;
  std::string_view name;
  std::array<std::string_view, 2> at_agents;  // the first is what most call it
};

constexpr std::array events{
    EventNames{HookEvent::session_start, "session-start", {"SessionStart", ""}},
    EventNames{HookEvent::user_prompt_submit, "user-prompt-submit", {"UserPromptSubmit", "BeforeAgent"}},
    EventNames{HookEvent::stop, "stop", {"Stop", "AfterAgent"}},
    EventNames{HookEvent::session_end, "session-end", {"SessionEnd", ""}},
    EventNames{HookEvent::pre_compact, "pre-compact", {"PreCompact", "PreCompress"}},
    EventNames{HookEvent::post_compact, "post-compact", {"PostCompact", ""}},
};

const EventNames& names_of(HookEvent event) { return *std::ranges::find(events, event, &EventNames::event); }

std::string agents_name(HookEvent event, const std::string& claimed) {
  const auto& known = names_of(event).at_agents;
  const bool is_known = !claimed.empty() && std::ranges::find(known, std::string_view(claimed)) != known.end();
  return is_known ? claimed : std::string(known.front());
}

std::string first_text(const Json& input, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys)
    if (std::string text = input.text_at(key); !text.empty()) return text;
  return {};
}

// As an entry may hold it: valid, without NUL, and at most so long.
std::string storable(std::string text) {
  if (!is_valid_utf8(text) || text.contains('\0')) text = scrub_utf8(text);
  if (text.size() <= max_entry_bytes) return text;
  size_t end = max_entry_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  return text;
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos; }

}  // namespace

std::optional<HookEvent> hook_event_named(std::string_view name) {
  const auto found = std::ranges::find(events, name, &EventNames::name);
  return found == events.end() ? std::nullopt : std::optional(found->event);
}

std::string_view name_of(HookEvent event) { return names_of(event).name; }

Result<HookInput> parse_hook_input(HookEvent event, std::string_view json) {
  const auto input = TRY(parse_json(json, {.bytes = longest_hook_input, .mends_characters = true}));
  if (!input.as_object()) return fail(ErrorCode::usage, "what the agent says is no JSON object");
  const auto is_set = [&](std::string_view key) {
    const Json* value = input.find(key);
    return value && value->as_bool() && *value->as_bool();
  };
  HookInput hook{.event = event,
                 .agents_event = agents_name(event, input.text_at("hook_event_name")),
                 .session = storable(input.text_at("session_id")),
                 .message = first_text(input, {"prompt_id", "turn_id"}),
                 .prompt = storable(input.text_at("prompt")),
                 .answer = storable(first_text(input, {"last_assistant_message", "prompt_response"})),
                 .project = input.text_at("project"),
                 .source = input.text_at("source"),
                 .working_folder = input.text_at("cwd"),
                 .transcript = input.text_at("transcript_path"),
                 .nonce = input.text_at("nonce"),
                 .asks_for_no_memory = asks_for_no_memory(input.text_at("prompt")),
                 .is_subagent = !input.text_at("agent_id").empty(),
                 .is_enqueued = is_set("enqueued"),
                 .is_unanswered = is_set("unanswered"),
                 .shows_messages = !input.find("model") && !input.find("turn_id")};
  if (is_blank(hook.session)) return fail(ErrorCode::usage, "the agent names no session");
  return hook;
}

Json to_json(const HookInput& input) {
  Json json = Json::object();
  json.add_unchecked("hook_event_name", input.agents_event);
  json.add_unchecked("session_id", input.session);
  json.add_unchecked("prompt_id", input.message);
  json.add_unchecked("prompt", input.prompt);
  json.add_unchecked("project", input.project);
  json.add_unchecked("source", input.source);
  json.add_unchecked("enqueued", true);
  json.add_unchecked("unanswered", input.is_unanswered);
  return json;
}

Json hook_output(const HookInput& input, const std::string& context) {
  Json specific = Json::object();
  specific.add_unchecked("hookEventName", input.agents_event);
  specific.add_unchecked("additionalContext", context);
  Json output = Json::object();
  output.add_unchecked("hookSpecificOutput", std::move(specific));
  return output;
}

void add_trouble(const HookInput& input, Json& answer) {
  if (!input.trouble.empty() && input.shows_messages) answer.set("systemMessage", input.trouble);
}

bool is_slash_command(std::string_view prompt) {
  const size_t begin = prompt.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || prompt[begin] != '/') return false;
  const std::string_view word = prompt.substr(begin + 1, prompt.find_first_of(" \t\r\n", begin) - begin - 1);
  const auto is_of_a_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == ':';
  };
  return !word.empty() && std::ranges::all_of(word, is_of_a_name);
}

}  // namespace loci
