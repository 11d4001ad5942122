// Changes of several files, and the entries of the archive and lines of the logs that go with them, as one: all of it happens or
// none, whoever is killed and whatever is full. It is noted durably before the first file is touched, in <state
// folder>/transactions/; what a note tells of is finished, or taken back if nothing of it was done, by whoever writes next: by
// commit(), by finish_transactions().
//
// Any thread, any process: one at a time (flock on that folder). A person's save is never lost to it, see vault/rewrite/replace.h:
// of a file that somebody saved since, only the entries that stand as they were are changed, and of the ledger's lines those of an
// entry that somebody edited are left out. What was restored since is not taken out any more, and what has ended since is not
// brought. The archive only grows: an entry that stands in it is never taken back, so what it belongs to is finished.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "vault/archive/append.h"
#include "vault/layout/vault.h"
#include "vault/logs/logs.h"
#include "vault/rewrite/change_file.h"

namespace loci {

struct FileChange {
  std::string file;
  std::optional<std::string> before;  // none: it is made
  std::string after;
};

struct FileTransaction {
  enum class Order : std::uint8_t {
    files_first,  // what loci has worked out: if a file is not what it was, nothing happens
    logs_first,   // what a person has decided: it holds at once; a file that cannot be rewritten now is rewritten later
  };
  std::string id;  // [A-Za-z0-9._-], new for each
  Order order = Order::files_first;
  std::vector<FileChange> files = {};
  std::vector<NewEntry> entries = {};  // appended before the logs say anything; as ready_to_append() returns them
  std::vector<Tombstone> tombstones = {};
  std::vector<LedgerEntry> ledger = {};
  std::optional<PromotedLines> promotion = {};
};

// What `change` makes of the file, without writing it; none if that is the file as it is. Fails like change_file().
Result<std::optional<FileChange>> planned_change(const Vault& vault, const std::string& file, const ChangeBytes& change,
                                                 IfMissing if_missing = IfMissing::fail);

// logs_first: the files that still are as they were, and why. Empty: everything is done.
struct WaitingFile {
  std::string file;
  Error why;
};
using StillToDo = std::vector<WaitingFile>;

struct Committed {
  StillToDo still_to_do = {};
  std::vector<std::string> kept = {};   // logs_first: ids of entries that somebody has changed since, and that stay as they are
  std::vector<Appended> appended = {};  // in the order of `entries`
};

// files_first: ErrorCode::refused, with everything as it was, if a file is not `before` or git is in the way. Fails in both orders
// with everything as it was, or, if that cannot be had on a disk that is full, with a message that says that it will be finished.
Result<Committed> commit(const Vault& vault, const FileTransaction& transaction);

struct FinishedTransactions {
  std::vector<std::string> ids;    // that are done now
  std::vector<std::string> files;  // that were written for that, logs included
  size_t ledger_lines = 0;         // that were missing
  std::vector<Error> still_to_do;  // why others wait on
};

// Finishes or takes back what killed processes and full disks left. Quick if there is nothing. Fails if the folder cannot be read
// or locked.
Result<FinishedTransactions> finish_transactions(const Vault& vault);

// Whether it waits to be finished, after commit() has failed; or else it was taken back.
bool is_noted(const Vault& vault, const FileTransaction& transaction);

// Where the notes lie; a note's bytes hold those of the files.
path transactions_folder(const Vault& vault);

}  // namespace loci
