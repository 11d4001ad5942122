// .loci/tmp/ while one process replaces files, recovers or looks at what was displaced: a lock (flock on the folder itself) that
// dies with its holder. Whoever has it knows that every unfinished write in there is a dead process's, and that nobody else of
// ours exchanges anything in the vault.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/process_lock.h"
#include "base/result.h"
#include "vault/layout/vault.h"
#include "vault/rewrite/temporary_file.h"
#include "vault/rewrite/write_names.h"

namespace loci {

class WriteFolder {
 public:
  // Makes the folder. Waits for another holder as long as a replace may wait for an editor, and longer; then ErrorCode::locked.
  static Result<WriteFolder> lock(const Vault& vault);

  const Vault& vault() const { return *vault_; }
  path file(std::string_view name) const { return folder_ / name; }
  Status sync() const { return sync_folder(vault_->files(), folder_); }

  struct Contents {
    std::vector<WriteName> writes;
    std::vector<KeptName> kept;
    std::vector<std::string> target_ids;
    std::vector<std::string> new_files;  // names
  };
  Contents list() const;  // in the order of their ids, which is that of time

  // Notes, before anything else of this write exists, which file it is about; a path relative to the root.
  Result<TemporaryFile> note_target(const std::string& id, const std::string& target) const;
  // The path that was noted; where the note was lost, the start of the file's name at the root: a place where a person sees it.
  std::string target_of(const std::string& id, const std::string& start) const;
  // Removes the notes that no file in here belongs to any more.
  Status remove_unused_targets() const;

  // Keeps what was displaced under a name that says since when, and what its bytes were.
  Status keep(const WriteName& write, const std::string& hash) const;

 private:
  WriteFolder(const Vault& vault, path folder, ProcessLock held)
      : vault_(&vault), folder_(std::move(folder)), lock_(std::move(held)) {}

  const Vault* vault_;
  path folder_;
  ProcessLock lock_;
};

// Returns once no other process is replacing a file, or has waited for long: what it has written is noted as a version by then
// (vault/rewrite/versions.h), and passes for nobody else's.
void wait_for_writes(const Vault& vault);

}  // namespace loci
