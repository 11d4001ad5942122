// Which names and paths of a vault never count: pure rules over names, and patterns in the syntax of gitignore(5).
// A set of rules is compiled once; matching is linear and allocates nothing. Thread-safe when const.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vault/layout/path_pattern.h"

namespace loci {

enum class NameClass : std::uint8_t {
  counts,    // nothing against it
  hidden,    // starts with a dot
  backup,    // *~, *.bak, 4913, #*#, *.swp: what editors leave behind
  conflict,  // *.sync-conflict-*, *conflicted copy*, *.loci-conflict-*
};

// Of one name, without a slash.
NameClass classify_name(std::string_view name);

// *.md and *.markdown, in any case.
bool has_markdown_suffix(std::string_view name);

// Patterns as in gitignore(5), each a PathPattern: # and blank lines, ! to take back, a trailing / for folders only. The last
// pattern that matches decides. As in git, what lies below an ignored folder cannot be taken back, which is the caller's part: it
// asks folder by folder, from the top.
class PathRules {
 public:
  enum class Verdict : std::uint8_t { none, ignored, taken_back };

  PathRules() = default;
  explicit PathRules(const std::vector<std::string>& patterns);
  // One pattern a line. Those behind the first `most`, and those that are too long, are left out.
  static PathRules from_file(std::string_view bytes, size_t most = most_patterns);

  // `path` is relative to the folder that the rules stand in.
  Verdict verdict(std::string_view path, bool is_folder) const;
  bool empty() const { return rules_.empty(); }
  size_t size() const { return rules_.size(); }
  size_t left_out() const { return left_out_; }

  // That count at one place, and in one setting of a file: each is tried on every path.
  static constexpr size_t most_patterns = 1'000;

 private:
  struct Rule {
    PathPattern pattern;
    bool takes_back = false;
    bool folders_only = false;
  };

  void add(std::string_view line, size_t most);

  std::vector<Rule> rules_;
  size_t left_out_ = 0;
};

// Do the rules hold for a path or for one of the folders above it? For [vault] untrusted.
bool covers(const PathRules& rules, std::string_view path);

}  // namespace loci
