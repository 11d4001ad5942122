#include <csignal>

#include "base/child_process.h"
#include "base/counted.h"
#include "base/log.h"
#include "cli/command.h"
#include "cli/keep_vault.h"
#include "http/client.h"
#include "panel/logins.h"
#include "vault/layout/socket_path.h"

namespace loci::cli {
namespace {

constexpr OptionSpec panel_options[] = {
    {"--print", "", ValueKind::none,
     "print the address instead of opening a browser; it is good for 5 minutes then, else for 60 s"}};
constexpr std::chrono::milliseconds patience{10'000};

std::string variable(const Environment& environment, const char* name) {
  return environment.variable ? environment.variable(name).value_or("") : std::string();
}

bool came_over_ssh(const Environment& environment) { return !variable(environment, "SSH_CONNECTION").empty(); }

bool has_screen(const Environment& environment) {
  return !variable(environment, "DISPLAY").empty() || !variable(environment, "WAYLAND_DISPLAY").empty();
}

Result<Json> ask_for_address(const path& socket, bool printed) {
  Json body = Json::object();
  body.set("printed", printed);
  const auto answer = TRY(ask_daemon(socket, {"POST", "/panel", to_string(body)}, patience));
  if (answer.status >= 400) return std::unexpected(error_of(answer));
  return parse_json(answer.body);
}

// A command line can be read by other users of the machine, so the browser gets a file that only this one can read.
Status open_browser(const Vault& vault, const std::string& url) {
  const path file = vault.state_folder() / panel_address_name;
  TRY(write_file(vault.files(), file,
                 "<!doctype html><meta charset=utf-8><meta name=referrer content=no-referrer><title>loci</title>"
                 "<meta http-equiv=refresh content=\"0;url=" +
                     url + "\">\n"));
  const int status = TRY(run_program({"setsid", "--fork", "xdg-open", file.string()}, Shown::nothing));
  if (status != 0) return fail(ErrorCode::failed, "no browser could be started", "'loci panel --print' prints the address");
  return {};
}

Status show(Invocation& invocation, const Vault& vault, const path& socket) {
  const Environment& environment = invocation.environment;
  const bool printed =
      invocation.arguments.has("--print") || invocation.out.json() || came_over_ssh(environment) || !has_screen(environment);
  const auto address = TRY(ask_for_address(socket, printed));
  const std::string url = address.text_at("url"), port = std::to_string(address.integer_at("port"));
  Output& out = invocation.out;
  if (out.json()) {
    out.value(address);
  } else if (printed) {
    out.line(url);
    out.note("the address works once, and for " + counted(address.integer_at("expires_in") / 60, "minute", "minutes"));
  } else {
    TRY(open_browser(vault, url));
    out.note("the panel opens in your browser; 'loci panel --print' prints an address if it does not");
  }
  if (came_over_ssh(environment))
    out.note("on the machine in front of you, first run: ssh -N -L " + port + ":127.0.0.1:" + port + " " +
             (environment.host_name.empty() ? "THIS-MACHINE" : environment.host_name));
  out.flush();
  return {};
}

Result<int> run_panel(Invocation& invocation) {
  const auto root = TRY(find_vault(invocation.environment, invocation.files, invocation.arguments.text("--vault")));
  const auto vault = TRY(Vault::open(root, invocation.environment, invocation.files, invocation.clock));
  const path socket = find_daemon_socket(vault, invocation.environment);
  const Status shown = show(invocation, vault, socket);
  if (shown) return 0;
  if (shown.error().code != ErrorCode::not_found) return std::unexpected(shown.error());
  invocation.out.note(
      "no daemon keeps this vault: this command does, until you press Ctrl-C ('loci service install' starts one for good)");
  start_log(LogLevel::warning, invocation.environment.journal);
  return keep_vault(invocation, root, [&] { return show(invocation, vault, socket); });
}

}  // namespace

constinit const Command panel_command = {
    "panel",
    "Open the memory in your browser",
    "The daemon listens on a port of 127.0.0.1 for it, and stops 12 hours after you last opened it this way. The address holds a\n"
    "secret that works once. Without a screen, or over ssh, it is printed. Without a daemon this command is one until Ctrl-C.",
    {},
    panel_options,
    run_panel};

}  // namespace loci::cli
