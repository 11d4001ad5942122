// One pattern of gitignore(5) over paths: `*` and `?` for what is no slash, [a-z] and [!a-z] with classes like [:digit:], `\` to
// escape, a slash anchors, `**` for any number of folders. What it means is what git's wildmatch says; a pattern that git calls
// broken (an open bracket, a `\` at its end) matches nothing.
//
// Compiled to a nondeterministic automaton that is walked with all its states at once, a bit each: one look at each byte of the
// path and no way back, whatever the pattern. Matching allocates nothing. Thread-safe when const.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace loci {

class PathPattern {
 public:
  // Without the `!` in front and the slash at the end. Longer than longest_pattern, it matches nothing.
  explicit PathPattern(std::string_view pattern);

  bool can_match() const { return states_ > 0; }  // false for a broken one
  // `path` is relative to the folder that the pattern stands in.
  bool matches(std::string_view path) const;

 private:
  friend class PatternCompiler;
  using Word = std::uint64_t;

  bool walk(std::string_view path) const;
  bool walk_one_word(std::string_view path) const;

  size_t states_ = 0;                         // 0: matches nothing
  size_t words_ = 0;                          // for a bit for every state
  size_t shortest_ = 0;                       // of the paths that match
  bool any_folder_ = false;                   // no slash: only a path's last name counts
  std::array<std::uint8_t, 256> class_of_{};  // of a byte: those of one class are the same to this pattern
  // Sets of states, words_ each.
  std::vector<Word> takes_;           // by class: those that such a byte leads on from
  std::vector<Word> stays_;           // `*`, `**`: those that a byte other than a slash may stay in
  std::vector<Word> stays_at_slash_;  // `**`
  std::vector<Word> skips_;           // `**/`: those behind which one may go on at once
};

inline constexpr size_t longest_pattern = 1'000;

}  // namespace loci
