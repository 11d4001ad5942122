#include "daemon/embedding_loop.h"

#include <gmock/gmock.h>

#include <future>
#include <thread>

#include "embeddings/vector_file.h"
#include "memory/add.h"
#include "parser/text_hash.h"
#include "tests/memory/memory_fixture.h"

namespace loci {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

// What a server would do. It outlives the models that ask it.
struct Server {
  std::vector<std::string> sent;
  size_t dimensions = 2;
  bool is_away = false;
  std::promise<void>* silent = nullptr;  // told that it is asked, and answers nothing until the request is stopped
};

class ServedModel final : public EmbeddingModel {
 public:
  explicit ServedModel(Server& server) : server_(server) {}

  Result<Embedded> embed(std::span<const std::string> texts, std::chrono::milliseconds, std::stop_token stop) override {
    if (server_.silent != nullptr) return wait_for(stop);
    if (server_.is_away) return fail(ErrorCode::remote, "nobody is there");
    Embedded out;
    for (const std::string& text : texts) {
      server_.sent.push_back(text);
      out.vectors.emplace_back(server_.dimensions).front() = 1;
    }
    return out;
  }
  bool refused_texts() const override { return false; }
  std::optional<std::chrono::milliseconds> retry_after() const override { return 1h; }

 private:
  Result<Embedded> wait_for(const std::stop_token& stop) {
    server_.silent->set_value();
    std::promise<void> stopped;
    const std::stop_callback told(stop, [&] { stopped.set_value(); });
    stopped.get_future().wait();
    return fail(ErrorCode::remote, "stopped");
  }

  Server& server_;
};

class EmbeddingLoopTest : public MemoryTest {
 protected:
  void SetUp() override { settings(); }
  void settings(const std::string& more = "") {
    folder.write("home/.config/loci/config.toml", "[models.embeddings]\nprovider = \"ollama\"\nmodel = \"small\"\n" + more);
  }
  std::unique_ptr<EmbeddingLoop> make_loop() {
    return std::make_unique<EmbeddingLoop>(
        open(), [this]() -> Result<std::unique_ptr<EmbeddingModel>> { return std::make_unique<ServedModel>(server); });
  }
  void say(const std::string& text) {
    Memory memory = open();
    NewEntry fact;
    fact.metadata.source = Source::user;
    fact.text = text;
    ASSERT_TRUE(add(memory, {fact}));
  }
  std::set<std::string> stored() {
    return Vectors::open(real_file_system(), open().vault().state_folder(), "ollama small").value()->hashes();
  }

  Server server;
};

TEST_F(EmbeddingLoopTest, MakesVectorsAtItsStartAndWhenTheIndexHasChanged) {
  say("Ana has a tabby.");
  const auto loop = make_loop();
  EXPECT_TRUE(loop->step());
  EXPECT_THAT(server.sent, ElementsAre("Ana has a tabby."));
  say("The boat is green.");
  loop->index_changed();
  while (server.sent.size() < 2) ASSERT_TRUE(loop->step());
  EXPECT_THAT(server.sent, ElementsAre("Ana has a tabby.", "The boat is green."));
  EXPECT_EQ(loop->state().counts, (VectorCounts{.entries = 2, .with_vector = 2, .all_seen = true}));
  EXPECT_FALSE(loop->state().error);
}

TEST_F(EmbeddingLoopTest, SaysWhatIsWrongWhileTheServerIsAwayAndRestsFromIt) {
  say("Ana has a tabby.");
  server.is_away = true;
  const auto loop = make_loop();
  EXPECT_TRUE(loop->step());
  EXPECT_EQ(loop->state().error, "nobody is there");
  EXPECT_FALSE(loop->state().running);
  EXPECT_THAT(stored(), IsEmpty());
  server.is_away = false;
  loop->nudge();
  EXPECT_TRUE(loop->step());
  EXPECT_THAT(server.sent, IsEmpty()) << "a heartbeat is no reason to ask it again";
  loop->stop();
  EXPECT_FALSE(loop->step()) << "a rest does not hold up the end";
}

TEST_F(EmbeddingLoopTest, ARequestThatIsNotAnsweredEndsWithTheLoopAndKeepsTheHeartbeatGoing) {
  say("Ana has a tabby.");
  std::promise<void> asked;
  server.silent = &asked;
  const auto loop = make_loop();
  std::jthread thread([&] {
    while (loop->step()) continue;
  });
  asked.get_future().wait();
  EXPECT_TRUE(loop->state().running);
  const auto rounds = loop->rounds();
  loop->nudge();
  EXPECT_GT(loop->rounds(), rounds);
  loop->stop();
  thread.join();
  EXPECT_FALSE(loop->state().running);
  EXPECT_THAT(stored(), IsEmpty());
}

TEST_F(EmbeddingLoopTest, NeverSendsWhatIsKeptBack) {
  settings("[privacy]\nnever_send = [\"#private\"]\n");
  write("note.md", "The door code is 4711. #private\n\nThe boat is green.\n");
  ASSERT_TRUE(open().take_in({}));
  const auto loop = make_loop();
  EXPECT_TRUE(loop->step());
  EXPECT_THAT(server.sent, ElementsAre("The boat is green."));
  EXPECT_EQ(loop->state().counts.kept_back, 1);
}

TEST_F(EmbeddingLoopTest, MakesAllVectorsAnewWhenTheModelGivesOthersThanBefore) {
  say("Ana has a tabby.");
  EXPECT_TRUE(make_loop()->step());
  say("The boat is green.");
  server.dimensions = 3;
  const auto loop = make_loop();
  EXPECT_TRUE(loop->step());
  ASSERT_TRUE(loop->state().error);
  EXPECT_THAT(*loop->state().error, HasSubstr("made anew"));
  EXPECT_THAT(*loop->state().error, Not(HasSubstr("boat")));
  EXPECT_TRUE(make_loop()->step());
  EXPECT_THAT(stored(), UnorderedElementsAre(stored_text_hash("Ana has a tabby."), stored_text_hash("The boat is green.")));
}

}  // namespace
}  // namespace loci
