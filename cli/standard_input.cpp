#include "cli/standard_input.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <vector>

namespace loci::cli {
namespace {

using Block = std::array<char, size_t{64} << 10>;

// What came, empty at the end.
Result<std::string_view> read_block(Block& block) {
  ssize_t count = 0;
  do {
    count = ::read(STDIN_FILENO, block.data(), block.size());
  } while (count < 0 && errno == EINTR);
  if (count < 0) return fail_errno("read", "standard input", errno);
  return std::string_view(block.data(), static_cast<size_t>(count));
}

}  // namespace

Result<std::string> read_standard_input(size_t limit) {
  std::string all;
  Block block;
  while (true) {
    const auto bytes = TRY(read_block(block));
    if (bytes.empty()) return all;
    all += bytes;
    if (all.size() > limit)
      return fail(ErrorCode::refused, "standard input is longer than " + std::to_string(limit) + " bytes", "store it in parts");
  }
}

Status read_lines(size_t limit, const std::function<bool(const InputLine&)>& line) {
  std::string current;
  InputLine next;
  const auto finish = [&] {
    next.text = next.too_long ? std::string_view() : std::string_view(current);
    const bool more = line(next);
    current.clear();
    next = {{}, next.number + 1, false};
    return more;
  };
  Block block;
  while (true) {
    const auto bytes = TRY(read_block(block));
    if (bytes.empty()) break;
    for (std::string_view rest = bytes; !rest.empty();) {
      const size_t end = rest.find('\n');
      current += rest.substr(0, end);
      if (current.size() > limit) {
        next.too_long = true;
        current.clear();
      }
      if (end == std::string_view::npos) break;
      rest.remove_prefix(end + 1);
      if (!finish()) return {};
    }
  }
  if (!current.empty() || next.too_long) finish();
  return {};
}

}  // namespace loci::cli
