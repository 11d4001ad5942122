// The note of a transaction: <state folder>/transactions/<id>.note, mode 0600, whole or not there.
//
// A line of JSON with the order, the names of the files and how many bytes follow; then those bytes: of each file before and after,
// the entries as markdown, the tombstones, the lines of the ledger. Bytes of files need not be UTF-8.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "vault/changes/file_transaction.h"

namespace loci {

Status write_note(const Vault& vault, const FileTransaction& transaction);
// ErrorCode::failed, with the path, if it is damaged.
Result<FileTransaction> read_note(const Vault& vault, const std::string& id);
Status remove_note(const Vault& vault, const std::string& id);
bool has_note(const Vault& vault, const std::string& id);
// What processes left that were killed while they wrote one. The caller has the folder's lock.
void remove_unfinished_notes(const Vault& vault);
// Oldest first, if ids rise with time.
Result<std::vector<std::string>> noted_transactions(const Vault& vault);

}  // namespace loci
