#include "base/process_lock.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "tests/support/temporary_folder.h"

namespace loci {
namespace {

using std::chrono::milliseconds;

Result<ProcessLock> try_lock(const path& folder) { return ProcessLock::acquire(real_file_system(), folder, milliseconds(0)); }

TEST(ProcessLock, HasOneHolderAndSaysSo) {
  const TemporaryFolder folder;
  {
    const auto first = try_lock(folder.path());
    ASSERT_TRUE(first);
    const auto second = try_lock(folder.path());
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::locked);
  }
  EXPECT_TRUE(try_lock(folder.path())) << "the lock outlived its holder";
}

TEST(ProcessLock, DiesWithItsProcess) {
  const TemporaryFolder folder;
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = try_lock(folder.path());
    const char held = lock ? 'y' : 'n';
    if (::write(ends[1], &held, 1) != 1) ::_exit(1);
    ::pause();
    ::_exit(0);
  }
  char held = 0;
  ASSERT_EQ(::read(ends[0], &held, 1), 1);
  EXPECT_EQ(held, 'y');
  EXPECT_FALSE(try_lock(folder.path()));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(try_lock(folder.path()));
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(ProcessLock, IsNotInheritedByAProgramThatIsStarted) {
  const TemporaryFolder folder;
  pid_t child = 0;
  {
    const auto lock = try_lock(folder.path());
    ASSERT_TRUE(lock);
    child = ::fork();
    if (child == 0) {
      ::execlp("sleep", "sleep", "60", nullptr);
      ::_exit(127);
    }
    // Until exec has closed the child's copy, the child holds the lock as well; afterwards it must not.
  }
  const auto lock = ProcessLock::acquire(real_file_system(), folder.path(), milliseconds(10'000));
  EXPECT_TRUE(lock) << "a child that was started kept the lock";
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST(ProcessLock, NoticesThatItsFolderWasReplaced) {
  const TemporaryFolder folder;
  const path locked = folder.path() / "vault";
  ASSERT_TRUE(make_folders(real_file_system(), locked));
  const auto lock = try_lock(locked);
  ASSERT_TRUE(lock);
  EXPECT_TRUE(lock->still_holds());
  std::filesystem::rename(locked, folder.path() / "moved");
  EXPECT_FALSE(lock->still_holds());
  ASSERT_TRUE(make_folders(real_file_system(), locked));
  EXPECT_FALSE(lock->still_holds());
}

}  // namespace
}  // namespace loci
