// Which watch descriptor stands for which folder. Plain data: the watches themselves are the caller's to set and to remove.
// About 180 bytes a folder with a path of 30.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace loci {

class WatchTree {
 public:
  // `folder` (relative to the root, which is "") is watched by this descriptor. Descriptors that stood for it or for what was
  // below it are returned and forgotten: another folder has taken its place. A descriptor that stood for another folder has
  // moved; what was below that one stays until it is placed, too, or taken.
  std::vector<int> place(int descriptor, const std::string& folder);

  // Forgets a folder and all below it, and returns their descriptors.
  std::vector<int> take(const std::string& folder);
  void forget(int descriptor);
  void clear();

  // Null: no such descriptor. Valid until the next change.
  const std::string* folder_of(int descriptor) const;
  size_t size() const { return folders_.size(); }

 private:
  std::map<std::string, int, std::less<>> descriptors_;
  std::unordered_map<int, const std::string*> folders_;  // keys of descriptors_
};

}  // namespace loci
