#include "edits/evidence.h"

#include <sys/stat.h>

#include <algorithm>

#include "edits/act_log.h"
#include "edits/earlier_names.h"
#include "memory/promoted_lines.h"
#include "vault/git/git.h"
#include "vault/git/git_operation.h"
#include "vault/logs/host_log.h"
#include "vault/rewrite/versions.h"

namespace loci {
namespace {

// git cannot tell what the two have in common: nothing is decided.
std::set<std::string> undecided_without_base(const std::vector<Change>& changes) {
  std::set<std::string> all;
  for (const Change& change : changes) all.insert(change.before.id);
  return all;
}

std::optional<Instant> written_at(const path& file) {
  struct stat info{};
  if (::stat(file.c_str(), &info) != 0) return std::nullopt;
  return Instant(std::chrono::milliseconds(info.st_mtim.tv_sec * 1000 + info.st_mtim.tv_nsec / 1'000'000));
}

}  // namespace

Result<const Chronicle*> Evidence::logs() {
  if (!logs_) logs_ = TRY(Chronicle::read(vault_));
  return &*logs_;
}

bool explained_by(const Chronicle& logs, Place place, const SeenEntry& before, const SeenEntry* after) {
  if (place != Place::core) return after ? logs.explains_text(before.id, after->hash) : logs.explains_removal(before.id);
  return after ? logs.has_promoted(before.id, after->hash) : logs.explains_line_removal(before.id);
}

Result<Explained> Evidence::explained(Place place, std::span<const KnownVersion> known) {
  const Chronicle* chronicle = TRY(logs());
  return Explained([this, chronicle, place, known](const SeenEntry& before, const SeenEntry* after) {
    if (!explained_by(*chronicle, place, before, after)) return false;
    // The line gave way to a person's words: whoever wrote it before, it says that again by theirs.
    if (after && place == Place::core && chronicle->is_removed(before.id) && was_reworded(before.id)) return false;
    if (!after || place == Place::core || chronicle->has_written(before.id, before.hash)) return true;
    return std::ranges::none_of(known, [&](const KnownVersion& version) {
      const SeenEntry* then = find_seen(version.entries, after->id);
      return then && then->hash == after->hash;
    });
  });
}

bool Evidence::was_reworded(const std::string& ref) {
  if (!reworded_) reworded_ = reworded_in_core(vault_).value_or(std::set<std::string>());
  const Chronicle& logs = *logs_;
  return reworded_->contains(ref) && !logs.is_removed(refs_of_line(logs, *reworded_, ref).back());
}

Result<bool> Evidence::was_ended_knowingly(const std::string& file, const SeenEntry& entry, const Tombstone& end) {
  if (!own_tombstones_) {
    const HostLog log(vault_, "tombstones");
    own_tombstones_ = parse_tombstones(TRY(log.read_own()), log.own_path(), 0).lines;
  }
  const auto is_end = [&](const Tombstone& one) { return one.id == end.id && one.at == end.at && one.reason == end.reason; };
  if (std::ranges::none_of(*own_tombstones_, is_end)) return false;
  bool stood = false;
  for (const Version& version : TRY(versions_of(vault_, file))) {
    const auto bytes = TRY(bytes_of(vault_, file, version));
    if (!bytes) continue;
    const SeenFile seen = see_file(place_of(file), *bytes);
    const SeenEntry* then = find_seen(seen.entries, entry.id);
    if (!then && stood) return true;
    stood = stood || (then && then->hash == entry.hash && version.at <= end.at);  // what was typed later nobody knew then
  }
  return false;
}

Result<std::vector<SeenEntry>> Evidence::lacking_corrections(const std::vector<Change>& changes) {
  const Chronicle& chronicle = *TRY(logs());
  // A line of user.md that was corrected keeps its id: then it has to say again what was wrong.
  const auto is_undone = [&](const Change& change) {
    return std::ranges::any_of(chronicle.replaced_by(change.before.id), [&](std::string_view id) {
      const Tombstone& wrong = *chronicle.tombstone_of(id);
      return wrong.by == "user" && (!change.after || change.after->hash == wrong.text_hash);
    });
  };
  std::vector<SeenEntry> lacking;
  for (const Change& change : changes)
    if (is_undone(change)) lacking.push_back(change.before);
  return lacking;
}

bool Evidence::was_taken_back(const SeenEntry& entry, const Chronicle& logs) const {
  return then_.fingerprint != now_.fingerprint && logs.lines_of_entry(entry.id).empty() && !logs.promoted().contains(entry.id);
}

// A commit touches no file. What the commits from the merge base on changed is somebody's act elsewhere; what only the old HEAD had
// is nobody's.
Result<std::set<std::string>> Evidence::undecided_by_git(const std::string& file, const std::vector<Change>& changes) {
  std::set<std::string> undecided;
  if (then_.fingerprint == now_.fingerprint || then_.fingerprint.empty()) return undecided;
  const Chronicle& chronicle = *TRY(logs());
  for (const Change& change : changes)
    if (!change.after && is_decided_about(file, change.before) && was_taken_back(change.before, chronicle))
      undecided.insert(change.before.id);
  if (then_.commit == now_.commit || then_.commit.empty() || now_.commit.empty()) return undecided;
  const Git git(vault_.root());
  const auto straight_on = git.is_ancestor(then_.commit, now_.commit);
  if (straight_on && *straight_on) return undecided;
  const auto base = git.merge_base(then_.commit, now_.commit);
  const auto at = [&](const std::string& commit) -> Result<std::vector<SeenEntry>> {
    const auto bytes = TRY(git.file_at(commit, file));
    return bytes ? see_file(place_of(file), *bytes).entries : std::vector<SeenEntry>();
  };
  if (!straight_on || !base) return undecided_without_base(changes);
  const auto common = *base ? TRY(at(**base)) : std::vector<SeenEntry>(), head = TRY(at(now_.commit));
  for (const Change& change : changes) {
    const SeenEntry *then = find_seen(common, change.before.id), *now = find_seen(head, change.before.id);
    if (!change.after && !then && !now) undecided.insert(change.before.id);
    if (change.after && then && now && then->hash == now->hash && now->hash == change.after->hash)
      undecided.insert(change.before.id);
  }
  return undecided;
}

Result<bool> Evidence::waits_for_stash(const std::string& file, std::string_view bytes) const {
  if (then_.stash == now_.stash || now_.stash.empty() || now_.commit.empty()) return false;
  const auto head = TRY(Git(vault_.root()).file_at("HEAD", file));
  return head && *head == bytes;
}

bool Evidence::may_be_half_a_sync(Instant saved_at, Instant newest_write, Instant now) const {
  if (saved_at < newest_write) return true;
  if (!now_.fingerprint.empty()) return false;
  std::error_code error;
  for (const char* kind : {"ledger", "tombstones"}) {
    for (const auto& log : std::filesystem::directory_iterator(vault_.dot_loci() / kind, error)) {
      if (log.path().stem() == vault_.host()) continue;
      const auto at = written_at(log.path());
      if (at && *at <= now && now - *at < sync_settles) return true;
    }
  }
  return false;
}

Result<GitStand> git_stand(const Vault& vault, const GitStand& known) {
  const std::string fingerprint = git_fingerprint_around(vault.root());
  if (fingerprint.empty()) return GitStand{};
  if (fingerprint == known.fingerprint) return known;
  auto position = Git(vault.root()).position();
  if (!position && position.error().code == ErrorCode::locked) return std::unexpected(position.error());
  if (!position || !*position) return known;  // it cannot be asked: what it did counts as nothing
  return GitStand{(*position)->branch, (*position)->commit, (*position)->stash, fingerprint};
}

bool is_on_another_branch(const Vault& vault, const GitStand& then, const GitStand& now) {
  if (then.branch.empty() || now.fingerprint.empty() || then.branch == now.branch) return false;
  if (!now.branch.empty() && Git(vault.root()).is_ancestor(then.branch, now.commit).value_or(false)) return false;
  const path common = common_git_folder(git_folder_around(vault.root()));
  std::error_code error;
  if (std::filesystem::is_regular_file(common / then.branch, error)) return true;  // a folder holds branches below that name
  const auto packed = read_file_if_any(vault.files(), common / "packed-refs");
  return packed && *packed && (*packed)->contains(' ' + then.branch + '\n');  // else it was renamed
}

}  // namespace loci
