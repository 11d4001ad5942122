// When to ask a model server again, and when not: pure functions over what one try came to.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loci {

// Where to wait, and for how long at most, before another try: a test passes a shorter one.
struct RetryPolicy {
  int tries = 5;
  std::chrono::milliseconds first_pause{1'000}, longest_pause{60'000};  // full jitter between 0 and the doubled pause
  std::chrono::seconds longest_retry_after{15 * 60};
  std::chrono::milliseconds connect{10'000};
  std::chrono::milliseconds stall{60'000};  // under one byte a second for so long
};

enum class Trouble : std::uint8_t {
  passing,  // a broken connection, a stall, a server with too much to do: the same request may succeed later
  lasting,  // the same request would fail again, or it is not wanted any more
};

// 429 unless the quota is spent, and every 5xx (529 is Anthropic's "overloaded") pass. Other 4xx and redirects last.
Trouble trouble_of_status(int status, bool quota_spent);

// The Retry-After of RFC 9110 10.2.3: seconds, or an HTTP date, which counts from the server's own Date so that no clock has to be
// right. Not more than 30 days; nothing if it cannot be read.
std::optional<std::chrono::milliseconds> parse_retry_after(std::string_view retry_after, std::string_view date);

// One try that failed.
struct FailedTry {
  Trouble trouble = Trouble::lasting;
  std::string message;    // ours
  std::string said = {};  // the server's own words, which may repeat what it was sent: not for a log
  std::string hint = {};
  std::optional<std::chrono::milliseconds> retry_after = std::nullopt;  // as the server asked
};

// How long to wait before the next try; nothing if there is none. `tries` were made, `chance` is in [0, 1). Exponential backoff
// with full jitter (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/), and never sooner than the server
// asked; where it asks for more than the policy waits, the caller comes back another time.
std::optional<std::chrono::milliseconds> pause_before_next(const FailedTry& failed, int tries, const RetryPolicy& policy,
                                                           double chance);

}  // namespace loci
