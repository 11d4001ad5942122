// What a command says: results on standard output, messages on standard error, progress on a terminal only.
// Text of memories may come from strangers: on its way to a person it loses every control character.
// Standard output is buffered; flush() says whether all of it arrived. One thread.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "indexer/indexer.h"

namespace loci::cli {

enum class Style : std::uint8_t { id, place, score, dim, strong, warning, problem };

class Output {
 public:
  struct Settings {
    bool json = false;
    bool color = false;           // standard output may be coloured
    bool message_color = false;   // standard error may be coloured
    bool terminal = false;        // standard output is a terminal
    bool error_terminal = false;  // standard error is a terminal
    int columns = 80;             // of the terminal
  };
  explicit Output(Settings settings) : settings_(settings) {}
  static Settings detect(bool json, bool no_color);

  bool json() const { return settings_.json; }
  bool terminal() const { return settings_.terminal; }
  int columns() const { return settings_.columns; }

  // Adds text as it is / a line of it / one JSON value on a line.
  void write(std::string_view text);
  void line(std::string_view text = {});
  void value(const Json& value);
  // `text` in colour where colour is wanted.
  std::string styled(Style style, std::string_view text) const;

  // A message for a person; never part of the result.
  void note(std::string_view message);
  void warn(std::string_view message);  // once: a server that opens its memory for each question says nothing twice
  // With --json the error shape on standard output as well.
  void error(const Error& error);

  // A bar on the last line of the terminal; empty where there is no terminal to show it on.
  ProgressCallback progress();
  void clear_progress();

  // False when standard output is gone or full: said once on standard error, but for a reader that just went away.
  bool flush();

 private:
  void message(Style style, std::string_view label, std::string_view text);

  Settings settings_;
  std::string pending_;
  std::set<std::string, std::less<>> warned_;
  bool broken_ = false;
  bool progress_shown_ = false;
  int shown_permille_ = -1;
};

// Control characters, and those that turn the direction of text, as visible escapes: "\x1b" for ESC. Line ends and tabs stay.
std::string printable(std::string_view text);
// The same on one line, cut to about `width` columns with an ellipsis.
std::string one_line(std::string_view text, size_t width);

}  // namespace loci::cli
