#include "edits/what_came.h"

#include <algorithm>
#include <iterator>

#include "edits/ended_elsewhere.h"
#include "edits/new_ends.h"
#include "edits/settle_runs.h"
#include "vault/git/git_operation.h"
#include "vault/logs/vault_logs.h"

namespace loci {
namespace {

// The newest commit that is here and that others have, too. Without anything that tells, as after a pull of a path: HEAD.
Result<std::string> shared_commit(const GitExchange& git, const std::string& head) {
  const std::string exchanged = TRY(git.exchanged());
  if (exchanged == head) return head;
  const auto upstream = git.merge_base("HEAD", "@{upstream}");
  const std::string there = upstream ? upstream->value_or(std::string()) : std::string();
  if (exchanged.empty() || !TRY(git.is_ancestor(exchanged, head))) return there.empty() ? head : there;
  if (there.empty() || TRY(git.is_ancestor(there, exchanged))) return exchanged;
  return there;
}

Result<bool> others_did_something(const Vault& vault, const GitExchange& git, const std::string& from, const std::string& to) {
  for (const std::string& host : TRY(git.hosts_between(from, to)))
    if (host != vault.host()) return true;
  for (const std::string& log : TRY(git.files_new_in(from, to, {".loci/ledger", ".loci/tombstones"})))
    if (path(log).stem() != vault.host()) return true;
  return false;
}

}  // namespace

// What only this machine did is not news to it: a person who puts back what they forgot has seen its end.
Result<std::optional<WhatCame>> what_came(const Vault& vault, const GitExchange& git) {
  if (git_folder_around(vault.root()).empty()) return std::nullopt;
  const std::string head = TRY(git.head());
  if (head.empty() || !git.current_branch()) return std::nullopt;
  WhatCame came;
  came.commit = TRY(shared_commit(git, head));
  std::string known = TRY(git.taken_in());
  if (known.empty()) known = TRY(git.exchanged());
  if (known.empty() || known == came.commit) return came;
  came.others = TRY(others_did_something(vault, git, known, came.commit));
  if (came.others) came.ended = TRY(NewEnds::since(git, known)).in(TRY(read_logs(vault)));
  return came;
}

Result<bool> settle_before_edits(Memory& memory, const WhatCame& came, Understood& understood) {
  if (!came.others) return true;
  TRY(memory.take_in({}));
  auto settled = TRY(settle_runs(memory));
  if (!settled) return false;
  if (!settled->files.empty()) TRY(memory.take_in(settled->files));
  understood.said_twice = std::move(settled->removed);
  understood.pending = std::move(settled->pending);
  understood.restored = TRY(put_back_after_restore(memory, came.ended)).entries;
  return true;
}

Status settle_after_edits(Memory& memory, const WhatCame& came, Understood& understood) {
  if (came.ended.empty()) return {};
  std::ranges::move(TRY(take_out_after_end(memory, came.ended, understood.waiting)).entries, std::back_inserter(understood.ended));
  return {};
}

Status note_taken_in(const GitExchange& git, const WhatCame& came) { return git.note_taken_in(came.commit); }

}  // namespace loci
