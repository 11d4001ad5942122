#include <thread>

#include "memory/forget.h"
#include "tests/daemon/routes_fixture.h"

namespace loci {
namespace {

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

}  // namespace
}  // namespace loci
