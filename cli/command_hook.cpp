#include "agents/background.h"
#include "agents/hook.h"
#include "agents/hook_context.h"
#include "agents/hook_session.h"
#include "agents/project.h"
#include "agents/spool.h"
#include "cli/command.h"
#include "cli/drain.h"
#include "cli/standard_input.h"
#include "daemon/remote_keeper.h"
#include "http/client.h"
#include "vault/layout/socket_path.h"

namespace loci::cli {
namespace {

using std::chrono::milliseconds;

// An agent waits for its hooks. Of 200 ms, starting and ending take some.
constexpr milliseconds whole_time{185}, daemon_patience{110}, nudge_patience{60};
// One event reaches the hooks of several files at the same moment.
constexpr milliseconds same_moment{3'000};

constexpr PositionalSpec positionals[] = {{"EVENT", ValueKind::hook_event, true}};

// One call of the hook, from the agent's words to its answer.
class HookCall {
 public:
  HookCall(const Invocation& invocation, HookInput input) : around_(invocation), input_(std::move(input)) {}

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
    if (!is_first()) return std::string();
    input_.project = project_around(input_.working_folder, around_.environment.home);
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

  bool is_first() const {
    std::string what =
        std::string(name_of(input_.event)) + '\0' + input_.session + '\0' + input_.message + '\0' + input_.source + '\0';
    what += input_.event == HookEvent::stop ? input_.answer : input_.prompt;
    const bool may_repeat = input_.message.empty() || input_.event != HookEvent::user_prompt_submit;
    return claim(around_.environment.state_home, around_.files, what, around_.clock.now(),
                 may_repeat ? std::optional(same_moment) : std::nullopt);
  }

  // None: no daemon has answered.
  std::optional<std::string> ask(const Vault& vault, milliseconds patience) const {
    const auto response =
        ask_daemon(find_daemon_socket(vault, around_.environment),
                   {"POST", "/hooks/" + std::string(name_of(input_.event)), to_string(to_json(input_))}, patience);
    if (!response || response->status >= 400) return std::nullopt;
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

Result<int> run(Invocation& invocation) {
  end_silently_after(whole_time);
  const auto event = hook_event_named(invocation.arguments.positionals().front());
  const auto text = TRY(read_standard_input(longest_hook_input));
  auto input = parse_hook_input(*event, text);
  if (!input) return note_unreadable(invocation, *event, std::move(input.error()));
  const auto answer = HookCall(invocation, std::move(*input)).run();
  cancel_silent_end();
  if (answer) invocation.out.write(*answer);
  return 0;
}

}  // namespace

constinit const Command hook_command = {
    "hook",
    "What an agent calls at its events: JSON on standard input",
    "'loci connect' has an agent call it. It reads the event's JSON, enqueues what was said, and prints what the agent should "
    "know.\n"
    "Whatever goes wrong, it prints nothing and exits 0 within a fifth of a second. The vault is the one that [agents] vaults "
    "names\n"
    "for the agent's folder, else --vault, else default_vault; never one that a folder above happens to hold.",
    positionals,
    {},
    run,
    false,
    true};

}  // namespace loci::cli
