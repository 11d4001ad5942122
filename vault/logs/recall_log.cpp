#include "vault/logs/recall_log.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/process_lock.h"
#include "vault/layout/host.h"
#include "vault/logs/host_log.h"
#include "vault/logs/json_lines.h"

namespace loci {
namespace {

constexpr JsonLimits line_limits{.bytes = size_t{32} << 20, .depth = 32};

struct DayCount {
  std::int64_t times = 0, queries = 0;
};
using DayCounts = std::map<std::string, DayCount>;  // by id
using Days = std::map<std::string, DayCounts>;      // by day

path raw_folder(const Vault& vault) { return vault.state_folder() / "retrieval"; }

bool is_day(std::string_view text) { return text.size() == 10 && parse_time(text).has_value(); }

// The days that have a raw log, with their files.
std::map<std::string, path> raw_logs(const Vault& vault) {
  std::map<std::string, path> logs;
  std::error_code ignored;  // no folder: nothing was retrieved yet
  for (const auto& item : std::filesystem::directory_iterator(raw_folder(vault), ignored))
    if (item.path().extension() == ".jsonl" && is_day(item.path().stem().string())) logs[item.path().stem()] = item.path();
  return logs;
}

DayCounts count_raw_log(std::string_view bytes) {
  DayCounts counts;
  std::map<std::string, std::set<std::string>> queries;
  visit_json_lines(bytes, line_limits, [&](int, const Json* line) {
    const Json* query = line ? line->find("query") : nullptr;
    const Json* ids = line ? line->find("ids") : nullptr;
    if (!query || !query->as_string() || !ids || !ids->as_array()) return;
    for (const Json& id : *ids->as_array()) {
      if (!id.as_string()) continue;
      ++counts[*id.as_string()].times;
      queries[*id.as_string()].insert(*query->as_string());
    }
  });
  for (auto& [id, count] : counts) count.queries = static_cast<std::int64_t>(queries[id].size());
  return counts;
}

Json to_json(const std::string& day, const DayCounts& counts) {
  Json by_id = Json::object();
  for (const auto& [id, count] : counts) by_id.add_unchecked(id, Json::Array{count.times, count.queries});
  Json line = Json::object();
  line.add_unchecked("day", day);
  line.add_unchecked("counts", std::move(by_id));
  return line;
}

// False if the line is none of ours. A day that stands there already is left as it is: it counts once.
bool add_day(const Json& line, Days& days) {
  const Json *day = line.find("day"), *counts = line.find("counts");
  if (!day || !day->as_string() || !is_day(*day->as_string()) || !counts || !counts->as_object()) return false;
  DayCounts by_id;
  for (const auto& [id, value] : *counts->as_object()) {
    const Json::Array* pair = value.as_array();
    if (!pair || pair->size() != 2 || !(*pair)[0].as_integer() || !(*pair)[1].as_integer()) return false;
    by_id[id] = {*(*pair)[0].as_integer(), *(*pair)[1].as_integer()};
  }
  days.emplace(*day->as_string(), std::move(by_id));
  return true;
}

Days read_days(const HostLog::File& log, std::vector<Problem>& problems) {
  Days days;
  for (Problem& problem : visit_log_lines(log, line_limits, [&](int, const Json& line) { return add_day(line, days); }))
    problems.push_back(std::move(problem));
  return days;
}

Status fold(const Vault& vault, const std::map<std::string, path>& raw) {
  const HostLog log(vault, "recall");
  auto before = TRY(log.read_own());
  std::vector<Problem> listed_by_the_reader;
  const Days folded = read_days({log.own_path(), std::move(before)}, listed_by_the_reader);
  const std::string today = vault.clock().local_date(vault.clock().now());
  std::string lines;
  for (const auto& [day, file] : raw) {
    if (day >= today || folded.contains(day)) continue;
    const auto bytes = TRY(read_file(vault.files(), file));
    if (const DayCounts counts = count_raw_log(bytes); !counts.empty()) lines += to_string(to_json(day, counts)) + '\n';
  }
  return log.append(lines);
}

Status prune(const Vault& vault, const std::map<std::string, path>& raw) {
  const auto keep = std::chrono::days(vault.config().recall.retrieval_log_days);
  const std::string oldest = vault.clock().local_date(vault.clock().now() - keep);
  for (const auto& [day, file] : raw)
    if (day < oldest) TRY(vault.files().remove(file));
  return {};
}

void add_host(const Days& days, std::unordered_map<std::string, RecallCount>& by_id,
              std::unordered_map<std::string, std::set<std::string>>& days_of) {
  for (const auto& [day, counts] : days)
    for (const auto& [id, count] : counts) {
      RecallCount& sum = by_id[id];
      sum.times += count.times;
      sum.queries += count.queries;
      if (days_of[id].insert(day).second) ++sum.days;
      sum.last = std::max(sum.last, day);
    }
}

}  // namespace

Status log_retrieval(const Vault& vault, const Retrieval& retrieval) {
  const Instant now = vault.clock().now();
  Json line = Json::object();
  line.add_unchecked("at", format_rfc3339(now));
  line.add_unchecked("query", retrieval.query);
  if (!retrieval.session.empty()) line.add_unchecked("session", retrieval.session);
  if (retrieval.turn) line.add_unchecked("turn", *retrieval.turn);
  line.add_unchecked("ids", retrieval.ids);
  if (!retrieval.details.is_null()) line.add_unchecked("details", retrieval.details);
  const auto written = append_json_line(vault.files(), raw_folder(vault) / (vault.clock().local_date(now) + ".jsonl"), line);
  return written ? Status{} : std::unexpected(written.error());
}

Result<std::vector<Retrieval>> read_retrievals(const Vault& vault) {
  std::vector<Retrieval> retrievals;
  for (const auto& [day, file] : raw_logs(vault)) {
    const auto bytes = TRY(read_file_if_any(vault.files(), file));
    visit_json_lines(bytes.value_or(""), line_limits, [&](int, const Json* line) {
      const auto at = line ? parse_time(line->text_at("at")) : std::nullopt;
      if (!at) return;
      Retrieval one{line->text_at("query"), line->text_at("session"), {}, line->texts_at("ids"), *at, {}};
      if (const Json* turn = line->find("turn"); turn && turn->as_integer()) one.turn = *turn->as_integer();
      if (const Json* details = line->find("details")) one.details = *details;
      retrievals.push_back(std::move(one));
    });
  }
  return retrievals;
}

Status fold_recall_log(const Vault& vault) {
  const auto raw = raw_logs(vault);
  if (raw.empty()) return {};
  const auto lock = ProcessLock::acquire(vault.files(), raw_folder(vault), std::chrono::milliseconds(0));
  if (!lock && lock.error().code == ErrorCode::locked) return {};  // another process is at it
  if (!lock) return std::unexpected(lock.error());
  TRY(fold(vault, raw));
  return prune(vault, raw);
}

namespace {

// Days of this machine that its file in the vault has not yet.
void add_unfolded_days(const Vault& vault, Days& days) {
  for (const auto& [day, file] : raw_logs(vault)) {
    if (days.contains(day)) continue;
    if (const auto bytes = read_file(vault.files(), file)) days.emplace(day, count_raw_log(*bytes));  // else it was just pruned
  }
}

Result<RecallCounts> count_recalls(const Vault& vault, bool until_now) {
  const HostLog own(vault, "recall");
  auto logs = TRY(own.read());
  const auto is_own = [&](const HostLog::File& log) { return log.path == own.own_path(); };
  if (until_now && std::ranges::none_of(logs, is_own)) logs.push_back({own.own_path(), {}});
  RecallCounts counts;
  std::unordered_map<std::string, std::set<std::string>> days_of;
  for (const HostLog::File& log : logs) {
    if (!is_valid_host(path(log.path).stem().string())) continue;
    Days days = read_days(log, counts.problems);
    if (until_now && is_own(log)) add_unfolded_days(vault, days);
    add_host(days, counts.by_id, days_of);
  }
  return counts;
}

}  // namespace

Result<RecallCounts> read_recall_counts(const Vault& vault) { return count_recalls(vault, false); }

Result<RecallCounts> recall_counts_until_now(const Vault& vault) { return count_recalls(vault, true); }

Result<RecallsOfEntry> recalls_of(const Vault& vault, const std::string& id, size_t most_latest) {
  RecallsOfEntry recalls;
  const auto logs = TRY(HostLog(vault, "recall").read());
  std::vector<Problem> told_by_status;
  for (const HostLog::File& log : logs)
    for (const auto& [day, counts] : read_days(log, told_by_status))
      if (const auto found = counts.find(id); found != counts.end()) recalls.by_day[day] += found->second.times;
  const std::string today = vault.clock().local_date(vault.clock().now());
  for (const auto& [day, file] : raw_logs(vault)) {
    const auto bytes = TRY(read_file(vault.files(), file));
    if (!bytes.contains(id)) continue;
    visit_json_lines(bytes, line_limits, [&](int, const Json* line) {
      const auto ids = line ? line->texts_at("ids") : std::vector<std::string>();
      if (std::ranges::find(ids, id) == ids.end()) return;
      if (day == today) ++recalls.by_day[day];
      recalls.latest.insert(recalls.latest.begin(), {line->text_at("at"), line->text_at("query"), line->text_at("session")});
      if (recalls.latest.size() > most_latest) recalls.latest.pop_back();
    });
  }
  return recalls;
}

}  // namespace loci
