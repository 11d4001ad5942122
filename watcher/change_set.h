// What may have changed in a tree and was not looked at yet: one record a path, however many events it had. Events are hints; what
// a path holds is found out by stat when its time has come.
//
// Plain data with rules: no thread, no clock (the caller says what time it is), no I/O. Shared as Synchronized<ChangeSet>.
// Adding an event is O(log n) in the number of waiting paths; so is taking one, beside those that must be asked about.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loci {

using SteadyTime = std::chrono::steady_clock::time_point;

// How long a change waits, and why: traps of editors (see docs/design.md).
struct QuietRules {
  std::chrono::milliseconds quiet{300};       // after the last write of a file that nobody closed yet
  std::chrono::milliseconds at_most{5'000};   // however long it goes on
  std::chrono::milliseconds vanished{2'000};  // for a file that is suddenly empty or gone: an editor may be about to write it again

  bool operator==(const QuietRules&) const = default;
};

// What is known of a path when it is asked about.
struct Glance {
  bool held_text = false;   // as last looked at, it was there and not empty
  bool holds_text = false;  // it is there now and not empty
};

struct PendingChange {
  SteadyTime first, last;  // events
  bool finished = false;   // the last event says that the writer is done: closed, moved in, removed
};

// When to look at a change. Pure.
SteadyTime due_at(const PendingChange& change, const Glance& glance, const QuietRules& rules = {});

class ChangeSet {
 public:
  ChangeSet() = default;
  ChangeSet(ChangeSet&&) = default;
  ChangeSet& operator=(ChangeSet&&) = default;

  // A file (relative to the root) was closed after writing, moved in or out, removed, or found by a scan.
  void add_finished(const std::string& path, SteadyTime now);
  // A file was written to and is not closed yet.
  void add_unfinished(const std::string& path, SteadyTime now);
  // A scan found a file that was written a moment ago. Its writer may not be done, unless an event says so or comes to say so.
  void add_found(const std::string& path, SteadyTime now);
  // Permissions or times of a file changed: that says nothing of a writer, so a write that goes on stays unfinished.
  void add_touched(const std::string& path, SteadyTime now);
  // Only a scan of everything helps: the queue overflowed, a folder moved, … Reasons of several requests are joined with "; ".
  void want_rescan(const std::string& reason);

  // Takes the paths whose time has come, in no particular order. `glance` is asked about a path at most once a call, and only if it
  // matters. Paths that have to wait stay.
  std::vector<std::string> take_due(SteadyTime now, const std::function<Glance(const std::string&)>& glance,
                                    const QuietRules& rules = {});
  // Takes all of them, due or not: for a caller that is about to scan everything anyway.
  std::vector<std::string> take_all();
  // The wanted scan's reason, and the request is cleared: an overflow during the scan makes a new one.
  std::optional<std::string> take_rescan();

  // When take_due() may have something to give, by what it was told the last time it was asked; none: nothing waits.
  std::optional<SteadyTime> next_due() const;
  bool wants_rescan() const { return !reasons_.empty(); }
  bool empty() const { return waiting_.empty() && reasons_.empty(); }  // no path waits and no rescan is wanted
  size_t size() const { return waiting_.size(); }                      // paths that wait

 private:
  struct Waiting {
    PendingChange change;
    SteadyTime due;  // when to ask about it next
  };
  using ByPath = std::map<std::string, Waiting, std::less<>>;

  ByPath::iterator note(const std::string& path, SteadyTime now);
  void put_off(ByPath::iterator waiting, SteadyTime due);
  std::string take(ByPath::iterator waiting);
  void adopt(const QuietRules& rules);

  QuietRules rules_;  // as last told; what is added meanwhile is due by them
  ByPath waiting_;
  std::set<std::pair<SteadyTime, std::string_view>> due_;  // all that wait, the most urgent first; the paths are waiting_'s keys
  std::vector<std::string> reasons_;
};

}  // namespace loci
