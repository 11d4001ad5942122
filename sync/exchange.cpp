#include "sync/exchange.h"

#include <random>
#include <thread>

#include "base/log.h"
#include "base/process_lock.h"
#include "base/shell_word.h"
#include "indexer/stored_entry.h"
#include "sync/registration.h"
#include "sync/settle_files.h"
#include "sync/sync_record.h"
#include "vault/git/git.h"
#include "vault/git/git_answers.h"

namespace loci {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds lock_patience{2'000};
constexpr int shortest_pause = 50, longest_pause = 400;  // ms, times the number of the try

std::string message_of(const Vault& vault, const std::string& what) {
  return what + " (" + vault.host_name() + ")\n\n" + host_trailer + ": " + vault.host();
}

class Exchange {
 public:
  Exchange(const Vault& vault, const GitExchange& git, const ExchangeOptions& options)
      : vault_(vault), git_(git), options_(options) {}

  Result<Exchanged> run() {
    if (!options_.program.empty() && !options_.dry_run) (void)renew_driver(git_, options_.program);  // a sync itself needs none
    if (!git_.is_merging() || options_.dry_run) TRY(git_.check_ready());
    upstream_ = TRY(git_.upstream());
    TRY(check_losses());
    if (git_.is_merging()) TRY(finish_merge());
    TRY(check_own_files());
    done_.remote = upstream_.remote;
    done_.branch = upstream_.branch;
    if (!options_.dry_run) TRY(write_attributes(git_));
    for (done_.tries = 1; done_.tries <= options_.tries; ++done_.tries) {
      if (TRY(once())) {
        if (const std::string kept = what_git_keeps_out(git_); !kept.empty()) log_warning("not sent: " + kept);
        return std::move(done_);
      }
      if (options_.stop.stop_requested()) break;
      pause();
    }
    return fail(
        ErrorCode::remote,
        "others write to '" + upstream_.remote + "' all the time: " + std::to_string(options_.tries) + " tries were too late",
        "nothing was lost; try again");
  }

 private:
  void tell(const std::string& step) const {
    if (options_.tell) options_.tell(step);
  }

  // False: somebody was faster, here or there.
  Result<bool> once() {
    tell("committing");
    const std::string message = message_of(vault_, "loci sync");
    std::string ours = TRY(options_.dry_run ? git_.commit_apart(message) : git_.commit_all(message));
    if (options_.dry_run && TRY(git_.difference({}, ours)).files == 0) ours.clear();
    if (before_.empty()) before_ = ours;
    tell("fetching from " + upstream_.remote);
    auto theirs = TRY(git_.fetch(upstream_));
    if (TRY(git_.current_branch()) != upstream_.branch)
      return fail(ErrorCode::refused, "the vault is on another branch than a moment ago: '" + upstream_.branch + "' was exchanged",
                  "nothing is lost; try again");
    if (!theirs) theirs = TRY(on_another_branch(ours));
    if (ours.empty() && !theirs)
      return fail(ErrorCode::refused, "there is nothing in the vault yet", "'loci init' lays down its files");
    if (theirs) TRY(check_history(ours, *theirs));
    done_.commit = theirs ? TRY(merged(ours, *theirs)) : ours;
    done_.sent = TRY(git_.difference(theirs.value_or(std::string()), done_.commit));
    done_.received = TRY(git_.difference(before_, done_.commit));
    if (options_.dry_run) return true;
    return go_on(ours, theirs);
  }

  Result<bool> go_on(const std::string& ours, const std::optional<std::string>& theirs) {
    Status pushed;
    if (!theirs || done_.commit != *theirs) {
      tell("pushing to " + upstream_.remote);
      const auto answer = git_.push(upstream_, done_.commit);
      if (answer && *answer == Pushed::behind) return false;
      if (!answer) pushed = std::unexpected(answer.error());
    }
    if (done_.commit != ours) {
      tell("taking over what came");
      if (!TRY(git_.fast_forward(done_.commit))) return false;  // somebody saved meanwhile: that is to be merged, too
    }
    TRY(pushed);
    TRY(git_.note_exchanged(done_.commit));
    return true;
  }

  // Notes and entries travel with the markers in them, for whoever answers first. Settings that nobody can read would count
  // nowhere.
  Status check_own_files() const {
    const auto files = TRY(Git(vault_.root()).files_with_markers(".loci"));
    if (files.empty()) return {};
    const std::string& file = files.front();
    return fail(ErrorCode::refused, "git's conflict markers stand in '" + file + "'",
                "'loci resolve --ours " + shell_word(file) + "' or '--theirs' says which side counts");
  }

  // What went from here would go from every machine. So much of it at once is asked about first, of git, which has it all.
  Status check_losses() const {
    const auto lost = TRY(git_.losses());
    if (!is_wholesale(lost.files.size(), lost.had)) return {};
    const std::string& first = lost.files.front();
    return fail(
        ErrorCode::refused,
        std::to_string(lost.files.size()) + " of " + std::to_string(lost.had) + " files of the memory are gone here ('" + first +
            "' and others), and would go from every machine",
        "'git ls-files -d' lists them; in the vault, 'git ls-files -zd | xargs -0 git restore --' brings them back and leaves "
        "what else changed, 'git rm " +
            shell_word(first) + "', or 'git add --all', says that it was meant");
  }

  // A pull that stopped for a person's answers is gone on with when it has them all.
  Status finish_merge() {
    tell("fetching from " + upstream_.remote);
    const auto theirs = TRY(git_.fetch(upstream_));
    before_ = TRY(git_.head());
    return theirs ? git_.finish_merge(*theirs, message_of(vault_, "loci sync: merge")) : git_.check_ready();
  }

  // The remote has no branch of this name. Where others exchange on another one, a new one would never reach them: with nothing
  // here yet that one is taken, else somebody has to say it.
  Result<std::optional<std::string>> on_another_branch(const std::string& ours) {
    const auto branches = TRY(git_.branches(upstream_.remote));
    if (branches.empty()) return std::nullopt;
    const std::string key = "branch." + upstream_.branch + ".merge", other = "refs/heads/" + branches.front();
    if (ours.empty()) {
      upstream_.ref = other;
      if (!options_.dry_run) TRY(git_.set(key, other));
      return git_.fetch(upstream_);
    }
    std::string names;
    for (const std::string& name : branches) names += (names.empty() ? "'" : ", '") + name + "'";
    const std::string missing = upstream_.ref.substr(upstream_.ref.rfind('/') + 1);
    const std::string clone = clone_words(TRY(git_.setting("remote." + upstream_.remote + ".url")), branches.front());
    return fail(
        ErrorCode::refused,
        "'" + upstream_.remote + "' has no branch '" + missing + "', but " + names + ": who exchanges there would not see it",
        "if nothing is here that counts, '" + clone + "' into another folder; else 'git config " + key + " " + other +
            "' exchanges with that one; 'git push " + upstream_.remote + " HEAD:" + upstream_.ref + "' makes one of its own");
  }

  // What was exchanged once stays in the remote's history; where it does not, somebody has rewritten that.
  Status check_history(const std::string& ours, const std::string& theirs) const {
    const std::string known = TRY(git_.exchanged());
    if (known.empty() || ours.empty() || TRY(git_.is_ancestor(known, theirs)) || TRY(git_.is_ancestor(theirs, ours))) return {};
    return fail(ErrorCode::refused,
                "the history of '" + upstream_.remote + "' was rewritten: what was exchanged before is not in it any more",
                "'git merge --allow-unrelated-histories " + theirs.substr(0, 12) + "' takes both, 'git reset --hard " +
                    theirs.substr(0, 12) + "' gives up what is only here");
  }

  Result<std::string> merged(const std::string& ours, const std::string& theirs) {
    done_.conflicts.clear();
    if (ours.empty()) return theirs;
    const auto base = TRY(git_.merge_base(ours, theirs));
    if (base == theirs) return ours;
    if (base == ours) return theirs;
    if (!base)
      return fail(ErrorCode::refused, "the vault and '" + upstream_.remote + "' have no history in common",
                  "if nothing is here that counts, 'git clone' that one into another folder; if both belong together: 'git merge "
                  "--allow-unrelated-histories " +
                      theirs.substr(0, 12) + "', once, and 'loci resolve' for what both say");
    tell("merging");
    const auto merge = TRY(git_.merge_trees(ours, theirs));
    std::string tree = merge.tree;
    if (!merge.conflicts.empty()) {
      const auto knowledge = TRY(KnowledgeOfCommits(git_, ours, theirs).read());
      auto settled = TRY(settle_files(git_, merge, knowledge));
      done_.conflicts = std::move(settled.conflicts);
      tree = TRY(git_.edit_tree(merge.tree, settled.edits));
    }
    return git_.commit_tree(tree, {ours, theirs}, message_of(vault_, "loci sync: merge"));
  }

  void pause() const {
    std::random_device seed;
    std::uniform_int_distribution<int> time(shortest_pause, longest_pause);
    std::this_thread::sleep_for(milliseconds(time(seed) * done_.tries));
  }

  const Vault& vault_;
  const GitExchange& git_;
  const ExchangeOptions& options_;
  GitUpstream upstream_;
  Exchanged done_;
  std::string before_;  // HEAD, with what was not committed yet
};

path scratch_folder(const Vault& vault) { return vault.state_folder() / "sync"; }

}  // namespace

Result<GitExchange> git_of(const Vault& vault, const GitExchange::Limits& limits, std::stop_token stop) {
  TRY(make_folders(vault.files(), scratch_folder(vault)));
  return GitExchange(vault.root(), scratch_folder(vault), limits, std::move(stop));
}

Result<Exchanged> exchange(const Vault& vault, const ExchangeOptions& options) {
  const auto git = TRY(git_of(vault, options.limits, options.stop));
  const auto lock = ProcessLock::acquire(vault.files(), scratch_folder(vault), lock_patience);
  if (!lock && lock.error().code == ErrorCode::locked)
    return fail(ErrorCode::locked, "another sync of this vault runs", "try again when it has ended");
  if (!lock) return std::unexpected(lock.error());
  auto done = Exchange(vault, git, options).run();
  if (options.dry_run || options.stop.stop_requested()) return done;
  SyncRecord record = read_sync_record(vault).value_or(SyncRecord{});
  const bool is_known = done && done->commit == record.commit;
  record.note(vault.clock().now(), done);
  if (done && !is_known)
    if (auto peers = git.peers()) record.peers = std::move(*peers);
  if (const auto written = write_sync_record(vault, record); !written && done) return std::unexpected(written.error());
  return done;
}

std::string clone_words(const std::string& url, const std::string& branch) {
  return "git clone -b " + shell_word(branch) + ' ' + shell_word(without_passwords(url));
}

}  // namespace loci
