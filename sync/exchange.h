// A vault and its remote, brought together by git: commit, fetch, merge, push, move on. What is merged is made as a commit of its
// own and pushed before any file here changes, so that whatever is killed when leaves the vault as it was or as it should be, and
// of two machines that merge at once one is first and the other merges with what that one did. Never forces, rebases or stashes.
//
// ErrorCode::refused: not in this state, or the remote's history was rewritten; ErrorCode::remote: the other side;
// ErrorCode::locked: another sync of this vault runs. Nothing is lost by any of them. One thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "vault/git/git_exchange.h"
#include "vault/layout/vault.h"

namespace loci {

struct ExchangeOptions {
  bool dry_run = false;
  int tries = 6;
  GitExchange::Limits limits = {};
  std::stop_token stop = {};
  std::string program = {};  // merges for git from now on, if the one that is registered is gone; empty: none does
  std::function<void(std::string_view step)> tell = {};  // "fetching from origin"
};

struct Exchanged {
  std::string remote, branch, commit;
  GitDifference sent, received;
  std::vector<std::string> conflicts;  // files in which something waits for a person
  int tries = 0;
};

Result<Exchanged> exchange(const Vault& vault, const ExchangeOptions& options);

// A git of this vault, with the scratch folder of its syncs. ErrorCode::failed if that cannot be made.
Result<GitExchange> git_of(const Vault& vault, const GitExchange::Limits& limits = {}, std::stop_token stop = {});

// The command by which another machine gets the vault. It names the branch: alone a clone takes the one that the repository calls
// its own, which need not be there.
std::string clone_words(const std::string& url, const std::string& branch);

}  // namespace loci
