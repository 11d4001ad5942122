#include "daemon/routes_consolidate.h"

#include "consolidate/shapes.h"

namespace loci {
namespace {

constexpr int bad_gateway = 502;

}  // namespace

void post_consolidate(const RouteCall& call, const Respond& respond) {
  call.context.consolidate(call.values.flag("force"), [respond](const Result<Consolidated>& done) {
    if (!done) return respond(error_response(done.error()));
    respond(json_response(consolidated_to_json(*done, false), done->failure ? bad_gateway : 200));
  });
}

}  // namespace loci
