// The part of forget, restore and correct that rewrites files: consolidated/, the core of MEMORY.md and user.md.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "indexer/entry.h"
#include "vault/layout/vault.h"
#include "vault/logs/logs.h"
#include "vault/rewrite/change_file.h"

namespace loci {

// What a person, or an agent for them, has decided comes to in the files: planned first, file by file, then carried out with the
// lines of the logs that say so, as one transaction. It holds at once; a file that cannot be rewritten now (git is busy, the disk
// is full) is rewritten by the daemon, or by the next command that writes. One thread.
class DecidedChanges {
 public:
  explicit DecidedChanges(const Vault& vault) : vault_(vault) {}

  // Plans what `change` makes of the file, on top of what was planned of it before. Fails as `change`, and as reading the file.
  Status change(const std::string& file, const ChangeBytes& change);
  // An entry leaves the files that loci writes, and the lines that show it leave the core. A copy is kept for `restore` at once.
  // Where its text still stands is a note.
  void take_out(const Entry& entry);
  // Its copies in other files than its first, where its successor stands.
  void take_out_copies(const Entry& entry);
  void take_out_of_core(const std::string& id);

  bool changes_files() const;

  // Adds to `files` what was rewritten and to `notes` what a person should know. Fails, with everything as it was, like commit().
  Status carry_out(const std::vector<Tombstone>& tombstones, const std::vector<LedgerEntry>& ledger,
                   std::vector<std::string>& files, std::vector<std::string>& notes);

 private:
  struct Planned {
    std::optional<std::string> before;
    std::string after;
    std::string where = {};  // the first text that leaves it
  };

  void take_out_of_file(const std::string& id, const EntryPlace& place);

  const Vault& vault_;
  std::map<std::string, Planned> files_;
  std::vector<std::string> notes_;
};

// Takes the lines that show this entry out of the core, now or not at all: lines follow their entries anyway.
void take_out_of_core(const Vault& vault, const std::string& id, std::vector<std::string>& files, std::vector<std::string>& notes);

// Puts back what was kept under this id when it was taken out. False if nothing was kept; ErrorCode::refused if user.md has no room
// for it.
Result<bool> put_back_into_files(const Vault& vault, const std::string& id, std::vector<std::string>& files);

}  // namespace loci
