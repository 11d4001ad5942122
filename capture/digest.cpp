#include "capture/digest.h"

#include <algorithm>

#include "capture/budgeted_model.h"
#include "capture/said_lines.h"
#include "capture/summarise.h"
#include "capture/timeline.h"
#include "memory/may_send.h"
#include "model/fence.h"
#include "parser/metadata.h"
#include "tokens/estimate.h"

namespace loci {
namespace {

// Turns, summaries and facts of the archive, and a person's dated notes: what has a day of its own.
Result<std::vector<Entry>> entries_in(Memory& memory, const DigestScope& scope) {
  EntryFilter filter;
  filter.since = scope.since;
  filter.until = scope.until;
  filter.session = scope.session;
  constexpr size_t most_entries = 1'000'000;
  auto entries = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.list(filter, most_entries); }));
  std::erase_if(entries, [](const Entry& entry) { return entry.place != Place::archive && entry.place != Place::note; });
  if (scope.is_for_agent) {
    Sendable sendable(memory);
    std::vector<Entry> shown;
    for (Entry& entry : entries)
      if (TRY(sendable.may_send(entry))) shown.push_back(std::move(entry));
    entries = std::move(shown);
  }
  if (entries.empty() && !scope.session.empty() && !scope.since && !scope.until)
    return fail(ErrorCode::not_found, "there is no session '" + scope.session + "'", "'loci sessions' lists them");
  return entries;
}

std::vector<std::string> lines_of(const DigestDay& day, const Entry& entry) {
  std::string head = "{\"date\":\"" + with_weekday(day.day) + "\",\"kind\":\"" + std::string(name_of(entry.kind)) + '"';
  if (!entry.session.empty()) head += ",\"session\":" + fenced(entry.session);
  if (!entry.role.empty()) head += ",\"role\":" + fenced(entry.role);
  std::vector<std::string> lines;
  for (const std::string_view piece : pieces_of(entry.text, window_tokens / 2))
    lines.push_back(head + ",\"text\":" + fenced(piece) + "}\n");
  return lines;
}

// What a model may see of the days; the rest is counted.
Result<std::vector<std::string>> lines_for_model(Memory& memory, const std::vector<DigestDay>& days, size_t& left_out) {
  Sendable sendable(memory);
  std::vector<std::string> lines;
  for (const DigestDay& day : days)
    for (const DigestDay::Thread& thread : day.threads)
      for (const Entry& entry : thread.entries) {
        const auto may_send = TRY(sendable.may_send(entry));
        if (may_send)
          std::ranges::move(lines_of(day, entry), std::back_inserter(lines));
        else
          ++left_out;
      }
  return lines;
}

Status digest_by_model(Memory& memory, LanguageModel& model, const std::stop_token& stop, const ProgressCallback& progress,
                       Digest& digest) {
  size_t left_out = 0;
  const auto lines = TRY(lines_for_model(memory, digest.days, left_out));
  if (left_out > 0)
    digest.notes.push_back(std::to_string(left_out) + (left_out == 1 ? " entry is" : " entries are") +
                           " private (privacy.never_send): not sent to the model");
  if (lines.empty()) return {};
  BudgetedModel budgeted(memory.vault(), model, BudgetedModel::AfterFailures::ask);
  std::int64_t tokens = 0;
  for (const std::string& line : lines) tokens += estimate_tokens(line);
  // Said before anything is spent: half a digest is none.
  TRY(budgeted.holds(tokens));
  auto summary =
      summarise(budgeted, {.task = "digest/1", .prompt = "digest-1.md", .name = "entries", .before = {}}, lines, stop, progress);
  if (!summary) return std::unexpected(summary.error());
  digest.text = std::move(summary->text);
  digest.by_model = true;
  digest.calls = summary->calls;
  digest.tokens = summary->tokens;
  return {};
}

}  // namespace

Result<Digest> make_digest(Memory& memory, LanguageModel* model, const DigestScope& scope, std::stop_token stop,
                           const ProgressCallback& progress) {
  auto entries = TRY(entries_in(memory, scope));
  Digest digest;
  digest.days = days_of(memory.vault().clock(), std::move(entries));
  if (model && !digest.days.empty()) TRY(digest_by_model(memory, *model, stop, progress, digest));
  if (!digest.by_model) digest.text = timeline(digest.days);
  return digest;
}

}  // namespace loci
