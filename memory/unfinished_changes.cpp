#include "memory/unfinished_changes.h"

#include "base/process_lock.h"
#include "memory/add.h"
#include "vault/changes/file_transaction_note.h"

namespace loci {

Result<FinishedTransactions> finish_unfinished_changes(Memory& memory) {
  auto finished = TRY(finish_transactions(memory.vault()));
  if (!finished.files.empty()) make_searchable(memory, finished.files);
  return finished;
}

std::vector<Problem> unfinished_changes(const Vault& vault) {
  std::vector<Problem> problems;
  std::error_code missing;
  if (std::filesystem::is_empty(transactions_folder(vault), missing) || missing) return problems;
  const auto lock = ProcessLock::acquire(vault.files(), transactions_folder(vault), std::chrono::milliseconds(0));
  if (!lock && lock.error().code == ErrorCode::locked) return problems;  // somebody is at it
  const auto noted = noted_transactions(vault);
  for (const std::string& id : noted.value_or(std::vector<std::string>())) {
    const auto transaction = read_note(vault, id);
    if (!transaction && transaction.error().code != ErrorCode::not_found)  // one that was finished just now
      problems.push_back({"", 0, "unfinished-change", transaction.error().message});
    if (!transaction) continue;
    for (const FileChange& change : transaction->files)
      problems.push_back({change.file, 0, "unfinished-change",
                          "a change of it was cut short: it is finished by the daemon, or by the next command that writes"});
  }
  return problems;
}

}  // namespace loci
