#include "vault/layout/host.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "tests/support/faulty_file_system.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"

namespace loci {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class HostTest : public testing::Test {
 protected:
  HostTest() { fs::create_directories(folder_ / "vault"); }

  Vault open(const std::string& host = "test", FileSystem& files = real_file_system()) {
    auto vault = Vault::open(folder_ / "vault", environment_in(folder_, host), files, clock_);
    EXPECT_TRUE(vault) << vault.error().message;
    return std::move(*vault);
  }

  std::string id_of(const Environment& environment) {
    const auto host = host_id(environment, real_file_system());
    EXPECT_TRUE(host) << host.error().message;
    return host.value_or("");
  }

  TemporaryFolder folder_;
  ManualClock clock_;
};

TEST_F(HostTest, AnIdIsALetterAndThreeToFifteenLettersOrDigits) {
  for (const char* host : {"k3f9", "test", "abcdefghijklmnop", "a000"}) EXPECT_TRUE(is_valid_host(host)) << host;
  for (const char* host : {"", "abc", "9abc", "Abcd", "ab-cd", "ab.cd", "../x", "abcdefghijklmnopq", "äbcd", "abcd\n"})
    EXPECT_FALSE(is_valid_host(host)) << host;
}

TEST_F(HostTest, AnImpossibleNameInTheEnvironmentIsWrongUsage) {
  const auto host = host_id(environment_in(folder_, "My-Laptop"), real_file_system());
  ASSERT_FALSE(host);
  EXPECT_EQ(host.error().code, ErrorCode::usage);
  EXPECT_THAT(host.error().message, HasSubstr("My-Laptop"));
}

TEST_F(HostTest, TheMachineIdGivesAStableIdThatDoesNotShowIt) {
  Environment environment = environment_in(folder_, "");
  const std::string host = id_of(environment);
  EXPECT_TRUE(is_valid_host(host)) << host;
  EXPECT_EQ(id_of(environment), host);
  EXPECT_EQ(host, "ev3k3a") << "the id of a machine must never change: it names its files";
  environment.machine_id[0] = 'f';
  EXPECT_NE(id_of(environment), host);
  EXPECT_FALSE(folder_.has("home")) << "nothing is written";
}

TEST_F(HostTest, AMachineWithoutAnIdKeepsARandomOneInItsStateFolder) {
  for (const char* machine_id : {"", "uninitialized", "0123", "0123456789ABCDEF0123456789ABCDEF"}) {
    Environment environment = environment_in(folder_, "");
    environment.state_home = folder_ / std::string("state").append(machine_id);
    environment.machine_id = machine_id;
    const std::string host = id_of(environment);
    EXPECT_TRUE(is_valid_host(host)) << host;
    EXPECT_EQ(id_of(environment), host);
    environment.state_home = folder_ / "another";
    EXPECT_NE(id_of(environment), host);
    fs::remove_all(environment.state_home);
  }
}

TEST_F(HostTest, TheFirstMachineToJoinOwnsThePlainNamesOfTheArchive) {
  const Vault first = open("aaaa");
  const Vault second = open("bbbb");
  EXPECT_FALSE(is_first_host(first));
  ASSERT_TRUE(join_vault(first));
  ASSERT_TRUE(join_vault(second));
  EXPECT_EQ(folder_.read("vault/.loci/hosts/aaaa.toml"),
            "name = \"test-machine\"\njoined = \"2026-11-21T20:14:43.120Z\"\nfirst = true\n");
  EXPECT_EQ(folder_.read("vault/.loci/hosts/bbbb.toml"), "name = \"test-machine\"\njoined = \"2026-11-21T20:14:43.120Z\"\n");
  EXPECT_TRUE(is_first_host(first));
  EXPECT_FALSE(is_first_host(second));
}

TEST_F(HostTest, JoiningAgainChangesNothing) {
  ASSERT_TRUE(join_vault(open()));
  const auto before = folder_.contents();
  clock_.advance(std::chrono::hours(1));
  ASSERT_TRUE(join_vault(open()));
  EXPECT_EQ(folder_.contents(), before);
}

TEST_F(HostTest, OfTwoThatJoinedApartTheEarlierOneIsFirst) {
  folder_.write("vault/.loci/hosts/zzzz.toml", "name = 'z'\njoined = '2026-01-01T00:00:00Z'\nfirst = true\n");
  folder_.write("vault/.loci/hosts/aaaa.toml", "name = 'a'\njoined = '2026-01-02T00:00:00Z'\nfirst = true\n");
  folder_.write("vault/.loci/hosts/cccc.toml", "name = 'c'\njoined = '2025-01-01T00:00:00Z'\n");
  EXPECT_TRUE(is_first_host(open("zzzz")));
  EXPECT_FALSE(is_first_host(open("aaaa")));
  EXPECT_FALSE(is_first_host(open("cccc")));
  folder_.write("vault/.loci/hosts/aaaa.toml", "name = 'a'\njoined = '2026-01-01T00:00:00Z'\nfirst = true\n");
  EXPECT_TRUE(is_first_host(open("aaaa"))) << "at one time, by name";
  EXPECT_FALSE(is_first_host(open("zzzz")));
}

TEST_F(HostTest, FilesThatMakeNoSenseAreLeftOut) {
  folder_.write("vault/.loci/hosts/aaaa.toml", "<<<<<<< HEAD\n");
  folder_.write("vault/.loci/hosts/bbbb.toml", "name = 'b'\njoined = 'yesterday'\nfirst = true\n");
  folder_.write("vault/.loci/hosts/BAD.toml", "name = 'b'\njoined = '2026-01-01'\nfirst = true\n");
  folder_.write("vault/.loci/hosts/cccc.toml.tmp-1", "name = 'b'\njoined = '2026-01-01'\nfirst = true\n");
  folder_.write("vault/.loci/hosts/dddd.toml", "joined = '2026-01-01'\nfirst = 'true'\n");
  const auto hosts = hosts_of(open());
  ASSERT_EQ(hosts.size(), 1u);
  EXPECT_EQ(hosts[0].host, "dddd");
  EXPECT_FALSE(hosts[0].claims_first);
  ASSERT_TRUE(join_vault(open("aaaa"))) << "a broken file is not written over";
  EXPECT_EQ(folder_.read("vault/.loci/hosts/aaaa.toml"), "<<<<<<< HEAD\n");
  EXPECT_FALSE(is_first_host(open("aaaa")));
}

TEST_F(HostTest, OfManyProcessesThatJoinAtOnceExactlyOneIsFirst) {
  constexpr int processes = 20;
  int gate[2];  // closing it lets all children go at once
  ASSERT_EQ(::pipe2(gate, O_CLOEXEC), 0);
  std::vector<pid_t> children;
  for (int i = 0; i < processes; ++i) {
    const Vault vault = open("host" + std::to_string(i % 10));  // two of each machine
    const pid_t child = ::fork();
    if (child == 0) {
      char byte = 0;
      ::close(gate[1]);
      ::_exit(::read(gate[0], &byte, 1) == 0 && join_vault(vault) ? 0 : 1);
    }
    children.push_back(child);
  }
  ::close(gate[0]);
  ::close(gate[1]);
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  const auto hosts = hosts_of(open());
  EXPECT_EQ(hosts.size(), 10u);
  EXPECT_EQ(std::ranges::count(hosts, true, &HostFile::claims_first), 1);
}

TEST_F(HostTest, ALinkOutOfTheVaultIsNotWrittenThrough) {
  fs::create_directories(folder_ / "outside");
  fs::create_symlink("../outside", folder_ / "vault/.loci");
  auto joined = join_vault(open());
  ASSERT_FALSE(joined);
  EXPECT_EQ(joined.error().code, ErrorCode::refused);
  fs::remove(folder_ / "vault/.loci");
  fs::create_directories(folder_ / "vault/.loci");
  fs::create_symlink("../../outside", folder_ / "vault/.loci/hosts");
  joined = join_vault(open());
  ASSERT_FALSE(joined);
  EXPECT_EQ(joined.error().code, ErrorCode::refused);
  EXPECT_TRUE(fs::is_empty(folder_ / "outside"));
}

TEST_F(HostTest, AFaultAtAnyCallLeavesNoHalfFileAndTheNextTrySucceeds) {
  FaultyFileSystem files;
  const Vault vault = open("test", files);
  files.fail_nothing();
  ASSERT_TRUE(join_vault(vault));
  const std::string whole = folder_.read("vault/.loci/hosts/test.toml");
  const auto calls = files.calls();
  for (size_t call = 0; call < calls.size(); ++call)
    for (const int error_number : {ENOSPC, EIO}) {
      SCOPED_TRACE(calls[call]);
      fs::remove_all(folder_ / "vault/.loci");
      files.fail_call(call, error_number);
      const auto joined = join_vault(vault);
      const std::string reason = error_number == EIO ? "Input/output error" : "No space left";
      EXPECT_THAT(joined ? reason : joined.error().message, HasSubstr(reason));
      if (folder_.has("vault/.loci/hosts/test.toml")) {
        EXPECT_EQ(folder_.read("vault/.loci/hosts/test.toml"), whole);
      } else {
        EXPECT_FALSE(joined) << "said to be done, and is not";
      }
      files.fail_nothing();
      ASSERT_TRUE(join_vault(vault));
      EXPECT_EQ(folder_.read("vault/.loci/hosts/test.toml"), whole);
      EXPECT_EQ(folder_.contents("vault").size(), 1u) << "a temporary file is left";
    }
}

}  // namespace
}  // namespace loci
