#include "daemon/routes_read.h"

#include "daemon/metrics.h"
#include "daemon/routes_parameters.h"
#include "memory/export.h"
#include "memory/json_shapes.h"
#include "memory/may_send.h"
#include "memory/search_log.h"
#include "parser/core_file.h"
#include "recall/query.h"
#include "recall/search.h"
#include "vault/rewrite/user_file.h"

namespace loci {
namespace {

constexpr size_t usual_listed = 100, usual_recent = 20;
constexpr size_t usual_wait_ms = 10'000, most_wait_ms = 600'000;
constexpr size_t most_export_bytes = size_t{256} << 20;

Result<SearchOptions> search_options(const HttpRequest& request, const Config& config) {
  SearchOptions wanted;
  auto filter = TRY(filter_of(request));
  wanted.filter = std::move(filter);
  const auto limit = TRY(limit_parameter(request, static_cast<size_t>(config.recall.limit), most_hits));
  wanted.limit = limit;
  for (const auto& [name, value] :
       {std::pair{"threads", &wanted.threads}, std::pair{"history", &wanted.history}, std::pair{"inactive", &wanted.inactive}}) {
    const auto flag = TRY(flag_parameter(request, name));
    *value = flag;
  }
  wanted.recency_half_life_days = config.recall.recency_half_life_days;
  wanted.recency_floor = config.recall.recency_floor;
  return wanted;
}

Result<IndexState> index_state(const RouteCall& call, Memory& memory) {
  auto freshness = TRY(call.context.keeper.freshness());
  auto reader = TRY(memory.reader());
  return IndexState{reader->info(), std::move(freshness)};
}

Result<std::vector<Entry>> ask_for_entries(Memory& memory,
                                           const std::function<Result<std::vector<Entry>>(IndexReader&)>& question) {
  return memory.ask<std::vector<Entry>>(question);
}

// Of `entries` one more than the page takes was asked for: then there is a next one.
HttpResponse page_of(const RouteCall& call, const Memory& memory, std::vector<Entry> entries, size_t limit) {
  std::string next;
  if (entries.size() > limit) {
    entries.resize(limit);
    if (!entries.empty()) next = entries.back().id;
  }
  const auto recalls = call.recalls.of(memory.vault());
  return json_response(list_to_json(entries, next, recalls.get()));
}

HttpResponse exported(std::string body, const char* content_type) {
  HttpResponse response;
  response.content_type = content_type;
  response.body = std::move(body);
  return response;
}

}  // namespace

std::string etag_of(const Entry& entry) { return '"' + entry.hash + '"'; }

Result<HttpResponse> get_search(const RouteCall& call, Memory& memory) {
  const HttpRequest& request = call.request;
  if (auto checked = check_parameters_beside_filter(request, {"q", "query", "limit", "threads", "history", "inactive", "explain"});
      !checked)
    return std::unexpected(checked.error());
  std::string text = text_parameter(request, "q");
  if (text.empty()) text = text_parameter(request, "query");
  if (text.empty()) return fail(ErrorCode::usage, "there is no query", "ask for /memory/search?q=WORDS");
  const auto wanted = TRY(search_options(request, memory.vault().config()));
  const SearchQuery query = parse_query(text);
  const auto result =
      TRY(memory.ask<SearchResult>([&](IndexReader& reader) { return search(reader, query, wanted, memory.now()); }));
  const auto index = TRY(index_state(call, memory));
  log_search(memory, text, result);
  const auto recalls = call.recalls.of(memory.vault());
  return json_response(search_to_json(text, result, wanted.threads, index, recalls.get()));
}

// The block of a query is empty until there is one.
Result<HttpResponse> get_context(const RouteCall& call, Memory& memory) {
  if (auto checked = check_parameters(call.request, {"query", "session", "turn", "budget"}); !checked)
    return std::unexpected(checked.error());
  const Vault& vault = memory.vault();
  Sendable sendable(memory);
  const auto part_of = [&](const char* file) -> Result<std::string> {
    const auto bytes = TRY(read_file_if_any(vault.files(), vault.file(file)));
    return sendable.sendable_part(bytes.value_or(""), file);
  };
  const auto user_file = TRY(part_of(user_file_name));
  const auto core_file = TRY(part_of(core_file_name));
  const std::string user = measure_user_file(user_file).injected, core = core_injection(core_file).text;
  Json body = versioned();
  body.add_unchecked("l0", user + (user.empty() || core.empty() ? "" : "\n\n") + core);
  body.add_unchecked("user", user);
  body.add_unchecked("core", core);
  body.add_unchecked("block", "");
  return json_response(body);
}

Result<HttpResponse> get_recent(const RouteCall& call, Memory& memory) {
  if (auto checked = check_parameters_beside_filter(call.request, {"limit", "before"}); !checked)
    return std::unexpected(checked.error());
  const auto filter = TRY(filter_of(call.request));
  const auto limit = TRY(limit_parameter(call.request, usual_recent));
  const bool only_turns = filter.kinds == std::vector<EntryKind>{EntryKind::turn};
  // A turn is up to two entries, and the last may be cut in two; else one more, to know whether there is a next page.
  const size_t wanted = only_turns ? 2 * limit + 1 : limit + 1;
  auto entries = TRY(ask_for_entries(
      memory, [&](IndexReader& reader) { return reader.recent(filter, wanted, text_parameter(call.request, "before")); }));
  if (!only_turns) return page_of(call, memory, std::move(entries), limit);
  auto turns = turns_of(entries);
  if (turns.size() > limit) turns.resize(limit);
  Json list = Json::array();
  for (const Turn& turn : turns) list.push_back(turn_to_json(turn));
  Json body = versioned();
  body.add_unchecked("turns", std::move(list));
  return json_response(body);
}

Result<HttpResponse> get_sessions(const RouteCall& call, Memory& memory) {
  TRY(check_parameters(call.request, {"limit"}));
  const auto limit = TRY(limit_parameter(call.request, usual_recent));
  const auto sessions = TRY(memory.ask<std::vector<SessionSummary>>([&](IndexReader& reader) { return reader.sessions(limit); }));
  Json list = Json::array();
  for (const SessionSummary& session : sessions) list.push_back(session_to_json(session));
  Json body = versioned();
  body.add_unchecked("sessions", std::move(list));
  return json_response(body);
}

Result<HttpResponse> get_session(const RouteCall& call, Memory& memory) {
  TRY(check_parameters(call.request, {}));
  const auto entries = TRY(ask_for_entries(memory, [&](IndexReader& reader) { return reader.session(call.id); }));
  if (entries.empty()) return fail(ErrorCode::not_found, "there is no session '" + call.id + "'", "/memory/sessions lists them");
  Json body = versioned();
  body.add_unchecked("session", call.id);
  body.add_unchecked("entries", entries_to_json(entries, call.recalls.of(memory.vault()).get()));
  return json_response(body);
}

Result<HttpResponse> get_entries(const RouteCall& call, Memory& memory) {
  if (auto checked = check_parameters_beside_filter(call.request, {"limit", "after", "file", "inactive"}); !checked)
    return std::unexpected(checked.error());
  auto filter = TRY(filter_of(call.request));
  const auto inactive = TRY(flag_parameter(call.request, "inactive"));
  const auto limit = TRY(limit_parameter(call.request, usual_listed));
  filter.file = text_parameter(call.request, "file");
  filter.inactive = inactive;
  auto entries = TRY(ask_for_entries(
      memory, [&](IndexReader& reader) { return reader.list(filter, limit + 1, text_parameter(call.request, "after")); }));
  return page_of(call, memory, std::move(entries), limit);
}

Result<HttpResponse> get_entry(const RouteCall& call, Memory& memory) {
  TRY(check_parameters(call.request, {"inactive"}));
  const auto inactive = TRY(flag_parameter(call.request, "inactive"));
  const auto entry = TRY(find_entry(memory, call.id, inactive));
  Json body = versioned();
  body.add_unchecked("entry", entry_to_json(entry, call.recalls.of(memory.vault()).get()));
  auto response = json_response(body);
  response.headers["ETag"] = etag_of(entry);
  return response;
}

Result<HttpResponse> get_status(const RouteCall& call, Memory& memory) {
  TRY(check_parameters(call.request, {"wait", "timeout"}));
  const auto wait = TRY(flag_parameter(call.request, "wait"));
  const auto timeout = TRY(number_parameter(call.request, "timeout", usual_wait_ms, most_wait_ms));
  if (wait) {
    if (auto waited = call.context.wait_until_searchable(std::chrono::milliseconds(timeout)); !waited)
      return std::unexpected(waited.error());
  }
  memory.drop_reader();  // what is listed of files that cannot be read may be newer than what can be searched
  const auto status = TRY(call.context.status(memory));
  return json_response(status);
}

Result<HttpResponse> get_export(const RouteCall& call, Memory& memory) {
  TRY(check_parameters(call.request, {"format"}));
  const std::string format = text_parameter(call.request, "format");
  if (!format.empty() && format != "json" && format != "md")
    return fail(ErrorCode::usage, "'" + format + "' is no format of an export", "it is json or md");
  const bool markdown = format == "md";
  std::string body = markdown ? "" : "{\"v\":1,\"entries\":[";
  const size_t start = body.size();
  Status failed;
  const auto take = [&](Result<std::string> text) {
    if (text && body.size() + text->size() > most_export_bytes)
      text = fail(ErrorCode::refused, "this memory is too large to be exported over HTTP", "use 'loci export'");
    if (!text) failed = std::unexpected(text.error());
    if (!text) return false;
    if (!markdown) body += body.size() == start ? "\n" : ",\n";
    body += *text;
    if (markdown) body += '\n';
    return true;
  };
  TRY(markdown ? for_each_entry(memory, [&](const Entry& entry) { return take(entry_to_markdown(entry)); })
               : for_each_exported(memory, [&](const Json& entry) { return take(to_string(entry)); }));
  if (!failed) return std::unexpected(failed.error());
  if (!markdown) body += "\n]}\n";
  return exported(std::move(body), markdown ? "text/markdown; charset=utf-8" : "application/json");
}

Result<HttpResponse> get_metrics(const RouteCall& call, Memory& memory) {
  auto reader = TRY(memory.reader());
  return exported(call.context.metrics() + index_metrics(*reader), "text/plain; version=0.0.4; charset=utf-8");
}

}  // namespace loci
