// The routes that read: each gets a memory of its own for as long as it runs, and answers at once.
#pragma once

#include <string>

#include "daemon/routes.h"

namespace loci {

// What a route is given: the service, the request, and what stands in the place of "{id}".
struct RouteCall {
  const RouteContext& context;
  const HttpRequest& request;
  std::string id;
  ModelWork& model_work;
  KnownRecalls& recalls;
};

Result<HttpResponse> get_search(const RouteCall& call, Memory& memory);
Result<HttpResponse> get_context(const RouteCall& call, Memory& memory);
Result<HttpResponse> get_recent(const RouteCall& call, Memory& memory);
Result<HttpResponse> get_sessions(const RouteCall& call, Memory& memory);
Result<HttpResponse> get_session(const RouteCall& call, Memory& memory);
Result<HttpResponse> get_entries(const RouteCall& call, Memory& memory);
Result<HttpResponse> get_entry(const RouteCall& call, Memory& memory);
Result<HttpResponse> get_status(const RouteCall& call, Memory& memory);  // waits if asked to
Result<HttpResponse> get_export(const RouteCall& call, Memory& memory);
Result<HttpResponse> get_metrics(const RouteCall& call, Memory& memory);

// The entity tag of an entry.
std::string etag_of(const Entry& entry);

}  // namespace loci
