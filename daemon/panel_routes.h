// What only a person's page asks and the other routes do not have. Every caller is logged in; the guard has seen to that.
// Any thread.
#pragma once

#include <cstdint>
#include <deque>

#include "base/synchronized.h"
#include "daemon/routes.h"

namespace loci {

class PanelRoutes {
 public:
  // `first_version`: no daemon before this one had it.
  PanelRoutes(RouteContext context, std::int64_t first_version) : context_(std::move(context)), first_version_(first_version) {}

  // False if it has no such route.
  bool handle(const HttpRequest& request, const Respond& respond);

  // Answers those who wait for a change: GET /memory/changes?after=N, {"v":1,"after":N}. At most `most_waiting` do, the oldest is
  // answered for one more.
  void something_changed();

  static constexpr size_t most_waiting = 16;

 private:
  struct Waiting {
    std::int64_t version = 0;  // 0: nobody has asked yet
    std::deque<Respond> those;
  };

  void wait_for_change(const HttpRequest& request, const Respond& respond);

  RouteContext context_;
  std::int64_t first_version_;
  KnownRecalls recalls_;
  Synchronized<Waiting> waiting_;
};

}  // namespace loci
