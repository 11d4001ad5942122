#include "base/child_process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "base/fd.h"
#include "base/file_system.h"
#include "tests/support/temporary_folder.h"

namespace loci {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

AskedProgram shell(const std::string& script) {
  return {.words = {"sh", "-c", script}, .environment = {"PATH=/usr/bin:/bin", "TOLD=yes"}};
}

TEST(ChildProcessTest, WhatAProgramSaysAndHowItEndedIsTold) {
  const auto answer = ask_program(shell("echo one; echo two >&2; exit 3"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 3);
  EXPECT_EQ(answer->output, "one\n");
  EXPECT_EQ(answer->errors, "two\n");
}

TEST(ChildProcessTest, ItsWordsAreNoShells) {
  const auto answer = ask_program({.words = {"echo", "$HOME; exit 1", "*"}, .environment = {"PATH=/usr/bin:/bin"}});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->output, "$HOME; exit 1 *\n");
}

TEST(ChildProcessTest, ItGetsTheEnvironmentThatItIsGivenAndNoInput) {
  const auto answer = ask_program(shell("echo $TOLD $HOME; cat"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->output, "yes\n");
}

TEST(ChildProcessTest, ItGetsNoDescriptorOfOurs) {
  const Fd leaked(::open("/dev/null", O_RDONLY));  // without O_CLOEXEC
  const auto answer = ask_program(shell("ls /proc/self/fd | wc -l"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(std::stoi(answer->output), 4);  // and that of the folder which ls reads
}

TEST(ChildProcessTest, MuchOutputOnBothEndsIsRead) {
  const auto answer = ask_program(shell("head -c 3000000 /dev/zero >&2; head -c 3000000 /dev/zero"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->output.size(), 3'000'000U);
  EXPECT_EQ(answer->errors.size(), 4096U);
}

TEST(ChildProcessTest, OneThatSaysTooMuchIsStopped) {
  AskedProgram program = shell("exec cat /dev/zero");
  program.output_limit = 100'000;
  const auto answer = ask_program(program);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::failed);
  EXPECT_THAT(answer.error().message, HasSubstr("100000 bytes"));
}

TEST(ChildProcessTest, OneThatTakesTooLongIsKilledWithAllThatItStarted) {
  const TemporaryFolder folder;
  const path pid_file = folder / "pid";
  AskedProgram program = shell("sleep 1000 & echo $! > '" + pid_file.string() + "'; wait");
  program.time_limit = 500ms;
  const auto answer = ask_program(program);
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("did not end within 500 ms"));
  pid_t grandchild = 0;
  std::ifstream(pid_file) >> grandchild;
  if (grandchild == 0) return;   // killed before it had started anything
  const auto is_running = [&] {  // a zombie that nobody has waited for yet is none
    std::string line;
    std::getline(std::ifstream("/proc/" + std::to_string(grandchild) + "/stat"), line);
    return !line.empty() && line.find(") Z ") == std::string::npos;
  };
  for (const auto deadline = std::chrono::steady_clock::now() + 60s; is_running() && std::chrono::steady_clock::now() < deadline;)
    std::this_thread::yield();
  EXPECT_FALSE(is_running());
}

TEST(ChildProcessTest, OneThatClosedItsOutputIsStillWaitedFor) {
  const auto answer = ask_program(shell("exec >&- 2>&-; sleep 0.1; exit 7"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 7);
}

TEST(ChildProcessTest, OneThatIsNotThereIsAnError) {
  const auto answer = ask_program({.words = {"/nowhere/program"}, .environment = {}});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::failed);
  EXPECT_THAT(answer.error().message, HasSubstr("/nowhere/program"));
  EXPECT_THAT(answer.error().hint, HasSubstr("install it"));
}

TEST(ChildProcessTest, ASignalThatKilledItIsInItsStatus) {
  const auto answer = ask_program(shell("kill -TERM $$"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 128 + SIGTERM);
  EXPECT_EQ(run_program({"sh", "-c", "kill -TERM $$"}).value_or(0), 128 + SIGTERM);
}

TEST(ChildProcessTest, OneWhoseTimeIsOverIsAskedToEndBeforeItIsKilled) {
  const TemporaryFolder folder;
  AskedProgram program =
      shell("trap 'echo cleaned > \"" + (folder / "file").string() + "\"; exit 1' TERM; echo; while :; do sleep 0.01; done");
  program.time_limit = std::chrono::milliseconds(500);
  program.grace = std::chrono::seconds(60);
  EXPECT_FALSE(ask_program(program));
  EXPECT_EQ(folder.read("file"), "cleaned\n");
}

TEST(ChildProcessTest, OneThatSomebodyWantsToStopEnds) {
  std::stop_source stop;
  AskedProgram program = shell("sleep 1000");
  program.time_limit = std::chrono::hours(1);
  program.stop = stop.get_token();
  stop.request_stop();
  const auto answer = ask_program(program);
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("stopped"));
}

TEST(ChildProcessTest, SignalsThatAreBlockedHereReachIt) {
  sigset_t block, before;
  sigemptyset(&block);
  sigaddset(&block, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &block, &before);
  const auto answer = ask_program(shell("kill -TERM $$; echo still here"));
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->output, "");
}

}  // namespace
}  // namespace loci
