#include "daemon/routes_read.h"

#include <utility>

#include "daemon/metrics.h"
#include "edits/in_question.h"
#include "memory/export.h"
#include "operations/visible.h"

namespace loci {
namespace {

HttpResponse exported(std::string body, const char* content_type) {
  HttpResponse response;
  response.content_type = content_type;
  response.body = std::move(body);
  return response;
}

Status write_export(Memory& memory, Actor actor, bool markdown, HttpStream& stream) {
  bool is_first = true;
  const auto take = [&](std::string text) {
    if (!markdown) text.insert(0, std::exchange(is_first, false) ? "\n" : ",\n");
    if (markdown) text += '\n';
    return stream.write(text);
  };
  Visible visible(memory, actor);
  const auto keeps = [&](const Entry& entry) { return visible.sees(entry); };
  if (!markdown) stream.write("{\"v\":1,\"entries\":[");
  TRY(markdown ? for_each_as_markdown(memory, take, keeps)
               : for_each_exported(memory, [&](const Json& entry) { return take(to_string(entry)); }, keeps));
  if (!markdown) stream.write("\n]}\n");
  return {};
}

}  // namespace

Actor actor_of(const HttpRequest& request) { return request.is_of_a_person() ? Actor::person : Actor::agent; }

Result<Json> given_to(const MemoryOperation& operation, const HttpRequest& request, const std::string& id) {
  const bool is_in_body = request.method == "POST" || request.method == "PATCH";
  Json given = Json::object();
  if (!is_in_body) {
    given = TRY(json_of_query(operation.parameters, request.query));
  } else if (!request.body.empty()) {
    auto body = parse_json(request.body, {.bytes = max_request_body, .mends_characters = true});
    if (!body) return fail(ErrorCode::usage, "the body is not JSON: " + body.error().message);
    if (!body->as_object()) return fail(ErrorCode::usage, "the body is no JSON object");
    given = std::move(*body);
  }
  if (id.empty()) return given;
  if (given.find("id")) return fail(ErrorCode::usage, "unknown parameter 'id'", "it stands in the path");
  given.add_unchecked("id", id);
  return given;
}

Result<HttpResponse> read_by(const MemoryOperation& operation, const RouteCall& call, Memory& memory) {
  const auto answer = TRY(call_operation(operation, memory, call.given, actor_of(call.request), call.around));
  auto response = json_response(answer.body, answer.created ? 201 : 200);
  if (!answer.etag.empty()) response.headers["ETag"] = answer.etag;
  return response;
}

void get_export(const RouteCall& call, Memory& memory, const Respond& respond) {
  const std::string format = call.values.text("format");
  Status may;
  if (const auto reader = memory.reader(); !reader) may = std::unexpected(reader.error());
  if (!may) return respond(error_response(may.error()));
  const bool markdown = format == "md";
  auto [stream, body] = make_http_stream();
  HttpResponse response = exported({}, markdown ? "text/markdown; charset=utf-8" : "application/json");
  response.stream = std::move(body);
  respond(std::move(response));
  if (write_export(memory, actor_of(call.request), markdown, stream)) stream.finish();
}

Result<HttpResponse> get_metrics(const RouteCall& call, Memory& memory) {
  auto reader = TRY(memory.reader());
  return exported(call.context.metrics() + index_metrics(*reader, fact_counts(memory, reader->facts())),
                  "text/plain; version=0.0.4; charset=utf-8");
}

}  // namespace loci
