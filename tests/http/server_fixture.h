// A server on a unix socket in a temporary folder, whose handler a test gives. Its default one says what it was asked.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>

#include "http/client.h"
#include "http/server.h"
#include "tests/http/raw_client.h"
#include "tests/support/temporary_folder.h"

namespace loci {

inline void echo(HttpRequest request, const Respond& respond) {
  Json told = Json::object();
  told.set("method", request.method);
  told.set("path", request.path);
  told.set("body", request.body);
  told.set("local", request.local);
  told.set("cli", request.from_command_line);
  Json query = Json::object();
  for (const auto& [key, value] : request.query) query.set(key, value);
  told.set("query", std::move(query));
  respond(json_response(told));
}

class ServerTest : public testing::Test {
 protected:
  HttpOptions options() const {
    HttpOptions wanted;
    wanted.socket = socket;
    return wanted;
  }

  void start(HttpOptions wanted, HttpHandler handler = echo) {
    auto started = HttpServer::start(std::move(wanted), std::move(handler));
    ASSERT_TRUE(started) << started.error().message;
    server = std::move(*started);
  }

  RawClient client() const { return RawClient::on_unix_socket(socket); }

  HttpResponse ask(const std::string& method, const std::string& target, const std::string& body = {}) const {
    auto response = ask_daemon(socket, {method, target, body}, std::chrono::seconds(10));
    EXPECT_TRUE(response) << response.error().message;
    return response ? *response : HttpResponse{};
  }

  // Waits until the server says so, for some seconds at most.
  template <typename Condition>
  static bool eventually(Condition condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!condition() && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    return condition();
  }

  TemporaryFolder folder;
  path socket = folder / "run/loci/vault.sock";
  std::unique_ptr<HttpServer> server;
};

}  // namespace loci
