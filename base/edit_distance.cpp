#include "base/edit_distance.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace loci {
namespace {

// The last row of the table, whose first one is given: what it costs to have read so much of `b` before `a` begins.
std::vector<size_t> last_row(std::string_view a, std::string_view b, std::vector<size_t> row) {
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j)
      diagonal = std::exchange(row[j + 1], std::min({row[j] + 1, row[j + 1] + 1, diagonal + (a[i] == b[j] ? 0u : 1u)}));
  }
  return row;
}

}  // namespace

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> first(b.size() + 1);
  std::iota(first.begin(), first.end(), size_t{0});
  return last_row(a, b, std::move(first)).back();
}

size_t distance_within(std::string_view word, std::string_view whole) {
  return std::ranges::min(last_row(word, whole, std::vector<size_t>(whole.size() + 1, 0)));
}

}  // namespace loci
