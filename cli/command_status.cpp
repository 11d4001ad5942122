#include <algorithm>
#include <set>

#include "agents/spool.h"
#include "base/lock_holder.h"
#include "capture/pauses.h"
#include "cli/command.h"
#include "cli/entry_text.h"
#include "cli/surroundings.h"
#include "consolidate/shapes.h"
#include "daemon/remote_keeper.h"
#include "daemon/stores.h"
#include "daemon/watching_problems.h"
#include "edits/in_question.h"
#include "edits/understand.h"
#include "memory/agents_changes.h"
#include "memory/doctor.h"
#include "memory/status.h"
#include "sync/sync_record.h"
#include "vault/archive/tail_verdicts.h"
#include "vault/layout/socket_path.h"

namespace loci::cli {
namespace {

constexpr OptionSpec status_options[] = {
    {"--wait", "", ValueKind::none, "return when everything that was saved before is searchable"},
    {"--seen", "", ValueKind::none, "list what agents changed of yours no more: you have looked at it"}};
constexpr OptionSpec doctor_options[] = {
    {"--repair", "", ValueKind::none, "mend what is derived: the index, permissions of the state folder, our own leftovers"}};

constexpr size_t most_listed = 20;
constexpr std::chrono::minutes wait_patience{5};

std::string problem_text(const Output& out, const Problem& problem) {
  const std::string line = problem.line > 0 ? ":" + std::to_string(problem.line) : std::string();
  return out.styled(Style::place, printable(problem.file) + line) + "  " + out.styled(Style::warning, problem.code) + "  " +
         one_line(problem.message, 400);
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::uint64_t kib = 1024;
  if (bytes < kib) return std::to_string(bytes) + " bytes";
  if (bytes < kib * kib) return std::to_string(bytes / kib) + " KiB";
  return std::to_string(bytes / (kib * kib)) + " MiB";
}

// What the daemon says of itself: "inotify, 12 folders watched, 3 rescans (the last: periodic)".
std::string watcher_text(const Json& status) {
  const Json* watcher = status.find("watcher");
  const Json* daemon = status.find("daemon");
  if (watcher == nullptr || daemon == nullptr) return "does not run";
  const auto number = [](const Json& object, std::string_view key) { return std::to_string(object.count_at(key)); };
  std::string line = "process " + number(*daemon, "pid") + ", " + watcher->text_at("mode") + ", " + number(*watcher, "watches") +
                     " folders watched, " + number(*watcher, "rescans") + " scans (the last: " + watcher->text_at("last_reason") +
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

// "closed by volume (12 of 20 facts are pending), time (…)".
std::string gate_text(const Json& consolidation) {
  const Json* gate = consolidation.find("gate");
  const Json* closed = gate != nullptr ? gate->find("closed_by") : nullptr;
  if (closed == nullptr || closed->as_array() == nullptr) return "unknown";
  std::string text = "open";
  for (const Json& one : *closed->as_array()) {
    const std::string opens = one.text_at("opens_at");
    text = (text == "open" ? "closed by " : text + ", ") + one.text_at("gate") + " (" + one.text_at("reason") +
           (opens.empty() ? "" : "; opens by " + opens.substr(0, 10)) + ")";
  }
  const Json* last = consolidation.find("last_run");
  if (const std::string reason = last != nullptr ? last->text_at("reason") : std::string(); !reason.empty())
    text += "; the last run " + last->text_at("outcome") + ": " + reason;
  if (const auto quarantined = consolidation.count_at("quarantined"); quarantined > 0)
    text += "; " + std::to_string(quarantined) + " facts failed too often: 'loci consolidate --force'";
  if (const auto as_said = consolidation.count_at("as_said"); as_said > 0)
    text += "; " + std::to_string(as_said) + " entries say a fact word for word, since nothing else was accepted";
  if (const std::string model = consolidation.text_at("unsuitable_model"); !model.empty())
    text += "; most that " + model + " answers is refused: it does not suit, configure another one";
  return text;
}

// What keeps memory away from agents at the moment, and what they have said that is not in the archive yet; empty if nothing does.
std::string agents_text(const Vault& vault) {
  std::string text;
  const auto pauses = read_pauses(vault).value_or(std::vector<Pause>{});
  std::set<std::string> conversations;
  for (const Pause& pause : pauses)
    if (covers(pause, vault.clock().now())) conversations.insert(pause.session);
  if (const Pause* pause = pause_at(pauses, "", vault.clock().now()))
    text = "paused " + (pause->until ? "until " + format_rfc3339(*pause->until) : "until 'loci resume'");
  else if (!conversations.empty())
    text = "paused in " + std::to_string(conversations.size()) + (conversations.size() == 1 ? " conversation" : " conversations") +
           ", until 'loci resume' or the end of the turn";
  if (const size_t waiting = count_spooled(vault); waiting > 0)
    text += (text.empty() ? "" : ", ") + std::to_string(waiting) + " messages wait to be stored";
  return text;
}

std::string count_of_files(const Json& difference) { return std::to_string(difference.count_at("files")) + " files"; }

// "with origin 2026-11-22 20:14; 2 files not exchanged", and a line for each who writes to the vault.
void print_sync(Output& out, const Json& sync) {
  if (sync.is_null()) return;
  const auto row = [&](std::string label, const std::string& text) {
    label.resize(11, ' ');
    out.line(out.styled(Style::strong, label) + text);
  };
  const std::string done = sync.text_at("done");
  const Json* waiting = sync.find("not_exchanged");
  row("sync",
      (done.empty() ? "never done yet" : "with " + one_line(sync.text_at("remote"), 60) + " last " + done) +
          (waiting != nullptr && waiting->as_object() != nullptr ? "; " + count_of_files(*waiting) + " not exchanged" : ""));
  for (const Json& peer : sync.array_at("peers")) {
    const Json* self = peer.find("self");
    if (self != nullptr && self->as_bool() != nullptr && *self->as_bool()) continue;
    const std::string host = peer.text_at("host");
    row("", one_line(peer.text_at("name"), 60) + (host.empty() ? " (git alone)" : " (" + one_line(host, 20) + ")") +
                ", last seen " + peer.text_at("seen"));
  }
}

// "ollama nomic-embed-text: 120 of 124 entries, 3 kept back (never_send)".
std::string vectors_text(const Json& embeddings) {
  const auto number = [&](std::string_view key) { return std::to_string(embeddings.count_at(key)); };
  const auto is_set = [&](std::string_view key) {
    return embeddings.find(key)->as_bool() != nullptr && *embeddings.find(key)->as_bool();
  };
  std::string text =
      one_line(embeddings.text_at("model"), 100) + ": " + number("with_vector") + " of " + number("entries") + " entries";
  if (embeddings.count_at("kept_back") > 0) text += ", " + number("kept_back") + " kept back by never_send";
  if (embeddings.count_at("refused") > 0) text += ", " + number("refused") + " not taken by the server";
  if (is_set("limit_reached")) text += "; today's tokens are spent (models.embeddings.max_tokens_a_day)";
  if (const std::string error = embeddings.text_at("error"); !error.empty()) text += "; " + one_line(error, 200);
  return text;
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
  row("folding", one_line(gate_text(consolidation), 400));
  if (const Json* embeddings = daemon != nullptr ? daemon->find("embeddings") : nullptr) row("vectors", vectors_text(*embeddings));
  row("user.md", report.user_file.summary());
  row("index", "generation " + std::to_string(report.index.info.generation) + ", " + std::to_string(report.index.info.entries) +
                   " entries, " + bytes_text(report.index.info.bytes) +
                   (report.index.freshness.fresh()
                        ? ", up to date"
                        : ", " + std::to_string(report.index.freshness.pending_files) + " changed files not indexed yet"));
  row("daemon", daemon != nullptr ? one_line(watcher_text(*daemon), 400) : no_daemon_text(report.vault));
  if (const std::string agents = agents_text(vault); !agents.empty()) row("agents", agents);
  print_sync(out, sync_status(vault));
  if (report.problems.empty()) return row("problems", "none");
  row("problems", std::to_string(report.problems.size()));
  for (size_t i = 0; i < std::min(report.problems.size(), most_listed); ++i) out.line("  " + problem_text(out, report.problems[i]));
  if (report.problems.size() > most_listed)
    out.line("  and " + std::to_string(report.problems.size() - most_listed) + " more: 'loci doctor' lists all");
}

// Two state folders are two indexes: what the daemon takes in, commands that look elsewhere do not find.
void warn_of_other_folder(Output& out, const Vault& vault, const Json& status) {
  const Json* daemon = status.find("daemon");
  const std::string* folder = daemon != nullptr ? daemon->string_at("state_folder") : nullptr;
  if (folder == nullptr || *folder == vault.state_folder().string()) return;
  out.warn("the daemon keeps the index in " + *folder + ", and this command looks for it in " + vault.state_folder().string() +
           ": give both the same $XDG_STATE_HOME");
}

Result<int> show_status(Invocation& invocation, Memory& memory, const Freshness& freshness, const Json* daemon) {
  auto report = TRY(status(memory, freshness));
  report.facts = fact_counts(memory, std::move(report.facts));
  add_edit_problems(memory, report.problems);
  add_sync_problem(memory.vault(), report.problems);
  if (daemon != nullptr) add_problems_of(*daemon, report.problems);
  const Json* told = daemon != nullptr ? daemon->find("consolidation") : nullptr;
  const auto consolidation = TRY(told != nullptr ? Result<Json>(*told) : consolidation_status(memory));
  if (!invocation.out.json()) {
    if (!invocation.arguments.has("--wait")) (void)mark_as_told(memory.vault());  // a program that looks is nobody who was told
    print_status(invocation.out, memory.vault(), report, consolidation, daemon);
    return 0;
  }
  Json value = daemon != nullptr ? *daemon : status_to_json(report);
  value.set("consolidation", consolidation);
  if (daemon == nullptr) value.set("sync", sync_status(memory.vault()));
  invocation.out.value(value);
  return 0;
}

Result<int> run_status(Invocation& invocation) {
  auto memory = TRY(invocation.open_memory());
  const bool wait = invocation.arguments.has("--wait");
  if (invocation.arguments.has("--seen")) {
    TRY(memory.bring_up_to_date());
    TRY(mark_agents_changes_seen(memory));
  }
  RemoteKeeper daemon(find_daemon_socket(memory.vault(), invocation.environment));
  const auto told = daemon.status(wait ? std::optional(wait_patience) : std::nullopt);
  if (told) {
    warn_of_other_folder(invocation.out, memory.vault(), *told);
    const auto freshness = freshness_from(*told);
    return show_status(invocation, memory, freshness, &*told);
  }
  if (told.error().code != ErrorCode::not_found) {
    if (wait) return std::unexpected(told.error());
    const bool was_asked = told.error().code != ErrorCode::refused;
    invocation.out.warn((!was_asked ? "" : "a daemon runs but does not answer: ") + told.error().message);
  }
  if (wait) TRY(memory.take_in({}));
  const auto freshness = memory.bring_up_to_date(invocation.out.progress());
  invocation.out.clear_progress();
  if (!freshness) return std::unexpected(freshness.error());
  return show_status(invocation, memory, *freshness, nullptr);
}

Json doctor_to_json(const DoctorReport& report) {
  Json value = versioned();
  value.add_unchecked("ok", report.healthy());
  Json differences = Json::array();
  for (const Difference& difference : report.differences) {
    Json one = Json::object();
    one.add_unchecked("id", difference.id);
    one.add_unchecked("file", difference.file);
    one.add_unchecked("line", difference.line);
    one.add_unchecked("what", difference.what);
    differences.push_back(std::move(one));
  }
  value.add_unchecked("differences", std::move(differences));
  value.add_unchecked("problems", problems_to_json(report.problems));
  value.add_unchecked("repaired", report.repaired);
  return value;
}

void print_doctor(Output& out, const DoctorReport& report) {
  for (const std::string& repaired : report.repaired) out.line("repaired: " + printable(repaired));
  for (const Difference& difference : report.differences)
    out.line(out.styled(Style::place, printable(difference.file) + ":" + std::to_string(difference.line)) + "  " +
             out.styled(Style::problem, "index") + "  " + one_line(difference.id + ": " + difference.what, 400));
  for (const Problem& problem : report.problems) out.line(problem_text(out, problem));
  if (!report.differences.empty()) out.line("the index differs from the files: 'loci doctor --repair' builds it anew");
  if (report.healthy()) out.line("the index equals a fresh scan, and nothing is wrong with the files");
}

Result<int> run_doctor(Invocation& invocation) {
  auto memory = TRY(invocation.open_memory());
  auto report = examine_vault(memory, invocation.arguments.has("--repair"), all_stores(), invocation.out.progress());
  invocation.out.clear_progress();
  if (!report) return std::unexpected(report.error());
  add_edit_problems(memory, report->problems);
  add_problems_of_surroundings(memory.vault(), invocation.environment, report->problems);
  add_watching_problems(memory.vault(), find_daemon_socket(memory.vault(), invocation.environment), report->problems);
  if (invocation.out.json())
    invocation.out.value(doctor_to_json(*report));
  else
    print_doctor(invocation.out, *report);
  return report->healthy() ? 0 : 1;
}

}  // namespace

constinit const Command status_command = {"status",  "Say how the memory is: numbers, freshness, problems", "", {}, status_options,
                                          run_status};
constinit const Command doctor_command = {
    "doctor",
    "Compare the index with a fresh scan and list every problem",
    "Exit status 1 while something is wrong. --repair changes nothing that you or an agent wrote.",
    {},
    doctor_options,
    run_doctor};

}  // namespace loci::cli
