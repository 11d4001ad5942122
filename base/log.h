// The daemon's log: one line a message to stderr, with the time, or with a <n> priority prefix where the journal adds the time.
// Never memory text at info or above, never a key. Commands that a person types do not log; they print. Thread-safe.
#pragma once

#include <cstdint>
#include <string_view>

namespace loci {

enum class LogLevel : std::uint8_t { debug, info, notice, warning, error };

// Until then nothing is printed below warning. `journal`: stderr is the systemd journal ($JOURNAL_STREAM).
void start_log(LogLevel least, bool journal);

void log_debug(std::string_view message);
void log_info(std::string_view message);
void log_notice(std::string_view message);
void log_warning(std::string_view message);
void log_error(std::string_view message);

}  // namespace loci
