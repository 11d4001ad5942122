// What a process may know of its surroundings, read once in main and passed on. Nothing else calls getenv.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/file_system.h"

namespace loci {

struct Environment {
  path working_folder;
  path home;
  path config_home;        // $XDG_CONFIG_HOME, else ~/.config
  path state_home;         // $XDG_STATE_HOME, else ~/.local/state
  path runtime;            // $XDG_RUNTIME_DIR; may be empty
  path user_runtime;       // /run/user/UID, where the system's services of this user have their sockets; may be empty
  path credentials;        // $CREDENTIALS_DIRECTORY: what systemd's LoadCredential= gave; may be empty
  std::string vault;       // $LOCI_VAULT; may be empty
  std::string host;        // $LOCI_HOST; may be empty
  std::string machine_id;  // /etc/machine-id; may be empty
  std::string host_name;   // gethostname, for people
  std::string editor;      // $VISUAL, else $EDITOR; may be empty
  bool no_color = false;   // $NO_COLOR is set, or $TERM is "dumb"
  bool journal = false;    // $JOURNAL_STREAM is set: the system's journal reads stderr

  // Any other variable, which a setting may name (`key_env`); none if it is not set. Empty: there are no others.
  std::function<std::optional<std::string>(const std::string& name)> variable;

  static Environment from_process();

  path user_config_file() const { return config_home / "loci/config.toml"; }
};

}  // namespace loci
