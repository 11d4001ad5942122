// Watches a tree by inotify, or says that it cannot and has to be polled. Says which paths may have changed and when only a scan of
// everything will do, and knows when it has gone deaf. Reads no file's content, follows no symbolic link, writes nothing but its
// probe (a folder of loci's own, outside what is indexed).
//
// One thread calls step() in a loop and owns the inotify descriptor; wake(), probe(), passed(), root_stands() and state() may be
// called from any thread. Both functions of the options are called by the thread of step(), without any lock held.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "base/result.h"
#include "base/synchronized.h"
#include "watcher/change_set.h"

namespace loci {

struct WatchOptions {
  enum class Mode : std::uint8_t { automatic, inotify, polling };
  Mode mode = Mode::automatic;
  path root;   // canonical; exists
  path probe;  // an existing folder on the same file system, `.loci/tmp`: cookies are made there; may be empty (then no probes)
  // Which folders (relative, without a final slash; never the root) are watched at all: hidden and ignored ones are not.
  std::function<bool(std::string_view folder)> enters;
  // Which files (relative) are worth an event: markdown, our logs, .lociignore.
  std::function<bool(std::string_view file)> counts;
};

struct WatchState {
  bool polling = false;
  std::string
      polling_reason;  // "cifs sends no events for remote changes", "no inotify watches left: raise …"; empty if not polling
  size_t watches = 0;
  std::uint64_t overflows = 0;
  std::uint64_t events = 0;  // since the start
};

class Watcher {
 public:
  // Opens inotify and sets the root's watch, not yet those of the folders below: the first step() does, and asks for a rescan with
  // the reason "start". A file system without events, or mode polling: state().polling, and step() only sleeps until wake().
  // Fails only if the root can't be opened, or if Mode::inotify was asked for and cannot be had.
  // Changes go into `changes`, whose waiters are woken. It has to outlive the watcher.
  static Result<std::unique_ptr<Watcher>> open(WatchOptions options, Synchronized<ChangeSet>& changes);
  virtual ~Watcher() = default;

  // Waits for events at most until `deadline` (none: for ever) or a wake(), drains all that are there and returns. A folder that
  // appears is watched first and read then, to any depth. Out of watches, an overflow, an unknown descriptor, an unmount, a root
  // that is not the folder it was: no failure but a rescan request with its reason. Out of watches in mode automatic it polls from
  // then on; in Mode::inotify step() fails. Apart from that it fails only if waiting itself fails.
  virtual Status step(std::optional<SteadyTime> deadline) = 0;

  // Lets step() return soon.
  virtual void wake() = 0;

  // Makes and removes a cookie in the probe folder. When its event has come through, everything that happened in the tree before
  // the call is in the change set, and `passed()` is this number or a later one. A rescan that is wanted because events were lost
  // counts for all that they would have told. None: no probe folder, it can't be written to, or polling.
  // The same serves as canary: a probe that does not come through in a few seconds means that the watcher is deaf.
  virtual std::optional<std::uint64_t> probe() = 0;
  virtual std::uint64_t passed()
      const = 0;  // the highest number that came through; 0: none. Waiters of the change set are woken by it

  // Throws all watches away, opens inotify anew and asks for a rescan with this reason: for a deaf watcher, for a root that is
  // back. Called by the thread of step().
  virtual Status restart(const std::string& reason) = 0;

  // Is the root still the folder that is watched (device and inode)? A missing root is never "everything was deleted".
  virtual bool root_stands() const = 0;

  virtual WatchState state() const = 0;
};

}  // namespace loci
