#include "sync/sync_record.h"

#include "base/counted.h"
#include "base/error_shape.h"
#include "sync/conflict_copies.h"
#include "sync/registration.h"
#include "vault/git/git_operation.h"

namespace loci {
namespace {

path record_file(const Vault& vault) { return vault.state_folder() / "sync/last.json"; }

Json time_of(const std::optional<Instant>& at) { return at ? Json(format_rfc3339(*at)) : Json(); }

Json peers_to_json(const Vault& vault, const std::vector<GitPeer>& peers) {
  Json list = Json::array();
  for (const GitPeer& peer : peers) {
    Json one = Json::object();
    one.set("host", peer.host.empty() ? Json() : Json(peer.host));
    one.set("name", peer.name);
    one.set("seen", format_rfc3339(Instant(std::chrono::seconds(peer.seen))));
    one.set("self", !peer.host.empty() && peer.host == vault.host());
    list.push_back(std::move(one));
  }
  return list;
}

GitDifference difference_from(const Json* value) {
  return value ? GitDifference{value->count_at("files"), value->count_at("entries")} : GitDifference{};
}

std::optional<Error> error_from(const Json* value) {
  if (!value || !value->as_object()) return std::nullopt;
  Error error{ErrorCode::failed, value->text_at("message"), value->text_at("hint")};
  for (const ErrorCode code : {ErrorCode::refused, ErrorCode::remote, ErrorCode::locked})
    if (value->text_at("code") == name_of(code)) error.code = code;
  return error;
}

Json record_to_json(const Vault& vault, const SyncRecord& record) {
  Json value = Json::object();
  value.set("v", 1);
  value.set("tried", time_of(record.tried));
  value.set("done", time_of(record.done));
  Json error;
  if (record.error) {
    error.set("code", name_of(record.error->code));
    error.set("message", record.error->message);
    error.set("hint", record.error->hint);
  }
  value.set("error", std::move(error));
  value.set("failures", record.failures);
  value.set("remote", record.remote);
  value.set("branch", record.branch);
  value.set("commit", record.commit.empty() ? Json() : Json(record.commit));
  value.set("sent", difference_to_json(record.sent));
  value.set("received", difference_to_json(record.received));
  value.set("peers", peers_to_json(vault, record.peers));
  return value;
}

}  // namespace

constinit const Store sync_store{"the last sync", StoreRoot::state, "sync/", Permissions::owner};

Json difference_to_json(const GitDifference& difference) {
  Json value = Json::object();
  value.set("files", static_cast<std::int64_t>(difference.files));
  value.set("entries", static_cast<std::int64_t>(difference.entries));
  return value;
}

void SyncRecord::note(Instant at, const Result<Exchanged>& exchanged) {
  tried = at;
  if (!exchanged) {
    error = exchanged.error();
    ++failures;
    return;
  }
  done = at;
  error.reset();
  failures = 0;
  remote = exchanged->remote;
  branch = exchanged->branch;
  commit = exchanged->commit;
  sent = exchanged->sent;
  received = exchanged->received;
}

Result<SyncRecord> read_sync_record(const Vault& vault) {
  const auto bytes = TRY(read_file_if_any(vault.files(), record_file(vault)));
  SyncRecord record;
  if (!bytes) return record;
  const auto value = TRY(parse_json(*bytes));
  record.tried = parse_time(value.text_at("tried"));
  record.done = parse_time(value.text_at("done"));
  record.error = error_from(value.find("error"));
  record.failures = static_cast<int>(value.integer_at("failures"));
  record.remote = value.text_at("remote");
  record.branch = value.text_at("branch");
  record.commit = value.text_at("commit");
  record.sent = difference_from(value.find("sent"));
  record.received = difference_from(value.find("received"));
  for (const Json& one : value.array_at("peers")) {
    const auto seen = parse_time(one.text_at("seen"));
    const std::int64_t seconds = seen ? std::chrono::duration_cast<std::chrono::seconds>(seen->time_since_epoch()).count() : 0;
    record.peers.push_back({one.text_at("host"), one.text_at("name"), seconds});
  }
  return record;
}

Status write_sync_record(const Vault& vault, const SyncRecord& record) {
  TRY(make_folders(vault.files(), record_file(vault).parent_path()));
  return write_file(vault.files(), record_file(vault), to_string(record_to_json(vault, record)) + "\n");
}

std::string what_git_keeps_out(const GitExchange& git) {
  const auto kept = git.kept_out();
  if (!kept || kept->files.empty()) return {};
  return counted(kept->files.size(), "file", "files") + " of the memory, '" + kept->files.front() + "' the first: git ignores " +
         (kept->files.size() == 1 ? "it" : "them") + " by '" + kept->pattern + "' (" + kept->place + "); '!" + kept->pattern +
         "' in the vault's .gitignore has that sent, '" + kept->pattern + "' there says that it is meant";
}

void add_sync_problem(const Vault& vault, std::vector<Problem>& problems) {
  add_driver_problem(vault, problems);
  add_copy_problems(vault, problems);
  const auto record = read_sync_record(vault);
  if (record && record->tried && !git_folder_around(vault.root()).empty())
    if (const std::string kept = what_git_keeps_out(GitExchange(vault.root(), {}, {})); !kept.empty())
      problems.push_back({"", 0, "not-exchanged", "no sync sends " + kept});
  if (!record || !record->error) return;
  // Somebody tried it once, in a vault that nobody keeps in git: that is no trouble of the vault's.
  if (git_folder_around(vault.root()).empty() && vault.config().sync.minutes == 0) return;
  problems.push_back({"", 0, "sync-failed",
                      "the last sync went wrong" +
                          (record->failures > 1 ? ", as " + std::to_string(record->failures - 1) + " before it" : std::string()) +
                          ": " + record->error->message + (record->error->hint.empty() ? "" : "; " + record->error->hint)});
}

Json sync_status(const Vault& vault) {
  const auto record = read_sync_record(vault);
  if (!record || !record->tried) return {};
  Json value = record_to_json(vault, *record);
  Json waiting;
  if (const auto git = git_of(vault))
    if (const auto difference = git->not_exchanged()) waiting.set("files", static_cast<std::int64_t>(difference->files));
  value.set("not_exchanged", std::move(waiting));
  return value;
}

}  // namespace loci
