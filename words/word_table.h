// A set of words, written in one string with blanks between them. Any thread once made.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace loci {

class WordTable {
 public:
  explicit WordTable(std::string_view words) {
    while (!words.empty()) {
      const size_t end = std::min(words.find(' '), words.size());
      if (end > 0) words_.emplace(words.substr(0, end));
      words.remove_prefix(std::min(end + 1, words.size()));
    }
  }
  bool contains(std::string_view word) const { return words_.contains(word); }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_set<std::string, Hash, std::equal_to<>> words_;
};

}  // namespace loci
