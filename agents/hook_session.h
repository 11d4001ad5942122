// What hooks note of a conversation between two calls, in <state>/hooks/: the prompts of each session, so that the answer finds its
// prompt, and what went wrong. Of what anybody said it holds hashes. Any process may append at once; all of it may be lost.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "vault/layout/vault.h"

namespace loci {

struct HookPrompt {
  std::string message;    // the agent's id, else one made of the session and its count
  bool is_stored = true;  // not for a command of the agent's, nor for what is not to be remembered
  // Of an agent that gives no ids:
  bool is_answered = false;
  std::string said = {};                  // hash of the prompt's words
  std::vector<std::string> answers = {};  // and of those of its answers

  bool has_answer(const std::string& hash) const { return std::ranges::find(answers, hash) != answers.end(); }
};

// Empty for blank words.
std::string hash_of_said(std::string_view words);

// Those of the session that this machine has seen, oldest first.
std::vector<HookPrompt> prompts_of(const Vault& vault, const std::string& session);
// The one with this message id.
std::optional<HookPrompt> find_prompt(const Vault& vault, const std::string& session, const std::string& message);

// The message id of a new prompt for which the agent has none: of the session and how many prompts it had.
std::string next_message(const Vault& vault, const std::string& session);

// In the state folder, or where that takes nothing in .loci/spool/notes/ of the vault. What was noted of its answers stays.
Status note_prompt(const Vault& vault, const std::string& session, const HookPrompt& prompt);
// An answer came to a prompt that nobody has seen. Fails where its prompt could not be noted either.
Status note_unseen_prompt(const Vault& vault, const std::string& session);
// One line in <state>/hooks/trouble.log; what cannot be written is lost.
void note_trouble(const Vault& vault, std::string_view event, const Error& error);

// Takes away what is older than a month.
void prune_hook_notes(const Vault& vault);

}  // namespace loci
