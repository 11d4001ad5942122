// The surroundings of a loci process inside a temporary folder: nothing of the real home is read or written.
#pragma once

#include "tests/support/temporary_folder.h"
#include "vault/layout/environment.h"

namespace loci {

inline Environment environment_in(const TemporaryFolder& folder, std::string host = "test") {
  Environment environment;
  environment.working_folder = folder.path();
  environment.home = folder / "home";
  environment.config_home = folder / "home/.config";
  environment.state_home = folder / "home/.local/state";
  environment.host = std::move(host);
  environment.machine_id = "0123456789abcdef0123456789abcdef";
  environment.host_name = "test-machine";
  return environment;
}

}  // namespace loci
