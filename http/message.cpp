#include "http/message.h"

#include <utility>

#include "base/error_shape.h"

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
