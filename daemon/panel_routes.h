// What only a person's page asks and the other routes do not have. Every caller is logged in; the guard has seen to that.
// Any thread.
#pragma once

#include <utility>

#include "daemon/routes.h"

namespace loci {

class PanelRoutes {
 public:
  explicit PanelRoutes(RouteContext context) : context_(std::move(context)) {}

  // False if it has no such route.
  bool handle(const HttpRequest& request, const Respond& respond);

 private:
  RouteContext context_;
  KnownRecalls recalls_;
};

}  // namespace loci
