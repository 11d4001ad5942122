#include "watcher/watch_tree.h"

namespace loci {

std::vector<int> WatchTree::place(int descriptor, const std::string& folder) {
  std::vector<int> replaced;
  const auto at = descriptors_.find(folder);
  if (at != descriptors_.end() && at->second == descriptor) return replaced;
  if (at != descriptors_.end()) replaced = take(folder);
  forget(descriptor);
  const auto placed = descriptors_.emplace(folder, descriptor).first;
  folders_.emplace(descriptor, &placed->first);
  return replaced;
}

std::vector<int> WatchTree::take(const std::string& folder) {
  std::vector<int> taken;
  const auto take_one = [&](auto at) {
    taken.push_back(at->second);
    folders_.erase(at->second);
    return descriptors_.erase(at);
  };
  if (const auto at = descriptors_.find(folder); at != descriptors_.end()) take_one(at);
  const std::string prefix = folder.empty() ? "" : folder + '/';
  for (auto at = descriptors_.lower_bound(prefix); at != descriptors_.end() && at->first.starts_with(prefix);) at = take_one(at);
  return taken;
}

void WatchTree::forget(int descriptor) {
  const auto known = folders_.find(descriptor);
  if (known == folders_.end()) return;
  descriptors_.erase(*known->second);
  folders_.erase(known);
}

void WatchTree::clear() {
  folders_.clear();
  descriptors_.clear();
}

const std::string* WatchTree::folder_of(int descriptor) const {
  const auto known = folders_.find(descriptor);
  return known == folders_.end() ? nullptr : known->second;
}

}  // namespace loci
