#include "daemon/consolidate_loop.h"

#include <future>
#include <thread>

#include "memory/add.h"
#include "tests/memory/memory_fixture.h"

namespace loci {
namespace {

using namespace std::chrono_literals;

// Answers only when it is told to stop.
class SilentModel final : public LanguageModel {
 public:
  explicit SilentModel(std::promise<void>& asked) : asked_(asked) {}

  Result<ModelAnswer> ask(const ModelRequest&, std::stop_token stop) override {
    asked_.set_value();
    std::promise<void> stopped;
    const std::stop_callback told(stop, [&] { stopped.set_value(); });
    stopped.get_future().wait();
    return fail(ErrorCode::remote, "stopped");
  }
  std::int64_t tokens_to_send(const ModelRequest&) const override { return 1; }
  const std::string& name() const override { return name_; }

 private:
  std::promise<void>& asked_;
  std::string name_ = "silent";
};

class ConsolidateLoopTest : public MemoryTest {
 protected:
  ConsolidateLoop::Surroundings around(std::chrono::milliseconds interval) {
    return {
        .open_memory = [this] { return open(); },
        .open_language_model = [this]() -> Result<std::unique_ptr<LanguageModel>> { return std::make_unique<SilentModel>(asked); },
        .interval = interval};
  }

  void add_facts(int count) {
    Memory memory = open();
    std::vector<NewEntry> entries;
    for (int i = 0; i < count; ++i) entries.push_back({.metadata = {}, .text = "fact " + std::to_string(i)});
    ASSERT_TRUE(add(memory, std::move(entries)));
  }

  std::promise<void> asked;
};

TEST_F(ConsolidateLoopTest, RunsWhenItIsTimeAndNotBefore) {
  add_facts(19);
  ConsolidateLoop loop(around(1ms));
  EXPECT_TRUE(loop.step());
  EXPECT_FALSE(std::filesystem::exists(folder / "vault/consolidated/memory.md"));
  add_facts(20);
  EXPECT_TRUE(loop.step());
  EXPECT_TRUE(std::filesystem::exists(folder / "vault/consolidated/memory.md"));
}

TEST_F(ConsolidateLoopTest, RunsAtOnceForWhoeverAsks) {
  add_facts(1);
  ConsolidateLoop loop(around(1h));
  std::optional<Result<Consolidated>> answer;
  loop.ask(true, [&](Result<Consolidated> done) { answer = std::move(done); });
  EXPECT_TRUE(loop.step());
  ASSERT_TRUE(answer && *answer);
  EXPECT_TRUE((*answer)->ran);
  EXPECT_FALSE(loop.state().running);
}

TEST_F(ConsolidateLoopTest, AModelThatThinksIsStoppedAtOnceAndKeepsTheHeartbeatGoing) {
  folder.write("home/.config/loci/config.toml",
               "[consolidation]\nmodel = \"silent\"\n[models.silent]\nprovider = \"ollama\"\nmodel = \"x\"\n");
  add_facts(1);
  ConsolidateLoop loop(around(1h));
  std::optional<Result<Consolidated>> answer, late;
  loop.ask(true, [&](Result<Consolidated> done) { answer = std::move(done); });
  std::jthread thread([&] {
    while (loop.step()) continue;
  });
  ASSERT_EQ(asked.get_future().wait_for(10s), std::future_status::ready);
  EXPECT_TRUE(loop.state().running);
  const auto rounds = loop.rounds();
  loop.nudge();
  EXPECT_GT(loop.rounds(), rounds);
  loop.stop();
  thread.join();
  ASSERT_TRUE(answer && *answer);
  EXPECT_EQ((*answer)->failure->code, ErrorCode::remote);
  loop.ask(true, [&](Result<Consolidated> done) { late = std::move(done); });
  EXPECT_EQ(late->error().code, ErrorCode::refused);
  EXPECT_FALSE(std::filesystem::exists(folder / "vault/consolidated/memory.md"));
}

}  // namespace
}  // namespace loci
