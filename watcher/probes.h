// Cookies: files that are made and removed at once in a folder that is watched, so that their event shows how far the events have
// been read. Called `cookie-<pid>-<number>`, so that another process's are told apart and a dead one's can be removed.
// make() and issued() may be called from any thread.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/file_system.h"

namespace loci {

class Probes {
 public:
  // Without a folder (empty) none is ever made.
  explicit Probes(path folder);

  const path& folder() const { return folder_; }

  // Removes what dead processes left there.
  void remove_leftovers() const;

  // Are their events seen? Until then, and when not, none is made.
  void set_watched(bool watched) { watched_ = watched; }

  // None: not watched, or the file can't be made.
  std::optional<std::uint64_t> make();
  // The last number that was given out; whatever happened before its make() was called happened before this call.
  std::uint64_t issued() const { return issued_; }
  // The number of a cookie of ours.
  std::optional<std::uint64_t> number_of(std::string_view name) const;

 private:
  path folder_;
  pid_t process_;
  std::atomic<bool> watched_ = false;
  std::atomic<std::uint64_t> issued_ = 0;
};

}  // namespace loci
