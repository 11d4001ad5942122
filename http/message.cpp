#include "http/message.h"

#include <utility>

namespace loci {
namespace {

int status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::usage:
      return 400;
    case ErrorCode::not_found:
      return 404;
    case ErrorCode::refused:
      return 409;
    case ErrorCode::locked:
      return 503;
    case ErrorCode::remote:
      return 502;
    case ErrorCode::failed:
      break;
  }
  return 500;
}

Json error_to_json(const Error& error) {
  Json inner = Json::object();
  inner.set("code", name_of(error.code));
  inner.set("message", error.message);
  inner.set("hint", error.hint);
  if (!error.file.empty()) inner.set("file", error.file);
  if (error.line > 0) inner.set("line", error.line);
  Json outer = Json::object();
  outer.set("v", 1);
  outer.set("error", std::move(inner));
  return outer;
}

}  // namespace

HttpResponse json_response(const Json& body, int status) {
  HttpResponse response;
  response.status = status;
  response.body = to_string(body) + '\n';
  return response;
}

HttpResponse error_response(const Error& error, int status) {
  return json_response(error_to_json(error), status == 0 ? status_of(error.code) : status);
}

}  // namespace loci
