#include "capture/pauses.h"
#include "memory/private_tag.h"
#include "tests/daemon/routes_fixture.h"

namespace loci {
namespace {

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

TEST_F(RoutesTest, WhatIsMarkedPrivateAndIsNotIsSaidToWhoeverStoresIt) {
  start();
  const auto notes = [&](const std::string& body) { return json(post(body)).texts_at("notes"); };
  EXPECT_EQ(notes(R"({"text":"the pin is 1","tags":["private"]})"), std::vector{OpenPrivateTag::warning(1)});
  EXPECT_EQ(notes(R"({"entries":[{"text":"one"},{"text":"two #private"},{"text":"three #private"}]})"),
            std::vector{OpenPrivateTag::warning(2)});
  EXPECT_EQ(notes(R"({"text":"four"})"), std::vector<std::string>{});
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

}  // namespace
}  // namespace loci
