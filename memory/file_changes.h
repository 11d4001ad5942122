// The part of forget, restore and correct that writes: consolidated/, the core of MEMORY.md and user.md, the archive and the logs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "indexer/entry.h"
#include "memory/removed_entries.h"
#include "vault/changes/file_transaction.h"
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
  // As take_out(), but the lines that show it stay in the core: they follow to what it gives way to.
  void give_way(const Entry& entry);
  // What was kept stands in a file again: in the place of the first of `instead` that stands in one, all of which leave that file
  // with copies kept, or else where the versions that are known of its own file had it. ErrorCode::refused if it cannot stand
  // there, or user.md has no room for it.
  Result<std::string> put_back(const RemovedEntry& removed, const std::vector<Entry>& instead = {});
  // The lines that show this entry, if they say what loci wrote there, or the text with this hash; of others only the metadata
  // goes, as they are a person's. And those of another entry that a person reworded to that text, which stands against it.
  void take_out_of_core(const std::string& id, std::string_view text_hash = {});
  // A new entry for the archive: stored before any tombstone says that an old one gave way to it. What it is told to be, id, time
  // and hash, holds; where it stands is told by carry_out().
  Result<Appended> append(NewEntry entry);

  bool changes_files() const;

  // Where the new entries stand. Adds to `files` what was rewritten and to `notes` what a person should know. Fails, with
  // everything as it was, like commit().
  Result<std::vector<Appended>> carry_out(const std::vector<Tombstone>& tombstones, const std::vector<LedgerEntry>& ledger,
                                          std::vector<std::string>& files, std::vector<std::string>& notes);
  // The same, but all of it or nothing: ErrorCode::refused if a file cannot be rewritten now.
  Status carry_out_at_once(const std::vector<Tombstone>& tombstones, const std::vector<LedgerEntry>& ledger,
                           std::vector<std::string>& files, std::vector<std::string>& notes);

 private:
  struct Planned {
    std::optional<std::string> before;
    std::string after;
    std::string where = {};  // the first text that leaves it
  };

  void take_out_of_file(const std::string& id, const EntryPlace& place);
  Status plan(const std::string& file, const ChangeBytes& change, IfMissing if_missing);
  FileTransaction transaction_of(FileTransaction::Order order, const std::vector<Tombstone>& tombstones,
                                 const std::vector<LedgerEntry>& ledger);

  const Vault& vault_;
  std::map<std::string, Planned> files_;
  std::vector<NewEntry> entries_;
  std::vector<std::string> notes_;
};

// Takes the lines that show this entry out of the core, now or not at all: lines follow their entries anyway.
void take_out_of_core(const Vault& vault, const std::string& id, std::string_view text_hash, std::vector<std::string>& files,
                      std::vector<std::string>& notes);

// Puts back what was kept under this id when it was taken out, at once. False if nothing was kept; fails as put_back().
Result<bool> put_back_into_files(const Vault& vault, const std::string& id, std::vector<std::string>& files);

}  // namespace loci
