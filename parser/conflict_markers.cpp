#include "parser/conflict_markers.h"

namespace loci {
namespace {

bool is_marker(std::string_view line, char mark) {
  constexpr size_t width = 7;
  if (line.size() < width || line.find_first_not_of(mark) < width) return false;
  return line.size() == width || line[width] == ' ';
}

}  // namespace

bool ConflictMarkers::drops(size_t line, std::string_view text, bool in_fence) {
  if (line >= ignored_from_ || (state_ == State::outside && !text.starts_with('<'))) return false;
  if (in_fence) return state_ == State::base;
  switch (state_) {
    case State::outside:
      if (!is_marker(text, '<')) return false;
      state_ = State::ours;
      opened_ = line;
      return true;
    case State::ours:
      if (is_marker(text, '|')) {
        state_ = State::base;
        return true;
      }
      [[fallthrough]];
    case State::base:
      if (is_marker(text, '=')) {
        state_ = State::theirs;
        return true;
      }
      return state_ == State::base;
    case State::theirs:
      if (!is_marker(text, '>')) return false;
      state_ = State::outside;
      complete_.push_back({opened_, line});
      return true;
  }
  return false;
}

std::optional<size_t> ConflictMarkers::incomplete() const {
  return state_ == State::outside ? std::nullopt : std::optional(opened_);
}

}  // namespace loci
