#include "edits/act_log.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/json.h"
#include "vault/logs/json_lines.h"
#include "vault/rewrite/versions.h"

namespace loci {
namespace {

constexpr JsonLimits line_limits{.bytes = size_t{64} << 10, .depth = 3};
constexpr std::uintmax_t most_bytes = std::uintmax_t{4} << 20;  // then what is older than the versions goes

path log_of(const Vault& vault) { return vault.state_folder() / "edits" / "acts.jsonl"; }

Json to_json(const Act& act) {
  Json json = Json::object();
  json.add_unchecked("act", act.id);
  json.add_unchecked("at", format_rfc3339(act.at));
  json.add_unchecked("file", act.file);
  json.add_unchecked("entry", act.entry);
  json.add_unchecked("what", act.what);
  json.add_unchecked("made_from", act.made_from);
  json.add_unchecked("made_from_at", format_rfc3339(act.made_from_at));
  json.add_unchecked("old_buffer", act.old_buffer);
  json.add_unchecked("outcome", act.outcome);
  json.add_unchecked("before", act.hash_before);
  json.add_unchecked("after", act.hash_after);
  if (act.doubtful) json.add_unchecked("doubtful", true);
  return json;
}

bool is_true(const Json& json, const char* key) {
  const Json* value = json.find(key);
  return value && value->as_bool() && *value->as_bool();
}

Act from_json(const Json& json) {
  return {json.text_at("act"),
          parse_time(json.text_at("at")).value_or(Instant{}),
          json.text_at("file"),
          json.text_at("entry"),
          json.text_at("what"),
          json.text_at("made_from"),
          parse_time(json.text_at("made_from_at")).value_or(Instant{}),
          is_true(json, "old_buffer"),
          json.text_at("outcome"),
          json.text_at("before"),
          json.text_at("after"),
          is_true(json, "doubtful")};
}

Status shorten(const Vault& vault) {
  std::error_code error;
  const auto size = std::filesystem::file_size(log_of(vault), error);
  if (error || size < most_bytes) return {};
  std::string bytes;
  for (const Act& act : TRY(acts_of(vault)))
    if (act.at >= vault.clock().now() - versions_keep) bytes += to_string(to_json(act)) + '\n';
  return write_file(vault.files(), log_of(vault), bytes);
}

}  // namespace

bool is_decided_about(const std::string& file, const SeenEntry& entry) {
  return entry.has_metadata && place_of(file) != Place::user;
}

std::string act_id_in(const std::string& file, std::string_view entry, std::string_view hash_before, std::string_view hash_after) {
  const bool is_line = place_of(file) == Place::core;
  return act_id(is_line ? "line " + std::string(entry) : std::string(entry), hash_before, hash_after);
}

std::vector<std::string> acts_of_these(const std::string& file, std::span<const Absence> absences) {
  std::vector<std::string> acts;
  for (const Absence& one : absences) acts.push_back(act_id_in(file, one.id, one.hash, {}));
  return acts;
}

Status log_act(const Vault& vault, const Act& act) {
  TRY(append_json_line(vault.files(), log_of(vault), to_json(act)));
  return shorten(vault);
}

Status log_change(const Vault& vault, Instant now, const std::string& file, const Version& base, const SaveReading& reading,
                  const Change& change, const std::string& outcome, bool doubtful) {
  const std::string after = change.after ? change.after->hash : std::string();
  return log_act(vault, {act_id_in(file, change.before.id, change.before.hash, after), now, file, change.before.id,
                         change.after ? "changed" : "removed", base.hash, base.at, reading.made == Made::from_old_buffer, outcome,
                         change.before.hash, after, doubtful || (reading.undone && !change.after)});
}

namespace {

Status log_anew(const Vault& vault, const std::vector<std::string>& acts, const std::string& outcome, bool may_be_doubtful) {
  if (acts.empty()) return {};
  auto logged = TRY(acts_of(vault));
  const std::set<std::string_view> wanted(acts.begin(), acts.end());
  for (Act& act : logged) {
    if (!wanted.contains(act.id) || (act.outcome == outcome && (may_be_doubtful || !act.doubtful))) continue;
    act.outcome = outcome;
    act.doubtful = act.doubtful && may_be_doubtful;
    TRY(append_json_line(vault.files(), log_of(vault), to_json(act)));
  }
  return shorten(vault);
}

}  // namespace

Status log_outcome(const Vault& vault, const std::string& act, const std::string& outcome) {
  return log_anew(vault, {act}, outcome, true);
}

Status log_outcomes(const Vault& vault, const std::vector<std::string>& acts, const std::string& outcome) {
  return log_anew(vault, acts, outcome, true);
}

Status log_answers(const Vault& vault, const std::vector<std::string>& acts, const std::string& outcome) {
  return log_anew(vault, acts, outcome, false);
}

// Done again, an act has the time of then: what became of it since is told under that time.
Result<std::vector<Act>> acts_of(const Vault& vault) {
  std::vector<Act> acts;
  const auto bytes = TRY(read_file_if_any(vault.files(), log_of(vault)));
  if (!bytes) return acts;
  std::map<std::string, size_t> places;
  visit_json_lines(*bytes, line_limits, [&](int, const Json* line) {
    if (!line) return;
    Act act = from_json(*line);
    const auto [known, is_new] = places.emplace(act.id, acts.size());
    if (is_new) return acts.push_back(std::move(act));
    acts[known->second] = std::move(act);
  });
  std::ranges::stable_sort(acts, {}, &Act::at);
  return acts;
}

}  // namespace loci
