// Folders and files that come and go faster than they are looked at. What is known afterwards must equal a scan.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>

#include "tests/watcher/watched_folder.h"

namespace loci {
namespace {

namespace fs = std::filesystem;

class Races : public testing::Test {
 protected:
  void SetUp() override { folder_.forget_the_start(); }

  // Runs `work` on another thread while this one watches.
  template <typename Work>
  void watch_during(Work work) {
    std::atomic<bool> done = false;
    std::thread working([&] {
      work();
      done = true;
      folder_.watcher().wake();
    });
    while (!done) {
      EXPECT_TRUE(folder_.watcher().step(std::nullopt));
      mirror_.catch_up();
    }
    working.join();
    mirror_.catch_up();
    mirror_.expect_equal_to_a_scan();
  }

  WatchedFolder folder_;
  Mirror mirror_{folder_};
};

TEST_F(Races, FilesInFoldersSixDeepThatAppearAtOnceAreAllFound) {
  const int times = times_scale(100);
  watch_during([&] {
    for (int i = 0; i < times; ++i) folder_.write("t" + std::to_string(i) + "/a/b/c/d/e/f.md", "- a\n");
  });
  EXPECT_EQ(mirror_.rescans(), 0) << "nothing was moved or lost";
}

TEST_F(Races, FilesInFoldersSixDeepAreFoundByOneStep) {
  for (int i = 0; i < 20; ++i) folder_.write("t" + std::to_string(i) + "/a/b/c/d/e/f.md", "- a\n");
  EXPECT_EQ(folder_.changed().size(), 20);
  EXPECT_EQ(folder_.rescan(), "");
}

TEST_F(Races, FoldersThatComeAndGoLeaveNothingBehind) {
  const int times = times_scale(100);
  watch_during([&] {
    for (int i = 0; i < times; ++i) {
      const std::string name = "r" + std::to_string(i % 3);
      fs::create_directories(folder_ / (name + "/below"));
      if (i % 4 != 0) folder_.write(name + "/below/f.md", std::to_string(i));
      if (i % 5 != 0) fs::remove_all(folder_ / name);
    }
  });
}

TEST_F(Races, FoldersThatAreRenamedAllTheTimeAreFollowed) {
  const int times = times_scale(100);
  folder_.write("n0/below/f.md", "- a\n");
  watch_during([&] {
    for (int i = 0; i < times; ++i) {
      const std::string now = "n" + std::to_string(i), then = "n" + std::to_string(i + 1);
      folder_.write(now + "/below/" + std::to_string(i % 7) + ".md", std::to_string(i));
      fs::rename(folder_ / now, folder_ / then);
    }
  });
  folder_.write("n" + std::to_string(times) + "/below/last.md", "- z\n");
  EXPECT_EQ(folder_.changed().size(), 1);
}

// Seeded, and printed when it fails.
TEST_F(Races, AnythingAtAllEndsAsAScanWouldHaveIt) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  const int times = times_scale(1'000);
  watch_during([&] {
    std::mt19937 random(seed);
    const auto pick = [&](int below) { return std::to_string(random() % static_cast<unsigned>(below)); };
    const auto folder = [&] { return "d" + pick(3) + "/e" + pick(3) + (random() % 2 ? "/g" + pick(2) : ""); };
    std::error_code ignored;
    for (int i = 0; i < times; ++i) {
      const fs::path at = folder_ / folder();
      switch (random() % 8) {
        case 0:
          fs::remove_all(at, ignored);
          break;
        case 1:
          fs::rename(at, folder_ / folder(), ignored);
          break;
        case 2:
          ::renameat2(AT_FDCWD, at.c_str(), AT_FDCWD, (folder_ / folder()).c_str(), RENAME_EXCHANGE);
          break;
        case 3:
          fs::rename(at / ("f" + pick(3) + ".md"), folder_ / folder() / ("f" + pick(3) + ".md"), ignored);
          break;
        case 4:
          fs::rename(at, folder_.outside() / ("out" + pick(3)), ignored);
          break;
        case 5:
          fs::rename(folder_.outside() / ("out" + pick(3)), at, ignored);
          break;
        default: {
          fs::create_directories(at, ignored);
          const std::string file = at / ("f" + pick(3) + ".md");
          const Fd open(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
          EXPECT_LE(::write(open.get(), "- a\n", 4), 4);
        }
      }
    }
  });
}

}  // namespace
}  // namespace loci
