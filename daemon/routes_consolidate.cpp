#include "daemon/routes_consolidate.h"

#include "consolidate/shapes.h"
#include "daemon/routes_parameters.h"

namespace loci {
namespace {

constexpr int bad_gateway = 502;

Result<bool> force_from(const HttpRequest& request) {
  if (request.body.empty()) return false;
  const auto body = parse_json(request.body, {.bytes = max_request_body});
  if (!body || !body->as_object()) return fail(ErrorCode::usage, "the body is no JSON object", R"(send {"force":true} or nothing)");
  bool force = false;
  for (const auto& [key, value] : *body->as_object()) {
    if (key != "force" || !value.as_bool())
      return fail(ErrorCode::usage, "\"" + key + "\" is unknown or has the wrong type", R"(send {"force":true} or nothing)");
    force = *value.as_bool();
  }
  return force;
}

}  // namespace

void post_consolidate(const RouteCall& call, const Respond& respond) {
  if (auto checked = check_parameters(call.request, {}); !checked) return respond(error_response(checked.error()));
  const auto force = force_from(call.request);
  if (!force) return respond(error_response(force.error()));
  if (*force && actor_of(call.request) != Actor::person)
    return respond(error_response(
        Error{ErrorCode::refused, "only a person may pass the gates", "leave \"force\" out, or use 'loci consolidate --force'"}));
  call.context.consolidate(*force, [respond](const Result<Consolidated>& done) {
    if (!done) return respond(error_response(done.error()));
    respond(json_response(consolidated_to_json(*done, false), done->failure ? bad_gateway : 200));
  });
}

}  // namespace loci
