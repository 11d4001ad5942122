#include "vault/rewrite/write_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace loci {
namespace {

constexpr size_t start_length = 100;  // what is added takes at most 90 bytes, and a name may have 255
constexpr size_t hash_digits = 16;
constexpr size_t id_length = 16;
constexpr std::string_view write_mark = ".write-", kept_mark = ".kept-", new_mark = ".new-", target_suffix = ".target";

bool is_hash(std::string_view text) {
  return text.size() == hash_digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_id(std::string_view text) {
  return text.size() == id_length && text.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz") == std::string_view::npos;
}

template <typename Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

constexpr std::array<std::pair<KeptName::State, std::string_view>, 3> states{
    {{KeptName::State::fresh, "fresh"}, {KeptName::State::still, "still"}, {KeptName::State::copy, "copy"}}};

std::string_view word_of(KeptName::State state) {
  return std::ranges::find(states, state, &decltype(states)::value_type::first)->second;
}

struct Split {
  std::string start;
  std::vector<std::string_view> parts;  // what stands behind the mark, between hyphens
};

// At the last mark: the file's own name may contain another one.
std::optional<Split> split(std::string_view name, std::string_view mark) {
  const size_t at = name.rfind(mark);
  if (at == std::string_view::npos) return std::nullopt;
  Split split{.start = std::string(name.substr(0, at)), .parts = {}};
  for (std::string_view rest = name.substr(at + mark.size());;) {
    const size_t end = std::min(rest.find('-'), rest.size());
    split.parts.push_back(rest.substr(0, end));
    if (end == rest.size()) return split;
    rest.remove_prefix(end + 1);
  }
}

}  // namespace

std::string format(const WriteName& name) {
  return start_of_name(name.start).append(write_mark) + name.before + '-' + name.after + '-' + name.id;
}

std::string format(const KeptName& name) {
  return start_of_name(name.start).append(kept_mark) + name.hash + '-' + std::to_string(name.inode) + '-' +
         std::to_string(name.since.time_since_epoch().count()) + '-' + std::string(word_of(name.state)) + '-' + name.id;
}

std::string new_file_name(std::string_view file, const std::string& id) { return start_of_name(file).append(new_mark) + id; }

std::string target_file_name(const std::string& id) { return id + std::string(target_suffix); }

std::optional<WriteName> parse_write_name(std::string_view name) {
  const auto found = split(name, write_mark);
  if (!found || found->parts.size() != 3) return std::nullopt;
  const auto& parts = found->parts;
  if (!is_hash(parts[0]) || !is_hash(parts[1]) || !is_id(parts[2])) return std::nullopt;
  return WriteName{found->start, std::string(parts[0]), std::string(parts[1]), std::string(parts[2])};
}

std::optional<KeptName> parse_kept_name(std::string_view name) {
  const auto found = split(name, kept_mark);
  if (!found || found->parts.size() != 5) return std::nullopt;
  const auto& parts = found->parts;
  const auto inode = number<std::uint64_t>(parts[1]);
  const auto since = number<std::int64_t>(parts[2]);
  const auto state = std::ranges::find(states, parts[3], &decltype(states)::value_type::second);
  if (!is_hash(parts[0]) || !inode || !since || state == states.end() || !is_id(parts[4])) return std::nullopt;
  return KeptName{.start = found->start,
                  .hash = std::string(parts[0]),
                  .inode = *inode,
                  .since = Instant(std::chrono::milliseconds(*since)),
                  .state = state->first,
                  .id = std::string(parts[4])};
}

bool is_new_file_name(std::string_view name) {
  const auto found = split(name, new_mark);
  return found && found->parts.size() == 1 && is_id(found->parts[0]);
}

std::optional<std::string> id_of_target_file(std::string_view name) {
  if (!name.ends_with(target_suffix)) return std::nullopt;
  name.remove_suffix(target_suffix.size());
  return is_id(name) ? std::optional(std::string(name)) : std::nullopt;
}

std::string start_of_name(std::string_view file_name) { return std::string(file_name.substr(0, start_length)); }

std::string content_hash(std::string_view bytes) { return hex(as_bytes(sha256(bytes)), hash_digits); }

}  // namespace loci
