#include "watcher/inotify_watcher.h"

#include <sys/inotify.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <set>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "watcher/findings.h"
#include "watcher/folder_walk.h"
#include "watcher/inotify_limits.h"
#include "watcher/probes.h"
#include "watcher/root_folder.h"
#include "watcher/wake_event.h"
#include "watcher/watch_tree.h"

namespace loci {
namespace {

constexpr std::chrono::seconds look_again_after{2};

constexpr std::uint32_t folder_events =
    IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ATTRIB | IN_EXCL_UNLINK | IN_ONLYDIR;
constexpr std::uint32_t root_events = folder_events | IN_DELETE_SELF | IN_MOVE_SELF;
constexpr std::uint32_t probe_events = IN_CREATE | IN_ONLYDIR;

constexpr size_t buffer_size = 64 * 1024;  // some 2,000 events
constexpr int most_reads_a_step = 32;      // four full queues: whoever wants to stop waits no longer than that

bool has_ancestor_in(const std::set<std::string>& folders, const std::string& folder) {
  if (!folder.empty() && folders.contains("")) return true;
  for (size_t end = folder.find('/'); end != std::string::npos; end = folder.find('/', end + 1))
    if (folders.contains(folder.substr(0, end))) return true;
  return false;
}

class InotifyWatcher final : public Watcher {
 public:
  InotifyWatcher(WatchOptions options, RootFolder root, WakeEvent wake, Synchronized<ChangeSet>& changes)
      : options_(std::move(options)),
        probe_folder_(options_.probe.lexically_relative(options_.root).native()),
        identity_(root.identity),
        root_(std::move(root.open)),
        wake_(std::move(wake)),
        probes_(options_.probe),
        changes_(changes) {}

  Status start();

  Status step(std::optional<SteadyTime> deadline) override;
  void wake() override { wake_.set(); }
  std::optional<std::uint64_t> probe() override { return probes_.make(); }
  std::uint64_t passed() const override { return passed_; }
  Status restart(const std::string& reason) override;
  bool root_stands() const override {
    return stands_at(options_.root, identity_.with([](const FolderIdentity& identity) { return identity; }));
  }
  WatchState state() const override {
    return state_.with([](const WatchState& state) { return state; });
  }

 private:
  struct Dropped {
    size_t watches = 0;
    bool was_alive = false;  // one of them was: its folder had not been removed
  };

  bool enters(std::string_view folder) const { return folder != probe_folder_ && options_.enters(folder); }

  // Watches.
  Status begin_anew(const std::string& reason);
  Status look_at_folders();
  int watch(int folder, const std::string& name);
  Dropped drop(const std::string& folder);
  void watch_probes();
  void forget_probes();
  void note_missed(int error_number);
  Status do_without_events(int error_number);

  // Events.
  Status drain();
  void take_buffer(size_t size);
  void take(const inotify_event& event);
  void take_stray(const inotify_event& event);
  void take_folder(const std::string& folder, std::uint32_t what);
  void take_file(std::string file, std::uint32_t what);
  void check_root();
  void deliver();

  const WatchOptions options_;
  const std::string probe_folder_;  // relative to the root; empty: none
  mutable Synchronized<FolderIdentity> identity_;
  Fd root_;
  const WakeEvent wake_;
  Probes probes_;

  Fd inotify_;  // none: polling
  WatchTree tree_;
  int probe_watch_ = -1;
  std::unordered_set<int> dropped_;        // watches given up whose last events may still come
  std::unordered_set<std::string> ended_;  // folders whose watch has ended, and whose parent has not told of it yet
  std::set<std::string> looks_;            // folders to be opened, watched and read
  bool is_blind_ = false;                  // some of them could not be, last time
  bool root_stood_ = true;
  std::optional<std::string> lost_;  // why events may be missing
  alignas(inotify_event) std::array<char, buffer_size> buffer_;

  Findings found_;
  WatchState counted_;
  mutable Synchronized<WatchState> state_;  // counted_, as last delivered
  std::atomic<std::uint64_t> passed_ = 0;
  Synchronized<ChangeSet>& changes_;
};

Status InotifyWatcher::start() {
  probes_.remove_leftovers();
  const Status begun = begin_anew("start");
  state_.with([&](WatchState& state) { state = counted_; });
  return begun;
}

Status InotifyWatcher::step(std::optional<SteadyTime> deadline) {
  TRY(look_at_folders());
  deliver();
  if (!looks_.empty()) {  // no descriptor was left for them, say: no event will tell when there is one
    const SteadyTime again = std::chrono::steady_clock::now() + look_again_after;
    deadline = deadline ? std::min(*deadline, again) : again;
  }
  const auto readable = TRY(wake_.wait(inotify_.get(), deadline));
  if (readable) TRY(drain());
  check_root();
  deliver();
  return {};
}

Status InotifyWatcher::restart(const std::string& reason) {
  auto root = TRY(open_root(options_.root));
  root_ = std::move(root.open);
  identity_.with([&](FolderIdentity& identity) { identity = root.identity; });
  root_stood_ = true;
  TRY(begin_anew(reason));
  TRY(look_at_folders());
  deliver();
  return {};
}

// A new descriptor, the root's watch, and everything else to be looked at. The old descriptor goes first: its watches count.
Status InotifyWatcher::begin_anew(const std::string& reason) {
  tree_.clear();
  dropped_.clear();
  ended_.clear();
  lost_.reset();
  looks_ = {""};
  found_.want_rescan(reason);
  probe_watch_ = -1;
  inotify_.reset();
  inotify_ = Fd(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!inotify_) return do_without_events(errno);
  counted_.polling = false;
  counted_.polling_reason.clear();
  if (const int error_number = watch(root_.get(), ""); error_number != 0) return do_without_events(error_number);
  watch_probes();
  found_.pass(probes_.issued());  // the rescan shows whatever was before them
  return {};
}

// Where nothing but a rescan helps, what the walk finds need not be told.
Status InotifyWatcher::look_at_folders() {
  if (looks_.empty()) return {};
  WalkVisitor visitor;
  visitor.enters = [this](std::string_view folder) { return enters(folder); };
  visitor.opened = [this](int folder, const std::string& name) { return watch(folder, name); };
  if (!found_.wants_rescan()) visitor.file = [this](const std::string& file) { take_file(file, IN_CLOSE_WRITE); };

  const std::set<std::string> looks = std::exchange(looks_, {});
  int missed = 0;
  for (const std::string& folder : looks) {
    if (has_ancestor_in(looks, folder)) continue;
    const Walked walked = walk_folders(root_.get(), folder, visitor);
    if (walked.stopped != 0) {
      looks_ = looks;
      return do_without_events(walked.stopped);
    }
    if (walked.missed == 0) continue;
    missed = walked.missed;
    looks_.insert(folder);
  }
  note_missed(missed);
  return {};
}

// By the descriptor: whatever has the name meanwhile is not what was opened.
int InotifyWatcher::watch(int folder, const std::string& name) {
  const std::string opened = "/proc/self/fd/" + std::to_string(folder);
  const int watch = ::inotify_add_watch(inotify_.get(), opened.c_str(), name.empty() ? root_events : folder_events);
  if (watch < 0) return errno == EACCES ? 0 : errno;  // forbidden since it was opened: an event tells when it is allowed again
  for (const int replaced : tree_.place(watch, name)) {
    ::inotify_rm_watch(inotify_.get(), replaced);
    dropped_.insert(replaced);
  }
  return 0;
}

// Gives up the watches of a folder and of all below it.
InotifyWatcher::Dropped InotifyWatcher::drop(const std::string& folder) {
  Dropped dropped;
  for (const int watch : tree_.take(folder)) {
    ++dropped.watches;
    dropped.was_alive |= ::inotify_rm_watch(inotify_.get(), watch) == 0;
    dropped_.insert(watch);
  }
  return dropped;
}

void InotifyWatcher::watch_probes() {
  forget_probes();
  if (probes_.folder().empty()) return;
  probe_watch_ = ::inotify_add_watch(inotify_.get(), probes_.folder().c_str(), probe_events);
  probes_.set_watched(probe_watch_ >= 0);
}

void InotifyWatcher::forget_probes() {
  probes_.set_watched(false);
  if (probe_watch_ < 0) return;
  ::inotify_rm_watch(inotify_.get(), probe_watch_);
  dropped_.insert(std::exchange(probe_watch_, -1));
}

void InotifyWatcher::note_missed(int error_number) {
  if (error_number != 0 && !is_blind_)
    found_.want_rescan("some folders could not be opened: " + std::generic_category().message(error_number));
  if (error_number == 0 && is_blind_) found_.want_rescan("folders that could not be opened are watched again");
  is_blind_ = error_number != 0;
}

Status InotifyWatcher::do_without_events(int error_number) {
  const std::string why = why_without_events(error_number, tree_.size());
  if (options_.mode == WatchOptions::Mode::inotify)
    return fail(ErrorCode::failed, "cannot watch " + options_.root.native() + ": " + why);
  inotify_.reset();
  tree_.clear();
  dropped_.clear();
  ended_.clear();
  looks_.clear();
  probe_watch_ = -1;
  probes_.set_watched(false);
  found_.pass(probes_.issued());
  counted_.polling = true;
  counted_.polling_reason = why;
  found_.want_rescan(why);
  return {};
}

Status InotifyWatcher::drain() {
  for (int reads = 0; inotify_ && reads < most_reads_a_step; ++reads) {
    const ssize_t size = ::read(inotify_.get(), buffer_.data(), buffer_.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) return {};
    if (size < 0) return fail_errno("read", "file system events", errno);
    take_buffer(static_cast<size_t>(size));
    const bool has_lost = lost_.has_value();
    if (has_lost) TRY(begin_anew(std::string(*lost_)));
    TRY(look_at_folders());
    deliver();
    if (has_lost) return {};  // that was a walk of everything, which is enough for one step
  }
  return {};
}

void InotifyWatcher::take_buffer(size_t size) {
  for (size_t at = 0; at < size && !lost_;) {
    const auto& event = *reinterpret_cast<const inotify_event*>(buffer_.data() + at);
    ++counted_.events;
    take(event);
    at += sizeof event + event.len;
  }
}

void InotifyWatcher::take(const inotify_event& event) {
  const std::string* folder = tree_.folder_of(event.wd);
  if (!folder) return take_stray(event);
  if (event.mask & IN_UNMOUNT) {
    lost_ = "a file system was unmounted";
  } else if (event.mask & IN_IGNORED) {
    ended_.insert(*folder);
    tree_.forget(event.wd);
  } else if (event.mask & (IN_MOVE_SELF | IN_DELETE_SELF)) {
    found_.want_rescan("the root folder was moved or removed");
  } else if (event.len == 0) {
    // Of the folder itself. Those below the root tell it with their name, too.
    if (folder->empty()) take_folder(*folder, event.mask);
  } else {
    std::string name = folder->empty() ? event.name : *folder + '/' + event.name;
    if (event.mask & IN_ISDIR)
      take_folder(name, event.mask);
    else
      take_file(std::move(name), event.mask);
  }
}

// An event of no folder that is watched.
void InotifyWatcher::take_stray(const inotify_event& event) {
  if (event.mask & IN_Q_OVERFLOW) {
    ++counted_.overflows;
    lost_ = "the event queue overflowed";
  } else if (event.wd == probe_watch_) {
    if (event.mask & IN_IGNORED) {
      probe_watch_ = -1;
      probes_.set_watched(false);
    } else if (event.len != 0) {
      found_.pass(probes_.number_of(event.name).value_or(0));
    }
  } else if (!dropped_.contains(event.wd)) {
    lost_ = "an event of an unknown watch";
  } else if (event.mask & IN_IGNORED) {
    dropped_.erase(event.wd);
  }
}

void InotifyWatcher::take_folder(const std::string& folder, std::uint32_t what) {
  if (!folder.empty() && folder == probe_folder_) {
    if (what & (IN_CREATE | IN_MOVED_TO)) watch_probes();
    if (what & IN_MOVED_FROM) forget_probes();
    return;
  }
  const bool is_entered = folder.empty() || enters(folder);
  if (what & (IN_MOVED_FROM | IN_DELETE)) {
    // The watch of a removed folder ends before its parent tells, or after: kernels differ. If it did end, all files in the folder
    // have told their own end before.
    const bool has_ended = ended_.erase(folder) != 0;
    const Dropped dropped = drop(folder);
    if (!has_ended && dropped.watches == 0 && !is_entered) return;
    if (what & IN_MOVED_FROM)
      found_.want_rescan("a folder was moved");
    else if (dropped.was_alive)
      found_.want_rescan("a folder was replaced");
    else if (!has_ended && dropped.watches == 0)
      found_.want_rescan("a folder was removed before it was watched");
  }
  if (what & IN_ATTRIB && is_entered) found_.want_rescan("the permissions of a folder changed");
  // A removed one, too: another may stand there by now, and its own events be read already.
  if (is_entered) looks_.insert(folder);
}

void InotifyWatcher::take_file(std::string file, std::uint32_t what) {
  if (!options_.counts(file)) return;
  auto seen = Findings::Seen::unfinished;
  if (what & (IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE))
    seen = Findings::Seen::finished;
  else if (what & IN_ATTRIB)
    seen = Findings::Seen::touched;
  found_.add(std::move(file), seen);
}

void InotifyWatcher::check_root() {
  const bool stands = root_stands();
  if (root_stood_ && !stands) found_.want_rescan("the root folder is not the one that is watched");
  root_stood_ = stands;
}

void InotifyWatcher::deliver() {
  counted_.watches = tree_.size() + (probe_watch_ >= 0 ? 1 : 0);
  state_.with([&](WatchState& state) { state = counted_; });
  found_.hand_over(changes_, passed_);
}

}  // namespace

Result<std::unique_ptr<Watcher>> open_inotify_watcher(WatchOptions options, Synchronized<ChangeSet>& changes) {
  auto root = TRY(open_root(options.root));
  auto wake = TRY(WakeEvent::make());
  auto watcher = std::make_unique<InotifyWatcher>(std::move(options), std::move(root), std::move(wake), changes);
  TRY(watcher->start());
  return watcher;
}

}  // namespace loci
