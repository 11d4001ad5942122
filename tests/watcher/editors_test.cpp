// What comes out when a file is saved as editors do, call by call (see the table of editors in change_set_test.cpp for the times).
// After each call the changes that are due are taken; what counts is what the file held when it was looked at.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <vector>

#include "tests/watcher/watched_folder.h"

namespace loci {
namespace {

namespace fs = std::filesystem;

const std::string before = "- before\n", half = "- aft", rest = "er\n", after = half + rest;

class Editors : public testing::Test {
 protected:
  void SetUp() override {
    folder_.forget_the_start();
    folder_.write("f.md", before);
    folder_.changed();
  }

  using Call = std::function<bool()>;

  // Makes each call and looks at what is due then.
  void run(const std::vector<Call>& calls) {
    for (const Call& call : calls) {
      ASSERT_TRUE(call()) << "call " << &call - calls.data();
      look();
    }
    file_.reset();
    look();
  }

  // What f.md held whenever it was looked at.
  const std::vector<std::string>& looked_at() const { return looked_at_; }
  // That of other files: there must be none.
  const std::set<std::string>& others() const { return others_; }

  Call open(int flags, const std::string& name = "f.md") {
    return [=, this] {
      file_ = Fd(::open(at(name), flags | O_CLOEXEC, 0644));
      return static_cast<bool>(file_);
    };
  }
  Call write(const std::string& text) {
    return [=, this] { return ::write(file_.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()); };
  }
  Call close() {
    return [this] {
      file_.reset();
      return true;
    };
  }
  Call sync() {
    return [this] { return ::fsync(file_.get()) == 0; };
  }
  Call rename(const std::string& from, const std::string& to) {
    return [=, this] { return ::rename(at(from), at(to)) == 0; };
  }
  Call remove(const std::string& name) {
    return [=, this] { return ::unlink(at(name)) == 0; };
  }
  Call permit(const std::string& name) {
    return [=, this] { return ::chmod(at(name), 0600) == 0; };
  }
  Call link(const std::string& target, const std::string& name) {
    return [=, this] { return ::symlink(target.c_str(), at(name)) == 0; };
  }

 private:
  // Good until the next one; two are enough for a rename.
  const char* at(const std::string& name) {
    paths_[next_path_ ^= 1] = folder_ / name;
    return paths_[next_path_].c_str();
  }

  void look() {
    folder_.step();
    const auto glance = [&](const std::string& file) {
      std::error_code error;
      return Glance{file == "f.md", fs::file_size(folder_ / file, error) > 0 && !error};
    };
    // However slow the machine: nobody is thought to be done for want of events.
    const QuietRules rules{.quiet = std::chrono::hours(1), .at_most = std::chrono::hours(1), .vanished = std::chrono::hours(1)};
    const auto due = folder_.changes().with(
        [&](ChangeSet& changes) { return changes.take_due(std::chrono::steady_clock::now(), glance, rules); });
    for (const std::string& file : due) {
      std::ifstream in(folder_ / file);
      if (file == "f.md")
        looked_at_.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
      else
        others_.insert(file);
    }
  }

  WatchedFolder folder_;
  Fd file_;
  fs::path paths_[2];
  unsigned next_path_ = 0;
  std::vector<std::string> looked_at_;
  std::set<std::string> others_;
};

constexpr int anew = O_WRONLY | O_CREAT | O_TRUNC;

TEST_F(Editors, Vim) {
  run({open(O_WRONLY | O_CREAT | O_EXCL, "4913"), close(), remove("4913"), rename("f.md", "f.md~"), open(O_WRONLY | O_CREAT),
       write(half), write(rest), sync(), close(), permit("f.md"), remove("f.md~")});
  ASSERT_FALSE(looked_at().empty());
  for (const std::string& text : looked_at()) EXPECT_EQ(text, after);
  EXPECT_TRUE(others().empty());
}

TEST_F(Editors, EmacsTheFirstTime) {
  run({link("someone@here.1", ".#f.md"), rename("f.md", "f.md~"), open(anew), write(half), write(rest), sync(), close(),
       permit("f.md"), remove(".#f.md")});
  ASSERT_FALSE(looked_at().empty());
  for (const std::string& text : looked_at()) EXPECT_EQ(text, after);
  EXPECT_TRUE(others().empty());
}

TEST_F(Editors, TruncateAndWriteAsNanoAndCodeDo) {
  run({open(anew), write(half), write(rest), close()});
  EXPECT_EQ(looked_at(), std::vector{after});
}

TEST_F(Editors, AStreamEditorThatRenames) {
  run({open(O_RDWR | O_CREAT | O_EXCL, "sedAbCdEf"), write(half), write(rest), permit("sedAbCdEf"), close(),
       rename("sedAbCdEf", "f.md")});
  EXPECT_EQ(looked_at(), std::vector{after});
  EXPECT_TRUE(others().empty());
}

TEST_F(Editors, Git) {
  run({remove("f.md"), open(O_WRONLY | O_CREAT | O_EXCL), write(half), write(rest), close()});
  EXPECT_EQ(looked_at(), std::vector{after});
}

TEST_F(Editors, AWriterThatIsNotDoneIsNotLookedAt) {
  run({open(O_WRONLY | O_APPEND), write("- x"), write("y\n"), permit("f.md"), write("- z")});
  EXPECT_EQ(looked_at(), std::vector{before + "- xy\n- z"}) << "only when it was closed";
}

TEST_F(Editors, AFileThatIsOnlyRemovedWaits) {
  run({remove("f.md")});
  EXPECT_TRUE(looked_at().empty());
}

}  // namespace
}  // namespace loci
