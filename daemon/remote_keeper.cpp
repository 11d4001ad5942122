#include "daemon/remote_keeper.h"

#include "base/json.h"
#include "http/client.h"

namespace loci {
namespace {

constexpr std::chrono::milliseconds answer_patience{10'000};
constexpr std::chrono::hours build_patience{1};
constexpr std::chrono::milliseconds alive_patience{3'000};

Result<Json> ask(const path& socket, const ClientRequest& request, std::chrono::milliseconds patience) {
  const auto response = ask_daemon(socket, request, patience);
  if (!response) return std::unexpected(response.error());
  if (response->status >= 400) {
    auto error = error_of(*response);
    if (error.code == ErrorCode::not_found) error.code = ErrorCode::failed;  // that code says that nobody listens
    return std::unexpected(std::move(error));
  }
  auto body = parse_json(response->body);
  if (!body) return fail(ErrorCode::remote, "the daemon's answer is no JSON: " + body.error().message);
  return body;
}

size_t count_in(const Json& object, std::string_view key) {
  const Json* value = object.find(key);
  return value != nullptr && value->as_integer() != nullptr ? static_cast<size_t>(std::max<std::int64_t>(*value->as_integer(), 0))
                                                            : 0;
}

ReconcileReport report_from(const Json& body) {
  ReconcileReport report;
  report.files_seen = count_in(body, "files_seen");
  report.files_read = count_in(body, "files_read");
  report.files_changed = count_in(body, "files_changed");
  report.files_removed = count_in(body, "files_removed");
  report.entries_added = count_in(body, "entries_added");
  report.entries_changed = count_in(body, "entries_changed");
  report.entries_removed = count_in(body, "entries_removed");
  if (const Json* rebuilt = body.find("rebuilt"); rebuilt != nullptr && rebuilt->as_bool() != nullptr)
    report.rebuilt = *rebuilt->as_bool();
  if (const Json* reason = body.find("rebuild_reason"); reason != nullptr && reason->as_string() != nullptr)
    report.rebuild_reason = *reason->as_string();
  return report;
}

}  // namespace

Result<ReconcileReport> RemoteKeeper::take_in(const std::vector<std::string>& written, std::chrono::milliseconds patience) {
  Json body = Json::object();
  if (written.empty())
    body.set("clear_existing", false);
  else
    body.set("paths", written);
  const auto answer = ask(socket_, {"POST", "/memory/reindex", to_string(body)}, patience);
  if (!answer) return std::unexpected(answer.error());
  return report_from(*answer);
}

// Before a question that may take long: is anybody there to answer it?
Status RemoteKeeper::is_alive() const {
  const auto answer = ask_daemon(socket_, {"GET", "/healthz", {}}, alive_patience);
  if (answer || answer.error().code == ErrorCode::not_found) return answer ? Status{} : std::unexpected(answer.error());
  return fail(ErrorCode::locked, "the daemon holds the index but does not answer", "stop it and start it again");
}

Result<ReconcileReport> RemoteKeeper::reindex(bool clear, const ProgressCallback&) {
  if (auto alive = is_alive(); !alive) return std::unexpected(alive.error());
  Json body = Json::object();
  body.set("clear_existing", clear);
  const auto answer = ask(socket_, {"POST", "/memory/reindex", to_string(body)}, build_patience);
  if (!answer) return std::unexpected(answer.error());
  return report_from(*answer);
}

Result<Freshness> RemoteKeeper::freshness() {
  const auto body = status();
  if (!body) return std::unexpected(body.error());
  return freshness_from(*body);
}

Freshness freshness_from(const Json& status) {
  Freshness freshness;
  const Json* index = status.find("index");
  if (index == nullptr) return freshness;
  freshness.pending_files = count_in(*index, "pending_files");
  if (const Json* at = index->find("checked_at"); at != nullptr && at->as_string() != nullptr)
    freshness.checked_at = parse_time(*at->as_string());
  return freshness;
}

Result<Json> RemoteKeeper::status(std::optional<std::chrono::milliseconds> wait) {
  if (!wait) return ask(socket_, {"GET", "/memory/status", {}}, answer_patience);
  if (auto alive = is_alive(); !alive) return std::unexpected(alive.error());
  return ask(socket_, {"GET", "/memory/status?wait=1&timeout=" + std::to_string(wait->count()), {}}, *wait + answer_patience);
}

}  // namespace loci
