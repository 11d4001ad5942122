#include "base/file_system.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/leftovers.h"
#include "tests/support/temporary_folder.h"

namespace loci {
namespace {

mode_t mode_of(const path& file) {
  struct stat info{};
  return ::stat(file.c_str(), &info) == 0 ? info.st_mode & 0777 : 0;
}

TEST(FileSystem, WritesAFileThatOnlyItsOwnerReads) {
  const TemporaryFolder folder;
  FileSystem& files = real_file_system();
  ASSERT_TRUE(write_file(files, folder.path() / "a", "one"));
  ASSERT_TRUE(write_file(files, folder.path() / "a", "two"));
  EXPECT_EQ(*read_file(files, folder.path() / "a"), "two");
  EXPECT_EQ(mode_of(folder.path() / "a"), 0600u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "a temporary file was left behind";
}

TEST(FileSystem, MakesFoldersThatOnlyTheirOwnerEnters) {
  const TemporaryFolder folder;
  ASSERT_TRUE(make_folders(real_file_system(), folder.path() / "a/b/c"));
  ASSERT_TRUE(make_folders(real_file_system(), folder.path() / "a/b/c"));
  EXPECT_EQ(mode_of(folder.path() / "a"), 0700u);
  EXPECT_EQ(mode_of(folder.path() / "a/b/c"), 0700u);
}

TEST(FileSystem, TellsAMissingFileFromAnUnreadableOne) {
  const TemporaryFolder folder;
  const auto missing = read_file(real_file_system(), folder.path() / "none");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_FALSE(*read_file_if_any(real_file_system(), folder.path() / "none"));

  const auto directory = read_file(real_file_system(), folder.path());
  ASSERT_FALSE(directory);
  EXPECT_EQ(directory.error().code, ErrorCode::failed);
  EXPECT_NE(directory.error().message.find(folder.path().string()), std::string::npos);
}

TEST(FileSystem, RefusesAFileOverTheLimit) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(real_file_system(), folder.path() / "a", "12345"));
  EXPECT_TRUE(read_file(real_file_system(), folder.path() / "a", 5));
  const auto refused = read_file(real_file_system(), folder.path() / "a", 4);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::refused);
}

TEST(FileSystem, ExchangesTwoFilesInOneStep) {
  const TemporaryFolder folder;
  FileSystem& files = real_file_system();
  ASSERT_TRUE(write_file(files, folder.path() / "a", "A"));
  ASSERT_TRUE(write_file(files, folder.path() / "b", "B"));
  ASSERT_TRUE(files.exchange(folder.path() / "a", folder.path() / "b"));
  EXPECT_EQ(*read_file(files, folder.path() / "a"), "B");
  EXPECT_EQ(files.exchange(folder.path() / "a", folder.path() / "none").error().code, ErrorCode::not_found);
}

TEST(FileSystem, DescriptorsCloseOnExec) {
  const TemporaryFolder folder;
  const auto fd = real_file_system().open(folder.path() / "a", O_RDWR | O_CREAT);
  ASSERT_TRUE(fd);
  EXPECT_TRUE(::fcntl(fd->get(), F_GETFD) & FD_CLOEXEC);
}

TEST(FileSystem, AnErrorSaysWhatWhereAndWhatToDo) {
  const auto error = fail_errno("write", "archive/2026-11-21.md", ENOSPC).error();
  EXPECT_EQ(error.message, "cannot write archive/2026-11-21.md: No space left on device");
  EXPECT_FALSE(error.hint.empty());
}

TEST(FileSystem, WhatAProcessThatDiedWhileItWroteLeftIsTakenAwayAndNothingElse) {
  TemporaryFolder folder;
  const pid_t dead = ::fork();
  if (dead == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(dead, nullptr, 0), dead);
  const std::string left = "settings.json.tmp-" + std::to_string(dead);
  const std::vector<std::string> kept{"settings.json", "settings.json.tmp-" + std::to_string(::getpid()), "settings.json.tmp-",
                                      "settings.json.tmp-12x", "other.json.tmp-" + std::to_string(dead)};
  const auto write = [&](const std::string& name, mode_t mode) {
    folder.write(name, "half");
    ASSERT_EQ(::chmod((folder.path() / name).c_str(), mode), 0);
  };
  write(left, 0600);
  for (const std::string& name : kept) write(name, 0600);
  remove_leftovers_of(folder.path() / "settings.json");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / left));
  for (const std::string& name : kept) EXPECT_TRUE(std::filesystem::exists(folder.path() / name)) << name;

  // Under such a name, and not as it is written: somebody put it there.
  write(left, 0644);
  remove_leftovers_of(folder.path() / "settings.json");
  EXPECT_TRUE(std::filesystem::exists(folder.path() / left));
  std::filesystem::remove(folder.path() / left);
  std::filesystem::create_symlink(folder.path() / "settings.json", folder.path() / left);
  remove_leftovers_of(folder.path() / "settings.json");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / left));
}

}  // namespace
}  // namespace loci
