#include "base/id.h"

#include <sys/random.h>
#include <unistd.h>

#include <cstdint>
#include <mutex>

namespace loci {
namespace {

constexpr char alphabet[] = "0123456789abcdefghjkmnpqrstvwxyz";
constexpr int time_characters = 10, tail_characters = 6;
constexpr std::uint64_t tail_limit = std::uint64_t{1} << (5 * tail_characters);

std::uint64_t random_tail() {
  std::uint64_t bits = 0;
  // Up to 256 bytes, getrandom never returns less than asked once the kernel's pool is ready.
  if (getrandom(&bits, sizeof bits, 0) != sizeof bits)
    bits = static_cast<std::uint64_t>(system_clock().now().time_since_epoch().count());
  return bits % tail_limit;
}

std::string encode(std::uint64_t value, int characters) {
  std::string text(static_cast<size_t>(characters), '0');
  for (auto it = text.rbegin(); it != text.rend(); ++it, value /= 32) *it = alphabet[value % 32];
  return text;
}

}  // namespace

std::string make_id(Instant now) {
  static std::mutex mutex;
  static std::uint64_t last_time = 0;
  static std::uint64_t last_tail = 0;
  static pid_t owner = 0;

  const std::scoped_lock lock(mutex);
  // A forked child must not go on with its parent's sequence: its brothers do the same.
  if (const pid_t self = ::getpid(); self != owner) {
    owner = self;
    last_time = 0;
  }
  auto time = static_cast<std::uint64_t>(now.time_since_epoch().count());
  std::uint64_t tail = random_tail();
  if (time <= last_time) {
    // The same millisecond, or a clock that went back: go on from the last id, by a random step.
    time = last_time;
    tail = last_tail + 1 + tail % 1024;
    if (tail >= tail_limit) {
      ++time;
      tail = random_tail() / 2;
    }
  }
  last_time = time;
  last_tail = tail;
  return encode(time, time_characters) + encode(tail, tail_characters);
}

bool is_made_id(std::string_view id) {
  return id.size() == size_t{time_characters + tail_characters} && id.find_first_not_of(alphabet) == std::string_view::npos;
}

}  // namespace loci
