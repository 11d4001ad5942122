// The daemon's routes over a vault of their own, answered in this process: the index loop and the write queue run beside the test.
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "daemon/event_hub.h"
#include "daemon/routes.h"
#include "daemon/state_of_memory.h"
#include "memory/json_shapes.h"
#include "memory/status.h"
#include "tests/daemon/kept_vault.h"

namespace loci {

class RoutesTest : public KeptVaultTest {
 protected:
  ~RoutesTest() override { stop(); }

  void start() {
    keep();
    pool = std::make_unique<MemoryPool>([this] { return Result<Memory>(open()); });
    keeper->changed = [this] {
      pool->index_changed();
      events.index_changed();
    };
    queue = std::make_unique<WriteQueue>(open());
    routes = std::make_unique<Routes>(RouteContext{.memories = *pool,
                                                   .writes = *queue,
                                                   .keeper = *keeper,
                                                   .status = [](Memory& memory) -> Result<Json> {
                                                     const auto report = status(memory, Freshness{});
                                                     return report ? Result<Json>(status_to_json(*report))
                                                                   : std::unexpected(report.error());
                                                   },
                                                   .wait_until_searchable =
                                                       [this](std::chrono::milliseconds patience) {
                                                         waited_for = patience;
                                                         return wait_result;
                                                       },
                                                   .consolidate =
                                                       [this](bool force, ConsolidateLoop::Done done) {
                                                         consolidated_by_force = force;
                                                         done(consolidated);
                                                       },
                                                   .metrics = [] { return std::string("own 1\n"); },
                                                   .health = [this] { return health; },
                                                   .may_write = [this] { return may_write; },
                                                   .events = &events});
    writer = std::jthread([this] {
      while (queue->step(std::nullopt)) continue;
    });
  }

  void stop() {
    if (queue) queue->stop();
    if (writer.joinable()) writer.join();
    events.stop();
    routes.reset();
  }

  HttpResponse ask(HttpRequest request) {
    auto promise = std::make_shared<std::promise<HttpResponse>>();
    routes->handle(std::move(request), [promise](HttpResponse response) { promise->set_value(std::move(response)); });
    HttpResponse response = promise->get_future().get();
    if (response.stream && response.heartbeat.empty()) response.body = response.stream->rest();
    return response;
  }

  static HttpRequest request_to(std::string method, std::string path, std::string body = {}) {
    HttpRequest request;
    request.method = std::move(method);
    request.path = std::move(path);
    request.body = std::move(body);
    return request;
  }

  HttpResponse get(std::string path, std::map<std::string, std::string, std::less<>> query = {}) {
    HttpRequest request = request_to("GET", std::move(path));
    request.query = std::move(query);
    return ask(std::move(request));
  }

  HttpResponse post(const std::string& body, bool from_command_line = false) {
    HttpRequest request = request_to("POST", "/memory/entries", body);
    request.from_command_line = from_command_line;
    return ask(std::move(request));
  }

  static Json json(const HttpResponse& response) {
    auto parsed = parse_json(response.body);
    EXPECT_TRUE(parsed) << response.body;
    return parsed ? *parsed : Json();
  }

  static std::string text(const Json& value, std::initializer_list<std::string_view> keys) {
    const Json* found = &value;
    for (const std::string_view key : keys) {
      found = found->find(key);
      if (!found) return "(no " + std::string(key) + ")";
    }
    return found->as_string() ? *found->as_string() : to_string(*found);
  }

  static std::string error_code(const HttpResponse& response) { return text(json(response), {"error", "code"}); }

  // Stores one entry; its id.
  std::string store(const std::string& words, bool from_command_line = false) {
    Json body = Json::object();
    body.set("text", words);
    const auto response = post(to_string(body), from_command_line);
    EXPECT_EQ(response.status, 201) << response.body;
    return text(json(response).find("entries")->as_array()->front(), {"id"});
  }

  // What comes next of a response that goes on; empty if nothing does for some seconds.
  static std::string next_event(const HttpResponse& response) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    HttpBody::Goes goes = HttpBody::Goes::on;
    while (goes == HttpBody::Goes::on && std::chrono::steady_clock::now() < deadline) {
      if (std::string text = response.stream->take(goes); !text.empty()) return text;
      std::this_thread::yield();
    }
    return {};
  }

  Json entry(const std::string& id) { return *json(get("/memory/entries/" + id)).find("entry"); }

  EventHub events{[this] {
    return pool->with<Events>([this](Memory& memory) -> Result<Events> { return state_of(memory, consolidation); })
        .value_or(Events());
  }};
  ConsolidateLoop::State consolidation;
  std::unique_ptr<MemoryPool> pool;
  std::unique_ptr<WriteQueue> queue;
  std::unique_ptr<Routes> routes;
  std::jthread writer;
  Status health, may_write, wait_result;
  Result<Consolidated> consolidated;
  std::optional<bool> consolidated_by_force;
  std::chrono::milliseconds waited_for{-1};
};

}  // namespace loci
