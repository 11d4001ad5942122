#include "watcher/change_set.h"

#include <algorithm>

namespace loci {
namespace {

// When to look, whatever the file turns out to be: not before the one, not after the other.
SteadyTime earliest(const PendingChange& change, const QuietRules& rules) { return due_at(change, {}, rules); }
SteadyTime latest(const PendingChange& change, const QuietRules& rules) {
  return due_at(change, {.held_text = true, .holds_text = false}, rules);
}

}  // namespace

SteadyTime due_at(const PendingChange& change, const Glance& glance, const QuietRules& rules) {
  const SteadyTime written = change.finished ? change.last : std::min(change.last + rules.quiet, change.first + rules.at_most);
  if (!glance.held_text || glance.holds_text) return written;
  // Counted from the last event, so that a truncation at the end of long writing gets its time, too.
  return std::max(written, std::min(change.last, change.first + rules.at_most) + rules.vanished);
}

void ChangeSet::add_finished(const std::string& path, SteadyTime now) {
  const auto waiting = note(path, now);
  waiting->second.change.finished = true;
  put_off(waiting, earliest(waiting->second.change, rules_));
}

void ChangeSet::add_unfinished(const std::string& path, SteadyTime now) {
  const auto waiting = note(path, now);
  waiting->second.change.finished = false;
  put_off(waiting, earliest(waiting->second.change, rules_));
}

void ChangeSet::add_found(const std::string& path, SteadyTime now) {
  if (const auto waiting = waiting_.find(path); waiting == waiting_.end() || !waiting->second.change.finished)
    add_unfinished(path, now);
}

void ChangeSet::add_touched(const std::string& path, SteadyTime now) {
  const auto waiting = note(path, now);
  put_off(waiting, earliest(waiting->second.change, rules_));
}

void ChangeSet::want_rescan(const std::string& reason) {
  if (std::ranges::find(reasons_, reason) == reasons_.end()) reasons_.push_back(reason);
}

std::vector<std::string> ChangeSet::take_due(SteadyTime now, const std::function<Glance(const std::string&)>& glance,
                                             const QuietRules& rules) {
  adopt(rules);
  std::vector<std::string> taken;
  while (!due_.empty() && due_.begin()->first <= now) {
    const auto waiting = waiting_.find(due_.begin()->second);
    const PendingChange& change = waiting->second.change;
    const bool is_certain = latest(change, rules_) <= now;
    const SteadyTime due = is_certain ? now : due_at(change, glance(waiting->first), rules_);
    if (due <= now)
      taken.push_back(take(waiting));
    else
      put_off(waiting, due);
  }
  return taken;
}

std::vector<std::string> ChangeSet::take_all() {
  std::vector<std::string> paths;
  paths.reserve(waiting_.size());
  while (!waiting_.empty()) paths.push_back(take(waiting_.begin()));
  return paths;
}

std::optional<std::string> ChangeSet::take_rescan() {
  if (reasons_.empty()) return std::nullopt;
  std::string joined;
  for (const std::string& reason : std::exchange(reasons_, {})) joined += (joined.empty() ? "" : "; ") + reason;
  return joined;
}

std::optional<SteadyTime> ChangeSet::next_due() const {
  if (due_.empty()) return std::nullopt;
  return due_.begin()->first;
}

// The record of a path, with an event at `now` in it.
ChangeSet::ByPath::iterator ChangeSet::note(const std::string& path, SteadyTime now) {
  const auto [waiting, is_new] = waiting_.try_emplace(path);
  PendingChange& change = waiting->second.change;
  if (is_new) change = {.first = now, .last = now, .finished = true};
  change.last = std::max(change.last, now);
  return waiting;
}

void ChangeSet::put_off(ByPath::iterator waiting, SteadyTime due) {
  due_.erase({waiting->second.due, waiting->first});
  waiting->second.due = due;
  due_.emplace(due, waiting->first);
}

std::string ChangeSet::take(ByPath::iterator waiting) {
  due_.erase({waiting->second.due, waiting->first});
  return std::move(waiting_.extract(waiting).key());
}

void ChangeSet::adopt(const QuietRules& rules) {
  if (rules == rules_) return;
  rules_ = rules;
  for (auto waiting = waiting_.begin(); waiting != waiting_.end(); ++waiting)
    put_off(waiting, earliest(waiting->second.change, rules_));
}

}  // namespace loci
