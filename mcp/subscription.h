// What a client listens to: resources whose content it wants to be told of. Whether one has changed is seen by reading it again, so
// that nobody need know what a change of a file means for it. One thread.
#pragma once

#include <map>

#include "mcp/server.h"

namespace loci::mcp {

class Subscription {
 public:
  // Of the modern era, by the parameters of `subscriptions/listen`; ids are told back in every message. Of what is asked for,
  // changes of resources are honoured: lists do not change while a program runs.
  static RpcResult<Subscription> listening(const Message& request);
  // Of the legacy era, with nothing in it yet.
  static Subscription empty() { return Subscription({}); }

  Status add(const Host& host, const std::string& uri);
  void remove(const std::string& uri) { contents_.erase(uri); }
  bool has_any() const { return !contents_.empty(); }

  // What was there before is known from now on.
  void begin(const Host& host);
  Json acknowledgement() const;
  // A notification for each resource that is another one than it was when this was last asked.
  std::vector<Json> changes(const Host& host);
  Json ending() const;  // the answer to the request, when no more will come
  const Json& id() const { return id_; }

 private:
  explicit Subscription(Json id) : id_(std::move(id)) {}
  Json with_id(Json params) const;

  Json id_;                                      // of the request; null in the legacy era
  std::map<std::string, std::string> contents_;  // by URI: a hash, or why it cannot be read
};

}  // namespace loci::mcp
