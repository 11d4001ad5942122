// What was typed, checked against what a command declares. CLI11 does the splitting and is included in arguments.cpp alone.
// The declarations also make the help, the completions and the check of the manual: there is one list of options.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace loci::cli {

// What a value is: decides which are accepted, and what a shell offers.
enum class ValueKind : std::uint8_t {
  none,  // a switch: no value
  text,
  number,  // a whole number from 0
  share,   // 0..1
  date,    // as base/clock's parse_time reads it
  layer,
  source,
  kind,
  format,   // of an export
  origin,   // of an import
  shell,    // of a completion script
  service,  // what to do with one
  log_level,
  file,       // a path
  folder,     // a path of a folder
  entry_id,   // or a unique prefix of one
  tag,        // one that the vault has, when a shell asks
  project,    // likewise
  session,    // likewise
  config_key  // "recall.limit"
};

// The values that a kind admits; empty if it is open.
std::vector<std::string_view> choices_of(ValueKind kind);

struct OptionSpec {
  std::string_view name;   // "--tag"
  std::string_view value;  // "TAG"; empty for a switch
  ValueKind kind = ValueKind::none;
  std::string_view help;
  bool many = false;  // may be given again, or with commas
};

struct PositionalSpec {
  std::string_view name;  // "TEXT"
  ValueKind kind = ValueKind::text;
  bool required = true;
  bool many = false;
};

class Arguments {
 public:
  bool has(std::string_view option) const;
  // The value, or empty if the option was not given.
  std::string text(std::string_view option) const;
  const std::vector<std::string>& all(std::string_view option) const;
  std::optional<std::int64_t> number(std::string_view option) const;
  std::optional<double> share(std::string_view option) const;
  const std::vector<std::string>& positionals() const { return positionals_; }
  // The positionals from `first` on, joined by blanks: the words of a text need no quotes.
  std::string joined(size_t first = 0) const;

 private:
  friend Result<Arguments> parse_arguments(std::span<const std::string>, std::span<const OptionSpec>,
                                           std::span<const PositionalSpec>);

  std::map<std::string, std::vector<std::string>, std::less<>> values_;  // by option; a switch has one empty value
  std::vector<std::string> positionals_;
};

// `words` without the program's and the command's name. Fails with ErrorCode::usage and what was wrong.
Result<Arguments> parse_arguments(std::span<const std::string> words, std::span<const OptionSpec> options,
                                  std::span<const PositionalSpec> positionals);

// The one of `known` that differs least from `word`, if it is close enough to have been meant; else empty.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

}  // namespace loci::cli
