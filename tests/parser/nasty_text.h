// Generates text that means something to a markdown reader, and makes a failing one small.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace loci {

// Pieces that stand one after the other.
using Soup = std::vector<std::string_view>;

std::string joined(const Soup& soup);

class SoupKitchen {
 public:
  explicit SoupKitchen(std::uint64_t seed) : random_(seed) {}

  Soup cook(size_t most_pieces);      // valid UTF-8 without NUL
  Soup cook_raw(size_t most_pieces);  // bytes that are not UTF-8, NUL and a byte order mark too
  size_t below(size_t limit) { return random_() % limit; }

 private:
  std::mt19937_64 random_;
};

// Leaves out pieces as long as it still fails.
Soup shrunk(Soup soup, const std::function<bool(const Soup&)>& fails);

// For messages: line ends and other bytes spelled out.
std::string shown(std::string_view text);

// How many trials: a few seconds' worth, times $LOCI_TEST_SCALE (a whole number, 1 unless set; the soak sets 10 and more).
inline size_t scaled(size_t trials) {
  const char* scale = std::getenv("LOCI_TEST_SCALE");
  const long factor = scale ? std::strtol(scale, nullptr, 10) : 1;
  return trials * static_cast<size_t>(factor > 0 ? factor : 1);
}

}  // namespace loci
