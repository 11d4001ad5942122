#include "vault/layout/environment.h"

#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace loci {
namespace {

std::optional<std::string> value_if_set(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value ? std::optional<std::string>(value) : std::nullopt;
}

std::string value_of(const char* name) { return value_if_set(name).value_or(""); }

// As the XDG base directory specification says, a relative path counts as unset; so does a relative HOME.
path folder_from(const char* name, path fallback) {
  path folder = value_of(name);
  return folder.is_absolute() ? folder : fallback;
}

path home_folder() {
  if (path home = folder_from("HOME", {}); !home.empty()) return home;
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found) return found->pw_dir;
  return "/";
}

std::string read_machine_id() {
  auto bytes = read_file(real_file_system(), "/etc/machine-id", 4096);
  if (!bytes) return {};
  return bytes->substr(0, bytes->find_first_of(" \r\n"));
}

std::string read_host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace

Environment Environment::from_process() {
  Environment environment;
  std::error_code unknown;  // a removed working folder: an empty path, which no relative path can be looked up in
  environment.working_folder = std::filesystem::current_path(unknown);
  environment.home = home_folder();
  environment.config_home = folder_from("XDG_CONFIG_HOME", environment.home / ".config");
  environment.state_home = folder_from("XDG_STATE_HOME", environment.home / ".local/state");
  environment.runtime = folder_from("XDG_RUNTIME_DIR", {});
  environment.user_runtime = "/run/user/" + std::to_string(::getuid());
  environment.credentials = folder_from("CREDENTIALS_DIRECTORY", {});
  environment.vault = value_of("LOCI_VAULT");
  environment.host = value_of("LOCI_HOST");
  environment.machine_id = read_machine_id();
  environment.host_name = read_host_name();
  environment.editor = value_of("VISUAL");
  if (environment.editor.empty()) environment.editor = value_of("EDITOR");
  environment.no_color = !value_of("NO_COLOR").empty() || value_of("TERM") == "dumb";
  environment.journal = !value_of("JOURNAL_STREAM").empty();
  environment.variable = value_if_set;
  return environment;
}

}  // namespace loci
