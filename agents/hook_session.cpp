#include "agents/hook_session.h"

#include <algorithm>
#include <array>

#include "agents/hook_stores.h"
#include "base/hash.h"
#include "base/leftovers.h"
#include "vault/logs/json_lines.h"

namespace loci {
namespace {

constexpr size_t longest_trouble_log = size_t{64} << 10;
constexpr JsonLimits line_limits{.bytes = size_t{16} << 10, .depth = 4};
constexpr std::chrono::hours keep_notes{24 * 30};

path hook_folder(const Vault& vault) { return vault.state_folder() / "hooks"; }

std::string hashed(std::string_view text) { return hex(as_bytes(sha256(text)), 32); }

// Where the state folder takes nothing, as with what is spooled.
path second_folder(const Vault& vault) { return vault.dot_loci() / "spool" / "notes"; }

std::array<path, 2> note_folders(const Vault& vault) { return {hook_folder(vault), second_folder(vault)}; }

std::string session_file(const std::string& session) { return hashed(session) + ".jsonl"; }

Status append_note(const Vault& vault, const std::string& session, const Json& line) {
  Status first;
  for (const path& folder : note_folders(vault)) {
    auto noted = make_folders(vault.files(), folder);
    if (noted)
      if (const auto appended = append_json_line(vault.files(), folder / session_file(session), line); !appended)
        noted = std::unexpected(appended.error());
    if (noted) return noted;
    if (first) first = noted;
  }
  return first;
}

// Calls `visit` for each prompt in the session's notes, in order.
template <typename Visit>
void visit_prompts(const Vault& vault, const std::string& session, Visit visit) {
  for (const path& folder : note_folders(vault)) {
    const auto bytes = read_file_if_any(vault.files(), folder / session_file(session));
    if (!bytes || !*bytes) continue;
    visit_json_lines(**bytes, line_limits, [&](int, const Json* line) {
      if (line && line->string_at("message")) visit(*line);
    });
  }
}

}  // namespace

std::string hash_of_said(std::string_view words) {
  constexpr std::string_view blanks = " \t\r\n\v\f";
  const size_t begin = words.find_first_not_of(blanks);
  return begin == std::string_view::npos ? std::string() : hashed(words.substr(begin, words.find_last_not_of(blanks) - begin + 1));
}

std::vector<HookPrompt> prompts_of(const Vault& vault, const std::string& session) {
  std::vector<HookPrompt> prompts;
  visit_prompts(vault, session, [&](const Json& line) {
    HookPrompt noted{.message = line.text_at("message"),
                     .is_stored = line.count_at("unstored") == 0,
                     .is_answered = line.count_at("answered") == 1,
                     .said = line.text_at("said")};
    if (auto answer = line.text_at("answer"); !answer.empty()) noted.answers.push_back(std::move(answer));
    const auto earlier = std::ranges::find(prompts, noted.message, &HookPrompt::message);
    if (earlier == prompts.end()) return prompts.push_back(std::move(noted));
    if (noted.said.empty()) noted.said = earlier->said;
    noted.answers.insert(noted.answers.begin(), earlier->answers.begin(), earlier->answers.end());
    *earlier = std::move(noted);
  });
  return prompts;
}

std::optional<HookPrompt> find_prompt(const Vault& vault, const std::string& session, const std::string& message) {
  auto prompts = prompts_of(vault, session);
  const auto found = std::ranges::find(prompts, message, &HookPrompt::message);
  return found == prompts.end() ? std::nullopt : std::optional(std::move(*found));
}

std::string next_message(const Vault& vault, const std::string& session) {
  std::int64_t count = 0;
  visit_prompts(vault, session, [&](const Json&) { ++count; });
  // The time, too: the notes of what came before may be gone.
  return "h-" + hashed(session + '\0' + std::to_string(count) + '\0' + format_rfc3339(vault.clock().now()));
}

Status note_prompt(const Vault& vault, const std::string& session, const HookPrompt& prompt) {
  Json line = Json::object();
  line.add_unchecked("message", prompt.message);
  if (!prompt.is_stored) line.add_unchecked("unstored", 1);
  if (prompt.is_answered) line.add_unchecked("answered", 1);
  if (!prompt.said.empty()) line.add_unchecked("said", prompt.said);
  if (!prompt.answers.empty()) line.add_unchecked("answer", prompt.answers.back());
  return append_note(vault, session, line);
}

Status note_unseen_prompt(const Vault& vault, const std::string& session) {
  Json line = Json::object();
  line.add_unchecked("unseen", 1);
  return append_note(vault, session, line);
}

void note_trouble(const Vault& vault, std::string_view event, const Error& error) {
  const path file = hook_folder(vault) / "trouble.log";
  std::error_code ignored;
  if (std::filesystem::file_size(file, ignored) > longest_trouble_log && !ignored) std::filesystem::remove(file, ignored);
  Json line = Json::object();
  line.add_unchecked("at", format_rfc3339(vault.clock().now()));
  line.add_unchecked("event", event);
  line.add_unchecked("code", name_of(error.code));
  line.add_unchecked("message", error.message);
  if (make_folders(vault.files(), hook_folder(vault))) (void)append_json_line(vault.files(), file, line);
}

void prune_hook_notes(const Vault& vault) {
  for (const path& folder : note_folders(vault)) remove_older(folder, keep_notes);
}

// An id of an agent's and hashes: no text.
constinit const Store hook_store{"what hooks note of conversations", StoreRoot::state, "hooks/", Permissions::owner};

}  // namespace loci
