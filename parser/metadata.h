// The JSON object of a metadata comment, typed. One line, `<!--m {…}-->`; a `>` inside a string is written as \u003e, so that the
// comment cannot end early.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"

namespace loci {

enum class Source : std::uint8_t { system, agent, user, correction };  // rising trust
enum class EntryKind : std::uint8_t { fact, turn, session_summary, task_summary };

std::string_view name_of(Source source);   // "system", "agent", "user", "correction"
std::string_view name_of(EntryKind kind);  // "fact", "turn", "session-summary", "task-summary"
std::optional<Source> source_from(std::string_view name);
std::optional<EntryKind> kind_from(std::string_view name);

// 1.0, 0.9, 0.7, 0.5 for correction, user, agent, system: what a missing or impossible confidence counts as.
double default_confidence(Source source);

struct Metadata {
  std::string id;    // [A-Za-z0-9._-]{1,64}; empty on a line that has only a `ref`
  bool end = false;  // the entry ends at a line <!--/m-->, not with its block
  std::string sum;   // first 8 hex digits of the text's hash when code wrote it
  std::optional<Instant> at;
  std::optional<Source> source;
  std::optional<EntryKind> kind;
  std::string session;
  std::optional<std::int64_t> turn;
  std::string role;
  std::string task;
  std::string project;
  std::vector<std::string> tags;
  std::string category;
  std::optional<double> confidence;
  std::vector<std::string> about;
  std::string corrects;
  std::string first_seen;  // a date, kept as written
  std::string updated;     // a date, kept as written
  std::vector<std::string> sources;
  std::vector<std::string> from;
  std::string ref;
  Json::Object unknown;  // keys that this version does not know, in their order: kept on every rewrite

  bool operator==(const Metadata&) const = default;
};

bool is_valid_id(std::string_view id);

// `json` is what stands between `<!--m ` and `-->`. Fails with a reason a person can act on: not JSON, a duplicate key,
// a wrong type, an id that is none. A key with null counts as absent.
Result<Metadata> parse_metadata(std::string_view json);
Result<Metadata> read_metadata(const Json& value);  // of what was parsed already

// The whole comment line, without a line end; the keys in the order of the struct, unknown ones last.
// parse_metadata(its JSON) gives back an equal value.
std::string format_metadata(const Metadata& metadata);

}  // namespace loci
