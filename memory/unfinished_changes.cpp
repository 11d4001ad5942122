#include "memory/unfinished_changes.h"

#include "memory/add.h"
#include "vault/rewrite/file_transaction_note.h"

namespace loci {

Result<FinishedTransactions> finish_unfinished_changes(Memory& memory) {
  auto finished = TRY(finish_transactions(memory.vault()));
  if (!finished.files.empty()) make_searchable(memory, finished.files);
  return finished;
}

std::vector<Problem> unfinished_changes(const Vault& vault) {
  std::vector<Problem> problems;
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
