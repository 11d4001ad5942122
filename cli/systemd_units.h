// The systemd user units of a vault's daemon: what they say, where they go, and their names. Writes files; runs nothing.
#pragma once

#include <string>
#include <vector>

#include "base/file_system.h"
#include "base/result.h"
#include "vault/rewrite/init.h"

namespace loci {

// The files of systemd/, by their names, with @PLACES@ to fill in.
const std::vector<TemplateFile>& systemd_units();

namespace cli {

// What a vault's units are made of.
struct UnitOptions {
  path program;  // absolute
  path vault;    // canonical
  path socket;   // where commands look for the daemon; for socket activation
  bool with_socket = false;
  std::vector<std::pair<std::string, path>> credentials;  // name and file: LoadCredential=
  // Folders that are not where they usually are: the manager does not know what a shell exports, and a daemon with another state
  // folder would keep another index.
  std::vector<std::pair<std::string, path>> folders;
};

// The instance's name of a vault, as `systemd-escape --path` makes it: "home-me-memory".
std::string unit_instance(const path& vault);

struct UnitFile {
  std::string name;  // relative to the unit folder
  std::string bytes;
};

// Hardening that a system may not be able to do, what is given up first in front. The last: all of it.
std::vector<std::vector<std::string>> hardening_to_give_up();

// A unit file without these options.
std::string without_options(std::string_view bytes, const std::vector<std::string>& options);

inline constexpr std::string_view hardening_unit = "loci@.service.d/hardening.conf";

// The units as they are to be written. ErrorCode::refused for a path that no unit can carry (a control character).
Result<std::vector<UnitFile>> units_for(const UnitOptions& options);

}  // namespace cli
}  // namespace loci
