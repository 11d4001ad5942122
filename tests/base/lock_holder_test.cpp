#include "base/lock_holder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/process_lock.h"
#include "tests/support/forwarding_file_system.h"
#include "tests/support/temporary_folder.h"

namespace loci {
namespace {

using namespace std::chrono_literals;

TEST(LockHolder, IsTheProcessThatHoldsTheLock) {
  const TemporaryFolder folder;
  EXPECT_FALSE(holder_of_lock(real_file_system(), folder.path()));
  const auto lock = ProcessLock::acquire(real_file_system(), folder.path(), 0ms);
  ASSERT_TRUE(lock);
  const auto holder = holder_of_lock(real_file_system(), folder.path());
  ASSERT_TRUE(holder);
  EXPECT_EQ(holder->pid, ::getpid());
  EXPECT_FALSE(holder->program.empty());
}

// Leaves out what is held from the list of locks, which is a long one.
class SkippingFileSystem : public ForwardingFileSystem {
 public:
  explicit SkippingFileSystem(int times) : times_(times) {}

  Result<std::string> read_all(const Fd& fd, const path& name, size_t limit) override {
    if (name != "/proc/locks" || times_-- <= 0) return ForwardingFileSystem::read_all(fd, name, limit);
    std::string others;
    for (int i = 0; i < 200; ++i) others += "1: FLOCK  ADVISORY  WRITE 22 fe:02:" + std::to_string(i) + " 0 EOF\n";
    return others;
  }

 private:
  int times_;
};

TEST(LockHolder, IsFoundThoughTheKernelSkippedIt) {
  const TemporaryFolder folder;
  const auto lock = ProcessLock::acquire(real_file_system(), folder.path(), 0ms);
  ASSERT_TRUE(lock);
  SkippingFileSystem once(1), always(100);
  EXPECT_TRUE(holder_of_lock(once, folder.path()));
  EXPECT_FALSE(holder_of_lock(always, folder.path()));
}

TEST(LockHolder, IsReadFromTheKernelsList) {
  constexpr std::string_view locks =
      "1: POSIX  ADVISORY  WRITE 11 fe:01:99 0 EOF\n"
      "2: FLOCK  ADVISORY  WRITE 22 fe:02:99 0 EOF\n"
      "3: FLOCK  ADVISORY  WRITE 33 fe:01:99 0 EOF\n"
      "3: -> FLOCK  ADVISORY  WRITE 44 fe:01:98 0 EOF\n"
      "broken line\n"
      "4: FLOCK  ADVISORY  READ  0 fe:01:97 0 EOF";
  EXPECT_EQ(pid_holding(locks, 0xfe, 1, 99), 33);
  EXPECT_EQ(pid_holding(locks, 0xfe, 2, 99), 22);
  EXPECT_EQ(pid_holding(locks, 0xfe, 1, 98), std::nullopt);  // only waits
  EXPECT_EQ(pid_holding(locks, 0xfe, 1, 97), std::nullopt);  // another container's
}

}  // namespace
}  // namespace loci
