#include <algorithm>
#include <optional>

#include "capture/budgeted_model.h"
#include "capture/conversation.h"
#include "capture/extract.h"
#include "capture/fact_entries.h"
#include "capture/fact_prompt.h"
#include "capture/files_of.h"
#include "capture/gap_fill.h"
#include "capture/said_lines.h"
#include "capture/session_entries.h"
#include "capture/session_summary.h"
#include "capture/summarise.h"
#include "memory/may_send.h"
#include "model/fence.h"
#include "parser/tags.h"

namespace loci {
namespace {

constexpr size_t most_tags = 100;

// What a summary is made of, and up to where it counts as summarised.
struct ToSummarise {
  std::vector<SaidTurn> turns;
  std::int64_t last_turn = -1;
  size_t is_private = 0, was_forgotten = 0;  // turns left out
  const Entry* earlier = nullptr;            // the summary before, if a model may see it
};

// One that covers a turn whose words are beside the vault alone is as private as that.
Result<bool> may_be_shown(Memory& memory, const Entry& summary, const Conversation& conversation) {
  const bool covers_private = std::ranges::any_of(conversation.turns, [&](const SaidTurn& turn) {
    return turn.is_private && turn.number <= summary.turn.value_or(last_turn_number);
  });
  return covers_private ? false : Sendable(memory).may_send(summary);
}

// Turns whose facts were forgotten are left out: a summary would bring back what was in them.
Result<ToSummarise> turns_to_summarise(Memory& memory, const Conversation& conversation, bool for_model) {
  ToSummarise material;
  if (for_model && !conversation.summaries.empty()) {
    const auto shown = TRY(may_be_shown(memory, conversation.summaries.back(), conversation));
    if (shown) material.earlier = &conversation.summaries.back();
  }
  for (const SaidTurn& turn : conversation.turns) {
    if (turn.number <= conversation.summarised) continue;
    material.last_turn = turn.number;
    if (turn.was_forgotten)
      ++material.was_forgotten;
    else if (for_model && turn.is_private)
      ++material.is_private;
    else
      material.turns.push_back(turn);
  }
  return material;
}

std::string turns(size_t count) { return std::to_string(count) + (count == 1 ? " turn" : " turns"); }

void add_notes(const ToSummarise& material, std::vector<std::string>& notes) {
  if (material.is_private > 0) notes.push_back(turns(material.is_private) + " private (privacy.never_send): not sent to the model");
  if (material.was_forgotten > 0)
    notes.push_back(turns(material.was_forgotten) + " left out of the summary: facts in them were forgotten");
}

std::string earlier_summary(const ToSummarise& material) {
  std::string lines;
  constexpr std::int64_t most_tokens = 1'000;
  if (material.earlier) lines = "{\"text\":" + fenced(pieces_of(material.earlier->text, most_tokens).front()) + "}\n";
  return fence("earlier", lines);
}

Result<std::string> summary_by_model(const Vault& vault, const ToSummarise& material, LanguageModel& model,
                                     const std::stop_token& stop, EndedSession& ended) {
  std::vector<std::string> lines;
  for (const SaidTurn& turn : material.turns)
    std::ranges::move(lines_of(vault.clock(), turn, window_tokens / 2), std::back_inserter(lines));
  const auto summary = TRY(summarise(
      model,
      {.task = "session-summary/1", .prompt = "session-summary-1.md", .name = "conversation", .before = earlier_summary(material)},
      lines, stop));
  ended.tokens = summary.tokens;
  return summary.text;
}

// As private as what it was made of: it has the project and the tags of its turns.
NewEntry summary_entry(const Conversation& conversation, const ToSummarise& material, bool by_model, std::string text) {
  Metadata metadata;
  metadata.source = by_model ? Source::agent : Source::system;
  metadata.kind = EntryKind::session_summary;
  metadata.session = conversation.session;
  metadata.turn = material.last_turn;
  // Those of private turns first: there is room for one project, and for so many tags.
  std::vector<SaidTurn> said = material.turns;
  std::ranges::stable_partition(said, &SaidTurn::is_private);
  for (const SaidTurn& turn : said) {
    if (metadata.project.empty() || (!said.front().is_private && !turn.project.empty())) metadata.project = turn.project;
    for (const std::string* side : {&turn.user, &turn.assistant})
      for (std::string& tag : find_tags(*side))
        if (metadata.tags.size() < most_tags && std::ranges::find(metadata.tags, tag) == metadata.tags.end())
          metadata.tags.push_back(std::move(tag));
  }
  return {std::move(metadata), std::move(text)};
}

// Did somebody else end the session meanwhile?
Result<bool> is_summarised(const Vault& vault, const std::string& session, std::int64_t last_turn) {
  const auto entries = TRY(entries_of_session(vault, session));
  return std::ranges::any_of(entries, [&](const ParsedEntry& entry) {
    return entry.metadata->kind == EntryKind::session_summary && entry.metadata->turn.value_or(-1) >= last_turn;
  });
}

Status store_summary(Memory& memory, NewEntry entry, const ToSummarise& material, EndedSession& ended) {
  const std::string session = entry.metadata.session;
  const std::int64_t last_turn = *entry.metadata.turn;
  const auto stand = TRY(still_stand(memory, session, material.turns, material.earlier));
  if (!stand) {
    ended.notes.emplace_back(
        "something that was said was forgotten or changed meanwhile: the summary was dropped; the next end of the session makes "
        "one of what is left");
    return {};
  }
  {
    const auto folder = TRY(TurnFolder::lock(memory.vault()));
    const auto known = TRY(is_summarised(memory.vault(), session, last_turn));
    if (!known) {
      auto appended = TRY(append_new(memory, {std::move(entry)}));
      ended.summary = std::move(appended);
    }
    TRY(folder.drop_words(session, [&](std::int64_t turn) { return turn <= last_turn; }));
  }
  if (!ended.summary.empty()) ended.searchable = make_searchable(memory, files_of(ended.summary));
  return {};
}

// A crash may have come between the summary and the removal of the words that were kept for it.
Status drop_summarised_words(Memory& memory, const Conversation& conversation) {
  const auto has_old_words = [&](const CountedTurn& turn) { return turn.has_words && turn.number <= conversation.summarised; };
  if (std::ranges::none_of(conversation.state.turns, has_old_words)) return {};
  const auto folder = TRY(TurnFolder::lock(memory.vault()));
  return folder.drop_words(conversation.session, [&](std::int64_t turn) { return turn <= conversation.summarised; });
}

Status summarise_session(Memory& memory, const Conversation& conversation, LanguageModel* model, const std::stop_token& stop,
                         const RunStep& run_step, EndedSession& ended) {
  const ToSummarise material = TRY(turns_to_summarise(memory, conversation, model != nullptr));
  add_notes(material, ended.notes);
  if (material.turns.empty()) {
    if (conversation.turns.empty() && conversation.last_counted >= 0)
      ended.notes.emplace_back("nothing is kept of what was said (capture.turns): there is nothing to summarise");
    return drop_summarised_words(memory, conversation);
  }
  auto text = TRY(model ? summary_by_model(memory.vault(), material, *model, stop, ended)
                        : Result<std::string>(summary_by_rule(memory.vault().clock(), material.turns)));
  NewEntry entry = summary_entry(conversation, material, model != nullptr, std::move(text));
  return run(memory, run_step, [&](Memory& writing) { return store_summary(writing, entry, material, ended); });
}

}  // namespace

Result<EndedSession> end_session(Memory& memory, LanguageModel* model, const std::string& session, std::stop_token stop,
                                 const RunStep& run_step) {
  auto conversation = read_conversation(memory, session);
  if (!conversation) return std::unexpected(conversation.error());
  EndedSession ended;
  std::optional<BudgetedModel> budgeted;
  if (model) model = &budgeted.emplace(memory.vault(), *model, BudgetedModel::AfterFailures::ask);
  if (model && memory.vault().config().capture.extract != "off")
    if (auto filled = fill_gaps(memory, *conversation, *model, stop, run_step, ended.gap_fill); !filled)
      return std::unexpected(filled.error());
  // Again: something may have been forgotten while the model looked for gaps.
  if (model) conversation = read_conversation(memory, session);
  if (!conversation) return std::unexpected(conversation.error());
  if (auto summarised = summarise_session(memory, *conversation, model, stop, run_step, ended); !summarised)
    return std::unexpected(summarised.error());
  return ended;
}

}  // namespace loci
