// An MCP server over a memory: one request in, one answer out. It keeps nothing between requests, so that one serves any number of
// clients of either era, over any transport. Tools come from the table of operations; who asks is an agent, always.
//
// Any thread, if what its host does may be called from any.
#pragma once

#include <functional>
#include <string>

#include "mcp/message.h"
#include "operations/operation.h"

namespace loci::mcp {

// How a request gets at the memory.
struct Host {
  // On the thread that may read, or for an operation that writes, in its turn. Returns when it is done.
  std::function<Status(bool writes, const std::function<Status(Memory&)>& use)> with_memory;
  Surroundings& around;
  std::string version;                           // of the program
  std::function<void(const Json&)> notify = {};  // to who asked, while that goes on; empty: nobody hears it
  bool can_subscribe = false;                    // whoever listens is told of changes
  bool can_subscribe_legacy = false;             // that of the legacy era, too: it has a connection of its own
};

class Server {
 public:
  explicit Server(Host host) : host_(std::move(host)) {}

  // The message that answers a request.
  Json answer(const Message& request);

  const Host& host() const { return host_; }
  void notify_by(std::function<void(const Json&)> notify) { host_.notify = std::move(notify); }

 private:
  RpcResult<Json> result_of(const Message& request);
  Json decorated(const Message& request, Json result) const;
  Json about_server() const;
  Json capabilities(bool modern) const;
  RpcResult<Json> initialize(const Message& request) const;
  Json discover() const;

  Host host_;
};

}  // namespace loci::mcp
