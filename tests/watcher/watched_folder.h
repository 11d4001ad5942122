// A temporary folder with a watcher on it, whose steps a test makes itself. Events are in the queue when the call that caused them
// returns, so nothing ever has to wait for them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "tests/support/temporary_folder.h"
#include "watcher/watcher.h"

namespace loci {

// How often a race is tried: a tenth of what the soak does, unless $LOCI_TEST_SCALE says otherwise.
inline int times_scale(int count) {
  const char* scale = std::getenv("LOCI_TEST_SCALE");
  return count * (scale ? std::max(1, std::atoi(scale)) : 1);
}

class WatchedFolder {
 public:
  explicit WatchedFolder(WatchOptions::Mode mode = WatchOptions::Mode::inotify)
      : WatchedFolder(mode, [](const TemporaryFolder&) {}) {}

  // `prepare` is called with the folder before it is watched.
  template <typename Prepare>
  WatchedFolder(WatchOptions::Mode mode, Prepare prepare) {
    std::filesystem::create_directories(outside_ / "vault/.loci/tmp");
    prepare(outside_);
    auto opened = Watcher::open(options(mode), changes_);
    if (!opened) throw std::runtime_error(opened.error().message);
    watcher_ = std::move(*opened);
  }

  // Of the watched folder. What is moved out goes to outside().
  std::filesystem::path operator/(std::string_view relative) const { return outside_ / "vault" / relative; }
  const TemporaryFolder& outside() const { return outside_; }
  void write(const std::string& relative, std::string_view bytes) const { outside_.write("vault/" + relative, bytes); }

  Watcher& watcher() { return *watcher_; }
  Synchronized<ChangeSet>& changes() { return changes_; }

  WatchOptions options(WatchOptions::Mode mode) const {
    return {.mode = mode, .root = outside_ / "vault", .probe = outside_ / "vault/.loci/tmp", .enters = enters, .counts = counts};
  }

  // Everything that has happened until now is in the change set afterwards.
  void step() {
    const Status stepped = watcher_->step(std::chrono::steady_clock::now());
    ASSERT_TRUE(stepped) << stepped.error().message;
  }

  // Steps, and takes the paths and the rescan that came of it.
  std::set<std::string> changed() {
    step();
    const auto paths = changes_.with([](ChangeSet& changes) { return changes.take_all(); });
    return {paths.begin(), paths.end()};
  }
  std::string rescan() {
    step();
    return changes_.with([](ChangeSet& changes) { return changes.take_rescan().value_or(""); });
  }
  void forget_the_start() {
    EXPECT_EQ(rescan(), "start");
    EXPECT_TRUE(changed().empty());
  }

  static bool enters(std::string_view folder) {
    const std::string_view name = folder.substr(folder.rfind('/') + 1);
    return !name.starts_with('.') && name != "ignored";
  }
  static bool counts(std::string_view file) {
    const std::string_view name = file.substr(file.rfind('/') + 1);
    return name == ".lociignore" || (name.ends_with(".md") && !name.starts_with('.'));
  }

 private:
  TemporaryFolder outside_;
  Synchronized<ChangeSet> changes_;
  std::unique_ptr<Watcher> watcher_;
};

// What an index would know: it looks at the paths that it is told of, and at everything when a rescan is wanted.
class Mirror {
 public:
  explicit Mirror(WatchedFolder& folder) : folder_(folder) {}

  void catch_up() {
    const auto rescan = folder_.rescan();
    const auto changed = folder_.changed();
    if (!rescan.empty()) {
      ++rescans_;
      files_ = everything();
      return;
    }
    for (const std::string& file : changed) {
      const auto state = look(file);
      if (state)
        files_[file] = *state;
      else
        files_.erase(file);
    }
  }

  void expect_equal_to_a_scan() const { EXPECT_EQ(files_, everything()); }
  int rescans() const { return rescans_; }

 private:
  using State = std::pair<std::uintmax_t, std::filesystem::file_time_type>;

  std::optional<State> look(const std::string& file) const {
    std::error_code error;
    const auto path = folder_ / file;
    if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(path, error))) return std::nullopt;
    const State state{std::filesystem::file_size(path, error), std::filesystem::last_write_time(path, error)};
    if (error) return std::nullopt;
    return state;
  }

  std::map<std::string, State> everything() const {
    std::map<std::string, State> files;
    read("", files);
    return files;
  }

  // What comes and goes meanwhile may be in it or not.
  void read(const std::string& prefix, std::map<std::string, State>& files) const {
    std::error_code error;
    std::filesystem::directory_iterator item(folder_ / prefix, error);
    for (; !error && item != std::filesystem::directory_iterator(); item.increment(error)) {
      const std::string relative = prefix + item->path().filename().native();
      std::error_code gone;
      if (std::filesystem::is_directory(item->symlink_status(gone)) && WatchedFolder::enters(relative)) read(relative + '/', files);
      if (!WatchedFolder::counts(relative)) continue;
      if (const auto state = look(relative)) files.emplace(relative, *state);
    }
  }

  WatchedFolder& folder_;
  std::map<std::string, State> files_;
  int rescans_ = 0;
};

}  // namespace loci
