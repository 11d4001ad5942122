#include "watcher/probes.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string>
#include <system_error>

namespace loci {
namespace {

struct Cookie {
  pid_t process;
  std::uint64_t number;
};

constexpr std::string_view prefix = "cookie-";

template <typename Number>
bool take_number(std::string_view& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

std::optional<Cookie> parse(std::string_view name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  Cookie cookie{};
  if (!take_number(name, cookie.process) || !name.starts_with('-')) return std::nullopt;
  name.remove_prefix(1);
  if (!take_number(name, cookie.number) || !name.empty() || cookie.process <= 0) return std::nullopt;
  return cookie;
}

bool is_running(pid_t process) { return ::kill(process, 0) == 0 || errno != ESRCH; }

}  // namespace

Probes::Probes(path folder) : folder_(std::move(folder)), process_(::getpid()) {}

void Probes::remove_leftovers() const {
  if (folder_.empty()) return;
  std::error_code error;
  std::filesystem::directory_iterator item(folder_, error);
  for (; !error && item != std::filesystem::directory_iterator(); item.increment(error)) {
    const auto cookie = parse(item->path().filename().native());
    if (cookie && (cookie->process == process_ || !is_running(cookie->process))) ::unlink(item->path().c_str());
  }
}

std::optional<std::uint64_t> Probes::make() {
  // In this order: a number that is given out after the watch was given up, when issued() is read once more, is none.
  const std::uint64_t number = ++issued_;
  if (!watched_) return std::nullopt;
  const path file = folder_ / (std::string(prefix) + std::to_string(process_) + '-' + std::to_string(number));
  if (!real_file_system().open(file, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0600)) return std::nullopt;
  // A cookie that cannot be removed did its work all the same; remove_leftovers() gets it the next time.
  ::unlink(file.c_str());
  return number;
}

std::optional<std::uint64_t> Probes::number_of(std::string_view name) const {
  const auto cookie = parse(name);
  if (!cookie || cookie->process != process_ || cookie->number > issued_) return std::nullopt;
  return cookie->number;
}

}  // namespace loci
