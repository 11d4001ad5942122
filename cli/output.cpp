#include "cli/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error_shape.h"
#include "base/unicode.h"

namespace loci::cli {
namespace {

constexpr size_t buffer_size = size_t{64} << 10;

std::string_view code_of(Style style) {
  switch (style) {
    case Style::id:
      return "33";
    case Style::place:
      return "36";
    case Style::score:
      return "32";
    case Style::dim:
      return "2";
    case Style::strong:
      return "1";
    case Style::warning:
      return "33";
    case Style::problem:
      return "31";
  }
  return "0";
}

std::string paint(Style style, std::string_view text) {
  return "\033[" + std::string(code_of(style)) + "m" + std::string(text) + "\033[0m";
}

// 0 or the error number of the write that failed.
int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

bool is_unsafe(char32_t c) {
  if (c < 0x20) return c != U'\n' && c != U'\t';
  if (c >= 0x7f && c <= 0x9f) return true;
  return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f;
}

void append_escape(std::string& out, char32_t c) {
  char escape[16];
  std::snprintf(escape, sizeof escape, c < 0x100 ? "\\x%02x" : "\\u%04x", static_cast<unsigned>(c));
  out += escape;
}

}  // namespace

Output::Settings Output::detect(bool json, bool no_color) {
  Settings settings;
  settings.json = json;
  settings.terminal = ::isatty(STDOUT_FILENO) == 1;
  settings.error_terminal = ::isatty(STDERR_FILENO) == 1;
  settings.color = settings.terminal && !no_color && !json;
  settings.message_color = settings.error_terminal && !no_color;
  winsize size{};
  if (settings.terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) settings.columns = size.ws_col;
  return settings;
}

void Output::write(std::string_view text) {
  pending_ += text;
  if (pending_.size() >= buffer_size) flush();
}

void Output::line(std::string_view text) {
  pending_ += text;
  write("\n");
}

void Output::value(const Json& value) { line(to_string(value)); }

std::string Output::styled(Style style, std::string_view text) const {
  return settings_.color ? paint(style, text) : std::string(text);
}

void Output::message(Style style, std::string_view label, std::string_view text) {
  flush();
  clear_progress();
  std::string out = settings_.message_color ? paint(style, label) : std::string(label);
  out += printable(text);
  out += '\n';
  write_all(STDERR_FILENO, out);
}

void Output::note(std::string_view text) { message(Style::dim, "loci: ", text); }
void Output::warn(std::string_view text) {
  if (warned_.insert(std::string(text)).second) message(Style::warning, "loci: ", text);
}

void Output::error(const Error& error) {
  if (settings_.json) value(error_to_json(error));
  std::string text = error.message;
  if (!error.file.empty() && text.find(error.file) == std::string::npos) {
    const std::string line = error.line > 0 ? ":" + std::to_string(error.line) : std::string();
    text = error.file + line + ": " + text;
  }
  if (!error.hint.empty()) text += "\n  " + error.hint;
  message(Style::problem, "loci: ", text);
}

ProgressCallback Output::progress() {
  if (!settings_.error_terminal) return {};
  return [this](const Progress& progress) {
    if (progress.total == 0) return;
    const int permille = static_cast<int>(progress.done * 1000 / progress.total);
    if (permille == shown_permille_) return;
    shown_permille_ = permille;
    progress_shown_ = true;
    constexpr size_t width = 30;
    const size_t filled = std::min(width, progress.done * width / progress.total);
    const std::string bar = std::string(filled, '#') + std::string(width - filled, '.');
    write_all(STDERR_FILENO, "\r" + progress.what + " [" + bar + "] " + std::to_string(progress.done) + "/" +
                                 std::to_string(progress.total) + "\033[K");
  };
}

void Output::clear_progress() {
  if (!progress_shown_) return;
  progress_shown_ = false;
  shown_permille_ = -1;
  write_all(STDERR_FILENO, "\r\033[K");
}

bool Output::flush() {
  if (pending_.empty() || broken_) {
    pending_.clear();
    return !broken_;
  }
  clear_progress();
  const int error_number = write_all(STDOUT_FILENO, pending_);
  pending_.clear();
  if (error_number == 0) return true;
  broken_ = true;
  // `loci list | head`: the reader has seen enough, and nobody wants to read about it.
  if (error_number != EPIPE) warn(std::string("cannot write to standard output: ") + std::strerror(error_number));
  return false;
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  size_t position = 0;
  while (position < text.size()) {
    const char32_t c = decode_code_point(text, position);
    is_unsafe(c) ? append_escape(out, c) : append_code_point(out, c);
  }
  return out;
}

std::string one_line(std::string_view text, size_t width) {
  std::string out;
  size_t columns = 0;
  size_t position = 0;
  bool blank = false;
  while (position < text.size()) {
    const char32_t c = decode_code_point(text, position);
    if (c == U'\n' || c == U'\t' || c == U' ') {
      blank = columns > 0;
      continue;
    }
    if (columns + (blank ? 1 : 0) + 1 > width) return out + "…";
    if (blank) {
      out += ' ';
      ++columns;
      blank = false;
    }
    is_unsafe(c) ? append_escape(out, c) : append_code_point(out, c);
    columns += classify(c) == CharacterClass::cjk ? 2 : 1;
  }
  return out;
}

}  // namespace loci::cli
