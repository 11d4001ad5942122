// A folder of markdown that is someone's memory: where its files and its state are, its settings, its host.
// Immutable once open, so any thread may use it. Opening reads; only writes make `.loci/` (see vault/archive/append.h).
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/result.h"
#include "vault/layout/config.h"
#include "vault/layout/environment.h"

namespace loci {

// --vault if given, else $LOCI_VAULT, else the nearest parent folder with .loci/, else default_vault of the user's file.
// ErrorCode::not_found with a hint to `loci init` when none of them leads anywhere.
Result<path> find_vault(const Environment& environment, FileSystem& files, const std::string& from_command_line);

// For what an agent starts (`hook`, `mcp`), which never looks at folders above `working_folder`: a cloned repository must not
// become the memory. [agents] vaults by its longest folder that holds `working_folder`, else --vault, else default_vault. None
// where that is "off", or nothing is named.
Result<std::optional<path>> find_vault_of_agent(const Environment& environment, FileSystem& files, const path& working_folder,
                                                const std::string& from_command_line);

class Vault {
 public:
  // `root` is an existing folder. Fails with ErrorCode::not_found if it is none, with ErrorCode::usage on a broken user
  // configuration.
  static Result<Vault> open(const path& root, const Environment& environment, FileSystem& files, const Clock& clock);

  const path& root() const { return root_; }  // canonical
  path file(std::string_view relative) const { return root_ / relative; }
  path dot_loci() const { return root_ / ".loci"; }
  const std::string& id() const { return id_; }                // 16 hex digits from the canonical path
  const path& state_folder() const { return state_folder_; }   // <state home>/loci/<id>; may not exist yet
  const std::string& host() const { return host_; }            // [a-z][a-z0-9]{3,15}
  const std::string& host_name() const { return host_name_; }  // for people
  const Config& config() const { return loaded_.config; }
  const LoadedConfig& loaded_config() const { return loaded_; }
  path user_config_file() const { return user_config_file_; }
  path config_file() const { return root_ / vault_config_name; }
  path temporary_folder() const { return dot_loci() / "tmp"; }  // writes under way, what they displaced, and the watcher's probes
  FileSystem& files() const { return *files_; }
  const Clock& clock() const { return *clock_; }

 private:
  Vault() = default;

  path root_, state_folder_, user_config_file_;
  std::string id_, host_, host_name_;
  LoadedConfig loaded_;
  FileSystem* files_ = nullptr;
  const Clock* clock_ = nullptr;
};

}  // namespace loci
