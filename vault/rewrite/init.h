// Laying down a new vault. The files are those of vault-template/, built into the program.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "vault/layout/environment.h"
#include "vault/layout/vault.h"

namespace loci {

struct TemplateFile {
  std::string_view name;   // relative to the vault's root
  std::string_view bytes;  // `{{host}}` stands for the id of the host that makes the vault
};

// Generated at build time from vault-template/.
const std::vector<TemplateFile>& vault_template();

struct InitResult {
  std::vector<std::string> made;     // relative paths, in the order of the template
  std::vector<std::string> existed;  // left as they were
};

// Makes the folder if there is none, then every file that is missing, and makes this host one of the vault's. Never touches an
// existing file; run again after a crash it makes what is still missing.
// `asked_about`: files that stay away, as nobody knows yet whether a person meant that.
Result<InitResult> init_vault(const path& root, const Environment& environment, FileSystem& files, const Clock& clock,
                              const std::set<std::string>& asked_about = {});

}  // namespace loci
