#include "base/lock_holder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/process_lock.h"
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
