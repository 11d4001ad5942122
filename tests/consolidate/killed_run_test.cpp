// Whole runs with a model, killed before any one of their writes: the end is the same, and nothing is paid for twice.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <sstream>

#include "base/hash.h"
#include "consolidate/consolidator.h"
#include "consolidate/rebuild_mark.h"
#include "tests/consolidate/consolidate_fixture.h"
#include "tests/support/interrupting_file_system.h"

namespace loci {
namespace {

// Adds every fact as it is, promotes nothing, finds no fault; writes down what it was asked, for whatever process comes next.
class CountingModel final : public LanguageModel {
 public:
  explicit CountingModel(path log) : log_(std::move(log)) {}

  Result<ModelAnswer> ask(const ModelRequest& request, std::stop_token) override {
    std::ofstream(log_, std::ios::app) << hex(as_bytes(sha256(request.task + '\n' + request.input)), 32) << '\n';
    return ModelAnswer{answer_to(request), {1, 1}};
  }
  std::int64_t tokens_to_send(const ModelRequest&) const override { return 1; }
  const std::string& name() const override { return name_; }

 private:
  static std::string answer_to(const ModelRequest& request) {
    if (request.task.starts_with("promote/")) return R"({"lines":[]})";
    if (request.task.starts_with("keys/")) return R"({"facts":[]})";
    if (!request.task.starts_with("decide/")) return R"({"problems":[]})";
    std::string operations;
    std::istringstream lines(request.input.substr(request.input.find("<facts>\n")));
    for (std::string line; std::getline(lines, line) && line != "</facts>";) {
      const auto fact = parse_json(line);
      if (!fact || !fact->find("n")) continue;
      Json operation = Json::Object{{"op", "ADD"}, {"facts", Json::Array{*fact->find("n")}}, {"target", 0}, {"into", 0}, {"of", 0}};
      operation.set("text", fact->text_at("text"));
      operation.set("about", Json::array());
      operation.set("kind", "none");
      operation.set("why", "");
      operations += (operations.empty() ? "" : ",") + to_string(operation);
    }
    return R"({"operations":[)" + operations + "]}";
  }

  const path log_;
  std::string name_ = "counting";
};

class KilledRun : public ConsolidateTest {
 protected:
  KilledRun() {
    folder.write("home/.config/loci/config.toml",
                 "[consolidation]\nmodel = \"m\"\ncluster_max = 3\n[models.m]\nprovider = \"ollama\"\nmodel = \"x\"\n");
    memory.emplace(open());
    for (const char* text : {"The red kite flies over the hill.", "The red kite is mended.", "Tea is brewed at five.",
                             "Tea is green on Sundays.", "The boat lies in the harbour.", "The boat has two sails."})
      say(text, Source::user);
  }

  void run_once(bool rebuild) {
    const auto lend = [this]() -> Result<std::unique_ptr<LanguageModel>> {
      return std::make_unique<CountingModel>(kept / "asked");
    };
    ConsolidateOptions options;
    options.force = !rebuild;
    options.rebuild = rebuild;
    const auto done = consolidate(*memory, lend, options);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_FALSE(done->failure) << done->failure->message;
  }

  void expect_the_same_end(bool rebuild) {
    memory.reset();
    for (const char* part : {"vault", "home"})
      std::filesystem::copy(folder / part, kept / part, std::filesystem::copy_options::recursive);
    reopen(real_file_system());
    run_once(rebuild);
    const Texts wanted = durable_texts();
    const size_t questions = asked().size();
    const Instant start = clock.now();
    bool was_killed = true;
    for (size_t at = 0; was_killed && !HasFatalFailure(); at += 2) {
      put_back();
      clock = ManualClock(format_rfc3339(start));
      std::filesystem::remove(kept / "asked");
      was_killed = kill_at(at, rebuild);
      reopen(real_file_system());
      // One that is done already is not begun once more.
      const bool goes_on = rebuild && (asked().empty() || rebuild_begun(memory->vault()));
      if (was_killed) run_once(goes_on);
      ASSERT_EQ(durable_texts(), wanted) << "killed before write " << at;
      const FactCounts facts = counts();
      EXPECT_EQ(facts.pending, 0);
      EXPECT_EQ(facts.total, facts.pending + facts.settled + facts.deleted);
      int twice = 0;
      for (const auto& [request, times] : asked()) twice += times - 1;
      EXPECT_LE(twice, 1) << "only an answer that was not kept yet; killed before write " << at;
      EXPECT_LE(asked().size(), questions + 1);
    }
  }

  void put_back() {
    memory.reset();
    for (const char* part : {"vault", "home"}) {
      std::filesystem::remove_all(folder / part);
      std::filesystem::copy(kept / part, folder / part, std::filesystem::copy_options::recursive);
    }
  }
  void reopen(FileSystem& files) {
    memory.emplace(Memory::open(folder / "vault", environment_in(folder), files, clock).value());
    EXPECT_TRUE(memory->bring_up_to_date());
  }
  // In a process of its own, which ends in the middle of a call.
  bool kill_at(size_t at, bool rebuild) {
    constexpr int killed = 9, done = 7;
    const pid_t child = ::fork();
    if (child == 0) {
      size_t writes = 0;
      bool is_armed = false;
      InterruptingFileSystem files([&](size_t, const std::string& call) {
        const bool is_write = !call.starts_with("open ") && !call.starts_with("read_all ") && !call.starts_with("status ");
        if (is_armed && is_write && writes++ == at) ::_exit(killed);
      });
      reopen(files);
      is_armed = true;
      run_once(rebuild);
      ::_exit(done);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    return WEXITSTATUS(status) == killed;
  }

  // How often each request.
  std::map<std::string, int> asked() const {
    std::map<std::string, int> times;
    std::ifstream log(kept / "asked");
    for (std::string line; std::getline(log, line);) ++times[line];
    return times;
  }

  TemporaryFolder kept;
};

TEST_F(KilledRun, EndsAsOneThatNobodyKilledAndPaysOnce) { expect_the_same_end(false); }

TEST_F(KilledRun, OfARebuildGoesOnWhereItWas) {
  run_once(false);
  std::filesystem::remove(kept / "asked");
  expect_the_same_end(true);
}

}  // namespace
}  // namespace loci
