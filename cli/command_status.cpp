#include "base/counted.h"
#include "cli/command.h"
#include "cli/entry_text.h"
#include "cli/status_text.h"
#include "cli/surroundings.h"
#include "consolidate/model_problem.h"
#include "consolidate/shapes.h"
#include "daemon/remote_keeper.h"
#include "daemon/stores.h"
#include "daemon/watching_problems.h"
#include "edits/doubtful.h"
#include "edits/in_question.h"
#include "edits/understand.h"
#include "memory/agents_changes.h"
#include "memory/doctor.h"
#include "memory/status.h"
#include "sync/registration.h"
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

constexpr std::chrono::minutes wait_patience{5};

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
  add_doubtful_acts(memory.vault(), report.problems);
  add_sync_problem(memory.vault(), report.problems);
  if (daemon != nullptr)
    add_problems_of(*daemon, report.problems);
  else if (auto problem = model_problem(memory.vault(), invocation.environment))
    report.problems.push_back(std::move(*problem));
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
  Json files = Json::object();
  for (const auto& [file, entries] : report.kept_from_agents) files.add_unchecked(file, entries);
  value.add_unchecked("kept_from_agents", std::move(files));
  return value;
}

void print_doctor(Output& out, const DoctorReport& report) {
  for (const auto& [file, entries] : report.kept_from_agents)
    out.line("kept from agents by never_send: " + counted(entries, "entry", "entries") + " of " + printable(file));
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
  add_driver_problem(memory.vault(), report->problems);
  add_problems_of_surroundings(memory.vault(), invocation.environment, report->problems);
  // What a daemon knows of its keys, this process may not.
  if (!add_watching_problems(memory.vault(), find_daemon_socket(memory.vault(), invocation.environment), report->problems))
    if (auto problem = model_problem_by_trying(memory.vault(), invocation.environment))
      report->problems.push_back(std::move(*problem));
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
