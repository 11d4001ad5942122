#include "agents/transcript.h"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "agents/hook_input.h"
#include "base/json.h"
#include "capture/pauses.h"

namespace loci {
namespace {

// What agents, and loci, put between a person's words.
constexpr std::array<std::string_view, 6> injected_tags{"memory-context",       "system-reminder",     "local-command-stdout",
                                                        "local-command-caveat", "environment_context", "user_instructions"};

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

void erase_tagged(std::string& text, std::string_view tag) {
  const std::string open = '<' + std::string(tag), close = "</" + std::string(tag) + '>';
  for (size_t begin = text.find(open); begin != std::string::npos; begin = text.find(open, begin)) {
    const size_t end = text.find(close, begin);
    text.erase(begin, end == std::string::npos ? std::string::npos : end + close.size() - begin);
  }
}

// Without what stands between an agent's tags. What merely mentions such a tag, or never closes it, stays: a person may have.
std::string outside_tags(std::string_view text) {
  std::string own(text);
  for (const std::string_view tag : injected_tags) {
    const std::string open = '<' + std::string(tag), close = "</" + std::string(tag) + '>';
    for (size_t end = own.find(close); end != std::string::npos;) {
      const size_t begin = own.rfind(open, end);
      if (begin != std::string::npos) own.erase(begin, end + close.size() - begin);
      end = own.find(close, begin == std::string::npos ? end + 1 : begin);
    }
  }
  return own;
}

// The text blocks of a message, each without what does not count; none if it carries a tool's output.
std::string text_of(const Json* content, std::string (*without)(std::string_view)) {
  if (!content) return {};
  if (const std::string* text = content->as_string()) return without(*text);
  if (!content->as_array()) return {};
  std::string all;
  for (const Json& block : *content->as_array()) {
    const std::string type = block.text_at("type");
    if (type == "tool_result") return {};
    if (type != "text" && type != "input_text" && type != "output_text") continue;
    const std::string text = without(block.text_at("text"));
    if (text.empty()) continue;
    if (!all.empty()) all += "\n\n";
    all += text;
  }
  return all;
}

// A person's message that says nothing that may be stored: a picture alone, or #nomemory within what is taken out.
bool is_hidden_message(const Json* content) {
  if (!content) return false;
  if (const std::string* text = content->as_string()) return asks_for_no_memory(*text);
  if (!content->as_array()) return false;
  return std::ranges::any_of(*content->as_array(), [](const Json& block) {
    const std::string type = block.text_at("type");
    return type == "image" || type == "input_image" || asks_for_no_memory(block.text_at("text"));
  });
}

SaidLine said_as(std::string role, const Json* content, std::string message) {
  SaidLine said{std::move(role), without_injected(text_of(content, without_injected)), std::move(message)};
  if (said.role != "user") return said;
  said.is_hidden = said.text.empty() && is_hidden_message(content);
  if (said.text.empty() || asks_for_no_memory(said.text)) return said;
  // What is left out must not be what asks for no memory.
  if (std::string words = text_of(content, outside_tags); asks_for_no_memory(words)) said.text = std::move(words);
  return said;
}

bool is_true(const Json& line, std::string_view key) {
  const Json* value = line.find(key);
  return value && value->as_bool() && *value->as_bool();
}

// {"type":"user"|"assistant","message":{"role","content"},"promptId"?,"isMeta"?,"isSidechain"?}
SaidLine said_in_claude_code(const Json& line) {
  if (is_true(line, "isMeta") || is_true(line, "isSidechain") || is_true(line, "isCompactSummary")) return {};
  const Json* message = line.find("message");
  if (!message) return {};
  return said_as(line.text_at("type"), message->find("content"), line.text_at("promptId"));
}

// {"type":"response_item","payload":{"type":"message","role":"user"|"assistant"|"developer","content":[…]}}
SaidLine said_in_codex(const Json& payload) {
  if (payload.text_at("type") != "message") return {};
  return said_as(payload.text_at("role"), payload.find("content"), {});
}

SaidLine said_in(const Json& line) {
  const std::string type = line.text_at("type");
  const Json* payload = line.find("payload");
  SaidLine said;
  if (type == "user" || type == "assistant")
    said = said_in_claude_code(line);
  else if (type == "response_item" && payload)
    said = said_in_codex(*payload);
  said.at = parse_time(line.text_at("timestamp"));
  return said;
}

bool is_command(std::string_view text) { return is_slash_command(text) || text.starts_with("<command-"); }

// Does it begin with a tag of an agent's own, which has a name of several words: <bash-stdout>, <turn_aborted>?
bool begins_with_agents_tag(std::string_view text) {
  if (!text.starts_with('<')) return false;
  const std::string_view name = text.substr(1, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-_", 1) - 1);
  return name.find_first_of("-_", 1) != std::string_view::npos && text.substr(1 + name.size()).contains('>');
}

// Put there by the agent, wherever it likes: nobody said it, and nobody answers it.
bool is_note(std::string_view text) {
  if (asks_for_no_memory(text)) return false;
  return text.starts_with("# AGENTS.md instructions") || text.starts_with("[Request interrupted by user") ||
         text.starts_with("Stop hook feedback:") || (text.starts_with("<skill>") && text.ends_with("</skill>")) ||
         (begins_with_agents_tag(text) && text.ends_with('>'));
}

void take(SaidLine said, std::vector<TranscriptTurn>& turns) {
  if (said.role == "user") {
    turns.push_back({std::move(said.message), std::move(said.text), {}, said.at});
  } else {
    if (turns.empty()) turns.push_back({{}, {}, {}, said.at});
    turns.back().assistant = std::move(said.text);
  }
}

bool is_below(const path& file, const path& folder) {
  return !folder.empty() && std::mismatch(file.begin(), file.end(), folder.begin(), folder.end()).second == folder.end();
}

// Where it really is, if that is where transcripts are.
Result<path> readable(const path& file, std::span<const path> homes) {
  std::error_code error;
  const path real = std::filesystem::canonical(file, error);
  if (error) return fail_errno("open", file.string(), error.value());
  for (const path& home : homes) {
    const path folder = std::filesystem::canonical(home, error);
    if (!error && is_below(real, folder)) return real;
  }
  return fail(ErrorCode::refused, file.string() + " is no transcript of an agent's");
}

// The whole lines in the last so many bytes.
Result<std::string> read_tail(const Fd& fd, size_t size, size_t tail, const path& name) {
  std::string bytes(std::min(size, tail), '\0');
  const ssize_t count = ::pread(fd.get(), bytes.data(), bytes.size(), static_cast<off_t>(size - bytes.size()));
  if (count < 0) return fail_errno("read", name.string(), errno);
  bytes.resize(static_cast<size_t>(count));
  if (size > tail) bytes.erase(0, std::min(bytes.find('\n'), bytes.size()));  // what is cut there is not broken
  return bytes;
}

}  // namespace

std::string without_injected(std::string_view text) {
  std::string own(text);
  for (const std::string_view tag : injected_tags) erase_tagged(own, tag);
  return std::string(trimmed(own));
}

SaidLine said_in_transcript(const Json& line) {
  SaidLine said = said_in(line);
  const bool is_user = said.role == "user";
  const bool is_a_command = is_user && is_command(said.text);
  said.is_hidden = said.is_hidden || is_a_command;
  if ((!is_user && said.role != "assistant") || is_a_command || (is_user && is_note(said.text))) said.text.clear();
  return said;
}

SaidLine said_in_broken_line(std::string_view line) {
  SaidLine said{"user", {}, {}};
  said.is_hidden = !trimmed(line).empty() && !line.contains("\"assistant\"");
  return said;
}

bool StoredLines::has(const SaidLine& said) {
  if (said.role == "user" && (said.is_hidden || !said.text.empty())) is_hidden_ = said.is_hidden;
  return !is_hidden_ && !said.text.empty();
}

std::vector<TranscriptTurn> turns_of_transcript(std::string_view lines) {
  std::vector<TranscriptTurn> turns;
  StoredLines stored;
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view text = lines.substr(0, end);
    const auto line = parse_json(text, {.bytes = longest_transcript_tail, .mends_characters = true});
    SaidLine said = line && line->as_object() ? said_in_transcript(*line) : said_in_broken_line(text);
    if (stored.has(said))
      take(std::move(said), turns);
    else if (said.is_hidden)
      turns.push_back({.message = std::move(said.message), .user = {}, .assistant = {}, .at = said.at, .is_hidden = true});
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  for (size_t i = 0; i + 1 < turns.size();)
    if (turns[i].is_hidden)
      turns.erase(turns.begin() + static_cast<std::ptrdiff_t>(i));
    else
      ++i;
  return turns;
}

Result<std::vector<TranscriptTurn>> read_transcript_tail(FileSystem& files, const path& file, std::span<const path> homes) {
  const auto real = TRY(readable(file, homes));
  const auto fd = TRY(files.open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
  const auto info = TRY(files.status(fd, real));
  if (!S_ISREG(info.st_mode) || info.st_uid != ::getuid())
    return fail(ErrorCode::refused, file.string() + " is no file of this user's");
  const auto size = static_cast<size_t>(info.st_size);
  for (size_t tail = transcript_tail;; tail *= 4) {
    auto turns = turns_of_transcript(TRY(read_tail(fd, size, tail, real)));
    const bool has_prompt = std::ranges::any_of(turns, [](const auto& turn) { return !turn.user.empty() || turn.is_hidden; });
    if (has_prompt || tail >= size || tail >= longest_transcript_tail) return turns;
  }
}

}  // namespace loci
