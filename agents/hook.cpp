#include "agents/hook.h"

#include <algorithm>

#include "agents/hook_session.h"
#include "agents/project.h"
#include "agents/spool.h"
#include "agents/transcript.h"
#include "base/hash.h"
#include "capture/pauses.h"

namespace loci {
namespace {

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos; }

// The user has to hear of it: nobody else may ever notice that something which was said is missing.
void tell_of(HookInput& input, const Error& error) {
  input.trouble = "loci could not store what was said: " + error.message + (error.hint.empty() ? "" : " (" + error.hint + ")");
}

// One event on its way into a vault.
class Recording {
 public:
  Recording(const Vault& vault, HookInput& input, Actor told_by, std::span<const path> transcripts)
      : vault_(vault), input_(input), told_by_(told_by), transcripts_(transcripts) {}

  Result<bool> prompt() {
    if (input_.message.empty()) input_.message = next_message(vault_, input_.session);
    TRY(end_other_turn_pauses(vault_, input_.session, input_.message));
    const bool is_private =
        input_.asks_for_no_memory || TRY(is_not_to_be_remembered(vault_, input_.session, input_.message, input_.prompt, told_at()));
    const bool is_stored = !is_private && !is_blank(input_.prompt) && !is_slash_command(input_.prompt);
    // A full disk is no reason to leave the agent without its memory.
    if (const auto kept = keep_prompt(is_private, is_stored); !kept) {
      note_trouble(vault_, name_of(input_.event), kept.error());
      tell_of(input_, kept.error());
    }
    return is_stored;
  }

  // The answer to the prompt that the agent names, else to the last. A prompt that no hook has seen (it was connected in the
  // middle) comes from the transcript.
  Status answer() {
    const bool has_id = !input_.message.empty();
    if (!has_id && input_.answer.empty()) take_from_transcript(false);
    const auto prompts = prompts_of(vault_, input_.session);
    const Asked answered = has_id ? Asked{prompt_with_id(prompts), true} : prompt_that_is_answered(prompts);
    const HookPrompt* asked = answered.prompt;
    if (!has_id && asked && asked->has_answer(hash_of_said(input_.answer))) {  // told again
      input_.message = asked->message;
      return {};
    }
    const bool is_known = asked != nullptr;
    if (!has_id) input_.message = is_known ? asked->message : next_message(vault_, input_.session);
    const auto done = [&](bool is_stored) {
      return has_id ? Status()
                    : note_prompt(vault_, input_.session,
                                  {.message = input_.message,
                                   .is_stored = is_stored,
                                   .is_answered = true,
                                   .answers = {hash_of_said(input_.answer)}});
    };
    if (is_known && !asked->is_stored) {
      TRY(note_end_of_private());
      return done(false);
    }
    if (is_known && !answered.is_told && may_be_answer_of_unstored(prompts, *asked)) return done(true);
    if (input_.answer.empty() || (!is_known && input_.prompt.empty())) take_from_transcript(!is_known);
    const std::string prompt = input_.prompt;  // what it asks for counts though it is stored already
    const auto leave_out = [&]() -> Status {
      TRY(note_private_message(vault_, input_.session, input_.message, without_injected(prompt), asked_at_));
      return done(false);
    };
    if (is_hidden_) return leave_out();
    if (!is_known && is_blank(prompt)) {  // nobody knows what was asked: it may have asked for no memory
      if (is_blank(input_.answer)) return {};
      const auto kept_out = TRY(KeptOut::read(vault_));
      if (!has_id) return note_unseen_prompt(vault_, input_.session);
      // Hooks are processes of their own: that of the prompt may be on its way.
      const bool is_kept_out = kept_out.has(input_.session, input_.message, {}, told_at());
      return is_kept_out ? Status() : enqueue_answer(vault_, turn({}, input_.answer));
    }
    if (is_known || is_slash_command(input_.prompt)) input_.prompt.clear();
    if (is_blank(input_.answer)) return {};
    const auto kept_out = TRY(KeptOut::read(vault_));
    const bool was_said_apart = input_.asks_for_no_memory || kept_out.has(input_.session, input_.message, prompt, asked_at_);
    if (was_said_apart || kept_out.has(input_.session, {}, {}, told_at())) return leave_out();
    TRY(enqueue_turn(vault_, turn(input_.prompt, input_.answer)));
    return done(true);
  }

 private:
  Instant told_at() const { return *input_.told_at; }

  struct Asked {
    const HookPrompt* prompt;  // null: none that a hook has seen
    bool is_told;              // by the agent or its transcript; else it is the last
  };

  const HookPrompt* prompt_with_id(const std::vector<HookPrompt>& prompts) const {
    const auto found = std::ranges::find(prompts, input_.message, &HookPrompt::message);
    return found == prompts.end() ? nullptr : &*found;
  }

  // Of an agent that gives no ids: the prompt with the words that the agent tells, else the one that its transcript has before this
  // answer, else the last. The transcript may lag behind, with the same answer to an earlier prompt: that one has its answer. A
  // prompt may have several answers; but where the last has one, words that nobody has seen are those of another prompt.
  Asked prompt_that_is_answered(const std::vector<HookPrompt>& prompts) {
    if (prompts.empty()) return {nullptr, false};
    const auto latest = [&](const std::string& words, const auto& is_possible) -> const HookPrompt* {
      const auto named = std::find_if(prompts.rbegin(), prompts.rend(), [&](const HookPrompt& one) {
        return !words.empty() && one.said == words && is_possible(one);
      });
      return named == prompts.rend() ? nullptr : &*named;
    };
    const std::string answer = hash_of_said(input_.answer), told = hash_of_said(without_injected(input_.prompt));
    if (const auto* named = latest(told, [](const auto&) { return true; })) return {named, true};
    const std::string words = words_before_answer_in_transcript();
    if (const auto* named = latest(words, [&](const HookPrompt& one) { return !one.has_answer(answer); })) return {named, true};
    const auto is_unseen = [&](const std::string& said) {
      return !said.empty() && std::ranges::find(prompts, said, &HookPrompt::said) == prompts.end();
    };
    if (prompts.back().is_answered && (is_unseen(told) || is_unseen(words))) return {nullptr, false};
    return {&prompts.back(), false};
  }

  // Nothing tells that it is not the answer before it once more, which is not to be remembered.
  bool may_be_answer_of_unstored(const std::vector<HookPrompt>& prompts, const HookPrompt& asked) const {
    const auto before = std::find_if(std::reverse_iterator(&asked), std::reverse_iterator(prompts.data()),
                                     [](const HookPrompt& one) { return one.is_answered; });
    return before.base() != prompts.data() && !before->is_stored && before->has_answer(hash_of_said(input_.answer));
  }

  std::string words_before_answer_in_transcript() {
    const std::string answer = hash_of_said(input_.answer);
    const auto& turns = transcript();
    const auto answered = std::find_if(turns.rbegin(), turns.rend(),
                                       [&](const TranscriptTurn& turn) { return hash_of_said(turn.assistant) == answer; });
    return answer.empty() || answered == turns.rend() ? std::string() : hash_of_said(answered->user);
  }

  const std::vector<TranscriptTurn>& transcript() {
    if (!read_)
      read_ = read_transcript_tail(vault_.files(), input_.transcript, transcripts_).value_or(std::vector<TranscriptTurn>());
    return *read_;
  }

  // What is lost fails; a note that is missing costs the answer at most, if the transcript has not got it either.
  Status keep_prompt(bool is_private, bool is_stored) const {
    if (input_.asks_for_no_memory || asks_for_no_memory(input_.prompt)) {
      TRY(begin_turn_pause(vault_, input_.session, input_.message));
      const auto told = find_prompt(vault_, input_.session, input_.message);
      if (told && told->is_stored) TRY(enqueue_forgetting(vault_, turn({}, {})));
    }
    if (is_stored) TRY(enqueue_turn(vault_, turn(input_.prompt, {})));
    const auto noted =
        is_private ? note_private_message(vault_, input_.session, input_.message, without_injected(input_.prompt)) : Status();
    const auto prompt_noted =
        note_prompt(vault_, input_.session,
                    {.message = input_.message, .is_stored = is_stored, .said = hash_of_said(without_injected(input_.prompt))});
    for (const Status* one : {&noted, &prompt_noted})
      if (!*one) note_trouble(vault_, name_of(input_.event), one->error());
    return {};
  }

  // The transcript says by now what was said in private, and when: a copy of it may come under another name.
  Status note_end_of_private() {
    if (!TRY(KeptOut::read(vault_)).has(input_.session, input_.message, {}, {})) return {};
    take_from_transcript(true);
    return note_private_message(vault_, input_.session, input_.message, asked_at_ ? input_.prompt : std::string(), asked_at_);
  }

  TurnInput turn(std::string user, std::string assistant) const {
    return {.session = input_.session,
            .turn = {},
            .message_id = input_.message,
            .user = std::move(user),
            .assistant = std::move(assistant),
            .project = input_.project,
            .at = told_at(),
            .told_by = told_by_};
  }

  void take_from_transcript(bool with_prompt) {
    if (transcript().empty()) return;
    const TranscriptTurn& last = transcript().back();
    if (!last.message.empty() && last.message != input_.message) return;
    is_hidden_ = with_prompt && last.is_hidden;
    if (input_.answer.empty()) input_.answer = last.assistant;
    if (with_prompt && input_.prompt.empty()) input_.prompt = last.user;
    asked_at_ = last.at;
  }

  const Vault& vault_;
  HookInput& input_;
  Actor told_by_;
  std::span<const path> transcripts_;
  std::optional<std::vector<TranscriptTurn>> read_;  // of the transcript's end; as it is looked at first
  std::optional<Instant> asked_at_;                  // as the transcript has it
  bool is_hidden_ = false;                           // the transcript has a prompt of which nothing may be stored
};

Result<bool> record(const Vault& vault, HookInput& input, Actor told_by, std::span<const path> transcripts) {
  Recording recording(vault, input, told_by, transcripts);
  switch (input.event) {
    case HookEvent::user_prompt_submit:
      return recording.prompt();
    case HookEvent::stop:
      TRY(recording.answer());
      // Of an answer to an earlier prompt the turn that may not be remembered goes on. Where another hook may have this one go on,
      // it is over when the next begins.
      if (!input.may_go_on) TRY(end_turn_pause(vault, input.session, input.message));
      return false;
    case HookEvent::session_end:
      TRY(end_other_turn_pauses(vault, input.session, {}));
      TRY(enqueue_session_end(vault, input.session));
      return false;
    case HookEvent::session_start:
      return !TRY(is_not_to_be_remembered(vault, input.session, {}, {}, *input.told_at));
    case HookEvent::pre_compact:
      return false;
    case HookEvent::post_compact:
      return false;
  }
  return false;
}

}  // namespace

Result<bool> record_hook(const Vault& vault, HookInput& input, Actor told_by, std::span<const path> transcripts) {
  if (input.is_subagent) return false;
  if (!input.told_at) input.told_at = vault.clock().now();
  auto recorded = record(vault, input, told_by, transcripts);
  if (!recorded) tell_of(input, recorded.error());
  return recorded;
}

std::vector<path> transcript_folders(const Environment& environment) {
  std::vector<path> folders{environment.home / ".claude", environment.home / ".codex", environment.home / ".gemini"};
  for (const char* name : {"CLAUDE_CONFIG_DIR", "CODEX_HOME"})
    if (const auto folder = environment.variable ? environment.variable(name) : std::nullopt; folder && folder->starts_with('/'))
      folders.emplace_back(*folder);
  return folders;
}

}  // namespace loci
