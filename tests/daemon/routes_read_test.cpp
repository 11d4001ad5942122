#include <algorithm>
#include <thread>

#include "tests/daemon/routes_fixture.h"

namespace loci {
namespace {

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

}  // namespace
}  // namespace loci
