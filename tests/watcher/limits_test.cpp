// The system's limits: a queue that overflows, watches and descriptors that run out, file systems that vanish.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "tests/watcher/watched_folder.h"

namespace loci {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr auto inotify = WatchOptions::Mode::inotify;
constexpr auto automatic = WatchOptions::Mode::automatic;
constexpr int not_permitted = 77;

// Runs `check` in a process of its own that may change what it likes. 0 from it is success.
template <typename Check>
int in_child(Check check) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(check());
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool put(const char* file, std::string_view text) { return static_cast<bool>(std::ofstream(file) << text << std::flush); }

// In namespaces of its own, as root there.
bool enter_namespaces(int more = 0) {
  const std::string user = std::to_string(::getuid()), group = std::to_string(::getgid());
  if (::unshare(CLONE_NEWUSER | more) != 0) return false;
  return put("/proc/self/setgroups", "deny") && put("/proc/self/uid_map", "0 " + user + " 1") &&
         put("/proc/self/gid_map", "0 " + group + " 1");
}

int failures() { return testing::Test::HasFailure() ? 1 : 0; }

void expect_success(int status) {
  if (status == not_permitted) GTEST_SKIP() << "namespaces are not permitted here";
  EXPECT_EQ(status, 0);
}

TEST(Overflow, AsksForARescanAndGoesOnWithEveryWatch) {
  WatchedFolder folder;
  folder.forget_the_start();
  fs::create_directory(folder / "early");
  folder.step();
  // The queue holds 16,384, unless the machine says otherwise. Two of the same in a row would be one.
  int queue = 0;
  std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> queue;
  ASSERT_GT(queue, 0);
  folder.write("early/0.md", "- a\n");
  folder.write("early/1.md", "- a\n");
  for (int i = 0; i < queue + 100; ++i) {
    const std::string file = folder / ("early/" + std::to_string(i % 2) + ".md");
    ASSERT_EQ(::chmod(file.c_str(), 0600), 0);
  }
  folder.write("late/deep/a.md", "- its folder's event is lost\n");
  const auto probe = folder.watcher().probe();
  EXPECT_EQ(folder.rescan(), "the event queue overflowed");
  EXPECT_EQ(folder.watcher().state().overflows, 1);
  EXPECT_GE(folder.watcher().state().events, static_cast<std::uint64_t>(queue));
  EXPECT_EQ(folder.watcher().passed(), *probe) << "its cookie is lost, but the rescan shows whatever was before it";

  folder.changed();
  folder.write("late/deep/b.md", "- b\n");
  folder.write("early/b.md", "- b\n");
  EXPECT_THAT(folder.changed(), testing::UnorderedElementsAre("late/deep/b.md", "early/b.md"));
  EXPECT_EQ(folder.rescan(), "");
}

// `status` is what is checked in the child, where only eight watches are allowed.
template <typename Check>
void with_eight_watches(Check check) {
  expect_success(in_child([&] {
    if (!enter_namespaces() || !put("/proc/sys/user/max_inotify_watches", "8")) return not_permitted;
    check();
    return failures();
  }));
}

void make_folders(const WatchedFolder& folder, int count) {
  for (int i = 0; i < count; ++i) fs::create_directory(folder / std::to_string(i));
}

TEST(WatchesExhausted, TheTreeIsPolledAndWhyIsSaid) {
  with_eight_watches([] {
    WatchedFolder folder(automatic);
    folder.forget_the_start();
    make_folders(folder, 6);
    EXPECT_EQ(folder.rescan(), "") << "root, probes and six";
    EXPECT_FALSE(folder.watcher().state().polling);
    const auto probe = folder.watcher().probe();
    fs::create_directory(folder / "one too many");
    EXPECT_THAT(folder.rescan(), HasSubstr("raise fs.inotify.max_user_watches"));
    const WatchState state = folder.watcher().state();
    EXPECT_TRUE(state.polling);
    EXPECT_THAT(state.polling_reason, HasSubstr("no inotify watches are left after 7: raise fs.inotify.max_user_watches"));
    EXPECT_EQ(state.watches, 0);
    EXPECT_EQ(folder.watcher().passed(), *probe);
    EXPECT_EQ(folder.watcher().probe(), std::nullopt);
    folder.write("a.md", "- a\n");
    EXPECT_TRUE(folder.changed().empty());
    folder.watcher().wake();
    EXPECT_TRUE(folder.watcher().step(std::nullopt));

    fs::remove(folder / "one too many");
    ASSERT_TRUE(folder.watcher().restart("fewer folders"));
    EXPECT_EQ(folder.rescan(), "fewer folders");
    EXPECT_FALSE(folder.watcher().state().polling);
    folder.write("5/a.md", "- a\n");
    EXPECT_THAT(folder.changed(), testing::ElementsAre("5/a.md"));
  });
}

TEST(WatchesExhausted, AtTheStartTheTreeIsPolledToo) {
  with_eight_watches([] {
    WatchedFolder folder(automatic, [](const TemporaryFolder& outside) {
      for (int i = 0; i < 20; ++i) fs::create_directory(outside / "vault" / std::to_string(i));
    });
    EXPECT_THAT(folder.rescan(), HasSubstr("start"));
    EXPECT_TRUE(folder.watcher().state().polling);
  });
}

TEST(WatchesExhausted, IsAnErrorWhereInotifyWasAskedFor) {
  with_eight_watches([] {
    WatchedFolder folder(inotify);
    folder.forget_the_start();
    make_folders(folder, 10);
    const Status stepped = folder.watcher().step(std::chrono::steady_clock::now());
    ASSERT_FALSE(stepped);
    EXPECT_THAT(stepped.error().message, HasSubstr("raise fs.inotify.max_user_watches"));
  });
}

TEST(InstancesExhausted, TheTreeIsPolledFromTheStart) {
  expect_success(in_child([] {
    if (!enter_namespaces() || !put("/proc/sys/user/max_inotify_instances", "0")) return not_permitted;
    WatchedFolder folder(automatic);
    EXPECT_THAT(folder.rescan(), HasSubstr("start"));
    EXPECT_THAT(folder.watcher().state().polling_reason, HasSubstr("raise fs.inotify.max_user_instances"));
    Synchronized<ChangeSet> changes;
    EXPECT_FALSE(Watcher::open(folder.options(inotify), changes));
    return failures();
  }));
}

TEST(DescriptorsExhausted, FoldersThatCouldNotBeOpenedAreLookedAtAgain) {
  expect_success(in_child([] {
    WatchedFolder folder;
    folder.forget_the_start();
    rlimit usual{};
    ::getrlimit(RLIMIT_NOFILE, &usual);
    fs::create_directories(folder / "a/b");
    const auto open_now = static_cast<rlim_t>(Fd(::dup(STDOUT_FILENO)).get());  // the lowest free number
    const rlimit none{.rlim_cur = open_now, .rlim_max = usual.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
    EXPECT_THAT(folder.rescan(), HasSubstr("some folders could not be opened: Too many open files"));
    EXPECT_EQ(folder.rescan(), "") << "said once";
    ::setrlimit(RLIMIT_NOFILE, &usual);
    EXPECT_EQ(folder.rescan(), "folders that could not be opened are watched again");
    folder.write("a/b/f.md", "- a\n");
    EXPECT_THAT(folder.changed(), testing::ElementsAre("a/b/f.md"));
    return failures();
  }));
}

TEST(Unmount, OfAFolderInTheTreeAsksForARescan) {
  expect_success(in_child([] {
    if (!enter_namespaces(CLONE_NEWNS)) return not_permitted;
    WatchedFolder folder;
    fs::create_directory(folder / "stick");
    if (::mount("none", (folder / "stick").c_str(), "tmpfs", 0, nullptr) != 0) return not_permitted;
    folder.forget_the_start();
    folder.write("stick/a.md", "- a\n");
    EXPECT_THAT(folder.changed(), testing::ElementsAre("stick/a.md"));
    EXPECT_EQ(::umount((folder / "stick").c_str()), 0) << "the watcher must not keep it busy";
    EXPECT_EQ(folder.rescan(), "a file system was unmounted");
    folder.changed();
    folder.write("stick/b.md", "- below the stick\n");
    EXPECT_THAT(folder.changed(), testing::ElementsAre("stick/b.md"));
    return failures();
  }));
}

}  // namespace
}  // namespace loci
