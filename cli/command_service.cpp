#include <unistd.h>

#include <algorithm>

#include "base/child_process.h"
#include "base/lock_holder.h"
#include "cli/command.h"
#include "cli/systemd_units.h"
#include "vault/layout/socket_path.h"

namespace loci::cli {
namespace {

constexpr PositionalSpec service_positionals[] = {{"install|remove", ValueKind::service}};
constexpr OptionSpec service_options[] = {
    {"--socket", "", ValueKind::none, "install: let systemd open the socket, and start the daemon when it is first used"},
    {"--credential", "NAME:FILE", ValueKind::text, "install: hand a key's file to the daemon (LoadCredential=)", true},
    {"--no-start", "", ValueKind::none, "install: only write the units"},
    {"--print", "", ValueKind::none, "install: print the units and write nothing"},
};

struct Place {
  Place(const Environment& environment, const path& vault)
      : folder(environment.config_home / "systemd/user"),
        service("loci@" + unit_instance(vault) + ".service"),
        socket("loci@" + unit_instance(vault) + ".socket") {}

  path folder;                  // of the units
  std::string service, socket;  // unit names
  UnitOptions units;            // what to install
};

Result<std::vector<std::pair<std::string, path>>> credentials_from(const Invocation& invocation) {
  std::vector<std::pair<std::string, path>> credentials;
  for (const std::string& text : invocation.arguments.all("--credential")) {
    const size_t colon = text.find(':');
    const std::string name = text.substr(0, colon);
    const bool is_name = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
      return std::isalnum(c) || c == '_' || c == '-' || c == '.';
    });
    const path file = colon == std::string::npos ? path() : path(text.substr(colon + 1));
    std::error_code error;
    if (!is_name || !file.is_absolute() || !std::filesystem::is_regular_file(file, error))
      return fail(ErrorCode::usage, "'" + text + "' is no NAME:FILE",
                  "NAME of letters and digits, FILE with its full path: claude:/home/me/.keys/claude");
    credentials.emplace_back(name, file);
  }
  return credentials;
}

std::vector<std::pair<std::string, path>> folders_of(const Environment& environment) {
  std::vector<std::pair<std::string, path>> folders;
  if (environment.state_home != environment.home / ".local/state") folders.emplace_back("XDG_STATE_HOME", environment.state_home);
  if (environment.config_home != environment.home / ".config") folders.emplace_back("XDG_CONFIG_HOME", environment.config_home);
  return folders;
}

Result<Place> place_to_install(const Invocation& invocation) {
  const auto root = TRY(find_vault(invocation.environment, invocation.files, invocation.arguments.text("--vault")));
  const auto vault = TRY(Vault::open(root, invocation.environment, invocation.files, invocation.clock));
  auto credentials = TRY(credentials_from(invocation));
  std::error_code error;
  Place place(invocation.environment, vault.root());
  place.units = {std::filesystem::read_symlink("/proc/self/exe", error),
                 vault.root(),
                 daemon_socket(vault, invocation.environment),
                 invocation.arguments.has("--socket"),
                 std::move(credentials),
                 folders_of(invocation.environment)};
  if (error) return fail_errno("find", "this program", error.value());
  return place;
}

// The service of a vault that is gone has to go all the same.
Result<Place> place_to_remove(const Invocation& invocation) {
  const std::string named = invocation.arguments.text("--vault");
  const auto found = find_vault(invocation.environment, invocation.files, named);
  if (!found && (named.empty() || found.error().code != ErrorCode::not_found)) return std::unexpected(found.error());
  std::error_code error;
  const path root = std::filesystem::weakly_canonical(found ? *found : invocation.environment.working_folder / named, error);
  if (error) return fail_errno("find", named, error.value());
  return Place(invocation.environment, root);
}

Result<int> systemctl(std::vector<std::string> words, Shown shown = Shown::everything) {
  words.insert(words.begin(), {"systemctl", "--user"});
  return run_program(words, shown);
}

// A user manager answers only where somebody is logged in, or lingers.
bool has_manager() {
  const auto status = systemctl({"show-environment"}, Shown::nothing);
  return status && *status == 0;
}

Status run_steps(const std::vector<std::vector<std::string>>& steps, Shown shown = Shown::everything) {
  for (const auto& step : steps) {
    const auto status = TRY(systemctl(step, shown));
    if (status == 0) continue;
    std::string command = "systemctl --user";
    for (const std::string& word : step) command += " " + word;
    return fail(ErrorCode::failed, "'" + command + "' failed", "'journalctl --user -n 20' may say why");
  }
  return {};
}

Status write_units(const Invocation& invocation, const Place& place, const std::vector<UnitFile>& units) {
  for (const UnitFile& unit : units) {
    const path file = place.folder / unit.name;
    TRY(make_folders(invocation.files, file.parent_path()));
    TRY(write_file(invocation.files, file, unit.bytes));
  }
  return {};
}

void print_units(Output& out, const Place& place, const std::vector<UnitFile>& units) {
  if (!out.json()) {
    for (const UnitFile& unit : units) out.write("# " + (place.folder / unit.name).string() + "\n" + unit.bytes + "\n");
    return;
  }
  Json list = Json::array();
  for (const UnitFile& unit : units) {
    Json one = Json::object();
    one.set("file", (place.folder / unit.name).string());
    one.set("text", unit.bytes);
    list.push_back(std::move(one));
  }
  Json value = Json::object();
  value.set("v", 1);
  value.set("units", std::move(list));
  out.value(value);
}

// The process of a daemon that keeps this vault and is not the service's: a service beside it would only be told so.
std::optional<int> daemon_by_hand(const Invocation& invocation, const Place& place) {
  const auto holder = holder_of_lock(invocation.files, place.units.vault);
  if (!holder) return std::nullopt;
  const auto answer = ask_program(
      {.words = {"systemctl", "--user", "show", "--property=MainPID", "--value", place.service}, .environment = own_environment()});
  if (answer && answer->output == std::to_string(holder->pid) + '\n') return std::nullopt;
  return holder->pid;
}

// What is not tried stays as it was: an earlier installation has found out what this system can do.
void leave_hardening(const Place& place, std::vector<UnitFile>& units) {
  std::error_code error;
  if (!std::filesystem::exists(place.folder / hardening_unit, error)) return;
  std::erase_if(units, [](const UnitFile& unit) { return unit.name == hardening_unit; });
}

// Starts the service now and at every login; that of a socket, too, to see whether it can. Quiet: a try that is made up for by the
// next one is nothing to read.
Status start(const Place& place) {
  return run_steps(
      {{"daemon-reload"}, {"enable", "--now", place.units.with_socket ? place.socket : place.service}, {"start", place.service}},
      Shown::nothing);
}

// Hardening that this system cannot do keeps the service from starting. Then it is given up, as little of it as will do. The
// options that were; an error if it is not for them that the service does not start.
Result<std::vector<std::string>> start_with_what_works(const Invocation& invocation, const Place& place,
                                                       std::vector<UnitFile>& units) {
  (void)systemctl({"stop", place.service}, Shown::nothing);  // one that runs would show nothing of these units
  auto started = start(place);
  if (started) return std::vector<std::string>();
  const auto hardening = std::ranges::find(units, hardening_unit, &UnitFile::name);
  if (hardening == units.end()) return std::unexpected(started.error());
  const std::string all = hardening->bytes;
  for (const auto& given_up : hardening_to_give_up()) {
    hardening->bytes = without_options(all, given_up);
    TRY(write_units(invocation, place, {*hardening}));
    (void)systemctl({"stop", place.service}, Shown::nothing);
    (void)systemctl({"reset-failed", place.service}, Shown::nothing);
    if (start(place)) return given_up;
  }
  hardening->bytes = all;
  TRY(write_units(invocation, place, {*hardening}));
  (void)systemctl({"daemon-reload"}, Shown::nothing);
  return std::unexpected(started.error());
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

Result<int> install(Invocation& invocation) {
  const auto place = TRY(place_to_install(invocation));
  auto units = TRY(units_for(place.units));
  Output& out = invocation.out;
  if (invocation.arguments.has("--print")) {
    print_units(out, place, units);
    return 0;
  }
  const std::string& first = place.units.with_socket ? place.socket : place.service;
  const bool starts = !invocation.arguments.has("--no-start") && has_manager();
  const auto by_hand = daemon_by_hand(invocation, place);
  if (starts && by_hand)
    return fail(ErrorCode::refused,
                "process " + std::to_string(*by_hand) + " keeps this vault already: a daemon that was started by hand",
                "stop it first (kill " + std::to_string(*by_hand) + "); then 'loci service install' again");
  if (!starts) leave_hardening(place, units);
  TRY(write_units(invocation, place, units));
  std::vector<std::string> given_up;
  if (starts) {
    auto without = TRY(start_with_what_works(invocation, place, units));
    given_up = std::move(without);
  }
  if (!given_up.empty()) out.warn("this system cannot do some of the hardening, so the service runs without " + joined(given_up));
  if (out.json()) {
    Json value = Json::object();
    value.set("v", 1);
    value.set("unit", first);
    Json files = Json::array();
    for (const UnitFile& unit : units) files.push_back((place.folder / unit.name).string());
    value.set("files", std::move(files));
    value.set("started", starts);
    out.value(value);
    return 0;
  }
  for (const UnitFile& unit : units) out.line("wrote " + printable((place.folder / unit.name).string()));
  if (starts) {
    out.line("started " + printable(first) + ", now and at every login");
    out.line("To have it run while you are logged out as well: loginctl enable-linger");
  } else {
    if (!invocation.arguments.has("--no-start"))
      out.line("There is no systemd user manager here that could start it. Where there is one:");
    if (by_hand) out.line("  kill " + std::to_string(*by_hand) + "   # the daemon that was started by hand: one a vault is enough");
    out.line("  systemctl --user daemon-reload");
    out.line("  systemctl --user enable --now '" + printable(first) + "'");
  }
  return 0;
}

// Other vaults use the template as long as one of their instances is enabled.
bool other_instances(const Place& place) {
  std::error_code error;
  for (const char* target : {"default.target.wants", "sockets.target.wants"})
    for (const auto& entry : std::filesystem::directory_iterator(place.folder / target, error)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("loci@") && name != place.service && name != place.socket) return true;
    }
  return false;
}

Result<int> remove(Invocation& invocation) {
  for (const OptionSpec& option : service_options)
    if (invocation.arguments.has(option.name))
      return fail(ErrorCode::usage, std::string(option.name) + " belongs to 'service install'", "nothing was removed");
  const auto place = TRY(place_to_remove(invocation));
  const bool manager = has_manager();
  if (manager) (void)systemctl({"disable", "--now", place.socket}, Shown::nothing);  // there may be none
  if (manager) (void)systemctl({"disable", "--now", place.service}, Shown::nothing);
  FileSystem& files = invocation.files;
  std::vector<path> removed = {place.folder / place.socket, place.folder / (place.service + ".d") / "credentials.conf",
                               place.folder / (place.service + ".d") / "folders.conf",
                               place.folder / "default.target.wants" / place.service,
                               place.folder / "sockets.target.wants" / place.socket};
  if (!other_instances(place))
    for (const TemplateFile& unit : systemd_units()) removed.push_back(place.folder / unit.name);
  size_t count = 0;
  for (const path& file : removed) {
    std::error_code error;
    if (!std::filesystem::exists(std::filesystem::symlink_status(file, error))) continue;
    TRY(files.remove(file));
    ++count;
    if (!invocation.out.json()) invocation.out.line("removed " + printable(file.string()));
    std::filesystem::remove(file.parent_path(), error);  // if nothing is left in it
  }
  if (manager) (void)systemctl({"daemon-reload"}, Shown::nothing);
  if (invocation.out.json()) {
    Json value = Json::object();
    value.set("v", 1);
    value.set("removed", static_cast<std::int64_t>(count));
    invocation.out.value(value);
  } else if (count == 0) {
    invocation.out.line("nothing to do: this vault has no service");
  }
  return 0;
}

Result<int> run_service(Invocation& invocation) {
  const std::string& action = invocation.arguments.positionals().front();
  return action == "install" ? install(invocation) : remove(invocation);
}

}  // namespace

constinit const Command service_command = {
    "service",
    "Let systemd keep a daemon running for this vault",
    "A user service, one a vault: started at login, restarted if it fails or hangs. Nothing outside the vault, its state and\n"
    "the user's units is touched. remove takes the service away, and no memory.",
    service_positionals,
    service_options,
    run_service};

}  // namespace loci::cli
