#include "model/retry.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/clock.h"

namespace loci {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds longest_believed = std::chrono::days(30);

bool all_digits(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos; }

std::string two_digits(size_t number) { return (number < 10 ? "0" : "") + std::to_string(number); }

// "Sun, 06 Nov 1994 08:49:37 GMT": the one format that a server may still send (RFC 9110 5.6.7).
std::optional<Instant> parse_http_date(std::string_view text) {
  constexpr std::array<std::string_view, 12> months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  if (text.size() != 29 || text[3] != ',' || text[4] != ' ' || !text.ends_with(" GMT")) return std::nullopt;
  const auto month = std::ranges::find(months, text.substr(8, 3));
  if (month == months.end()) return std::nullopt;
  const std::string day(text.substr(5, 2)), year(text.substr(12, 4)), time(text.substr(17, 8));
  return parse_time(year + '-' + two_digits(static_cast<size_t>(month - months.begin()) + 1) + '-' + day + 'T' + time + 'Z');
}

}  // namespace

Trouble trouble_of_status(int status, bool quota_spent) {
  if (status == 429) return quota_spent ? Trouble::lasting : Trouble::passing;
  return status >= 500 && status <= 599 ? Trouble::passing : Trouble::lasting;
}

std::optional<milliseconds> parse_retry_after(std::string_view retry_after, std::string_view date) {
  if (all_digits(retry_after)) {
    std::int64_t seconds = 0;
    const auto read = std::from_chars(retry_after.data(), retry_after.data() + retry_after.size(), seconds);
    if (read.ec != std::errc() || std::chrono::seconds(seconds) > longest_believed) return longest_believed;
    return std::chrono::seconds(seconds);
  }
  const auto until = parse_http_date(retry_after), from = parse_http_date(date);
  if (!until || !from) return std::nullopt;
  return std::clamp(*until - *from, milliseconds(0), longest_believed);
}

std::optional<milliseconds> pause_before_next(const FailedTry& failed, int tries, const RetryPolicy& policy, double chance) {
  if (failed.trouble == Trouble::lasting || tries >= policy.tries) return std::nullopt;
  const milliseconds asked = failed.retry_after.value_or(milliseconds(0));
  if (asked > policy.longest_retry_after) return std::nullopt;
  // Twenty doublings of anything are past every longest pause.
  const milliseconds highest =
      std::min(policy.first_pause * (std::int64_t{1} << std::clamp(tries - 1, 0, 20)), policy.longest_pause);
  const milliseconds jittered(static_cast<std::int64_t>(static_cast<double>(highest.count()) * chance));
  return std::max(asked, jittered);
}

}  // namespace loci
