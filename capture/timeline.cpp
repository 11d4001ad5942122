#include "capture/timeline.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/named_day.h"
#include "capture/excerpt.h"
#include "capture/turn.h"

namespace loci {
namespace {

constexpr size_t longest_line = 240;

auto order_of(const Entry& entry) { return std::tuple(entry.turn.value_or(last_turn_number + 1), *entry.at, entry.id); }

auto order_of(const DigestDay::Thread& thread) {
  const Instant first = *std::ranges::min_element(thread.entries, {}, [](const Entry& entry) { return *entry.at; })->at;
  return std::tuple(thread.session.empty(), first, thread.session);
}

std::string who(const Entry& entry) {
  if (entry.kind == EntryKind::turn) return entry.role == "assistant" ? "assistant: " : "user: ";
  if (entry.kind == EntryKind::session_summary) return "summary: ";
  if (entry.kind == EntryKind::task_summary) return entry.task.empty() ? "task: " : "task " + excerpt(entry.task, 80) + ": ";
  return "fact: ";
}

}  // namespace

std::vector<DigestDay> days_of(const Clock& clock, std::vector<Entry> entries) {
  std::map<std::string, std::map<std::string, DigestDay::Thread>> threads;
  for (Entry& entry : entries) {
    if (!entry.at) continue;
    DigestDay::Thread& thread = threads[named_day(clock, *entry.at)][entry.session];
    thread.session = entry.session;
    thread.entries.push_back(std::move(entry));
  }
  std::vector<DigestDay> days;
  for (auto& [day, by_session] : threads) {
    DigestDay one{.day = day, .threads = {}};
    for (auto& [session, thread] : by_session) {
      std::ranges::sort(thread.entries, {}, [](const Entry& entry) { return order_of(entry); });
      one.threads.push_back(std::move(thread));
    }
    std::ranges::sort(one.threads, {}, [](const DigestDay::Thread& thread) { return order_of(thread); });
    days.push_back(std::move(one));
  }
  return days;
}

std::string timeline(const std::vector<DigestDay>& days) {
  std::string text;
  for (const DigestDay& day : days) {
    text += (text.empty() ? "# " : "\n# ") + day.day + "\n";
    for (const DigestDay::Thread& thread : day.threads) {
      text += thread.session.empty() ? "\n## Facts and notes\n\n" : "\n## Conversation " + excerpt(thread.session, 80) + "\n\n";
      for (const Entry& entry : thread.entries)
        text += "- " + (thread.session.empty() && entry.kind == EntryKind::fact ? "" : who(entry)) +
                excerpt(entry.text, longest_line) + '\n';
    }
  }
  return text;
}

}  // namespace loci
