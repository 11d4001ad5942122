#include "daemon/remote_keeper.h"

#include <thread>

#include "base/json.h"
#include "http/client.h"

namespace loci {
namespace {

constexpr std::chrono::milliseconds answer_patience{10'000};
constexpr std::chrono::hours build_patience{1};
constexpr std::chrono::milliseconds alive_patience{3'000};
constexpr std::chrono::milliseconds retry_pause{50};

// A daemon that says when to come back is asked again: it takes over new settings, for example.
Result<HttpResponse> ask_patiently(const path& socket, const ClientRequest& request, std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (true) {
    auto response = TRY(ask_daemon(socket, request, patience));
    const bool is_worth_it = response.status == 503 && response.headers.contains("Retry-After");
    if (!is_worth_it || std::chrono::steady_clock::now() + retry_pause > until) return response;
    std::this_thread::sleep_for(retry_pause);
  }
}

Result<Json> ask(const path& socket, const ClientRequest& request, std::chrono::milliseconds patience) {
  const auto response = TRY(ask_patiently(socket, request, patience));
  if (response.status >= 400) {
    auto error = error_of(response);
    if (error.code == ErrorCode::not_found) error.code = ErrorCode::failed;  // that code says that nobody listens
    return std::unexpected(std::move(error));
  }
  auto body = parse_json(response.body);
  if (!body) return fail(ErrorCode::remote, "the daemon's answer is no JSON: " + body.error().message);
  return body;
}

ReconcileReport report_from(const Json& body) {
  ReconcileReport report;
  report.files_seen = body.count_at("files_seen");
  report.files_read = body.count_at("files_read");
  report.files_changed = body.count_at("files_changed");
  report.files_removed = body.count_at("files_removed");
  report.entries_added = body.count_at("entries_added");
  report.entries_changed = body.count_at("entries_changed");
  report.entries_removed = body.count_at("entries_removed");
  if (const Json* rebuilt = body.find("rebuilt"); rebuilt != nullptr && rebuilt->as_bool() != nullptr)
    report.rebuilt = *rebuilt->as_bool();
  report.rebuild_reason = body.text_at("rebuild_reason");
  return report;
}

}  // namespace

Result<ReconcileReport> RemoteKeeper::take_in(const std::vector<std::string>& written, std::chrono::milliseconds patience) {
  Json body = Json::object();
  if (written.empty())
    body.set("clear_existing", false);
  else
    body.set("paths", written);
  const auto answer = TRY(ask(socket_, {"POST", "/memory/reindex", to_string(body)}, patience));
  return report_from(answer);
}

// Before a question that may take long: is anybody there to answer it?
Status RemoteKeeper::is_alive() const {
  const auto answer = ask_daemon(socket_, {"GET", "/healthz", {}}, alive_patience);
  if (answer || answer.error().code == ErrorCode::not_found) return answer ? Status{} : std::unexpected(answer.error());
  return fail(ErrorCode::locked, "the daemon holds the index but does not answer", "stop it and start it again");
}

Result<ReconcileReport> RemoteKeeper::reindex(bool clear, const ProgressCallback&) {
  TRY(is_alive());
  Json body = Json::object();
  body.set("clear_existing", clear);
  const auto answer = TRY(ask(socket_, {"POST", "/memory/reindex", to_string(body)}, build_patience));
  return report_from(answer);
}

Status RemoteKeeper::wait_until_clean(std::chrono::milliseconds patience) {
  TRY(status(patience));
  return {};
}

Result<Freshness> RemoteKeeper::freshness() {
  const auto body = TRY(status());
  return freshness_from(body);
}

Freshness freshness_from(const Json& status) {
  Freshness freshness;
  const Json* index = status.find("index");
  if (index == nullptr) return freshness;
  freshness.pending_files = index->count_at("pending_files");
  freshness.checked_at = parse_time(index->text_at("checked_at"));
  return freshness;
}

Result<Json> RemoteKeeper::status(std::optional<std::chrono::milliseconds> wait) {
  if (!wait) return ask(socket_, {"GET", "/memory/status", {}}, answer_patience);
  TRY(is_alive());
  return ask(socket_, {"GET", "/memory/status?wait=1&timeout=" + std::to_string(wait->count()), {}}, *wait + answer_patience);
}

}  // namespace loci
