#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "base/clock.h"
#include "base/edit_distance.h"
#include "base/relative_time.h"
#include "parser/metadata.h"

namespace loci::cli {
namespace {

std::optional<std::int64_t> parse_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

std::optional<double> parse_share(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= 0 && value <= 1)) return std::nullopt;
  return value;
}

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  constexpr std::pair<char, std::chrono::seconds> units[] = {
      {'s', std::chrono::seconds(1)}, {'m', std::chrono::minutes(1)}, {'h', std::chrono::hours(1)}, {'d', std::chrono::days(1)}};
  constexpr std::int64_t longest = 10'000;
  if (text.empty()) return std::nullopt;
  const auto count = parse_number(text.substr(0, text.size() - 1));
  for (const auto& [letter, length] : units)
    if (letter == text.back() && count && *count > 0 && *count <= longest) return length * *count;
  return std::nullopt;
}

std::string join(std::span<const std::string_view> words, std::string_view separator) {
  std::string out;
  for (const std::string_view word : words) {
    if (!out.empty()) out += separator;
    out += word;
  }
  return out;
}

Status check_value(std::string_view name, ValueKind kind, const std::string& value) {
  const std::string what = std::string(name) + ": '" + value + "' ";
  const auto choices = choices_of(kind);
  if (!choices.empty() && std::find(choices.begin(), choices.end(), value) == choices.end())
    return fail(ErrorCode::usage, what + "is none of " + join(choices, ", "));
  if (kind == ValueKind::number && !parse_number(value)) return fail(ErrorCode::usage, what + "is not a whole number");
  if (kind == ValueKind::share && !parse_share(value)) return fail(ErrorCode::usage, what + "is not a number from 0 to 1");
  if (kind == ValueKind::date && !parse_date(value, Instant{}))
    return fail(ErrorCode::usage, what + "is not a date", "write " + std::string(date_examples));
  if (kind == ValueKind::duration && !parse_duration(value))
    return fail(ErrorCode::usage, what + "is not a length of time", "write 90s, 30m, 2h or 1d");
  if ((kind == ValueKind::entry_id || kind == ValueKind::ended_id) && !is_valid_id(value))
    return fail(ErrorCode::usage, what + "cannot be an id");
  return {};
}

void append_split(std::vector<std::string>& out, std::string_view value) {
  while (true) {
    const size_t comma = value.find(',');
    if (const auto part = value.substr(0, comma); !part.empty()) out.emplace_back(part);
    if (comma == std::string_view::npos) return;
    value.remove_prefix(comma + 1);
  }
}

std::unexpected<Error> unknown_option(const std::vector<std::string>& extras, std::span<const OptionSpec> options) {
  const auto option = std::find_if(extras.begin(), extras.end(), [](const std::string& word) { return word.starts_with("-"); });
  if (option == extras.end()) return fail(ErrorCode::usage, "'" + extras.front() + "' is one argument too many");
  std::vector<std::string_view> names;
  for (const OptionSpec& spec : options) names.push_back(spec.name);
  const std::string_view meant = nearest(option->substr(0, option->find('=')), names);
  return fail(ErrorCode::usage, "unknown option '" + *option + "'",
              meant.empty() ? "put '--' in front of text that starts with a dash" : "did you mean '" + std::string(meant) + "'?");
}

// CLI11 takes a value in brackets for a list: "[one,two]" would become two words and "[[page]]" lose its brackets. A mark in front
// hides them, and comes off behind the parse.
constexpr char mark = '\x01';

std::string marked(std::string_view value) {
  const bool needs_mark = value.starts_with('[') || value.starts_with(mark);
  return (needs_mark ? std::string(1, mark) : std::string()).append(value);
}

std::vector<std::string> marked(std::span<const std::string> words) {
  std::vector<std::string> out;
  bool only_text = false;  // behind --
  for (const std::string& word : words) {
    const size_t equals = only_text || !word.starts_with("--") ? std::string::npos : word.find('=');
    out.push_back(equals == std::string::npos ? marked(std::string_view(word))
                                              : word.substr(0, equals + 1) + marked(std::string_view(word).substr(equals + 1)));
    only_text = only_text || word == "--";
  }
  return out;
}

void unmark(std::vector<std::string>& values) {
  for (std::string& value : values)
    if (value.starts_with(mark)) value.erase(0, 1);
}

// What CLI11 fills while it parses: it keeps pointers into this.
struct Slots {
  std::vector<std::vector<std::string>> values;
  std::vector<std::string> positionals;
};

std::vector<CLI::Option*> declare(CLI::App& app, Slots& slots, std::span<const OptionSpec> options) {
  std::vector<CLI::Option*> declared;
  slots.values.resize(options.size());
  for (size_t i = 0; i < options.size(); ++i) {
    const std::string name(options[i].name);
    declared.push_back(options[i].kind == ValueKind::none ? app.add_flag(name)
                                                          : app.add_option(name, slots.values[i])->allow_extra_args(false));
  }
  app.add_option("positionals", slots.positionals)->expected(0, -1);
  return declared;
}

}  // namespace

bool Arguments::has(std::string_view option) const { return values_.contains(option); }

const std::vector<std::string>& Arguments::all(std::string_view option) const {
  static const std::vector<std::string> none;
  const auto found = values_.find(option);
  return found == values_.end() ? none : found->second;
}

std::string Arguments::text(std::string_view option) const {
  const auto& values = all(option);
  return values.empty() ? std::string() : values.back();
}

std::optional<std::int64_t> Arguments::number(std::string_view option) const { return parse_number(text(option)); }
std::optional<double> Arguments::share(std::string_view option) const { return parse_share(text(option)); }

std::optional<std::chrono::milliseconds> Arguments::duration(std::string_view option) const { return parse_duration(text(option)); }

std::string Arguments::joined(size_t first) const {
  std::string out;
  for (size_t i = first; i < positionals_.size(); ++i) {
    if (i > first) out += ' ';
    out += positionals_[i];
  }
  return out;
}

Result<Arguments> parse_arguments(std::span<const std::string> words, std::span<const OptionSpec> options,
                                  std::span<const PositionalSpec> positionals) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  Slots slots;
  const auto declared = declare(app, slots, options);
  auto input = marked(words);
  std::ranges::reverse(input);  // CLI11 takes them from the back
  try {
    app.parse(std::move(input));
  } catch (const CLI::ParseError& error) {
    return fail(ErrorCode::usage, error.what());
  }
  auto extras = app.remaining();
  std::erase(extras, "--");  // CLI11 hands on the mark itself
  unmark(extras);
  if (!extras.empty()) return unknown_option(extras, options);
  std::ranges::for_each(slots.values, unmark);
  unmark(slots.positionals);

  Arguments arguments;
  for (size_t i = 0; i < options.size(); ++i) {
    if (declared[i]->count() == 0) continue;
    auto& values = arguments.values_[std::string(options[i].name)];
    if (options[i].kind == ValueKind::none) values.emplace_back();
    for (const std::string& value : slots.values[i]) options[i].many ? append_split(values, value) : values.push_back(value);
    for (const std::string& value : values) TRY(check_value(options[i].name, options[i].kind, value));
  }
  arguments.positionals_ = std::move(slots.positionals);
  const auto required = static_cast<size_t>(std::ranges::count_if(positionals, &PositionalSpec::required));
  if (arguments.positionals_.size() < required)
    return fail(ErrorCode::usage, std::string(positionals[arguments.positionals_.size()].name) + " is missing");
  const bool open = !positionals.empty() && positionals.back().many;
  if (!open && arguments.positionals_.size() > positionals.size())
    return fail(ErrorCode::usage, "'" + arguments.positionals_[positionals.size()] + "' is one argument too many");
  for (size_t i = 0; i < arguments.positionals_.size(); ++i) {
    const PositionalSpec& spec = positionals[std::min(i, positionals.size() - 1)];
    if (auto checked = check_value(spec.name, spec.kind, arguments.positionals_[i]); !checked)
      return std::unexpected(checked.error());
  }
  return arguments;
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
  std::string_view best;
  size_t best_distance = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string_view candidate : known) {
    if (const size_t d = edit_distance(word, candidate); d < best_distance) {
      best = candidate;
      best_distance = d;
    }
  }
  return best;
}

}  // namespace loci::cli
