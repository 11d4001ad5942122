// What was typed, checked against what a command declares. CLI11 does the splitting and is included in arguments.cpp alone.
// The declarations also make the help, the completions and the check of the manual: there is one list of options.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "operations/parameter.h"

namespace loci::cli {

using OptionSpec = Parameter;

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
  std::optional<std::chrono::milliseconds> duration(std::string_view option) const;
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
