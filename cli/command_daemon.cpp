#include "base/log.h"
#include "cli/command.h"
#include "cli/keep_vault.h"
#include "daemon/service.h"

namespace loci::cli {
namespace {

constexpr OptionSpec daemon_options[] = {{"--log", "LEVEL", ValueKind::log_level, "how much to say on stderr (info if not given)"}};

LogLevel level_from(const std::string& name) {
  if (name == "debug") return LogLevel::debug;
  if (name == "notice") return LogLevel::notice;
  if (name == "warning") return LogLevel::warning;
  return name == "error" ? LogLevel::error : LogLevel::info;
}

// A change of the settings takes effect by starting anew, but not if they are broken: then the old ones stay.
std::optional<Problem> reason_to_keep_settings(const Result<OpenedVault>& opened) {
  if (!opened) return Problem{opened.error().file, opened.error().line, "config-syntax", opened.error().message};
  for (const Problem& warning : opened->vault.loaded_config().warnings)
    if (warning.code == "config-syntax") return warning;
  return std::nullopt;
}

Result<int> run_daemon(Invocation& invocation) {
  const auto root = TRY(find_vault(invocation.environment, invocation.files, invocation.arguments.text("--vault")));
  start_log(level_from(invocation.arguments.text("--log")), invocation.environment.journal);
  return keep_vault(invocation, root, [] { return Status(); });
}

}  // namespace

Result<int> keep_vault(const Invocation& invocation, const path& root, const std::function<Status()>& when_ready) {
  auto signals = TRY(Signals::block());
  ServiceManager& manager = real_service_manager();
  bool is_first = true;
  std::optional<OpenedVault> opened;  // with newer settings than the last service had
  while (true) {
    ServiceOptions service_options{root, invocation.environment, invocation.files, invocation.clock, manager};
    service_options.opened = std::exchange(opened, std::nullopt);
    auto service = TRY(Service::start(std::move(service_options)));
    manager.ready();
    manager.say("keeping " + root.string());
    if (std::exchange(is_first, false)) TRY(when_ready());
    auto end = service->run(signals);
    while (end == Service::End::reload && !opened) {
      auto now = OpenedVault::open(root, invocation.environment, invocation.files, invocation.clock);
      if (auto broken = reason_to_keep_settings(now)) {
        service->keep_settings(std::move(*broken));
        end = service->run(signals);
      } else
        opened = std::move(*now);
    }
    if (end == Service::End::stopped) {
      manager.stopping();
      return 0;
    }
    log_notice("taking over new settings");
    manager.reloading();
  }
}

constinit const Command daemon_command = {
    "daemon",
    "Keep the index right while files change, and answer on a socket",
    "Stays in the foreground until it is told to stop (SIGTERM, Ctrl-C); SIGHUP takes over new settings.\n"
    "One daemon a vault. 'loci service install' lets systemd start it. Commands work with and without one.",
    {},
    daemon_options,
    run_daemon};

}  // namespace loci::cli
