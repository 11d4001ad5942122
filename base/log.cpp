#include "base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <memory>
#include <string>

namespace loci {
namespace {

// As sd-daemon(3) has them.
std::string_view journal_prefix(spdlog::level::level_enum level) {
  switch (level) {
    case spdlog::level::debug:
      return "<7>";
    case spdlog::level::info:
      return "<6>";
    case spdlog::level::warn:
      return "<4>";
    default:
      return "<3>";
  }
}

constexpr std::string_view notice_prefix = "<5>";

std::atomic<bool> to_journal = false;

spdlog::logger& logger() {
  static const auto made = [] {
    auto stderr_logger = std::make_shared<spdlog::logger>("loci", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    stderr_logger->set_level(spdlog::level::warn);
    stderr_logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l: %v");
    return stderr_logger;
  }();
  return *made;
}

// A message is one line, whatever file name or error text is in it: nobody writes a line of the log through one.
std::string one_line(std::string_view prefix, std::string_view message) {
  std::string out(prefix);
  for (const char c : message) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
  return out;
}

void log(spdlog::level::level_enum level, std::string_view prefix, std::string_view message) {
  if (logger().should_log(level)) logger().log(level, spdlog::string_view_t(one_line(to_journal ? prefix : "", message)));
}

void log(spdlog::level::level_enum level, std::string_view message) { log(level, journal_prefix(level), message); }

}  // namespace

void start_log(LogLevel least, bool journal) {
  to_journal = journal;
  logger().set_pattern(journal ? "%v" : "%Y-%m-%dT%H:%M:%S.%e%z %l: %v");
  constexpr spdlog::level::level_enum levels[] = {spdlog::level::debug, spdlog::level::info, spdlog::level::info,
                                                  spdlog::level::warn, spdlog::level::err};
  logger().set_level(levels[static_cast<size_t>(least)]);
  logger().flush_on(spdlog::level::debug);
}

void log_debug(std::string_view message) { log(spdlog::level::debug, message); }
void log_info(std::string_view message) { log(spdlog::level::info, message); }
void log_notice(std::string_view message) { log(spdlog::level::info, notice_prefix, message); }
void log_warning(std::string_view message) { log(spdlog::level::warn, message); }
void log_error(std::string_view message) { log(spdlog::level::err, message); }

}  // namespace loci
