#include "mcp/server.h"

#include "base/unicode.h"
#include "tests/mcp/served_memory.h"
#include "vault/logs/recall_log.h"

namespace loci::mcp {
namespace {

using McpServer = ServedMemory;

// Whether a value fits a JSON Schema, as far as ours go.
std::string misfit(const Json& schema, const Json& value) {
  const std::string type = schema.text_at("type");
  const bool fits = type.empty() || (type == "object" && value.as_object()) || (type == "array" && value.as_array()) ||
                    (type == "string" && value.as_string()) || (type == "integer" && value.as_integer()) ||
                    (type == "number" && value.is_number()) || (type == "boolean" && value.as_bool());
  if (!fits) return to_string(value) + " is no " + type;
  if (const Json* items = schema.find("items"))
    for (const Json& item : *value.as_array())
      if (const auto why = misfit(*items, item); !why.empty()) return why;
  if (const Json* properties = schema.find("properties"))
    for (const auto& [key, member] : *value.as_object()) {
      const Json* of_key = properties->find(key);
      if (!of_key) return "unknown key " + key;
      if (const auto why = misfit(*of_key, member); !why.empty()) return key + ": " + why;
    }
  return {};
}

TEST_F(McpServer, InitializeAnswersInTheRevisionThatWasAskedForIfItIsKnown) {
  for (const char* version : {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"})
    EXPECT_EQ(ask("initialize", (std::string(R"({"protocolVersion":")") + version + "\"}").c_str()).text_at("protocolVersion"),
              version);
  const Json other = ask("initialize", R"({"protocolVersion":"2031-01-01"})");
  EXPECT_EQ(other.text_at("protocolVersion"), "2025-11-25");
  EXPECT_EQ(other.find("serverInfo")->text_at("name"), "loci");
  EXPECT_FALSE(other.text_at("instructions").empty());
  EXPECT_EQ(ask("initialize").integer_at("code"), -32602);
  EXPECT_EQ(to_string(ask("ping")), "{}");
}

TEST_F(McpServer, TheModernEraHasNoHandshakeAndSaysHowLongAnswersHold) {
  const Json discovered = ask("server/discover", "{}", true);
  EXPECT_EQ(to_string(*discovered.find("supportedVersions")), R"(["2026-07-28"])");
  EXPECT_EQ(discovered.text_at("resultType"), "complete");
  for (const char* method : {"initialize", "ping", "logging/setLevel", "resources/subscribe", "no/such"})
    EXPECT_EQ(ask(method, "{}", true).integer_at("code"), -32601) << method;
  for (const char* method : {"tools/list", "prompts/list", "resources/list", "resources/templates/list", "server/discover"}) {
    const Json listed = ask(method, "{}", true);
    EXPECT_TRUE(listed.find("ttlMs")->as_integer()) << method;
    EXPECT_EQ(listed.text_at("cacheScope"), "private") << method;
    EXPECT_EQ(listed.find("_meta")->find(server_key)->text_at("name"), "loci") << method;
    EXPECT_FALSE(ask(method).find("ttlMs")) << method;
  }
  EXPECT_EQ(ask("server/discover").integer_at("code"), -32601);
}

TEST_F(McpServer, EveryToolSaysWhatItTakesGivesAndDoes) {
  const Json listed = ask("tools/list");
  std::vector<std::string> names;
  for (const Json& tool : listed.array_at("tools")) {
    names.push_back(tool.text_at("name"));
    EXPECT_FALSE(tool.text_at("title").empty() || tool.text_at("description").empty());
    EXPECT_EQ(tool.find("inputSchema")->text_at("type"), "object");
    EXPECT_EQ(tool.find("outputSchema")->text_at("type"), "object");
    for (const char* hint : {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"})
      EXPECT_TRUE(tool.find("annotations")->find(hint)->as_bool()) << hint;
    EXPECT_EQ(*tool.find("annotations")->find("readOnlyHint")->as_bool(), names.back() != "memory_write") << names.back();
  }
  EXPECT_EQ(names, (std::vector<std::string>{"memory_search", "memory_write", "memory_get", "recent_conversations",
                                             "memory_context", "memory_used", "memory_status"}));
  EXPECT_EQ(listed, ask("tools/list"));
}

TEST_F(McpServer, WhatAnEntrySaidBeforeItsChangesIsToldWithIt) {
  write("consolidated/memory.md",
        "<!--m {\"id\":\"c1\",\"history\":[{\"day\":\"2026-11-02\",\"text\":\"Works at Google.\"}]}-->\nWorks at Apple.\n");
  const Json result = call("memory_get", R"({"id":"c1"})");
  const Json* found = result.find("structuredContent");
  ASSERT_TRUE(found) << to_string(result);
  EXPECT_EQ(to_string(*found->find("said_before")), R"([{"day":"2026-11-02","text":"Works at Google."}])");
}

TEST_F(McpServer, WhatAToolAnswersFitsItsSchemaAndStandsInTheTextToo) {
  write("user.md", "Sails.\n");
  const std::string id = id_of_written(R"({"action":"add","layer":"L1","content":"The boat is called Heron.","tags":["boat"]})");
  write("archive/sessions/2026-01-02-s.md",
        "<!--m "
        "{\"id\":\"u0\",\"at\":\"2026-01-02T03:00:00Z\",\"kind\":\"turn\",\"session\":\"s\",\"turn\":0,\"role\":\"user\"}-->"
        "\nWhere is the "
        "boat?\n");
  const std::map<std::string, std::string> calls = {{"memory_search", R"({"query":"boat","threads":true,"history":true})"},
                                                    {"memory_write", R"({"action":"add","content":"The mast is new."})"},
                                                    {"memory_get", R"({"id":")" + id + "\"}"},
                                                    {"recent_conversations", "{}"},
                                                    {"memory_context", R"({"query":"boat"})"},
                                                    {"memory_used", R"({"session":"s"})"},
                                                    {"memory_status", "{}"}};
  const Json listed = ask("tools/list");
  for (const Json& tool : listed.array_at("tools")) {
    const std::string name = tool.text_at("name");
    ASSERT_TRUE(calls.contains(name)) << name;
    const Json result = call(name, calls.at(name));
    ASSERT_TRUE(result.find("structuredContent")) << name << to_string(result);
    EXPECT_EQ(misfit(*tool.find("outputSchema"), *result.find("structuredContent")), "") << name;
    EXPECT_EQ(result.array_at("content").front().text_at("text"), to_string(*result.find("structuredContent"))) << name;
  }
  EXPECT_TRUE(to_string(call("memory_search", calls.at("memory_search"))).contains("Heron"));
  EXPECT_TRUE(to_string(call("recent_conversations", "{}")).contains("Where is the boat?"));
  EXPECT_TRUE(to_string(call("memory_context", "{}")).contains("Sails."));
  call("memory_search", R"({"query":"boat","asked_in":"mine"})");
  EXPECT_TRUE(to_string(call("memory_used", R"({"session":"mine"})")).contains(id));
}

TEST_F(McpServer, WhatSomebodyPastedIntoAMessageDoesNotFillTheContextOfAModel) {
  std::string pasted = "Look at this log:";
  for (int i = 0; i < 3'000; ++i) pasted += " ärger";
  write("archive/2026-01-02.md",
        R"(<!--m {"id":"u0","at":"2026-01-02T03:00:00Z","kind":"turn","session":"s","turn":0,"role":"user"}-->)"
        "\n" +
            pasted + "\n\n" +
            R"(<!--m {"id":"a0","at":"2026-01-02T03:01:00Z","kind":"turn","session":"s","turn":0,"role":"assistant"}-->)"
            "\nIt is the fuse.\n");
  const Json page = *call("recent_conversations", "{}").find("structuredContent");
  const Json& turn = page.array_at("turns").front();
  EXPECT_LT(turn.text_at("user").size(), 4'100u);
  EXPECT_TRUE(turn.text_at("user").starts_with("Look at this log:"));
  EXPECT_TRUE(turn.text_at("user").ends_with("more bytes: memory_get u0]")) << turn.text_at("user");
  EXPECT_TRUE(is_valid_utf8(turn.text_at("user")));
  EXPECT_EQ(turn.text_at("assistant"), "It is the fuse.");
  EXPECT_TRUE(to_string(call("memory_get", R"({"id":"u0"})")).contains(pasted));
}

TEST_F(McpServer, RecentConversationsGoOnBehindACursorAndShowEveryTurnOnceAndWhole) {
  std::string file;
  const auto say = [&](int minute, const char* session, int turn, const char* role) {
    char line[200];
    std::snprintf(line, sizeof line,
                  R"(<!--m {"id":"%s%d%s","at":"2026-01-02T03:%02d:00Z","kind":"turn","session":"%s","turn":%d,"role":"%s"}-->)",
                  session, turn, role, minute, session, turn, role);
    file += std::string(line) + "\n" + session + std::to_string(turn) + " says the " + role + ".\n\n";
  };
  // Two conversations at the same time, whose answers come late, and a question that has none.
  for (int turn = 0; turn < 4; ++turn) {
    say(10 * turn, "a", turn, "user");
    say(10 * turn + 1, "b", turn, "user");
    say(10 * turn + 12, "a", turn, "assistant");
    if (turn != 2) say(10 * turn + 13, "b", turn, "assistant");
  }
  write("archive/2026-01-02.md", file);
  for (int limit = 1; limit <= 9; ++limit) {
    std::vector<std::string> seen;
    Json next;
    do {
      Json arguments = Json::object();
      arguments.set("limit", limit);
      if (!next.is_null()) arguments.set("before", next);
      const Json page = *call("recent_conversations", to_string(arguments)).find("structuredContent");
      for (const Json& turn : page.array_at("turns"))
        seen.push_back(turn.text_at("session") + std::to_string(turn.integer_at("turn")) + (turn.find("user") ? "u" : "") +
                       (turn.find("assistant") ? "a" : ""));
      next = page.find("next") ? *page.find("next") : Json();
    } while (!next.is_null() && seen.size() < 20);
    EXPECT_EQ(seen, (std::vector<std::string>{"b3ua", "a3ua", "b2u", "a2ua", "b1ua", "a1ua", "b0ua", "a0ua"})) << limit;
  }
}

TEST_F(McpServer, WhatWasUsedComesInPages) {
  id_of_written(R"({"action":"add","content":"The boat is called Heron."})");
  for (int i = 0; i < 3; ++i) call("memory_search", R"({"query":"boat","asked_in":"mine"})");
  const Json page = *call("memory_used", R"({"session":"mine","limit":2})").find("structuredContent");
  EXPECT_EQ(page.array_at("turns").size(), 2U);
  EXPECT_EQ(page.integer_at("next"), 1);
  const Json before = *call("memory_used", R"({"session":"mine","limit":2,"before":1})").find("structuredContent");
  EXPECT_EQ(before.array_at("turns").size(), 1U);
  EXPECT_FALSE(before.find("next"));
}

TEST_F(McpServer, WhatIsWrongWithACallIsToldToTheModel) {
  const std::pair<const char*, const char*> wrong[] = {
      {R"({"name":"memory_search","arguments":{}})", "'query' is missing"},
      {R"({"name":"memory_search","arguments":{"query":"x","limit":1000}})", "from 1 to 100"},
      {R"({"name":"memory_search","arguments":{"query":"x","colour":"red"}})", "it takes: query"},
      {R"({"name":"memory_search","arguments":{"query":"x","since":"soon"}})", "2026-11"},
      {R"({"name":"memory_search","arguments":{"query":"x","inactive":true}})", "only a person"},
      {R"({"name":"memory_get","arguments":{"id":"none"}})", "memory_search"},
      {R"({"name":"memory_write","arguments":{"action":"update","content":"x"}})", "target_id is missing"},
      {R"({"name":"memory_write","arguments":{"action":"add","layer":"L2","content":"x"}})", "none of L0, L1"},
      {R"({"name":"memory_write","arguments":{"action":"add"}})", "content is missing"},
  };
  for (const auto& [params, message] : wrong) {
    const Json result = ask("tools/call", params);
    ASSERT_TRUE(result.find("isError") && *result.find("isError")->as_bool()) << params << to_string(result);
    EXPECT_TRUE(result.array_at("content").front().text_at("text").contains(message)) << params << to_string(result);
  }
  for (const char* params : {"{}", R"({"name":"no_such"})", R"({"name":7})", R"({"name":"memory_search","arguments":[]})"})
    EXPECT_EQ(ask("tools/call", params).integer_at("code"), -32602) << params;
}

TEST_F(McpServer, AnUpdateCountsAtOnceAndARemovalToo) {
  const std::string id = id_of_written(R"({"content":"The boat is called Heron."})");
  const std::string newer =
      id_of_written(R"({"action":"update","target_id":")" + id + R"(","content":"The boat is called Egret."})");
  const auto found = [&] { return to_string(call("memory_search", R"({"query":"boat called"})")); };
  EXPECT_TRUE(found().contains("Egret") && !found().contains("Heron")) << found();
  EXPECT_TRUE(files_with("Heron").size() > 0);  // its history
  EXPECT_FALSE(call("memory_write", R"({"action":"remove","target_id":")" + newer + "\"}").find("isError")->as_bool() == nullptr);
  EXPECT_FALSE(found().contains("Egret"));
}

TEST_F(McpServer, WhatUserFileHasNoRoomForIsRefusedWithWhatFillsIt) {
  const std::string long_line(600, 'x');
  const std::string id = id_of_written(R"({"layer":"L0","content":"Sails )" + long_line + "\"}");
  const Json refused = call("memory_write", R"({"layer":"L0","content":"Rows )" + long_line + "\"}");
  EXPECT_TRUE(*refused.find("isError")->as_bool());
  EXPECT_TRUE(to_string(refused).contains(id + " (line 2, 606 characters)")) << to_string(refused);
  EXPECT_FALSE(to_string(refused).contains("Sails")) << "it may be private";
}

TEST_F(McpServer, ResourcesAreReadAndMissingOnesAreErrorsOfTheirEra) {
  write("user.md", "Sails.\n");
  write("MEMORY.md", "Rows on Sundays.\n");
  const std::string id = id_of_written(R"({"content":"The boat is called Heron."})");
  const auto text = [&](const std::string& uri, bool modern) {
    const Json read = ask("resources/read", ("{\"uri\":\"" + uri + "\"}").c_str(), modern);
    return read.find("contents") ? read.array_at("contents").front().text_at("text") : std::to_string(read.integer_at("code"));
  };
  for (const bool modern : {false, true}) {
    EXPECT_EQ(text("memory://user", modern), "Sails.");
    EXPECT_EQ(text("memory://core", modern), "Rows on Sundays.");
    EXPECT_TRUE(text("memory://entry/" + id, modern).starts_with("The boat is called Heron."))
        << text("memory://entry/" + id, modern);
    for (const char* none : {"memory://entry/none", "memory://entry/", "memory://nothing", "file:///etc/passwd", ""})
      EXPECT_EQ(text(none, modern), modern ? "-32602" : "-32002") << none;
  }
  EXPECT_EQ(ask("resources/templates/list").array_at("resourceTemplates").front().text_at("uriTemplate"), "memory://entry/{id}");
}

TEST_F(McpServer, WhoAsksWithAProgressTokenIsToldHowFarALongCallIs) {
  for (int i = 0; i < 200; ++i) write("notes/" + std::to_string(i) + ".md", "Note " + std::to_string(i) + "\n");
  std::vector<Json> told;
  server.notify_by([&](const Json& message) { told.push_back(message); });
  ask("tools/call", R"({"name":"memory_search","arguments":{"query":"note"},"_meta":{"progressToken":"p1"}})");
  ASSERT_FALSE(told.empty());
  std::int64_t last = -1;
  for (const Json& message : told) {
    EXPECT_EQ(message.text_at("method"), "notifications/progress");
    EXPECT_EQ(message.find("params")->text_at("progressToken"), "p1");
    EXPECT_GT(message.find("params")->integer_at("progress"), last);
    last = message.find("params")->integer_at("progress");
  }
}

TEST_F(McpServer, ACursorThatWasNeverGivenIsAnError) {
  for (const char* method : {"tools/list", "prompts/list", "resources/list", "resources/templates/list"})
    for (const char* cursor : {R"({"cursor":"x"})", R"({"cursor":""})"})
      EXPECT_EQ(ask(method, cursor).integer_at("code"), -32602) << method;
}

TEST_F(McpServer, PromptsTakeTheirArgumentsAndNoOthers) {
  EXPECT_EQ(ask("prompts/list").array_at("prompts").size(), 2U);
  const Json got = ask("prompts/get", R"({"name":"recall","arguments":{"question":"Which boat?"}})");
  EXPECT_TRUE(got.array_at("messages").front().find("content")->text_at("text").ends_with("question: Which boat?"));
  for (const char* params : {R"({"name":"recall"})", R"({"name":"none"})", R"({"name":"recall","arguments":{"question":7}})",
                             R"({"name":"remember","arguments":{"colour":"red"}})", R"({"name":"recall","arguments":[]})"})
    EXPECT_EQ(ask("prompts/get", params).integer_at("code"), -32602) << params;
}

TEST_F(McpServer, TagsProjectsSessionsAndIdsAreCompleted) {
  write("archive/2026-01-02.md",
        "<!--m {\"id\":\"f1\",\"tags\":[\"boat\",\"bees\"],\"project\":\"harbour\",\"session\":\"s-1\"}-->\nMoored.\n");
  const auto completed = [&](const char* ref, const std::string& name, const std::string& value) {
    return to_string(
        *ask("completion/complete",
             (std::string(R"({"ref":)") + ref + R"(,"argument":{"name":")" + name + R"(","value":")" + value + "\"}}").c_str())
             .find("completion")
             ->find("values"));
  };
  const char* prompt = R"({"type":"ref/prompt","name":"recall"})";
  EXPECT_EQ(completed(prompt, "tag", "b"), R"(["bees","boat"])");
  EXPECT_EQ(completed(prompt, "tag", "bo"), R"(["boat"])");
  EXPECT_EQ(completed(prompt, "project", ""), R"(["harbour"])");
  EXPECT_EQ(completed(prompt, "session", "s"), R"(["s-1"])");
  EXPECT_EQ(completed(R"({"type":"ref/resource","uri":"memory://entry/{id}"})", "id", "f"), R"(["f1"])");
  EXPECT_EQ(ask("completion/complete", R"({"ref":{"type":"ref/prompt","name":"none"},"argument":{"name":"tag","value":""}})")
                .integer_at("code"),
            -32602);
}

TEST_F(McpServer, WhatIsPrivateIsInNoAnswer) {
  folder.write("home/.config/loci/config.toml", "[privacy]\nnever_send = [\"#secret\"]\n");
  write("user.md", "Sails.\n\nPin 4711 #secret\n");
  write("MEMORY.md", "Rows.\n\nPin 4711 #secret\n");
  write("archive/2026-01-02.md",
        "<!--m {\"id\":\"s1\",\"tags\":[\"secret\"],\"project\":\"vaultdoor\",\"session\":\"hidden\"}-->\nThe safe opens with "
        "4711.\n");
  const std::pair<const char*, const char*> asked[] = {
      {"tools/call", R"({"name":"memory_search","arguments":{"query":"4711 safe opens","history":true,"threads":true}})"},
      {"tools/call", R"({"name":"recent_conversations","arguments":{}})"},
      {"tools/call", R"({"name":"memory_context","arguments":{"query":"safe"}})"},
      {"tools/call", R"({"name":"memory_status","arguments":{}})"},
      {"tools/call", R"({"name":"memory_used","arguments":{"session":"asking"}})"},
      {"tools/call", R"({"name":"memory_used","arguments":{}})"},
      {"resources/read", R"({"uri":"memory://user"})"},
      {"resources/read", R"({"uri":"memory://core"})"},
      {"completion/complete", R"({"ref":{"type":"ref/prompt","name":"recall"},"argument":{"name":"tag","value":""}})"},
      {"completion/complete", R"({"ref":{"type":"ref/prompt","name":"recall"},"argument":{"name":"project","value":""}})"},
      {"completion/complete", R"({"ref":{"type":"ref/prompt","name":"recall"},"argument":{"name":"session","value":""}})"},
      {"completion/complete",
       R"({"ref":{"type":"ref/resource","uri":"memory://entry/{id}"},"argument":{"name":"id","value":""}})"}};
  Memory memory = open();
  EXPECT_TRUE(memory.bring_up_to_date());
  EXPECT_TRUE(
      log_retrieval(memory.vault(), {.query = "safe", .session = "asking", .turn = {}, .ids = {"s1"}, .at = {}, .details = {}}));
  for (const auto& [method, params] : asked) {
    std::string told = to_string(ask(method, params));
    if (const size_t query = told.find("4711 safe opens"); query != std::string::npos)
      told.erase(query);  // what was asked is repeated last
    for (const char* word : {"4711", "secret", "vaultdoor", "hidden", "\"s1\""})
      EXPECT_FALSE(told.contains(word)) << method << params << told;
  }
  const auto same_as_unknown = [&](const char* tool, const std::string& before, const std::string& behind) {
    std::string secret = to_string(call(tool, before + "s1" + behind)), unknown = to_string(call(tool, before + "s9" + behind));
    for (size_t at = unknown.find("s9"); at != std::string::npos; at = unknown.find("s9")) unknown.replace(at, 2, "s1");
    EXPECT_EQ(secret, unknown);
  };
  same_as_unknown("memory_get", R"({"id":")", "\"}");
  same_as_unknown("memory_write", R"({"action":"remove","target_id":")", "\"}");
  same_as_unknown("memory_write", R"({"action":"update","content":"Mine.","target_id":")", "\"}");
  EXPECT_TRUE(read("archive/2026-01-02.md").contains("4711"));
}

}  // namespace
}  // namespace loci::mcp
