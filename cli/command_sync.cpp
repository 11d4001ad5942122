#include <unistd.h>

#include <algorithm>

#include "base/counted.h"
#include "cli/command.h"
#include "sync/exchange.h"
#include "sync/registration.h"
#include "sync/sync_vault.h"

namespace loci::cli {
namespace {

constexpr PositionalSpec sync_positionals[] = {{"URL", ValueKind::text, false}};
constexpr OptionSpec sync_options[] = {
    {"--dry-run", "", ValueKind::none, "fetch and say what would be exchanged, and change nothing"},
    {"--setup", "", ValueKind::none, "have git merge by loci here; with URL: exchange with that repository from now on"},
    {"--timeout", "DURATION", ValueKind::duration, "how long the remote may take for an answer (5m)"},
};

std::string difference_text(const GitDifference& difference) {
  return counted(difference.entries, "entry", "entries") + " in " + counted(difference.files, "file", "files");
}

struct Counterpart {
  std::string remote, branch, url;
};

// Of the same name, unless this repository exchanged nothing yet, by no branch, and others do on another branch there.
Result<std::string> branch_there(const GitExchange& git, const std::string& remote, const std::string& branch) {
  const auto branches = git.branches(remote);
  if (!branches || branches->empty() || std::ranges::find(*branches, branch) != branches->end())
    return branch;  // or it is not there yet
  const bool is_new = TRY(git.exchanged()).empty() && !TRY(git.exchanges_another_branch(remote));
  return is_new ? branches->front() : branch;
}

// The branch's counterpart at this address.
Result<Counterpart> connect(const GitExchange& git, const std::string& url) {
  const auto remotes = TRY(git.remotes());
  std::string remote = "origin";
  for (const std::string& known : remotes)
    if (TRY(git.setting("remote." + known + ".url")) == url) remote = known;
  if (const std::string known = TRY(git.setting("remote." + remote + ".url")); known.empty())
    TRY(git.add_remote(remote, url));
  else if (known != url)
    return fail(ErrorCode::refused, "the remote '" + remote + "' has another address already",
                "'git remote set-url " + remote + " URL' changes it");
  const std::string branch = TRY(git.current_branch());
  TRY(git.set("branch." + branch + ".remote", remote));
  const std::string there = TRY(branch_there(git, remote, branch));
  TRY(git.set("branch." + branch + ".merge", "refs/heads/" + there));
  return Counterpart{remote, there, url};
}

Result<int> set_up(Invocation& invocation, const Vault& vault) {
  const auto git = TRY(git_of(vault));
  TRY(git.check_ready());
  std::error_code error;
  TRY(register_driver(git, std::filesystem::read_symlink("/proc/self/exe", error).string()));
  const auto& words = invocation.arguments.positionals();
  Counterpart counterpart;
  if (!words.empty()) counterpart = TRY(connect(git, words.front()));
  Output& out = invocation.out;
  if (out.json()) {
    Json value = Json::object();
    value.set("v", 1);
    value.set("driver", TRY(git.setting("merge.loci.driver")));
    value.set("remote", counterpart.remote.empty() ? Json() : Json(counterpart.remote));
    value.set("branch", counterpart.branch.empty() ? Json() : Json(counterpart.branch));
    out.value(value);
    return 0;
  }
  out.line("git merges the files of entries by loci here");
  if (counterpart.remote.empty()) return 0;
  out.line("exchanges with the branch '" + counterpart.branch + "' of '" + counterpart.remote + "' from now on: 'loci sync'");
  // Which branch an empty repository calls its own is not told to whoever asks, and that one a clone without -b has.
  out.line("after the first sync another machine gets it by '" + clone_words(counterpart.url, counterpart.branch) + "'");
  return 0;
}

ExchangeOptions options_of(Invocation& invocation) {
  ExchangeOptions chosen;
  chosen.dry_run = invocation.arguments.has("--dry-run");
  if (const auto patience = invocation.arguments.duration("--timeout")) chosen.limits.network = *patience;
  if (!invocation.out.json() && ::isatty(STDERR_FILENO) == 1)
    chosen.tell = [&out = invocation.out](std::string_view step) { out.note(step); };
  return chosen;
}

void print(Output& out, const Synced& synced, bool dry_run) {
  const Exchanged& done = synced.exchanged;
  const std::string would = dry_run ? "would be " : "";
  out.line(difference_text(done.sent) + ' ' + would + "sent to " + printable(done.remote) + ", " + difference_text(done.received) +
           ' ' + would + "received");
  for (const std::string& id : synced.removed)
    out.line("said twice, as two machines consolidated at once: removed " + out.styled(Style::id, id));
  for (const std::string& id : synced.ended)
    out.line("forgotten or corrected elsewhere, or made of that: removed " + out.styled(Style::id, id));
  for (const std::string& id : synced.restored) out.line("taken back after that: put back " + out.styled(Style::id, id));
  if (!synced.pending.empty()) out.line(counted(synced.pending.size(), "fact", "facts") + " to be folded anew");
  for (const std::string& file : done.conflicts)
    out.line("changed on both sides: " + out.styled(Style::place, printable(file)) + ": 'loci resolve'");
}

Result<int> run_sync(Invocation& invocation) {
  auto memory = TRY(invocation.open_memory());
  if (invocation.arguments.has("--setup")) return set_up(invocation, memory.vault());
  if (!invocation.arguments.positionals().empty())
    return fail(ErrorCode::usage, "an address goes with --setup", "'loci sync --setup URL', once");
  auto chosen = options_of(invocation);
  std::error_code error;
  chosen.program = std::filesystem::read_symlink("/proc/self/exe", error).string();
  const auto synced = TRY(sync_vault(memory, chosen));
  if (invocation.out.json())
    invocation.out.value(synced_to_json(synced, chosen.dry_run));
  else
    print(invocation.out, synced, chosen.dry_run);
  return 0;
}

}  // namespace

constinit const Command sync_command = {
    "sync",
    "Exchange the vault with a git repository that other machines use, too",
    "Commits what is new here, fetches what is new there, merges entry by entry, and pushes. Never forces, rebases or stashes.\n"
    "Two persons' texts of one entry both stay, between conflict markers, until 'loci resolve' is asked.\n"
    "Ends with 5 if this is no state to sync in, with 6 if the remote does not answer or does not take it. Nothing is lost then.",
    sync_positionals,
    sync_options,
    run_sync};

}  // namespace loci::cli
