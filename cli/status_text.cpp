#include "cli/status_text.h"

#include <algorithm>
#include <set>

#include "agents/spool.h"
#include "base/counted.h"
#include "base/lock_holder.h"
#include "capture/pauses.h"
#include "cli/entry_text.h"
#include "sync/sync_record.h"

namespace loci::cli {
namespace {

constexpr size_t most_listed = 20;

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::uint64_t kib = 1024;
  if (bytes < kib) return counted(bytes, "byte", "bytes");
  if (bytes < kib * kib) return std::to_string(bytes / kib) + " KiB";
  return std::to_string(bytes / (kib * kib)) + " MiB";
}

// What the daemon says of itself: "inotify, 12 folders watched, 3 rescans (the last: periodic)".
std::string watcher_text(const Json& status) {
  const Json* watcher = status.find("watcher");
  const Json* daemon = status.find("daemon");
  if (watcher == nullptr || daemon == nullptr) return "does not run";
  std::string line = "process " + std::to_string(daemon->count_at("pid")) + ", " + watcher->text_at("mode") + ", " +
                     counted(watcher->count_at("watches"), "folder", "folders") + " watched, " +
                     counted(watcher->count_at("rescans"), "scan", "scans") + " (the last: " + watcher->text_at("last_reason") +
                     ")";
  if (const auto reason = watcher->text_at("reason"); !reason.empty()) line += "; " + reason;
  return line;
}

std::string no_daemon_text(const path& vault) {
  const auto holder = holder_of_lock(real_file_system(), vault);
  if (!holder) return "does not run: commands look for changes themselves";
  return "cannot be reached, but process " + std::to_string(holder->pid) +
         (holder->program.empty() ? "" : " (" + printable(holder->program) + ")") + " writes the index";
}

// "open", or what keeps the next consolidation from running: "12 of 20 facts are pending (volume); …".
std::string gates_text(const Json& consolidation) {
  const Json* gate = consolidation.find("gate");
  const Json* closed = gate != nullptr ? gate->find("closed_by") : nullptr;
  if (closed == nullptr || closed->as_array() == nullptr) return "unknown";
  std::string text;
  for (const Json& one : *closed->as_array()) {
    const std::string opens = one.text_at("opens_at");
    text += (text.empty() ? "" : "; ") + one.text_at("reason") + " (" + one.text_at("gate") +
            (opens.empty() ? "" : ", opens by " + opens.substr(0, 10)) + ")";
  }
  return text.empty() ? "open: nothing keeps the next consolidation from running" : text;
}

// What the last run came to, and what is left over from runs; empty if there is nothing to say.
std::string folding_text(const Json& consolidation) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  const Json* last = consolidation.find("last_run");
  if (const std::string reason = last != nullptr ? last->text_at("reason") : std::string(); !reason.empty())
    add("the last run " + last->text_at("outcome") + ": " + reason);
  if (const auto quarantined = consolidation.count_at("quarantined"); quarantined > 0)
    add(counted(quarantined, "fact", "facts") + " failed too often: 'loci consolidate --force'");
  if (const auto as_said = consolidation.count_at("as_said"); as_said > 0)
    add(counted(as_said, "entry says", "entries say") + " a fact word for word, since nothing else was accepted");
  if (const std::string model = consolidation.text_at("unsuitable_model"); !model.empty())
    add("most that " + model + " answers is refused: it does not suit, configure another one");
  return text;
}

// What keeps memory away from agents at the moment, and what they have said that is not in the archive yet; empty if nothing does.
std::string agents_text(const Vault& vault) {
  std::string text;
  const Instant now = vault.clock().now();
  const auto pauses = read_pauses(vault).value_or(std::vector<Pause>{});
  std::set<std::string> conversations;
  for (const Pause& pause : pauses)
    if (covers(pause, now, now)) conversations.insert(pause.session);
  if (const Pause* pause = pause_at(pauses, "", now, now))
    text = "paused " + (pause->until ? "until " + time_text(vault.clock(), pause->until) : "until 'loci resume'");
  else if (!conversations.empty())
    text = "paused in " + counted(conversations.size(), "conversation", "conversations") +
           ", until 'loci resume' or the end of the turn";
  if (const size_t waiting = count_spooled(vault); waiting > 0)
    text += (text.empty() ? "" : ", ") + counted(waiting, "message waits", "messages wait") + " to be stored";
  return text;
}

std::string count_of_files(const Json& difference) { return counted(difference.count_at("files"), "file", "files"); }

// "with origin 2026-11-22 20:14; 2 files not exchanged", and a line for each who writes to the vault.
void print_sync(Output& out, const Clock& clock, const Json& sync) {
  if (sync.is_null()) return;
  const auto row = [&](std::string label, const std::string& text) {
    label.resize(11, ' ');
    out.line(out.styled(Style::strong, label) + text);
  };
  const auto time_at = [&](const Json& of, std::string_view key) { return time_text(clock, parse_time(of.text_at(key))); };
  const Json* waiting = sync.find("not_exchanged");
  row("sync",
      (sync.text_at("done").empty() ? "never done yet"
                                    : "with " + one_line(sync.text_at("remote"), 60) + " last " + time_at(sync, "done")) +
          (waiting != nullptr && waiting->as_object() != nullptr ? "; " + count_of_files(*waiting) + " not exchanged" : ""));
  for (const Json& peer : sync.array_at("peers")) {
    const Json* self = peer.find("self");
    if (self != nullptr && self->as_bool() != nullptr && *self->as_bool()) continue;
    const std::string host = peer.text_at("host");
    row("", one_line(peer.text_at("name"), 60) + (host.empty() ? " (git alone)" : " (" + one_line(host, 20) + ")") +
                ", last seen " + time_at(peer, "seen"));
  }
}

// "ollama nomic-embed-text: 120 of 124 entries, 3 kept back (never_send)".
std::string vectors_text(const Json& embeddings) {
  const auto number = [&](std::string_view key) { return std::to_string(embeddings.count_at(key)); };
  const auto is_set = [&](std::string_view key) {
    return embeddings.find(key)->as_bool() != nullptr && *embeddings.find(key)->as_bool();
  };
  std::string text = one_line(embeddings.text_at("model"), 100) + ": " + number("with_vector") + " of " +
                     counted(embeddings.count_at("entries"), "entry", "entries");
  if (embeddings.count_at("kept_back") > 0) text += ", " + number("kept_back") + " kept back by never_send";
  if (embeddings.count_at("refused") > 0) text += ", " + number("refused") + " not taken by the server";
  if (is_set("limit_reached")) text += "; today's tokens are spent (models.embeddings.max_tokens_a_day)";
  if (const std::string error = embeddings.text_at("error"); !error.empty()) text += "; " + one_line(error, 200);
  return text;
}

}  // namespace

std::string problem_text(const Output& out, const Problem& problem) {
  const std::string line = problem.line > 0 ? ":" + std::to_string(problem.line) : std::string();
  return out.styled(Style::place, printable(problem.file) + line) + "  " + out.styled(Style::warning, problem.code) + "  " +
         one_line(problem.message, 400);
}

void print_status(Output& out, const Vault& vault, const StatusReport& report, const Json& consolidation, const Json* daemon) {
  const auto row = [&](std::string label, const std::string& text) {
    label.resize(11, ' ');
    out.line(out.styled(Style::strong, label) + text);
  };
  row("vault", printable(report.vault));
  row("host", report.host + " (" + printable(report.host_name) + ")" +
                  (report.primary.empty() ? "" : ", primary " + printable(report.primary)));
  row("entries", std::to_string(report.entries.L0) + " L0, " + std::to_string(report.entries.L1) + " L1, " +
                     std::to_string(report.entries.L2) + " L2");
  row("facts", std::to_string(report.facts.total) + ": " + std::to_string(report.facts.pending) + " pending, " +
                   std::to_string(report.facts.settled) + " settled, " + std::to_string(report.facts.deleted) + " deleted" +
                   (report.facts.watermark.empty() ? "" : "; settled up to " + report.facts.watermark));
  row("gates", one_line(gates_text(consolidation), 400));
  if (const std::string folding = folding_text(consolidation); !folding.empty()) row("folding", one_line(folding, 400));
  if (const Json* embeddings = daemon != nullptr ? daemon->find("embeddings") : nullptr) row("vectors", vectors_text(*embeddings));
  row("user.md", report.user_file.summary());
  row("index",
      "generation " + std::to_string(report.index.info.generation) + ", " + counted(report.index.info.entries, "entry", "entries") +
          ", " + bytes_text(report.index.info.bytes) +
          (report.index.freshness.fresh()
               ? ", up to date"
               : ", " + counted(report.index.freshness.pending_files, "changed file", "changed files") + " not indexed yet"));
  row("state", printable(report.state.folder) + ", " + bytes_text(report.state.bytes));
  row("daemon", daemon != nullptr ? one_line(watcher_text(*daemon), 400) : no_daemon_text(report.vault));
  if (const std::string agents = agents_text(vault); !agents.empty()) row("agents", agents);
  print_sync(out, vault.clock(), sync_status(vault));
  if (report.problems.empty()) return row("problems", "none");
  row("problems", std::to_string(report.problems.size()));
  for (size_t i = 0; i < std::min(report.problems.size(), most_listed); ++i) out.line("  " + problem_text(out, report.problems[i]));
  if (report.problems.size() > most_listed)
    out.line("  and " + std::to_string(report.problems.size() - most_listed) + " more: 'loci doctor' lists all");
}

}  // namespace loci::cli
