// What can fail returns Result<T>. An Error says what happened, where, and what to do next; its code decides
// the exit status of the command line and the "code" of the JSON error shape.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace loci {

// The values are the exit statuses of the command line.
enum class ErrorCode : std::uint8_t {
  failed = 1,     // the message says what, where, and what to do
  usage = 2,      // wrong use of a command or of a function's input
  not_found = 3,  // no such vault or entry
  locked = 4,     // another process holds the writer lock
  refused = 5,    // a limit, a conflict or a guard; nothing was written
  remote = 6,     // a remote service failed; nothing was lost
};

struct Error {
  ErrorCode code = ErrorCode::failed;
  std::string message;    // one line, no final full stop: what and where
  std::string hint = {};  // what to do about it; may be empty
  std::string file = {};  // the file it is about, if any; relative to the vault where it is inside
  int line = 0;           // 1-based; 0: no line
};

template <typename T>
using Result = std::expected<T, Error>;
using Status = Result<void>;

// "failed", "usage", "not_found", "locked", "refused", "remote".
std::string_view name_of(ErrorCode code);

[[nodiscard]] inline std::unexpected<Error> fail(ErrorCode code, std::string message, std::string hint = {}) {
  return std::unexpected(Error{code, std::move(message), std::move(hint)});
}

// An error of a system call: "cannot <action> <path>: No space left on device", with a hint for the usual causes.
[[nodiscard]] std::unexpected<Error> fail_errno(std::string_view action, std::string_view path, int error_number);

}  // namespace loci

#define LOCI_JOINED_NAME_OF(a, b) a##b
#define LOCI_JOINED_NAME(a, b) LOCI_JOINED_NAME_OF(a, b)
#define LOCI_TRY(result, ...)                                                 \
  ({                                                                          \
    auto&& result = (__VA_ARGS__);                                            \
    if (!result) [[unlikely]]                                                 \
      return std::unexpected(std::forward<decltype(result)>(result).error()); \
    *std::forward<decltype(result)>(result);                                  \
  })

// The value of a Result, or the function returns its error: `const auto bytes = TRY(read_file(name));`, `TRY(files.sync(fd))`.
// A GNU statement expression, since no standard one can return from the function around it.
#define TRY(...) LOCI_TRY(LOCI_JOINED_NAME(tried_, __COUNTER__), __VA_ARGS__)
