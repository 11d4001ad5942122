// git's conflict markers, line by line: `<<<<<<<`, perhaps `|||||||`, `=======`, `>>>>>>>`, each at column one, alone or
// followed by a blank, and outside fenced code.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace loci {

struct ConflictRegion {  // from the line of `<<<<<<<` to that of `>>>>>>>`
  size_t first = 0;
  size_t last = 0;
};

class ConflictMarkers {
 public:
  // From line `ignored_from` on, markers are text.
  explicit ConflictMarkers(size_t ignored_from = std::numeric_limits<size_t>::max()) : ignored_from_(ignored_from) {}

  // Does the next line belong to neither side: a marker, or the common base between `|||||||` and `=======`?
  // An opening marker counts at once; whether it was one is known when the text ends.
  bool drops(size_t line, std::string_view text, bool in_fence);

  const std::vector<ConflictRegion>& complete() const { return complete_; }
  // The first opening marker of a conflict that never came to its end.
  std::optional<size_t> incomplete() const;

 private:
  enum class State : std::uint8_t { outside, ours, base, theirs };

  State state_ = State::outside;
  size_t opened_ = 0;
  size_t ignored_from_;
  std::vector<ConflictRegion> complete_;
};

}  // namespace loci
