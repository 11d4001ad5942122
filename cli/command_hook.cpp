#include "agents/background.h"
#include "agents/hook.h"
#include "agents/hook_context.h"
#include "agents/hook_proof.h"
#include "agents/hook_session.h"
#include "agents/last_told.h"
#include "agents/other_hooks.h"
#include "agents/project.h"
#include "agents/spool.h"
#include "cli/command.h"
#include "cli/drain.h"
#include "cli/standard_input.h"
#include "daemon/remote_keeper.h"
#include "http/client.h"
#include "indexer/sqlite.h"
#include "vault/layout/socket_path.h"

namespace loci::cli {
namespace {

using std::chrono::milliseconds;

// An agent waits for its hooks. Of 200 ms, starting and ending take some.
constexpr milliseconds whole_time{185}, daemon_patience{110}, nudge_patience{60};

constexpr PositionalSpec hook_positionals[] = {{"EVENT", ValueKind::hook_event, true}};

// One call of the hook, from the agent's words to its answer.
class HookCall {
 public:
  HookCall(const Invocation& invocation, HookInput input) : around_(invocation), input_(std::move(input)) {}

  // What its user has to know; empty if there is nothing.
  const std::string& trouble() const { return input_.trouble; }
  std::string with_trouble(const std::string& answer) const {
    auto made = answer.empty() ? Result<Json>(Json::object()) : parse_json(answer);
    if (input_.trouble.empty() || !made) return answer;
    add_trouble(input_, *made);
    return made->as_object()->empty() ? std::string() : to_string(*made);
  }

  // What is printed; nothing is the usual answer.
  Result<std::string> run() {
    if (input_.working_folder.empty()) input_.working_folder = around_.environment.working_folder;
    const auto root =
        TRY(find_vault_of_agent(around_.environment, around_.files, input_.working_folder, around_.arguments.text("--vault")));
    if (!root || input_.is_subagent) return std::string();
    const auto vault = TRY(Vault::open(*root, around_.environment, around_.files, around_.clock));
    auto answer = run_on(vault);
    if (!answer) note_trouble(vault, name_of(input_.event), answer.error());
    return answer;
  }

 private:
  Result<std::string> run_on(const Vault& vault) {
    if (!is_told_first(around_.environment.state_home, around_.files, input_)) return std::string();
    input_.project = project_around(input_.working_folder, around_.environment.home);
    if (input_.event == HookEvent::stop)
      input_.may_go_on = others_may_make_it_go_on(around_.environment, input_.working_folder, around_.files);
    const auto folders = transcript_folders(around_.environment);
    const auto recorded = record_hook(vault, input_, Actor::person, folders);
    if (!recorded) return std::unexpected(recorded.error());
    input_.is_unanswered = !*recorded;
    if (const auto answer = ask(vault, *recorded ? daemon_patience : nudge_patience)) return *answer;
    auto answer = *recorded ? answer_alone(vault) : Result<std::string>("");
    if (*recorded || count_spooled(vault) > 0) drain_in_background(vault.root(), around_.environment, around_.files, around_.clock);
    return answer;
  }

  // Without a daemon: from the index as it is. Looking for changed files would take longer than an agent waits.
  Result<std::string> answer_alone(const Vault& vault) const {
    auto memory = TRY(Memory::open(vault.root(), around_.environment, around_.files, around_.clock));
    const auto context = TRY(hook_context(memory, input_));
    return context.empty() ? std::string() : to_string(hook_output(input_, context));
  }

  // None: no daemon has answered.
  std::optional<std::string> ask(const Vault& vault, milliseconds patience) const {
    Json question = to_json(input_);
    const std::string nonce = make_hook_nonce();
    question.add_unchecked("nonce", nonce);
    const auto response = ask_daemon(find_daemon_socket(vault, around_.environment),
                                     {"POST", "/hooks/" + std::string(name_of(input_.event)), to_string(question)}, patience);
    if (!response || response->status >= 400) return std::nullopt;
    const auto proof = response->headers.find(std::string(hook_proof_header));
    if (proof == response->headers.end() || !is_hook_proof(vault, nonce, response->body, proof->second)) return std::nullopt;
    return response->body.starts_with("{}") ? std::string() : response->body;
  }

  const Invocation& around_;
  HookInput input_;
};

// Nothing tells whose it was: the vault of the folder that the agent works in hears of it.
Result<int> note_unreadable(const Invocation& around, HookEvent event, Error why) {
  const auto& environment = around.environment;
  const auto root = find_vault_of_agent(environment, around.files, environment.working_folder, around.arguments.text("--vault"));
  if (!root) return std::unexpected(root.error());
  if (!*root) return 0;
  const auto vault = TRY(Vault::open(**root, environment, around.files, around.clock));
  note_trouble(vault, name_of(event), why);
  return 0;
}

Result<int> run_hook(Invocation& invocation) {
  initialize_sqlite();
  end_silently_after(whole_time);
  const Instant called_at = invocation.clock.now();
  const auto event = hook_event_named(invocation.arguments.positionals().front());
  const auto text = TRY(read_standard_input(longest_hook_input));
  auto input = parse_hook_input(*event, text);
  if (!input) return note_unreadable(invocation, *event, std::move(input.error()));
  input->told_at = called_at;
  HookCall call(invocation, std::move(*input));
  const auto answer = call.run();
  cancel_silent_end();
  invocation.out.write(call.with_trouble(answer.value_or("")));
  if (!call.trouble().empty()) invocation.out.note(call.trouble());
  return 0;
}

}  // namespace

constinit const Command hook_command = {
    "hook",
    "What an agent calls at its events: JSON on standard input",
    "'loci connect' has an agent call it. It reads the event's JSON, enqueues what was said, and prints what the agent should "
    "know.\n"
    "Whatever goes wrong, it exits 0 within a fifth of a second, and prints nothing unless what was said could not be stored. The "
    "vault is the one that [agents] vaults "
    "names\n"
    "for the agent's folder, else --vault, else default_vault; never one that a folder above happens to hold.",
    hook_positionals,
    {},
    run_hook,
    false,
    true};

}  // namespace loci::cli
