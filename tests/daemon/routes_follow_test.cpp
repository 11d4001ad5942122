#include <algorithm>

#include "tests/daemon/routes_fixture.h"

namespace loci {
namespace {

TEST_F(RoutesTest, WhoFollowsEventsIsToldOfEveryChange) {
  start();
  const auto response = get("/memory/events");
  ASSERT_EQ(response.status, 200) << response.body;
  EXPECT_EQ(response.content_type, "text/event-stream");
  EXPECT_TRUE(next_event(response).contains("\"total\":0"));
  store("something new");
  EXPECT_TRUE(next_event(response).contains("\"total\":1"));
}

// What comes until all of these words have come.
std::string until_told(const HttpResponse& response, std::initializer_list<std::string_view> words,
                       const std::function<std::string(const HttpResponse&)>& next) {
  std::string told;
  while (!std::ranges::all_of(words, [&](std::string_view word) { return told.contains(word); })) {
    const std::string more = next(response);
    if (more.empty()) break;
    told += more;
  }
  return told;
}

TEST_F(RoutesTest, APersonIsToldOfRunsQuestionsAndFilesToo) {
  start();
  HttpRequest request = request_to("GET", "/memory/events");
  request.from_command_line = true;
  const auto persons = ask(request), agents = get("/memory/events");
  const auto first = until_told(persons, {"event: index", "event: runs", "event: questions"}, next_event);
  EXPECT_TRUE(first.contains(R"("running":false)") && first.contains(R"("questions":[])")) << first;
  EXPECT_TRUE(next_event(agents).starts_with("event: index\n"));
  consolidation.running = true;
  folder.write("vault/note.md", "Text.\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n");
  ASSERT_EQ(ask(request_to("POST", "/memory/reindex")).status, 200);
  const auto then = until_told(persons, {"event: runs", "event: questions", "event: files"}, next_event);
  EXPECT_TRUE(then.contains(R"("running":true)") && then.contains(R"({"file":"note.md","kind":"conflict"})")) << then;
  store("one more");
  const auto told_agent = until_told(agents, {"\"total\":1"}, next_event);
  EXPECT_FALSE(told_agent.contains("note.md") || told_agent.contains("event: runs")) << told_agent;
}

TEST_F(RoutesTest, AnAgentThatSubscribedIsToldWhatChanged) {
  folder.write("vault/user.md", "Sails.\n");
  start();
  const auto listen = [&](const char* notifications) {
    HttpRequest request = request_to(
        "POST", "/mcp",
        R"({"jsonrpc":"2.0","id":"mine","method":"subscriptions/listen","params":{"notifications":)" + std::string(notifications) +
            R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})");
    request.mcp_version = "2026-07-28";
    request.mcp_method = "subscriptions/listen";
    return ask(std::move(request));
  };
  const auto response =
      listen(R"({"toolsListChanged":true,"resourceSubscriptions":["memory://user","memory://core","file:///x"]})");
  ASSERT_TRUE(response.stream) << response.body;
  const std::string first = next_event(response);
  EXPECT_TRUE(first.contains("notifications/subscriptions/acknowledged") && first.contains("memory://core") &&
              !first.contains("file:"))
      << first;
  store("this is in no resource that was asked for");
  folder.write("vault/user.md", "Sails and rows.\n");
  ASSERT_EQ(ask(request_to("POST", "/memory/reindex")).status, 200);
  const std::string change = next_event(response);
  EXPECT_TRUE(change.contains("notifications/resources/updated") && change.contains("\"uri\":\"memory://user\"") &&
              change.contains("\"io.modelcontextprotocol/subscriptionId\":\"mine\""))
      << change;
  EXPECT_EQ(text(json(listen("7")), {"error", "code"}), "-32602");
}

}  // namespace
}  // namespace loci
