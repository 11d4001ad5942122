// The routes that read: each gets a memory of its own for as long as it runs, and answers at once.
#pragma once

#include <string>

#include "daemon/routes.h"
#include "operations/operation.h"

namespace loci {

// What a route is given: the service, the request, and what stands in the place of "{id}".
struct RouteCall {
  const RouteContext& context;
  const HttpRequest& request;
  std::string id;
  Json given;     // what was asked for: a query, or the body of a POST or PATCH, with the id of the path
  Values values;  // the same, checked, of a route that is in the table of operations
  ModelWork& model_work;
  Surroundings& around;
  HookSpool& hook_spool;
};

// Who asks: trust follows the road.
Actor actor_of(const HttpRequest& request);

// What a request gives to an operation. ErrorCode::usage if it is none.
Result<Json> given_to(const MemoryOperation& operation, const HttpRequest& request, const std::string& id);

// An operation of the table that answers by itself.
Result<HttpResponse> read_by(const MemoryOperation& operation, const RouteCall& call, Memory& memory);

// Sent as it is read: what fails then cuts it off.
void get_export(const RouteCall& call, Memory& memory, const Respond& respond);
Result<HttpResponse> get_metrics(const RouteCall& call, Memory& memory);

}  // namespace loci
