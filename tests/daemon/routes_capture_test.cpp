#include <gmock/gmock.h>

#include <future>
#include <thread>

#include "capture/turn.h"
#include "daemon/routes.h"
#include "memory/forget.h"
#include "tests/daemon/kept_vault.h"
#include "tests/support/scripted_model.h"

namespace loci {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

// Passes on to a model that the test holds.
class BorrowedModel final : public LanguageModel {
 public:
  explicit BorrowedModel(LanguageModel& model) : model_(model) {}
  Result<ModelAnswer> ask(const ModelRequest& request, std::stop_token stop) override { return model_.ask(request, stop); }
  std::int64_t tokens_to_send(const ModelRequest& request) const override { return model_.tokens_to_send(request); }
  const std::string& name() const override { return model_.name(); }

 private:
  LanguageModel& model_;
};

// Answers only when it is told to go on, or stopped.
class WaitingModel final : public LanguageModel {
 public:
  Result<ModelAnswer> ask(const ModelRequest&, std::stop_token stop) override {
    asked.set_value();
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any changed;
    changed.wait(lock, stop, [] { return false; });
    return fail(ErrorCode::remote, "cancelled");
  }
  std::int64_t tokens_to_send(const ModelRequest&) const override { return 1; }
  const std::string& name() const override { return name_; }

  std::promise<void> asked;

 private:
  std::string name_ = "waiting";
};

class CaptureRoutes : public KeptVaultTest {
 protected:
  ~CaptureRoutes() override { stop(); }

  void start(LanguageModel* model = nullptr) {
    keep();
    pool = std::make_unique<MemoryPool>([this] { return Result<Memory>(open()); });
    keeper->changed = [this] { pool->index_changed(); };
    queue = std::make_unique<WriteQueue>(open());
    routes = std::make_unique<Routes>(RouteContext{.memories = *pool,
                                                   .writes = *queue,
                                                   .keeper = *keeper,
                                                   .status = {},
                                                   .wait_until_searchable = {},
                                                   .consolidate = {},
                                                   .open_language_model = [model]() -> Result<std::unique_ptr<LanguageModel>> {
                                                     if (!model) return nullptr;
                                                     return std::make_unique<BorrowedModel>(*model);
                                                   },
                                                   .metrics = {},
                                                   .health = {}});
    writer = std::jthread([this] {
      while (queue->step(std::nullopt)) continue;
    });
  }

  void stop() {
    if (queue) queue->stop();
    if (writer.joinable()) writer.join();
    routes.reset();
  }

  std::future<HttpResponse> asked(std::string path, std::string body) {
    HttpRequest request;
    request.method = "POST";
    request.path = std::move(path);
    request.body = std::move(body);
    auto promise = std::make_shared<std::promise<HttpResponse>>();
    routes->handle(std::move(request), [promise](HttpResponse response) { promise->set_value(std::move(response)); });
    return promise->get_future();
  }
  HttpResponse post(std::string path, std::string body = {}) { return asked(std::move(path), std::move(body)).get(); }

  static Json json(const HttpResponse& response) { return parse_json(response.body).value_or(Json()); }
  static size_t count(const HttpResponse& response, std::string_view key) {
    const Json body = json(response);
    const Json* list = body.find(key);
    return list && list->as_array() ? list->as_array()->size() : 1'000;
  }

  std::unique_ptr<MemoryPool> pool;
  std::unique_ptr<WriteQueue> queue;
  std::unique_ptr<Routes> routes;
  std::jthread writer;
};

constexpr const char* one_turn = R"({"session":"s1","message_id":"m","user":"We deploy on Fridays.","assistant":"Noted."})";

TEST_F(CaptureRoutes, ATurnIsStoredOnce) {
  start();
  const auto stored = post("/memory/turns", one_turn);
  EXPECT_EQ(stored.status, 201) << stored.body;
  EXPECT_EQ(count(stored, "entries"), 2u);
  EXPECT_THAT(stored.body, HasSubstr("\"turn\":0"));
  EXPECT_THAT(stored.body, HasSubstr("\"searchable\":true"));
  const auto again = post("/memory/turns", one_turn);
  EXPECT_EQ(again.status, 200);
  EXPECT_THAT(again.body, HasSubstr("\"known\":true"));
  EXPECT_EQ(post("/memory/turns", R"({"session":"s1","turn":0,"user":"something else"})").status, 409);
}

TEST_F(CaptureRoutes, ATurnThatIsNoneIsABadRequest) {
  start();
  for (const char* body :
       {"", "[]", R"({"user":"no session"})", R"({"session":"s"})", R"({"session":"s","user":"u","source":"user"})"})
    EXPECT_EQ(post("/memory/turns", body).status, 400) << body;
}

TEST_F(CaptureRoutes, ManyAtOnceGetNumbersOfTheirOwn) {
  start();
  std::vector<std::future<HttpResponse>> answers;
  for (int i = 0; i < 20; ++i) answers.push_back(asked("/memory/turns", R"({"session":"s1","user":"go on"})"));
  std::set<std::string> bodies;
  for (auto& answer : answers) bodies.insert(to_string(*json(answer.get()).find("turn")));
  EXPECT_THAT(bodies, SizeIs(20));
}

TEST_F(CaptureRoutes, ASessionIsEndedOnce) {
  start();
  ASSERT_EQ(post("/memory/turns", one_turn).status, 201);
  const auto ended = post("/memory/sessions/s1/end");
  EXPECT_EQ(ended.status, 200) << ended.body;
  EXPECT_EQ(count(ended, "summary"), 1u);
  EXPECT_EQ(count(post("/memory/sessions/s1/end", "{}"), "summary"), 0u);
  EXPECT_EQ(post("/memory/sessions/none/end").status, 404);
  EXPECT_EQ(post("/memory/sessions/s1/end", "[1]").status, 400);
}

TEST_F(CaptureRoutes, ASessionMayHaveAnyName) {
  start();
  ASSERT_EQ(post("/memory/turns", R"({"session":"a/end","user":"hello"})").status, 201);
  EXPECT_EQ(post("/memory/sessions/a/end/end").status, 200);
  EXPECT_EQ(post("/memory/sessions/a/end").status, 404);
  EXPECT_EQ(route_of("/memory/sessions/a/end"), "/memory/sessions/{id}/end");
  EXPECT_EQ(route_of("/memory/sessions/end"), "/memory/sessions/{id}");
  EXPECT_EQ(post("/memory/sessions/end").status, 405);
}

TEST_F(CaptureRoutes, ATaskIsCompletedOnce) {
  start();
  const char* body = R"({"conclusions":"It works."})";
  EXPECT_EQ(post("/memory/tasks/T-7/complete", body).status, 201);
  EXPECT_EQ(post("/memory/tasks/T-7/complete", body).status, 200);
  EXPECT_EQ(post("/memory/tasks/T-7/complete", "{}").status, 400);
}

TEST_F(CaptureRoutes, ASessionsEndWithAModelLetsOthersWriteMeanwhile) {
  ScriptedModel model{
      R"({"facts":[{"turn":0,"text":"Deploys are on Fridays.","about":[],"kind":"fact","quote":"We deploy on Fridays"}]})",
      R"({"summary":"Deploys."})"};
  model.while_asked([&] { EXPECT_EQ(post("/memory/turns", R"({"session":"s2","user":"hello"})").status, 201); });
  start(&model);
  ASSERT_EQ(post("/memory/turns", one_turn).status, 201);
  const auto ended = post("/memory/sessions/s1/end");
  EXPECT_EQ(ended.status, 200) << ended.body;
  EXPECT_THAT(ended.body, HasSubstr("\"summary\":[{"));
  EXPECT_THAT(model.requests(), SizeIs(2));
}

TEST_F(CaptureRoutes, AModelThatFailsIsABadGateway) {
  ScriptedModel dead;
  start(&dead);
  ASSERT_EQ(post("/memory/turns", one_turn).status, 201);
  EXPECT_EQ(post("/memory/sessions/s1/end").status, 502);
}

TEST_F(CaptureRoutes, FactsAreExtractedAfterTheTurnWasAnswered) {
  folder.write("home/.config/loci/config.toml", "[capture]\nextract = \"turn\"\n");
  std::promise<void> answered;
  ScriptedModel model{R"({"facts":[{"text":"Deploys are on Fridays.","about":[],"kind":"fact","quote":""}]})"};
  model.while_asked([&] { answered.get_future().wait(); });
  start(&model);
  EXPECT_EQ(post("/memory/turns", one_turn).status, 201);
  answered.set_value();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  std::vector<Entry> facts;
  while (facts.empty() && std::chrono::steady_clock::now() < deadline) {
    (void)post("/memory/turns", one_turn);  // the queue goes round
    Memory memory = open();
    EXPECT_TRUE(memory.bring_up_to_date());
    EntryFilter filter;
    filter.kinds = {EntryKind::fact};
    facts = memory.reader().value()->list(filter, 10).value();
  }
  ASSERT_THAT(facts, SizeIs(1));
  EXPECT_EQ(facts[0].text, "Deploys are on Fridays.");
}

TEST_F(CaptureRoutes, StoppingCancelsAModelThatDoesNotAnswer) {
  WaitingModel model;
  start(&model);
  ASSERT_EQ(post("/memory/turns", one_turn).status, 201);
  auto ended = asked("/memory/sessions/s1/end", "");
  model.asked.get_future().wait();
  stop();
  EXPECT_EQ(ended.get().status, 502);
}

}  // namespace
}  // namespace loci
