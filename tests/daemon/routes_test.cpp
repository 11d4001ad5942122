#include <future>
#include <thread>

#include "tests/daemon/routes_fixture.h"

namespace loci {
namespace {

TEST_F(RoutesTest, AReindexLooksAtTheFilesThatItNames) {
  start();
  folder.write("vault/note.md", "Written behind its back.\n");
  EXPECT_EQ(json(get("/memory/entries")).find("entries")->as_array()->size(), 0U);
  const auto response = ask(request_to("POST", "/memory/reindex", R"({"paths":["note.md"]})"));
  ASSERT_EQ(response.status, 200) << response.body;
  EXPECT_EQ(text(json(response), {"entries_added"}), "1");
  EXPECT_EQ(json(get("/memory/entries")).find("entries")->as_array()->size(), 1U);
  EXPECT_EQ(text(json(ask(request_to("POST", "/memory/reindex", R"({"clear_existing":true})"))), {"rebuilt"}), "true");
  EXPECT_EQ(ask(request_to("POST", "/memory/reindex")).status, 200);
  keeper->busy = true;
  EXPECT_EQ(ask(request_to("POST", "/memory/reindex", R"({"paths":["note.md"]})")).status, 503);
}

TEST_F(RoutesTest, AReindexTakesNoPathThatLeadsOut) {
  start();
  const size_t before = keeper->asked.size();
  for (const char* path : {"", "/etc/passwd", "..", "../x.md", "a/../../x.md", "a/..", "a/../b.md", "x\\u0000.md"})
    EXPECT_EQ(ask(request_to("POST", "/memory/reindex", R"({"paths":[")" + std::string(path) + R"("]})")).status, 400) << path;
  for (const char* body : {"x", "[]", R"({"paths":[7]})", R"({"clear_existing":1})", R"({"force":true})",
                           R"({"clear_existing":true,"paths":["a.md"]})"})
    EXPECT_EQ(ask(request_to("POST", "/memory/reindex", body)).status, 400) << body;
  EXPECT_EQ(keeper->asked.size(), before);
}

TEST_F(RoutesTest, StatusWaitsWhenAskedTo) {
  start();
  EXPECT_EQ(get("/memory/status").status, 200);
  EXPECT_EQ(waited_for.count(), -1);
  EXPECT_EQ(text(json(get("/memory/status", {{"wait", "1"}, {"timeout", "250"}})), {"v"}), "1");
  EXPECT_EQ(waited_for.count(), 250);
  wait_result = fail(ErrorCode::locked, "still busy");
  EXPECT_EQ(get("/memory/status", {{"wait", "1"}}).status, 503);
}

TEST_F(RoutesTest, HealthIsAnErrorWhenSomethingIsWrong) {
  start();
  EXPECT_EQ(get("/healthz").status, 200);
  health = fail(ErrorCode::failed, "the disk is full");
  EXPECT_EQ(get("/healthz").status, 503);
}

TEST_F(RoutesTest, WhileNothingMayBeWrittenWhatWritesIsTurnedAwayAndTheRestGoesOn) {
  folder.write("vault/a.md", "The heron stands.\n");
  start();
  may_write = fail(ErrorCode::failed, "the vault's folder was moved away");
  const auto refused = post(R"({"text":"The egret flies."})");
  EXPECT_EQ(refused.status, 503);
  EXPECT_NE(refused.body.find("moved away"), std::string::npos);
  EXPECT_EQ(ask(request_to("POST", "/memory/turns", R"({"session":"s","user":"u","assistant":"a"})")).status, 503);
  EXPECT_EQ(get("/memory/search", {{"q", "heron"}}).status, 200);
  EXPECT_FALSE(std::filesystem::exists(folder / "vault/archive"));
}

TEST_F(RoutesTest, MetricsAreTextWithWhatTheIndexKnows) {
  start();
  store("counted");
  const auto response = get("/metrics");
  EXPECT_EQ(response.content_type, "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_TRUE(response.body.starts_with("own 1\n"));
  EXPECT_EQ(times(response.body, "\nloci_entries{layer=\"L1\"} 1\n"), 1U);
  EXPECT_EQ(times(response.body, "\nloci_facts{state=\"pending\"} 1\n"), 1U);
  EXPECT_EQ(response.body.find("counted"), std::string::npos);
}

TEST_F(RoutesTest, AnUnknownRouteIs404AndAWrongMethodTellsTheRightOnes) {
  start();
  for (const char* path :
       {"/", "/memory", "/memory/", "/memory/search/", "/memory/entries/", "/memory/turn", "/mcp/", "/Memory/search"})
    EXPECT_EQ(get(path).status, 404) << path;
  const auto allow = [&](const char* method, const char* path) {
    const auto response = ask(request_to(method, path));
    EXPECT_EQ(response.status, 405);
    return response.headers.contains("Allow") ? response.headers.at("Allow") : "";
  };
  EXPECT_EQ(allow("POST", "/memory/search"), "GET, HEAD");
  EXPECT_EQ(allow("PUT", "/memory/entries"), "GET, HEAD, POST");
  EXPECT_EQ(allow("BREW", "/memory/entries/x"), "GET, HEAD, PATCH, DELETE");
  EXPECT_EQ(allow("OPTIONS", "/memory/reindex"), "POST");
  EXPECT_EQ(ask(request_to("HEAD", "/healthz")).status, 200);
  EXPECT_EQ(allow("GET", "/mcp"), "POST");
}

TEST_F(RoutesTest, WhatWaitsLongKeepsNobodyElseWaiting) {
  start();
  store("quick");
  std::promise<void> go_on;
  auto gate = go_on.get_future().share();
  RouteContext context{.memories = *pool,
                       .writes = *queue,
                       .keeper = *keeper,
                       .status = [](Memory&) -> Result<Json> { return Json::object(); },
                       .wait_until_searchable = [gate](std::chrono::milliseconds) -> Status {
                         gate.wait();
                         return {};
                       },
                       .consolidate = {},
                       .metrics = {},
                       .health = {}};
  routes = std::make_unique<Routes>(std::move(context));
  std::vector<std::future<void>> waiting;
  for (size_t i = 0; i < 2 * Routes::wait_threads; ++i) {
    auto done = std::make_shared<std::promise<void>>();
    waiting.push_back(done->get_future());
    HttpRequest request = request_to("GET", "/memory/status");
    request.query["wait"] = "1";
    routes->handle(std::move(request), [done](const HttpResponse&) { done->set_value(); });
  }
  EXPECT_EQ(get("/memory/search", {{"q", "quick"}}).status, 200);
  EXPECT_EQ(ask(request_to("POST", "/memory/reindex")).status, 200);
  EXPECT_EQ(get("/memory/status").status, 200);
  go_on.set_value();
  for (auto& one : waiting) one.get();
}

TEST_F(RoutesTest, ConsolidationIsRunByForceOrNot) {
  start();
  consolidated->gates.closed.push_back({"volume", "3 of 20 facts are pending", {}});
  const auto response = ask(request_to("POST", "/memory/consolidate"));
  EXPECT_EQ(response.status, 200) << response.body;
  EXPECT_EQ(consolidated_by_force, false);
  const Json body = json(response);
  EXPECT_EQ(text(body, {"ran"}), "false");
  EXPECT_EQ(text(body.find("gate")->find("closed_by")->as_array()->front(), {"gate"}), "volume");
  HttpRequest by_force = request_to("POST", "/memory/consolidate", R"({"force":true})");
  EXPECT_EQ(error_code(ask(by_force)), "refused");
  EXPECT_EQ(consolidated_by_force, false);
  by_force.from_command_line = true;
  EXPECT_EQ(ask(by_force).status, 200);
  EXPECT_EQ(consolidated_by_force, true);
}

TEST_F(RoutesTest, AModelThatFailsIsABadGateway) {
  start();
  consolidated->failure = Error{ErrorCode::remote, "the server is away", {}, {}};
  const auto response = ask(request_to("POST", "/memory/consolidate"));
  EXPECT_EQ(response.status, 502);
  EXPECT_EQ(text(json(response), {"failure"}), "the server is away");
  consolidated = fail(ErrorCode::refused, "the daemon is stopping");
  EXPECT_EQ(error_code(ask(request_to("POST", "/memory/consolidate"))), "refused");
}

TEST_F(RoutesTest, WhatConsolidationIsNotAskedForIsWrongUsage) {
  start();
  for (const char* body : {"[]", "{", R"({"force":1})", R"({"rebuild":true})"}) {
    EXPECT_EQ(error_code(ask(request_to("POST", "/memory/consolidate", body))), "usage") << body;
    EXPECT_EQ(consolidated_by_force, std::nullopt);
  }
}

TEST_F(RoutesTest, WhileTheServiceStopsWritesAreTurnedAway) {
  start();
  const std::string id = store("stays");
  queue->stop();
  writer.join();
  EXPECT_EQ(post(R"({"text":"late"})").status, 409);
  EXPECT_EQ(ask(request_to("DELETE", "/memory/entries/" + id)).status, 503);
}

TEST(RouteNames, LeaveOutWhatDiffersFromRequestToRequest) {
  EXPECT_EQ(route_of("/memory/search"), "/memory/search");
  EXPECT_EQ(route_of("/memory/entries/01jd8x2k9c4q"), "/memory/entries/{id}");
  EXPECT_EQ(route_of("/memory/sessions/a/b"), "/memory/sessions/{id}");
  EXPECT_EQ(route_of("/secret text"), "other");
}

}  // namespace
}  // namespace loci
