#include "consolidate/runs/run_json.h"

#include "memory/vault_logs.h"

namespace loci {
namespace {

constexpr std::int64_t record_version = 1;

bool flag_in(const Json& json, std::string_view key) {
  const Json* value = json.find(key);
  return value && value->as_bool() && *value->as_bool();
}

std::optional<Instant> time_in(const Json& json, std::string_view key) { return parse_time(json.text_at(key)); }

template <typename Value, typename Convert>
Json array_of(const std::vector<Value>& values, Convert convert) {
  Json array = Json::array();
  for (const Value& value : values) array.push_back(convert(value));
  return array;
}

template <typename Convert>
auto values_in(const Json& json, std::string_view key, Convert convert) {
  std::vector<decltype(convert(json))> values;
  for (const Json& one : json.array_at(key)) values.push_back(convert(one));
  return values;
}

// Lines of the logs have a form of their own already, in which nothing can be lost.
template <typename Line>
Json line_to_json(const Line& line) {
  return parse_json(format(line)).value_or(Json::object());
}

template <typename Line, typename Parse>
std::vector<Line> lines_in(const Json& json, std::string_view key, Parse parse) {
  std::string bytes;
  for (const Json& one : json.array_at(key)) bytes += to_string(one) + '\n';
  return parse(bytes, "run.json", 0).lines;
}

Json fact_to_json(const FactCited& fact) {
  return Json::Object{
      {"id", fact.id}, {"hash", fact.hash}, {"text", fact.text}, {"day", fact.day}, {"source", name_of(fact.source)}};
}

FactCited fact_from(const Json& json) {
  return {json.text_at("id"), json.text_at("hash"), json.text_at("text"), json.text_at("day"),
          source_from(json.text_at("source")).value_or(Source::system)};
}

Json entry_to_json(const EntryRecord& entry) {
  return Json::Object{{"id", entry.id},
                      {"file", entry.file},
                      {"before", entry.before},
                      {"after", entry.after},
                      {"before_hash", entry.before_hash},
                      {"after_hash", entry.after_hash},
                      {"before_markdown", entry.before_markdown},
                      {"after_markdown", entry.after_markdown},
                      {"facts", array_of(entry.facts, fact_to_json)}};
}

EntryRecord entry_from(const Json& json) {
  return {json.text_at("id"),
          json.text_at("file"),
          json.text_at("before"),
          json.text_at("after"),
          json.text_at("before_hash"),
          json.text_at("after_hash"),
          json.text_at("before_markdown"),
          json.text_at("after_markdown"),
          values_in(json, "facts", fact_from)};
}

Json file_to_json(const FileRecordOfRun& file) {
  Json json = Json::Object{{"file", file.file}, {"before", file.before}, {"after", file.after}};
  if (file.shared) json.add_unchecked("shared", true);
  return json;
}

FileRecordOfRun file_from(const Json& json) {
  return {json.text_at("file"), json.text_at("before"), json.text_at("after"), flag_in(json, "shared")};
}

Json counts_to_json(const RunCounts& counts) {
  Json outcomes = Json::object();
  for (const auto& [outcome, count] : counts.outcomes) outcomes.add_unchecked(outcome, std::uint64_t{count});
  return Json::Object{{"outcomes", std::move(outcomes)},
                      {"added", std::uint64_t{counts.added}},
                      {"changed", std::uint64_t{counts.changed}},
                      {"removed", std::uint64_t{counts.removed}}};
}

RunCounts counts_from(const Json& json) {
  RunCounts counts;
  const Json* outcomes = json.find("outcomes");
  if (const auto* members = outcomes ? outcomes->as_object() : nullptr)
    for (const auto& [outcome, count] : *members) counts.outcomes[outcome] = outcomes->count_at(outcome);
  counts.added = json.count_at("added");
  counts.changed = json.count_at("changed");
  counts.removed = json.count_at("removed");
  return counts;
}

Json refused_to_json(const RefusedRecord& refused) {
  return Json::Object{{"operation", refused.operation}, {"text", refused.text}, {"facts", refused.facts}, {"why", refused.why}};
}

RefusedRecord refused_from(const Json& json) {
  return {json.text_at("operation"), json.text_at("text"), json.texts_at("facts"), json.texts_at("why")};
}

Json cluster_to_json(const ClusterRecord& cluster) {
  return Json::Object{{"outcome", cluster.outcome},
                      {"reason", cluster.reason},
                      {"facts", cluster.facts},
                      {"left_out", cluster.left_out},
                      {"refused", array_of(cluster.refused, refused_to_json)},
                      {"entries", array_of(cluster.entries, entry_to_json)},
                      {"ledger", array_of(cluster.ledger, line_to_json<LedgerEntry>)},
                      {"tombstones", array_of(cluster.tombstones, line_to_json<Tombstone>)}};
}

ClusterRecord cluster_from(const Json& json) {
  ClusterRecord cluster;
  cluster.outcome = json.text_at("outcome");
  cluster.reason = json.text_at("reason");
  cluster.facts = json.texts_at("facts");
  cluster.left_out = json.texts_at("left_out");
  cluster.refused = values_in(json, "refused", refused_from);
  cluster.entries = values_in(json, "entries", entry_from);
  cluster.ledger = lines_in<LedgerEntry>(json, "ledger", parse_ledger);
  cluster.tombstones = lines_in<Tombstone>(json, "tombstones", parse_tombstones);
  return cluster;
}

Json head_of(const RunRecord& record) {
  Json json = Json::Object{{"run", record.run}, {"at", format_rfc3339(record.at)}};
  if (record.ended) json.add_unchecked("ended", format_rfc3339(*record.ended));
  json.add_unchecked("generation", record.generation);
  json.add_unchecked("kind", record.kind);
  json.add_unchecked("model", record.model);
  json.add_unchecked("prompt", record.prompt);
  json.add_unchecked("tokens", Json::Object{{"input", record.tokens.input}, {"output", record.tokens.output}});
  if (record.decided > 0) json.add_unchecked("operations", Json::Object{{"decided", record.decided}, {"refused", record.refused}});
  json.add_unchecked("outcome", record.outcome);
  json.add_unchecked("reason", record.reason);
  if (!record.undone_by.empty()) json.add_unchecked("undone_by", record.undone_by);
  if (!record.undoes.empty()) json.add_unchecked("undoes", record.undoes);
  return json;
}

}  // namespace

RunCounts counts_of(const RunRecord& record) {
  if (record.counts) return *record.counts;
  RunCounts counts;
  for (const ClusterRecord& cluster : record.clusters) {
    for (const LedgerEntry& line : cluster.ledger) ++counts.outcomes[std::string(name_of(line.outcome))];
    for (const EntryRecord& entry : cluster.entries)
      ++(entry.before_hash.empty() ? counts.added : entry.after_hash.empty() ? counts.removed : counts.changed);
  }
  return counts;
}

Json head_to_json(const RunRecord& record) {
  Json json = head_of(record);
  json.add_unchecked("version", record_version);
  json.add_unchecked("files", array_of(record.files, file_to_json));
  json.add_unchecked("counts", counts_to_json(counts_of(record)));
  return json;
}

Json clusters_to_json(const RunRecord& record) {
  return Json::Object{{"version", record_version}, {"clusters", array_of(record.clusters, cluster_to_json)}};
}

std::optional<RunRecord> run_record_from(const Json& json) {
  const auto at = time_in(json, "at");
  if (json.integer_at("version") != record_version || !at || !is_valid_id(json.text_at("run"))) return std::nullopt;
  RunRecord record;
  record.run = json.text_at("run");
  record.at = *at;
  record.ended = time_in(json, "ended");
  record.generation = json.integer_at("generation");
  record.kind = json.text_at("kind");
  record.model = json.text_at("model");
  record.prompt = json.text_at("prompt");
  if (const Json* tokens = json.find("tokens")) record.tokens = {tokens->integer_at("input"), tokens->integer_at("output")};
  if (const Json* operations = json.find("operations")) {
    record.decided = operations->integer_at("decided");
    record.refused = operations->integer_at("refused");
  }
  record.outcome = json.text_at("outcome");
  record.reason = json.text_at("reason");
  record.undone_by = json.text_at("undone_by");
  record.undoes = json.text_at("undoes");
  record.files = values_in(json, "files", file_from);
  if (const Json* counts = json.find("counts")) record.counts = counts_from(*counts);
  return record;
}

void take_in_clusters(RunRecord& record, const Json& clusters) {
  if (clusters.integer_at("version") != record_version) return;
  record.clusters = values_in(clusters, "clusters", cluster_from);
  record.counts.reset();
}

Json run_to_json(const RunRecord& record, bool whole) {
  Json json = head_of(record);
  Json files = Json::array();
  for (const FileRecordOfRun& file : record.files) files.push_back(file.file);
  const RunCounts counts = counts_of(record);
  std::uint64_t facts = 0;
  for (const auto& [outcome, count] : counts.outcomes) facts += count;
  json.add_unchecked("files", std::move(files));
  json.add_unchecked("facts", facts);
  json.add_unchecked("added", std::uint64_t{counts.added});
  json.add_unchecked("changed", std::uint64_t{counts.changed});
  json.add_unchecked("removed", std::uint64_t{counts.removed});
  if (whole) json.add_unchecked("clusters", array_of(record.clusters, cluster_to_json));
  return json;
}

}  // namespace loci
