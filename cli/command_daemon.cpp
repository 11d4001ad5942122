#include "base/log.h"
#include "cli/command.h"
#include "daemon/service.h"

namespace loci::cli {
namespace {

constexpr OptionSpec options[] = {{"--log", "LEVEL", ValueKind::log_level, "how much to say on stderr (info if not given)"}};

LogLevel level_from(const std::string& name) {
  if (name == "debug") return LogLevel::debug;
  if (name == "notice") return LogLevel::notice;
  if (name == "warning") return LogLevel::warning;
  return name == "error" ? LogLevel::error : LogLevel::info;
}

// A change of the settings takes effect by starting anew, but not if they are broken: then the old ones stay.
std::optional<Problem> reason_to_keep_settings(const Invocation& invocation, const path& root) {
  const auto vault = Vault::open(root, invocation.environment, invocation.files, invocation.clock);
  if (!vault) return Problem{vault.error().file, vault.error().line, "config-syntax", vault.error().message};
  for (const Problem& warning : vault->loaded_config().warnings)
    if (warning.code == "config-syntax") return warning;
  return std::nullopt;
}

Result<int> run(Invocation& invocation) {
  const auto root = TRY(find_vault(invocation.environment, invocation.files, invocation.arguments.text("--vault")));
  start_log(level_from(invocation.arguments.text("--log")), invocation.environment.journal);
  auto signals = TRY(Signals::block());
  ServiceManager& manager = real_service_manager();
  while (true) {
    auto service = TRY(Service::start({root, invocation.environment, invocation.files, invocation.clock, manager}));
    manager.ready();
    manager.say("keeping " + root.string());
    auto end = service->run(signals);
    while (end == Service::End::reload) {
      auto broken = reason_to_keep_settings(invocation, root);
      if (!broken) break;
      service->keep_settings(std::move(*broken));
      end = service->run(signals);
    }
    if (end == Service::End::stopped) {
      manager.stopping();
      return 0;
    }
    log_notice("taking over new settings");
    manager.reloading();
  }
}

}  // namespace

constinit const Command daemon_command = {
    "daemon",
    "Keep the index right while files change, and answer on a socket",
    "Stays in the foreground until it is told to stop (SIGTERM, Ctrl-C); SIGHUP takes over new settings.\n"
    "One daemon a vault. 'loci service install' lets systemd start it. Commands work with and without one.",
    {},
    options,
    run};

}  // namespace loci::cli
