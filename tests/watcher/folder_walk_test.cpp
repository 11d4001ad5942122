#include "watcher/folder_walk.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <vector>

#include "base/fd.h"
#include "tests/support/temporary_folder.h"

namespace loci {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class FolderWalk : public testing::Test {
 protected:
  FolderWalk() {
    visitor_.enters = [](std::string_view) { return true; };
    visitor_.opened = [this](int, const std::string& folder) {
      opened_.push_back(folder);
      return 0;
    };
    visitor_.file = [this](const std::string& file) { files_.push_back(file); };
  }

  Walked walk(const std::string& start = "") {
    opened_.clear();
    files_.clear();
    return walk_folders(root_.get(), start, visitor_);
  }

  TemporaryFolder folder_;
  Fd root_{::open(folder_.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  WalkVisitor visitor_;
  std::vector<std::string> opened_, files_;
};

TEST_F(FolderWalk, VisitsEveryFolderAndFileBelowItsStart) {
  folder_.write("a.md", "");
  folder_.write("x/b.md", "");
  folder_.write("x/y/c.md", "");
  folder_.write("z/d.md", "");
  walk();
  EXPECT_THAT(opened_, UnorderedElementsAre("", "x", "x/y", "z"));
  EXPECT_THAT(files_, UnorderedElementsAre("a.md", "x/b.md", "x/y/c.md", "z/d.md"));
  walk("x");
  EXPECT_THAT(opened_, ElementsAre("x", "x/y"));
  EXPECT_THAT(files_, UnorderedElementsAre("x/b.md", "x/y/c.md"));
}

TEST_F(FolderWalk, WhatIsCreatedOnceAFolderIsWatchedIsRead) {
  fs::create_directory(folder_ / "x");
  visitor_.opened = [this](int, const std::string& folder) {
    folder_.write(folder + (folder.empty() ? "" : "/") + "just-now.md", "");
    return 0;
  };
  walk();
  EXPECT_THAT(files_, UnorderedElementsAre("just-now.md", "x/just-now.md"));
}

TEST_F(FolderWalk, NoLinkIsFollowed) {
  folder_.write("real/below/a.md", "");
  fs::create_directory_symlink("real", folder_ / "link");
  walk("link");
  EXPECT_THAT(opened_, IsEmpty());
  walk("link/below");
  EXPECT_THAT(opened_, IsEmpty()) << "nor on the way";
  walk();
  EXPECT_THAT(opened_, UnorderedElementsAre("", "real", "real/below"));
  EXPECT_THAT(files_, UnorderedElementsAre("link", "real/below/a.md"));
}

TEST_F(FolderWalk, AFolderThatBecomesALinkMeanwhileIsNotFollowed) {
  folder_.write("real/a.md", "");
  fs::create_directory(folder_ / "swapped");
  visitor_.enters = [this](std::string_view name) {
    if (name == "swapped") {
      fs::remove(folder_ / "swapped");
      fs::create_directory_symlink("real", folder_ / "swapped");
    }
    return name == "swapped";
  };
  walk();
  EXPECT_THAT(opened_, ElementsAre(""));
}

TEST_F(FolderWalk, FoldersThatAreGoneAreNoFailure) {
  folder_.write("file", "");
  for (const char* start : {"missing", "missing/below", "file", "file/below"}) {
    const Walked walked = walk(start);
    EXPECT_EQ(walked.missed, 0) << start;
    EXPECT_THAT(opened_, IsEmpty()) << start;
  }
}

TEST_F(FolderWalk, EndsWhenItsVisitorSaysSo) {
  fs::create_directories(folder_ / "x/y/z");
  visitor_.opened = [this](int, const std::string& folder) {
    opened_.push_back(folder);
    return folder == "x/y" ? ENOSPC : 0;
  };
  EXPECT_EQ(walk().stopped, ENOSPC);
  EXPECT_THAT(opened_, ElementsAre("", "x", "x/y"));
}

}  // namespace
}  // namespace loci
