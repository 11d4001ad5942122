#include "vault/changes/file_transaction.h"

#include <algorithm>
#include <ranges>
#include <set>

#include "base/process_lock.h"
#include "parser/entry_steps.h"
#include "vault/changes/file_transaction_note.h"
#include "vault/changes/noted_entries.h"
#include "vault/changes/noted_lines.h"
#include "vault/changes/overruled_steps.h"
#include "vault/rewrite/replace.h"
#include "vault/rewrite/versions.h"
#include "vault/rewrite/write_names.h"

namespace loci {
namespace {

using Order = FileTransaction::Order;

constexpr std::chrono::milliseconds lock_patience{10'000};
constexpr const char* finished_later = "it is finished by the daemon, or by the next command that writes";

Result<ProcessLock> lock_folder(const Vault& vault) {
  TRY(make_folders(vault.files(), transactions_folder(vault)));
  return ProcessLock::acquire(vault.files(), transactions_folder(vault), lock_patience);
}

std::unexpected<Error> to_be_finished(Error error) {
  error.message += "; what was begun stays noted";
  error.hint = finished_later;
  return std::unexpected(std::move(error));
}

// The archive and the logs: what stands there stays.
Result<bool> has_told_any(const Vault& vault, const FileTransaction& transaction) {
  return TRY(missing_in_logs(vault, transaction)).was_told || TRY(came_into_archive(vault, transaction.entries));
}

// --- files ---

enum class Direction { forward, back };

using Ids = std::set<std::string>;

// What a change comes to in the file as it is now, but for the steps that are `overruled`, if any may be; adds to `kept` the ids of
// what somebody changed since.
Result<std::string> stepped(const FileChange& change, Direction direction, std::string_view now, const OverruledSteps* overruled,
                            Ids& kept) {
  const std::string before = change.before.value_or(std::string());  // a file that was made stays, empty: it may be open already
  const std::string& from = direction == Direction::forward ? before : change.after;
  const std::string& to = direction == Direction::forward ? change.after : before;
  if (now == to) return to;
  auto steps = steps_between(from, to);
  const auto left_out = std::erase_if(steps, [&](const EntryStep& step) { return overruled && overruled->contains(step); });
  if (now == from && left_out == 0) return to;
  auto done = TRY(apply_steps(now, steps));
  kept.insert(done.kept.begin(), done.kept.end());
  return std::move(done.bytes);
}

Result<bool> step(const Vault& vault, const FileChange& change, Direction direction, const OverruledSteps* overruled, Ids& kept) {
  const auto planned = [&](std::string_view now) { return stepped(change, direction, now, overruled, kept); };
  return change_file(vault, change.file, planned, IfMissing::create);
}

// A file is replaced as a whole: what is missing in it since, somebody took out.
Result<bool> is_finished(const Vault& vault, const FileChange& change) {
  const auto now = TRY(read_file_if_any(vault.files(), vault.file(change.file)));
  return now && has_any_of(*now, steps_between(change.before.value_or(std::string()), change.after));
}

// Whoever was killed between the file and its version leaves one of which nobody knows what it said: what a person has taken out
// of it since would be missing from nothing. One that cannot be noted passes for a person's.
void note_as_written(const Vault& vault, const FileChange& change) {
  const auto known = versions_of(vault, change.file);
  if (!known || !has_versions(change.file)) return;
  const std::string newest = known->empty() ? content_hash({}) : known->back().hash;
  if (newest == content_hash(change.before.value_or(std::string())))
    (void)note_version(vault, change.file, Version::Kind::wrote, change.after);
}

// Whether the file has, at least in part, what was to come into it.
Result<bool> was_written(const Vault& vault, const FileChange& change) {
  const auto now = TRY(read_file_if_any(vault.files(), vault.file(change.file)));
  if (!now || now == change.before) return false;
  if (*now == change.after) return true;
  const auto taken_back = apply_steps(*now, steps_between(change.after, change.before.value_or(std::string())));
  return taken_back && taken_back->bytes != *now;  // what a person made of it that cannot be rewritten is theirs
}

Status put(const Vault& vault, const FileChange& change) {
  return change.before ? replace_file(vault, change.file, *change.before, change.after)
                       : create_file(vault, change.file, change.after);
}

// --- the two orders ---

class Commit {
 public:
  Commit(const Vault& vault, const FileTransaction& transaction) : vault_(vault), transaction_(transaction) {}

  Result<Committed> run() {
    TRY(write_note(vault_, transaction_));
    return transaction_.order == Order::files_first ? files_first() : logs_first();
  }

 private:
  Status tell() {
    committed_.appended = TRY(append_entries(vault_, transaction_.entries));
    TRY(append_lines(vault_, {transaction_.tombstones, transaction_.ledger, transaction_.promotion}));
    return {};
  }

  Result<Committed> files_first() {
    for (size_t i = 0; i < transaction_.files.size(); ++i)
      if (auto written = put(vault_, transaction_.files[i]); !written) return take_back(i, written.error(), false);
    if (auto told = tell(); !told) return to_be_finished(told.error());
    return done();
  }

  Result<Committed> logs_first() {
    if (auto told = tell(); !told) return take_back(0, told.error(), true);
    Ids kept;
    for (const FileChange& change : transaction_.files) {
      auto written = step(vault_, change, Direction::forward, nullptr, kept);
      if (written) continue;
      written.error().hint = finished_later;
      committed_.still_to_do.push_back({change.file, std::move(written.error())});
    }
    committed_.kept.assign(kept.begin(), kept.end());
    return committed_.still_to_do.empty() ? done() : std::move(committed_);
  }

  // A note that cannot be removed tells of what is done: whoever reads it next has nothing to do.
  Committed done() {
    (void)remove_note(vault_, transaction_.id);
    return std::move(committed_);
  }

  // The first `count` files were written; the next one may hold its new bytes though it failed, unless it was refused: what stands
  // there then is somebody else's, even if it is the same. Lines of the logs are ours only if we came to append any (`has_told`):
  // another process may have told the same in the same millisecond.
  std::unexpected<Error> take_back(size_t count, Error error, bool has_told) const {
    const bool may_be_written = transaction_.order == Order::files_first && error.code != ErrorCode::refused;
    if (may_be_written && count < transaction_.files.size() && holds_new_bytes(transaction_.files[count])) ++count;
    Ids kept;
    for (const FileChange& change : transaction_.files | std::views::take(count) | std::views::reverse)
      if (!step(vault_, change, Direction::back, nullptr, kept)) return to_be_finished(std::move(error));
    // An append that could not be made durable may have left its lines: they hold, and so does the rest.
    if (const auto told = has_told ? has_told_any(vault_, transaction_) : false; !told || *told)
      return to_be_finished(std::move(error));
    if (!remove_note(vault_, transaction_.id)) return to_be_finished(std::move(error));
    return std::unexpected(std::move(error));
  }

  bool holds_new_bytes(const FileChange& change) const {
    const auto now = read_file_if_any(vault_.files(), vault_.file(change.file));
    return !now || *now == change.after;
  }

  const Vault& vault_;
  const FileTransaction& transaction_;
  Committed committed_;
};

class Finishing {
 public:
  explicit Finishing(const Vault& vault) : vault_(vault) {}

  Result<FinishedTransactions> run() {
    remove_unfinished_notes(vault_);
    const auto ids = TRY(noted_transactions(vault_));
    for (const std::string& id : ids) {
      const auto transaction = read_note(vault_, id);
      auto finished = transaction ? finish(*transaction) : std::unexpected(transaction.error());
      if (!finished) finished_.still_to_do.push_back(std::move(finished.error()));
    }
    return std::move(finished_);
  }

 private:
  Status finish(const FileTransaction& transaction) {
    auto missing = TRY(missing_in_logs(vault_, transaction));
    if (!TRY(has_told_any(vault_, transaction)) && !TRY(has_written(transaction))) return remove_note(vault_, transaction.id);
    // The logs tell of entries that stand already: one that is gone since was taken out.
    if (!missing.was_told) TRY(append_missing_entries(transaction));
    const auto overruled = TRY(OverruledSteps::of(vault_, transaction));
    Ids kept;
    for (const FileChange& change : transaction.files) {
      if (TRY(is_finished(vault_, change))) {
        note_as_written(vault_, change);
        continue;
      }
      const auto written = TRY(step(vault_, change, Direction::forward, &overruled, kept));
      if (written) finished_.files.push_back(change.file);
    }
    std::erase_if(missing.lines.ledger,
                  [&](const LedgerEntry& line) { return kept.contains(line.entry) || kept.contains(line.into); });
    TRY(tell(missing.lines));
    finished_.ids.push_back(transaction.id);
    return remove_note(vault_, transaction.id);
  }

  Status append_missing_entries(const FileTransaction& transaction) {
    for (const Appended& one : TRY(append_entries(vault_, TRY(missing_in_archive(vault_, transaction.entries)))))
      finished_.files.push_back(one.file);
    return {};
  }

  Status tell(const NotedLines& lines) {
    std::ranges::move(TRY(append_lines(vault_, lines)), std::back_inserter(finished_.files));
    finished_.ledger_lines += lines.ledger.size();
    return {};
  }

  Result<bool> has_written(const FileTransaction& transaction) const {
    for (const FileChange& change : transaction.files) {
      const auto written = TRY(was_written(vault_, change));
      if (written) return true;
    }
    return false;
  }

  const Vault& vault_;
  FinishedTransactions finished_;
};

}  // namespace

Result<std::optional<FileChange>> planned_change(const Vault& vault, const std::string& file, const ChangeBytes& change,
                                                 IfMissing if_missing) {
  auto before = if_missing == IfMissing::create ? TRY(read_file_if_any(vault.files(), vault.file(file)))
                                                : std::optional(TRY(read_file(vault.files(), vault.file(file))));
  auto after = TRY(change(before.value_or(std::string())));
  if (after == before.value_or(std::string())) return std::nullopt;
  return FileChange{file, std::move(before), std::move(after)};
}

Result<Committed> commit(const Vault& vault, const FileTransaction& transaction) {
  const auto lock = TRY(lock_folder(vault));
  TRY(Finishing(vault).run());  // what still has to wait stands in nobody's way
  return Commit(vault, transaction).run();
}

bool is_noted(const Vault& vault, const FileTransaction& transaction) { return has_note(vault, transaction.id); }

Result<FinishedTransactions> finish_transactions(const Vault& vault) {
  std::error_code missing;
  if (std::filesystem::is_empty(transactions_folder(vault), missing) || missing) return FinishedTransactions{};
  const auto lock = TRY(lock_folder(vault));
  return Finishing(vault).run();
}

}  // namespace loci
