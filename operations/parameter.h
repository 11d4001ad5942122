// What one operation takes, said once: the options of a command and their help, the parameters of an HTTP route and the input
// schema of an MCP tool are made from it. Plain data, in constants: a start costs nothing for what was not asked for.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace loci {

// What a value is: decides which are accepted, and what a shell or an agent is offered.
enum class ValueKind : std::uint8_t {
  none,  // a switch: no value
  text,
  number,    // a whole number
  share,     // 0..1
  date,      // as base/clock's parse_time reads it
  duration,  // "90s", "30m", "2h", "1d"
  layer,
  source,
  kind,
  format,  // of an export
  origin,  // of an import
  form,    // of what an export makes for another program
  encoding,
  shell,  // of a completion script
  hook_event,
  agent,    // one that can be connected
  service,  // what to do with one
  task_action,
  command,  // a name of one
  log_level,
  file,           // a path
  folder,         // a path of a folder
  entry_id,       // or a unique prefix of one
  ended_id,       // likewise, of what was forgotten or corrected
  tag,            // one that the vault has, when a shell asks
  project,        // likewise
  session,        // likewise
  task,           // likewise, one that is active
  run,            // likewise, or a unique prefix of one
  config_key,     // "recall.limit"
  action,         // of a write: add, update, remove
  written_layer,  // a layer that an agent writes to
  utterances,     // [{"role","text"}], oldest first; on the command line a file that holds them
};

// The values that a kind admits; empty if it is open.
std::vector<std::string_view> choices_of(ValueKind kind);

struct Parameter {
  std::string_view name;   // "--limit", as on the command line
  std::string_view value;  // "N"; empty for a switch
  ValueKind kind = ValueKind::none;
  std::string_view help;
  bool many = false;          // may be given again, or with commas
  std::string_view key = {};  // in JSON, where that is not the name without its dashes: "tags" of "--tag"
  bool required = false;
  std::int64_t least = 0, most = std::numeric_limits<std::int64_t>::max();  // of a number
  bool only_person = false;                                                 // an agent may not give it

  // The name without dashes: in a query.
  constexpr std::string_view bare_name() const { return name.substr(name.find_first_not_of('-')); }
  constexpr std::string_view json_key() const { return key.empty() ? bare_name() : key; }
};

template <size_t A, size_t B>
constexpr std::array<Parameter, A + B> joined(const std::array<Parameter, A>& a, const std::array<Parameter, B>& b) {
  std::array<Parameter, A + B> all{};
  for (size_t i = 0; i < A; ++i) all[i] = a[i];
  for (size_t i = 0; i < B; ++i) all[A + i] = b[i];
  return all;
}

}  // namespace loci
