#include "daemon/routes.h"

#include <algorithm>
#include <future>
#include <thread>

#include "capture/pauses.h"
#include "daemon/event_hub.h"
#include "daemon/state_of_memory.h"
#include "memory/forget.h"
#include "memory/json_shapes.h"
#include "memory/status.h"
#include "tests/daemon/kept_vault.h"

namespace loci {
namespace {

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

// --- adding ---

TEST_F(RoutesTest, InAPauseAnAgentWritesNothingAndAPersonDoes) {
  start();
  const std::string id = store("the cat is called Mia");
  ASSERT_EQ(ask(request_to("POST", "/memory/turns", R"({"session":"s2","user":"Hello.","assistant":"Hi."})")).status, 201);
  const auto pause = [&](const std::string& session) {
    return pool->with<bool>([&](Memory& memory) -> Result<bool> {
      TRY(begin_pause(memory.vault(), session, {}));
      return true;
    });
  };
  ASSERT_TRUE(pause("s1"));
  EXPECT_EQ(post(R"({"text":"the pin is 1","session":"s1"})").status, 409);
  EXPECT_EQ(post(R"({"entries":[{"text":"the dog is old"},{"text":"the pin is 1","session":"s1"}]})").status, 409);
  EXPECT_EQ(post(R"({"text":"the pin is 1"})").status, 409) << "it may be from that conversation";
  EXPECT_EQ(post(R"({"text":"the pin is 1","session":"made up"})").status, 409) << "nothing was ever said in that";
  EXPECT_EQ(post(R"({"text":"the dog is old","session":"s2"})").status, 201);
  ASSERT_TRUE(pause(""));
  EXPECT_EQ(post(R"({"text":"the pin is 1"})").status, 409);
  EXPECT_EQ(ask(request_to("PATCH", "/memory/entries/" + id, R"({"text":"the pin is 1"})")).status, 409);
  EXPECT_EQ(ask(request_to("DELETE", "/memory/entries/" + id)).status, 409);
  EXPECT_EQ(ask(request_to("POST", "/memory/tasks/t/start", R"({"state":"guessing the pin"})")).status, 409);
  EXPECT_EQ(post(R"({"text":"the cat is old"})", true).status, 201);
  EXPECT_EQ(text(entry(id), {"text"}), "the cat is called Mia");
}

TEST_F(RoutesTest, AnEntryThatIsPostedIsFoundAtOnce) {
  start();
  const auto response = post(R"({"text":"the cat is called Mia","tags":["pets"],"project":"home"})");
  ASSERT_EQ(response.status, 201) << response.body;
  const Json body = json(response);
  EXPECT_EQ(text(body, {"searchable"}), "true");
  const Json& added = body.find("entries")->as_array()->front();
  EXPECT_EQ(text(added, {"file"}), "archive/2026-11-21.md");
  EXPECT_EQ(text(added, {"at"}), "2026-11-21T20:14:43.120Z");
  const Json hits = json(get("/memory/search", {{"q", "cat"}}));
  ASSERT_EQ(hits.find("hits")->as_array()->size(), 1U);
  const Json& hit = hits.find("hits")->as_array()->front();
  EXPECT_EQ(text(hit, {"id"}), text(added, {"id"}));
  EXPECT_EQ(text(hit, {"hash"}), text(added, {"hash"}));
  EXPECT_EQ(text(hit, {"line"}), text(added, {"line"}));
  EXPECT_EQ(text(hit, {"project"}), "home");
}

TEST_F(RoutesTest, ManyEntriesOfOneRequestAreAnsweredInTheirOrder) {
  start();
  const auto response = post(R"({"entries":[{"text":"one"},{"text":"two","source":"system"},{"text":"three"}]})");
  ASSERT_EQ(response.status, 201);
  const Json body = json(response);
  const auto& added = *body.find("entries")->as_array();
  ASSERT_EQ(added.size(), 3U);
  EXPECT_EQ(text(entry(text(added[0], {"id"})), {"text"}), "one");
  EXPECT_EQ(text(entry(text(added[2], {"id"})), {"text"}), "three");
  EXPECT_EQ(text(entry(text(added[1], {"id"})), {"source"}), "system") << "a source may be lowered";
}

TEST_F(RoutesTest, TheRoadDecidesAboutTheSource) {
  start();
  const auto source = [&](const char* body, bool from_command_line) {
    const auto response = post(body, from_command_line);
    return text(entry(text(json(response).find("entries")->as_array()->front(), {"id"})), {"source"});
  };
  EXPECT_EQ(source(R"({"text":"a"})", false), "agent");
  EXPECT_EQ(source(R"({"text":"b","source":"correction"})", false), "agent");
  EXPECT_EQ(source(R"({"text":"c","source":"user"})", false), "agent");
  EXPECT_EQ(source(R"({"text":"d"})", true), "user");
  EXPECT_EQ(source(R"({"text":"e","source":"correction"})", true), "user");
  EXPECT_EQ(source(R"({"text":"f","source":"agent"})", true), "agent");
}

TEST_F(RoutesTest, WhatCannotBeAddedIsRefusedWhole) {
  start();
  for (const auto& [body, status] : std::vector<std::pair<std::string, int>>{{"", 400},
                                                                             {"{", 400},
                                                                             {"[]", 400},
                                                                             {"{}", 400},
                                                                             {R"({"text":7})", 400},
                                                                             {R"({"text":"x","colour":"red"})", 400},
                                                                             {R"({"entries":{}})", 400},
                                                                             {R"({"entries":[{"text":"x"}],"more":1})", 400},
                                                                             {R"({"entries":[{"text":"x"},{"text":7}]})", 400},
                                                                             {R"({"text":"  "})", 409},
                                                                             {R"({"entries":[{"text":"x"},{"text":""}]})", 409}}) {
    const auto response = post(body);
    EXPECT_EQ(response.status, status) << body;
    EXPECT_NE(error_code(response), "") << body;
  }
  EXPECT_EQ(archive(), "");
  EXPECT_EQ(post(R"({"entries":[]})").status, 201);
}

TEST_F(RoutesTest, ABusyIndexIsToldAndTheEntryIsDurable) {
  start();
  keeper->busy = true;
  const auto response = post(R"({"text":"kept"})");
  EXPECT_EQ(response.status, 201);
  EXPECT_EQ(text(json(response), {"searchable"}), "false");
  EXPECT_EQ(text(json(response), {"reason"}), "the index is busy");
  EXPECT_EQ(times(archive(), "\nkept\n"), 1U);
}

// --- reading ---

TEST_F(RoutesTest, ASearchTakesEveryFilterOfTheCommandLine) {
  start();
  post(R"({"entries":[{"text":"tea in the morning","tags":["food"],"project":"home","at":"2026-01-05T08:00:00Z"},
                      {"text":"tea in the evening","tags":["food","late"],"at":"2026-06-05T20:00:00Z","source":"system"},
                      {"text":"tea was said","kind":"turn","session":"s1","turn":1}]})");
  const auto found = [&](std::map<std::string, std::string, std::less<>> query) {
    query["q"] = "tea";
    const auto response = get("/memory/search", query);
    EXPECT_EQ(response.status, 200) << response.body;
    std::vector<std::string> texts;
    const Json body = json(response);
    for (const Json& hit : *body.find("hits")->as_array()) texts.push_back(text(hit, {"text"}));
    std::ranges::sort(texts);
    return texts;
  };
  const std::string morning = "tea in the morning", evening = "tea in the evening", said = "tea was said";
  using Texts = std::vector<std::string>;
  EXPECT_EQ(found({}), (Texts{evening, morning}));
  EXPECT_EQ(found({{"history", "1"}}), (Texts{evening, morning, said}));
  EXPECT_EQ(found({{"tag", "food,late"}}), Texts{evening});
  EXPECT_EQ(found({{"project", "home"}}), Texts{morning});
  EXPECT_EQ(found({{"source", "system"}}), Texts{evening});
  EXPECT_EQ(found({{"since", "2026-06"}, {"until", "2026-06-05"}}), Texts{evening});
  EXPECT_EQ(found({{"kind", "turn"}, {"history", "true"}}), Texts{said});
  EXPECT_EQ(found({{"layer", "L2"}, {"session", "s1"}, {"history", ""}}), Texts{said});
  EXPECT_EQ(found({{"limit", "1"}}).size(), 1U);
  EXPECT_TRUE(json(get("/memory/search", {{"query", "tea"}, {"threads", "1"}})).find("threads"));
}

TEST_F(RoutesTest, AParameterThatMeansNothingIsAUsageError) {
  start();
  using Query = std::map<std::string, std::string, std::less<>>;
  for (const auto& [path, query] :
       std::vector<std::pair<std::string, Query>>{{"/memory/search", {}},
                                                  {"/memory/search", {{"q", ""}}},
                                                  {"/memory/search", {{"q", "x"}, {"colour", "red"}}},
                                                  {"/memory/search", {{"q", "x"}, {"layer", "L9"}}},
                                                  {"/memory/search", {{"q", "x"}, {"kind", "turns"}}},
                                                  {"/memory/search", {{"q", "x"}, {"source", "me"}}},
                                                  {"/memory/search", {{"q", "x"}, {"since", "soon"}}},
                                                  {"/memory/search", {{"q", "x"}, {"until", "then"}}},
                                                  {"/memory/search", {{"q", "x"}, {"limit", "-1"}}},
                                                  {"/memory/search", {{"q", "x"}, {"limit", "ten"}}},
                                                  {"/memory/search", {{"q", "x"}, {"history", "maybe"}}},
                                                  {"/memory/entries", {{"cursor", "x"}}},
                                                  {"/memory/recent", {{"limit", ""}}},
                                                  {"/memory/search", {{"q", "x"}, {"limit", "0"}}},
                                                  {"/memory/recent", {{"limit", "0"}}},
                                                  {"/memory/entries", {{"limit", "0"}}},
                                                  {"/memory/sessions", {{"limit", "0"}}},
                                                  {"/memory/sessions", {{"kind", "turn"}}},
                                                  {"/memory/export", {{"format", "xml"}}},
                                                  {"/memory/status", {{"wait", "x"}}}}) {
    const auto response = get(path, query);
    EXPECT_EQ(response.status, 400) << path;
    EXPECT_EQ(error_code(response), "usage") << path;
  }
}

TEST_F(RoutesTest, EntriesAreListedPageByPage) {
  start();
  for (int i = 0; i < 5; ++i) store("fact " + std::to_string(i));
  std::vector<std::string> seen;
  std::string after;
  do {
    const Json page = json(get("/memory/entries", {{"limit", "2"}, {"after", after}}));
    for (const Json& one : *page.find("entries")->as_array()) seen.push_back(text(one, {"text"}));
    after = page.find("next")->as_string() ? *page.find("next")->as_string() : "";
  } while (!after.empty());
  EXPECT_EQ(seen, (std::vector<std::string>{"fact 0", "fact 1", "fact 2", "fact 3", "fact 4"}));
}

TEST_F(RoutesTest, TheNewestHaveANextPageOnlyIfThereIsOne) {
  start();
  for (int i = 0; i < 3; ++i) store("fact " + std::to_string(i));
  const Json first = json(get("/memory/recent", {{"limit", "2"}}));
  ASSERT_TRUE(first.find("next")->as_string());
  const Json second = json(get("/memory/recent", {{"limit", "2"}, {"before", *first.find("next")->as_string()}}));
  EXPECT_EQ(second.find("entries")->as_array()->size(), 1U);
  EXPECT_FALSE(second.find("next")->as_string());
  EXPECT_FALSE(json(get("/memory/recent", {{"limit", "3"}})).find("next")->as_string());
}

TEST_F(RoutesTest, AnEntryIsGivenWithHowOftenItWasRetrieved) {
  start();
  const std::string id = store("The heron stands.");
  const auto recalls_in = [](const Json& entry) {
    return entry.find("recalls")->as_integer() ? *entry.find("recalls")->as_integer() : -1;
  };
  const auto recalls = [&] { return recalls_in(*json(get("/memory/entries/" + id)).find("entry")); };
  EXPECT_EQ(recalls(), 0);
  folder.write("vault/.loci/recall/other.jsonl", R"({"day":"2026-01-01","counts":{")" + id +
                                                     R"(":[3,2]}})"
                                                     "\n");
  EXPECT_EQ(recalls(), 3);
  const Json found = json(get("/memory/search", {{"q", "heron"}}));
  EXPECT_EQ(recalls_in(found.find("hits")->as_array()->front()), 3);
  const Json listed = json(get("/memory/entries"));
  EXPECT_EQ(recalls_in(listed.find("entries")->as_array()->front()), 3);
}

TEST_F(RoutesTest, AnEntryIsGivenWithItsEntityTag) {
  start();
  const std::string id = store("tagged");
  const auto response = get("/memory/entries/" + id.substr(0, 12));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(text(json(response), {"entry", "id"}), id);
  EXPECT_EQ(response.headers.at("ETag"), '"' + text(json(response), {"entry", "hash"}) + '"');
  EXPECT_EQ(get("/memory/entries/none").status, 404);
}

TEST_F(RoutesTest, RecentAndSessionsAreAsTheCommands) {
  start();
  post(R"({"entries":[{"text":"hello","kind":"turn","session":"a/b c","turn":1,"role":"user"},
                      {"text":"hi","kind":"turn","session":"a/b c","turn":1,"role":"assistant"},
                      {"text":"a fact"}]})");
  const Json turns = json(get("/memory/recent", {{"kind", "turn"}}));
  ASSERT_EQ(turns.find("turns")->as_array()->size(), 1U);
  EXPECT_EQ(text(turns.find("turns")->as_array()->front(), {"assistant"}), "hi");
  EXPECT_EQ(json(get("/memory/recent", {})).find("entries")->as_array()->size(), 3U);
  EXPECT_EQ(text(json(get("/memory/sessions")).find("sessions")->as_array()->front(), {"session"}), "a/b c");
  const auto session = get("/memory/sessions/a/b c");
  EXPECT_EQ(session.status, 200);
  EXPECT_EQ(json(session).find("entries")->as_array()->size(), 2U);
  EXPECT_EQ(get("/memory/sessions/none").status, 404);
}

TEST_F(RoutesTest, TheContextIsWhatIsAlwaysInThePromptAndWhatConcernsTheMessage) {
  folder.write("vault/user.md", "# About me\n\nI live in Turku.\n");
  folder.write("vault/MEMORY.md", "# Memory\n\nBe brief.\n");
  folder.write("vault/consolidated/memory.md", "<!--m {\"id\":\"b1\"}-->\nThe boat Petrel lies in Sisimiut.\n");
  start();
  const Json body = json(get("/memory/context", {{"query", "where is the boat Petrel?"}, {"session", "s1"}}));
  EXPECT_TRUE(text(body, {"l0"}).starts_with("# About me\nI live in Turku.\n\n# Memory\nBe brief.\n\n")) << text(body, {"l0"});
  EXPECT_TRUE(text(body, {"l0"}).ends_with("\n\nsession: s1"));
  EXPECT_NE(text(body, {"block"}).find("- [b1 | user | 0.90] The boat Petrel"), std::string::npos);
  const auto posted = ask(request_to("POST", "/memory/context", R"({"query":"where is the boat Petrel?","session":"s1"})"));
  EXPECT_EQ(json(posted), body);
  EXPECT_EQ(ask(request_to("POST", "/memory/context", R"({"qury":"x"})")).status, 400);
}

TEST_F(RoutesTest, AnExportHasEverythingThatCounts) {
  start();
  store("first");
  store("second");
  const auto as_json = get("/memory/export");
  EXPECT_EQ(json(as_json).find("entries")->as_array()->size(), 2U);
  const auto as_markdown = get("/memory/export", {{"format", "md"}});
  EXPECT_EQ(as_markdown.content_type, "text/markdown; charset=utf-8");
  EXPECT_EQ(times(as_markdown.body, "\nfirst\n"), 1U);
}

// --- changing ---

TEST_F(RoutesTest, APatchNeedsTheHashThatItsCallerSaw) {
  start();
  const std::string id = store("old words");
  HttpRequest stale = request_to("PATCH", "/memory/entries/" + id, R"({"text":"new words"})");
  for (const char* tag : {"\"0123\"", "old", "W/\"x\"", "\"a\", \"b\""}) {
    stale.if_match = tag;
    const auto response = ask(stale);
    EXPECT_EQ(response.status, 412) << tag;
    EXPECT_EQ(error_code(response), "refused");
  }
  HttpRequest fresh = stale;
  fresh.if_match = "\"x\", " + get("/memory/entries/" + id).headers.at("ETag");
  const auto changed = ask(fresh);
  ASSERT_EQ(changed.status, 200) << changed.body;
  const std::string new_id = text(json(changed), {"id"});
  EXPECT_EQ(text(entry(new_id), {"text"}), "new words");
  EXPECT_EQ(get("/memory/entries/" + id).status, 404);
  fresh.path = "/memory/entries/" + new_id;
  EXPECT_EQ(ask(fresh).status, 412) << "its hash is another one now";
}

TEST_F(RoutesTest, AHashIsUnderstoodRawAndInQuotes) {
  start();
  const std::string id = store("old words");
  const std::string hash = text(entry(id), {"hash"});
  HttpRequest request = request_to("PATCH", "/memory/entries/" + id, R"({"tags":["a"]})");
  request.if_match = " " + hash + " ";
  const auto raw = ask(request);
  ASSERT_EQ(raw.status, 200) << raw.body;
  request = request_to("DELETE", "/memory/entries/" + text(json(raw), {"id"}));
  request.if_match = "\"other\", \"" + hash + "\"";
  EXPECT_EQ(ask(request).status, 200);
}

TEST_F(RoutesTest, AnEmptyIfMatchIsAUsageErrorAndChangesNothing) {
  start();
  const std::string id = store("stays");
  for (const std::string method : {"PATCH", "DELETE"})
    for (const char* empty : {" ", "\t", ",", " , ,"}) {
      HttpRequest request = request_to(method, "/memory/entries/" + id, method == "PATCH" ? R"({"text":"x"})" : "");
      request.if_match = empty;
      EXPECT_EQ(ask(request).status, 400) << method << " '" << empty << "'";
    }
  EXPECT_EQ(text(entry(id), {"text"}), "stays");
}

TEST_F(RoutesTest, AnAgentsPatchDoesNotMakeItsWordsThePersons) {
  start();
  const std::string id = store("said by a person", true);
  const auto by_agent = ask(request_to("PATCH", "/memory/entries/" + id, R"({"text":"changed by an agent"})"));
  ASSERT_EQ(by_agent.status, 200) << by_agent.body;
  EXPECT_EQ(text(entry(text(json(by_agent), {"id"})), {"source"}), "agent");
  HttpRequest typed = request_to("PATCH", "/memory/entries/" + text(json(by_agent), {"id"}), R"({"text":"changed by a person"})");
  typed.from_command_line = true;
  EXPECT_EQ(text(entry(text(json(ask(typed)), {"id"})), {"source"}), "user");
}

TEST_F(RoutesTest, AnAgentDoesNotChangeWhatWasSaid) {
  start();
  const auto stored = post(R"({"text":"hello","kind":"turn","session":"s","turn":1})");
  const std::string id = text(json(stored).find("entries")->as_array()->front(), {"id"});
  const auto response = ask(request_to("PATCH", "/memory/entries/" + id, R"({"text":"never said"})"));
  EXPECT_EQ(response.status, 409);
  EXPECT_EQ(text(entry(id), {"text"}), "hello");
}

TEST_F(RoutesTest, AnAgentDoesNotRemoveWhatWasSaid) {
  start();
  const auto stored = post(R"({"text":"hello","kind":"turn","session":"s","turn":1})");
  const std::string id = text(json(stored).find("entries")->as_array()->front(), {"id"});
  EXPECT_EQ(ask(request_to("DELETE", "/memory/entries/" + id)).status, 409);
  const std::string fact = store("hello there");
  HttpRequest everywhere = request_to("DELETE", "/memory/entries/" + fact);
  everywhere.query["everywhere"] = "1";
  EXPECT_EQ(ask(everywhere).status, 409);
  EXPECT_EQ(get("/memory/entries/" + id).status, 200);
  HttpRequest typed = request_to("DELETE", "/memory/entries/" + id);
  typed.from_command_line = true;
  EXPECT_EQ(ask(typed).status, 200);
}

TEST_F(RoutesTest, AnAgentForgesNoSummaryAndNoTurn) {
  start();
  for (const char* body :
       {R"({"text":"x","kind":"session-summary","session":"s","turn":1})", R"({"text":"x","kind":"task-summary","task":"t"})"})
    EXPECT_EQ(post(body).status, 409) << body;
  for (const char* body :
       {R"({"text":"x","kind":"turn","session":"s","turn":-1})", R"({"text":"x","kind":"turn","session":"s","turn":1000000001})",
        R"({"text":"x","kind":"turn","session":"s"})", R"({"text":"x","kind":"turn","turn":1})",
        R"({"text":"x","session":"s","turn":-1})",
        R"({"entries":[{"text":"fine"},{"text":"x","kind":"turn","session":"s","turn":99999999999}]})"})
    EXPECT_EQ(post(body).status, 400) << body;
  EXPECT_EQ(post(R"({"text":"said","kind":"turn","session":"s","turn":1,"role":"user"})").status, 201);
  for (const char* body : {R"({"text":"other","kind":"turn","session":"s","turn":1,"role":"user"})",
                           R"({"text":"said","kind":"turn","session":"s","turn":1})"})
    EXPECT_EQ(post(body).status, 409) << body;
  EXPECT_EQ(post(R"({"text":"answered","kind":"turn","session":"s","turn":1,"role":"assistant"})").status, 201);
  EXPECT_EQ(json(get("/memory/entries")).find("entries")->as_array()->size(), 2U);
}

TEST_F(RoutesTest, WhatAPersonTypedInUserFileIsTheAgentsAfterItsPatch) {
  folder.write("vault/user.md", "- Keeps two goats.\n- Sails.\n");
  start();
  const std::string id = text(json(get("/memory/entries")).find("entries")->as_array()->front(), {"id"});
  const auto changed = ask(request_to("PATCH", "/memory/entries/" + id, R"({"text":"Owes 300 euros.","tags":["debt"]})"));
  ASSERT_EQ(changed.status, 200) << changed.body;
  const Json now = entry(text(json(changed), {"id"}));
  EXPECT_EQ(text(now, {"source"}), "agent");
  EXPECT_EQ(text(now, {"tags"}), R"(["debt"])");
  EXPECT_TRUE(folder.read("vault/user.md").contains("\"source\":\"agent\"")) << folder.read("vault/user.md");
  EXPECT_FALSE(folder.read("vault/user.md").contains("goats"));
}

TEST_F(RoutesTest, APatchThatChangesNothingChangesNothing) {
  folder.write("vault/user.md", "Sails.\n");
  start();
  const std::string id = store("stays", true);
  const auto before = folder.contents("vault");
  for (const bool from_command_line : {false, true}) {
    for (const char* body : {R"({"text":"stays"})", R"({"text":" stays\n","tags":[]})", R"({"tags":[]})"}) {
      HttpRequest request = request_to("PATCH", "/memory/entries/" + id, body);
      request.from_command_line = from_command_line;
      const auto response = ask(request);
      EXPECT_EQ(response.status, 200) << response.body;
      EXPECT_EQ(text(json(response), {"id"}), id);
    }
  }
  EXPECT_EQ(folder.contents("vault"), before);
}

TEST_F(RoutesTest, WhatIsPutBeforeAnAgentLeavesOutWhatIsPrivate) {
  folder.write("home/.config/loci/config.toml", "[privacy]\nnever_send = [\"#secret\"]\n");
  folder.write("vault/user.md", "Sails.\n\nThe pin is 4711 #secret\n");
  folder.write("vault/MEMORY.md", "Rows.\n\nThe key is under the mat #secret\n");
  start();
  const Json context = json(get("/memory/context"));
  EXPECT_TRUE(text(context, {"l0"}).starts_with("Sails.\n\nRows.\n\nHow this memory is used"));
}

TEST_F(RoutesTest, AnAgentEndsWhatItNamesAndIsToldNothingPrivate) {
  folder.write("home/.config/loci/config.toml", "[privacy]\nnever_send = [\"#secret\"]\n");
  folder.write("vault/user.md", "- Moss grows on the wall.\n");
  folder.write("vault/note.md", "Moss on the wall grows. #secret\n");
  folder.write("vault/archive/2026-01-02.md",
               "<!--m {\"id\":\"a1\",\"source\":\"agent\"}-->\nMoss grows on the wall.\n\n"
               "<!--m {\"id\":\"a2\",\"source\":\"agent\"}-->\nMoss grows on the wall.\n\n"
               "<!--m {\"id\":\"p1\",\"source\":\"user\"}-->\nMoss grows on the wall.\n");
  start();
  const auto gone = ask(request_to("DELETE", "/memory/entries/a1"));
  ASSERT_EQ(gone.status, 200) << gone.body;
  EXPECT_TRUE(gone.body.contains("\"p1\"")) << "what still says it is named";
  EXPECT_FALSE(gone.body.contains("secret") || gone.body.contains("note.md")) << gone.body;
  EXPECT_EQ(ask(request_to("PATCH", "/memory/entries/a2", R"({"text":"Nothing grows."})")).status, 200);
  const auto listed = get("/memory/entries");
  EXPECT_TRUE(listed.body.contains("\"p1\"") && listed.body.contains("user.md")) << listed.body;
  EXPECT_FALSE(listed.body.contains("\"a1\"") || listed.body.contains("\"a2\"")) << listed.body;
}

TEST_F(RoutesTest, OfWhatIsWrongAnAgentIsToldNothingThatQuotesWhatIsPrivate) {
  folder.write("home/.config/loci/config.toml", "[privacy]\nnever_send = [\"#secret\"]\n");
  folder.write("vault/archive/2026-01-02.md",
               "<!--m {\"id\":\"p1\",\"source\":\"user\",\"tags\":[\"secret\"]}-->\nThe safe is green.\n\n"
               "<!--m {\"id\":\"p2\",\"source\":\"user\"}-->\nThe door is blue.\n");
  {
    Memory memory = open();
    for (const char* id : {"p1", "p2"}) ASSERT_TRUE(forget(memory, {id}, {.actor = Actor::agent})) << id;
  }
  start();
  const auto for_agent = get("/memory/status");
  EXPECT_TRUE(for_agent.body.contains("The door is blue.")) << for_agent.body;
  EXPECT_FALSE(for_agent.body.contains("The safe is green.") || for_agent.body.contains("p1")) << for_agent.body;
  HttpRequest by_person = request_to("GET", "/memory/status");
  by_person.from_command_line = true;
  EXPECT_TRUE(ask(std::move(by_person)).body.contains("The safe is green."));
}

TEST_F(RoutesTest, WhatIsPrivateIsForAnAgentAsIfItWereNotThere) {
  folder.write("home/.config/loci/config.toml", "[privacy]\nnever_send = [\"#secret\", \"diary/\"]\n");
  folder.write("vault/diary/may.md", "The heron diary is mine.\n");
  start();
  post(R"({"entries":[{"text":"the heron safe opens with 4711","tags":["secret"],"session":"s1","turn":1,"kind":"turn"},
                      {"text":"the heron stands in the pond"}]})");
  const auto as_person = [&](std::string path, std::string query = {}) {
    HttpRequest request = request_to("GET", std::move(path));
    if (!query.empty()) request.query["q"] = query;
    request.query["history"] = "1";
    if (query.empty()) request.query.clear();
    request.from_command_line = true;
    return ask(std::move(request));
  };
  std::string secret;
  const Json all = json(as_person("/memory/search", "heron"));
  ASSERT_EQ(all.find("hits")->as_array()->size(), 3U);
  for (const Json& hit : *all.find("hits")->as_array())
    if (text(hit, {"text"}).contains("4711")) secret = text(hit, {"id"});
  for (const char* path : {"/memory/search", "/memory/entries", "/memory/recent", "/memory/export", "/memory/sessions"}) {
    auto query = std::map<std::string, std::string, std::less<>>();
    if (std::string_view(path) == "/memory/search") query = {{"q", "heron"}, {"history", "1"}, {"threads", "1"}, {"limit", "1"}};
    const auto response = get(path, query);
    EXPECT_EQ(response.status, 200) << path;
    EXPECT_FALSE(response.body.contains("4711") || response.body.contains("diary") || response.body.contains(secret))
        << response.body;
    EXPECT_EQ(response.body.contains("pond"), std::string_view(path) != "/memory/sessions") << path;
  }
  const auto body_of = [&](const HttpResponse& response, const std::string& id) {
    std::string body = response.body;
    for (size_t at = body.find(id); at != std::string::npos; at = body.find(id)) body.replace(at, id.size(), "ID");
    return std::to_string(response.status) + body;
  };
  for (const char* method : {"GET", "DELETE", "PATCH"}) {
    const std::string change = std::string_view(method) == "PATCH" ? R"({"text":"mine now"})" : "";
    EXPECT_EQ(body_of(ask(request_to(method, "/memory/entries/" + secret, change)), secret),
              body_of(ask(request_to(method, "/memory/entries/01unknown", change)), "01unknown"));
  }
  EXPECT_EQ(body_of(get("/memory/sessions/s1"), "s1"), body_of(get("/memory/sessions/none"), "none"));
  EXPECT_EQ(as_person("/memory/entries/" + secret).status, 200);
}

TEST_F(RoutesTest, AnAgentIsBelievedNoMoreThanAnAgent) {
  start();
  post(R"({"text":"sure of itself","confidence":1.0})");
  post(R"({"text":"in doubt","confidence":0.2})");
  post(R"({"text":"a person is sure","confidence":1.0})", true);
  const auto confidence = [&](const char* words) {
    return json(get("/memory/search", {{"q", words}})).find("hits")->as_array()->front().find("confidence")->number_or(-1);
  };
  EXPECT_EQ(confidence("sure of itself"), default_confidence(Source::agent));
  EXPECT_EQ(confidence("in doubt"), 0.2);
  EXPECT_EQ(confidence("a person is sure"), 1.0);
}

TEST_F(RoutesTest, APersonsNotesAreNotRewritten) {
  folder.write("vault/note.md", "A thought of my own.\n");
  start();
  const Json listed = json(get("/memory/entries"));
  const std::string id = text(listed.find("entries")->as_array()->front(), {"id"});
  const auto response = ask(request_to("PATCH", "/memory/entries/" + id, R"({"text":"mine"})"));
  EXPECT_EQ(response.status, 409);
  EXPECT_NE(response.body.find("note.md"), std::string::npos);
  EXPECT_EQ(folder.read("vault/note.md"), "A thought of my own.\n");
}

TEST_F(RoutesTest, TagsAloneDoNotChangeWhoSaidIt) {
  start();
  const std::string id = store("tag me", true);
  const auto response = ask(request_to("PATCH", "/memory/entries/" + id, R"({"tags":["a","b"]})"));
  ASSERT_EQ(response.status, 200) << response.body;
  const Json changed = entry(text(json(response), {"id"}));
  EXPECT_EQ(text(changed, {"tags"}), R"(["a","b"])");
  EXPECT_EQ(text(changed, {"source"}), "user");
}

TEST_F(RoutesTest, APatchThatSaysNothingIsAUsageError) {
  start();
  const std::string id = store("stays");
  for (const char* body : {"", "{", "{}", "[]", R"({"text":7})", R"({"tags":[7]})", R"({"id":"x"})"})
    EXPECT_EQ(ask(request_to("PATCH", "/memory/entries/" + id, body)).status, 400) << body;
  EXPECT_EQ(ask(request_to("PATCH", "/memory/entries/none", R"({"text":"x"})")).status, 404);
  EXPECT_EQ(text(entry(id), {"text"}), "stays");
}

TEST_F(RoutesTest, WhatIsDeletedIsNeverFoundAgain) {
  start();
  const std::string id = store("forget me"), other = store("keep me");
  HttpRequest stale = request_to("DELETE", "/memory/entries/" + id);
  stale.if_match = "\"x\"";
  EXPECT_EQ(ask(stale).status, 412);
  const auto response = ask(request_to("DELETE", "/memory/entries/" + id));
  ASSERT_EQ(response.status, 200) << response.body;
  EXPECT_EQ(text(json(response), {"forgotten"}), "[\"" + id + "\"]");
  EXPECT_EQ(get("/memory/entries/" + id).status, 404);
  HttpRequest anyway = request_to("GET", "/memory/entries/" + id);
  anyway.query["inactive"] = "1";
  EXPECT_EQ(ask(anyway).status, 409);  // what was deleted stays deleted for an agent
  anyway.from_command_line = true;
  EXPECT_EQ(text(*json(ask(anyway)).find("entry"), {"status"}), "inactive");
  EXPECT_EQ(get("/memory/entries/" + other).status, 200);
  EXPECT_EQ(ask(request_to("DELETE", "/memory/entries/" + id)).status, 404);
  EXPECT_NE(folder.read("vault/.loci/tombstones/test.jsonl").find("\"by\":\"agent\""), std::string::npos);
}

// --- what goes on for long ---

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

// --- the index, the service ---

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
