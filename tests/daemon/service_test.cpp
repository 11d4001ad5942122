#include "daemon/service.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <future>

#include "base/synchronized.h"
#include "http/client.h"
#include "http/tcp_listener.h"
#include "tests/support/interrupting_file_system.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"

namespace loci {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using testing::HasSubstr;

constexpr auto patience = 20s;

class RecordingManager final : public ServiceManager {
 public:
  void ready() override {}
  void reloading() override {}
  void stopping() override {}
  void alive() override {
    alive_.change([](int& times) { ++times; });
  }
  void say(const std::string&) override {}
  std::optional<std::chrono::microseconds> watchdog() const override { return watchdog_of; }
  Fd inherited_socket() override { return {}; }

  // Is alive() called so many times more within this time?
  bool is_alive(int times, std::chrono::milliseconds within) {
    const int now = alive_.with([](int count) { return count; });
    return alive_.wait(
        steady_clock::now() + within, [&](int count) { return count >= now + times; },
        [&](int count) { return count >= now + times; });
  }

  std::optional<std::chrono::microseconds> watchdog_of;

 private:
  Synchronized<int> alive_;
};

// Opening this file waits until it is let go.
class Gate {
 public:
  void hold(std::string name) {
    state_.change([&](State& state) { state.name = std::move(name); });
  }
  void let_go() {
    state_.change([](State& state) { state.name.clear(); });
  }
  void pass(const std::string& call) {
    const auto is_open = [&](const State& state) { return state.name.empty() || !call.ends_with(state.name); };
    if (state_.with([&](const State& state) { return is_open(state); })) return;
    state_.change([](State& state) { state.is_held = true; });
    state_.wait(std::nullopt, is_open, [](State&) {});
  }
  bool is_held() {
    return state_.wait(
        steady_clock::now() + patience, [](const State& state) { return state.is_held; },
        [](const State& state) { return state.is_held; });
  }

 private:
  struct State {
    std::string name;
    bool is_held = false;
  };
  Synchronized<State> state_;
};

class ServiceTest : public testing::Test {
 protected:
  ServiceTest() : signals(Signals::block().value()) { write("a.md", "The heron stands.\n"); }
  ~ServiceTest() override {
    gate.let_go();
    end();
  }

  void write(const std::string& file, std::string_view bytes) const { folder.write("vault/" + file, bytes); }

  void start(std::optional<OpenedVault> opened = std::nullopt) {
    service = Service::start({.root = folder / "vault",
                              .environment = environment_in(folder),
                              .files = files,
                              .clock = system_clock(),
                              .manager = manager,
                              .heartbeat = heartbeat,
                              .heartbeat_grace = heartbeat / 2,
                              .opened = std::move(opened)})
                  .value();
  }

  // The loop of main, on a thread of its own.
  void run() {
    running = std::async(std::launch::async, [this] { return service->run(signals); });
  }

  Service::End end() {
    if (!running.valid()) return Service::End::stopped;
    ::kill(::getpid(), SIGTERM);
    return running.get();
  }

  Result<HttpResponse> ask(const std::string& target) const {
    return ask_daemon(service->socket(), {.target = target, .body = {}}, patience);
  }

  TemporaryFolder folder;
  Gate gate;
  InterruptingFileSystem files{[this](size_t, const std::string& call) { gate.pass(call); }};
  RecordingManager manager;
  std::chrono::milliseconds heartbeat{60};
  Signals signals;
  std::unique_ptr<Service> service;
  std::future<Service::End> running;
};

TEST_F(ServiceTest, IsReadyBeforeTheFirstScanIsDone) {
  gate.hold("open " + (folder / "vault/a.md").string());
  start();
  EXPECT_TRUE(gate.is_held());
  EXPECT_EQ(ask("/healthz").value().status, 200);
  gate.let_go();
  EXPECT_EQ(ask("/memory/status?wait=1").value().status, 200);
  EXPECT_THAT(ask("/memory/search?q=heron").value().body, HasSubstr("The heron stands."));
}

TEST_F(ServiceTest, FeedsTheWatchdogWhileAllLoopsGoRound) {
  start();
  run();
  EXPECT_TRUE(manager.is_alive(3, patience));
}

TEST_F(ServiceTest, FeedsNoWatchdogWhileALoopHangs) {
  start();
  run();
  ASSERT_TRUE(manager.is_alive(1, patience));
  gate.hold("open " + (folder / "vault/b.md").string());
  write("b.md", "The egret flies.\n");
  ASSERT_TRUE(gate.is_held());
  (void)manager.is_alive(1, 4 * heartbeat);  // one that was on its way
  EXPECT_FALSE(manager.is_alive(1, 5 * heartbeat));
  gate.let_go();
  EXPECT_TRUE(manager.is_alive(2, patience));
}

TEST_F(ServiceTest, ServesAStricterWatchdogThanItsOwnHeartbeat) {
  heartbeat = 1h;
  manager.watchdog_of = 200ms;
  start();
  run();
  EXPECT_TRUE(manager.is_alive(2, patience));
}

TEST_F(ServiceTest, EndsAtASignalAndStartsAnewAtAnother) {
  start();
  run();
  ::kill(::getpid(), SIGHUP);
  EXPECT_EQ(running.get(), Service::End::reload);
  run();
  EXPECT_EQ(end(), Service::End::stopped);
}

TEST_F(ServiceTest, WantsToStartAnewWhenTheSettingsChange) {
  start();
  run();
  ASSERT_EQ(ask("/memory/status?wait=1").value().status, 200);
  write(".loci/config.toml", "[vault]\nignore = ['drafts/']\n");
  EXPECT_EQ(running.get(), Service::End::reload);
}

TEST_F(ServiceTest, SettingsThatChangeBeforeItIsWaitedForAreTakenOverAtOnce) {
  heartbeat = std::chrono::hours(1);
  start();
  ASSERT_EQ(ask("/memory/status?wait=1").value().status, 200);
  write(".loci/config.toml", "[vault]\nignore = ['drafts/']\n");
  EXPECT_EQ(ask("/memory/status").value().status, 503);  // nothing is answered by the old ones
  run();
  ASSERT_EQ(running.wait_for(patience), std::future_status::ready);
  EXPECT_EQ(running.get(), Service::End::reload);
}

TEST_F(ServiceTest, SettingsOfTheUsersOwnFileAreTakenOverBeforeAnythingElseIsAnswered) {
  heartbeat = std::chrono::hours(1);
  start();
  ASSERT_EQ(ask("/memory/status?wait=1").value().status, 200);
  ASSERT_THAT(ask("/memory/search?q=heron").value().body, HasSubstr("The heron stands."));
  folder.write("home/.config/loci/config.toml", "[privacy]\nnever_send = ['**']\n");
  EXPECT_EQ(ask("/memory/search?q=heron").value().status, 503);
  run();
  ASSERT_EQ(running.wait_for(patience), std::future_status::ready);
  EXPECT_EQ(running.get(), Service::End::reload);
  EXPECT_EQ(ask("/memory/search?q=heron").value().status, 503) << "they are being read";
  service->keep_settings({"config.toml", 1, "config-syntax", "it is broken"});
  EXPECT_EQ(ask("/memory/search?q=heron").value().status, 200) << "they are no good";
}

TEST_F(ServiceTest, SettingsThatWereSavedAfterTheyWereReadAreTakenOver) {
  auto opened = OpenedVault::open(folder / "vault", environment_in(folder), files, system_clock()).value();
  write(".loci/config.toml", "[vault]\nignore = ['drafts/']\n");
  start(std::move(opened));
  run();
  ASSERT_EQ(running.wait_for(patience), std::future_status::ready);
  EXPECT_EQ(running.get(), Service::End::reload);
}

TEST_F(ServiceTest, AnAddressThatCannotBeServedKeepsNothingElseFromGoingOn) {
  const auto taken = listen_on_tcp("127.0.0.1:0", false);
  ASSERT_TRUE(taken);
  for (const std::string& address :
       {"127.0.0.1:" + std::to_string(taken->port), std::string("0.0.0.0:0"), std::string("nowhere")}) {
    folder.write("home/.config/loci/config.toml", "[http]\nlisten = \"" + address + "\"\n");
    start();
    EXPECT_EQ(service->tcp_port(), 0);
    EXPECT_EQ(ask("/memory/search?q=heron").value().status, 200) << address;
    EXPECT_NE(ask("/memory/status").value().body.find("\"http-listen\""), std::string::npos) << address;
    service.reset();
  }
}

TEST_F(ServiceTest, ATokenThatOthersMayReadIsNotServedWith) {
  folder.write("home/.config/loci/config.toml",
               "[http]\nlisten = \"127.0.0.1:0\"\ntoken_file = \"" + (folder / "token").string() + "\"\n");
  folder.write("token", std::string(64, 'a'));
  std::filesystem::permissions(folder / "token", std::filesystem::perms(0644));
  start();
  EXPECT_EQ(service->tcp_port(), 0);
  EXPECT_NE(ask("/memory/status").value().body.find("others may read the token"), std::string::npos);
}

TEST_F(ServiceTest, ARemovedSocketIsMadeAnewAtTheNextHeartbeat) {
  start();
  std::filesystem::remove(service->socket());
  run();
  ASSERT_EQ(running.wait_for(patience), std::future_status::ready);
  EXPECT_EQ(running.get(), Service::End::reload);
}

TEST_F(ServiceTest, StopsSoonWhileARequestWaitsForAFileThatIsBeingSaved) {
  start();
  ASSERT_EQ(ask("/memory/status?wait=1").value().status, 200);
  const Fd editor(::open((folder / "vault/a.md").c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  auto waiting = std::async(std::launch::async,
                            [socket = service->socket()] { return ask_daemon(socket, {"GET", "/memory/status?wait=1", {}}, 30s); });
  EXPECT_EQ(ask("/healthz").value().status, 200);
  const auto began = steady_clock::now();
  service.reset();
  EXPECT_LT(steady_clock::now() - began, 20s);
  const auto answer = waiting.get();
  EXPECT_TRUE(!answer || answer->status != 200 || answer->body.find("\"fresh\":true") != std::string::npos);
}

}  // namespace
}  // namespace loci
