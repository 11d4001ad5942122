#include "consolidate/runs/failures.h"

#include <algorithm>

#include "base/json.h"

namespace loci {
namespace {

constexpr std::int64_t state_version = 1;

path state_file(const Vault& vault) { return vault.state_folder() / "consolidation.json"; }

Status write_failures(const Vault& vault, const Failures& failures) {
  Json counts = Json::object();
  for (const auto& [fact, failure] : failures)
    counts.add_unchecked(fact, Json::Object{{"hash", failure.hash}, {"count", failure.count}});
  const Json json = Json::Object{{"version", state_version}, {"failures", std::move(counts)}};
  TRY(make_folders(vault.files(), vault.state_folder()));
  return write_file(vault.files(), state_file(vault), to_string(json) + '\n');
}

LedgerEntry quarantine_line(const Fact& fact, const RunIdentity& identity, const std::string& why) {
  LedgerEntry line;
  line.generation = identity.generation;
  line.run = identity.run;
  line.at = identity.at;
  line.fact = fact.id;
  line.fact_hash = fact.hash;
  line.outcome = LedgerEntry::Outcome::quarantined;
  line.why = why;
  return line;
}

}  // namespace

Failures read_failures(const Vault& vault) {
  Failures failures;
  const auto bytes = read_file_if_any(vault.files(), state_file(vault));
  if (!bytes || !*bytes) return failures;
  const auto json = parse_json(**bytes);
  const Json* counts = json ? json->find("failures") : nullptr;
  if (!counts || !counts->as_object()) return failures;
  for (const auto& [fact, failure] : *counts->as_object())
    failures[fact] = {failure.text_at("hash"), static_cast<int>(std::min<size_t>(failure.count_at("count"), failures_quarantine))};
  return failures;
}

Result<size_t> note_failures(const Vault& vault, const std::vector<Fact>& facts, const RunIdentity& identity,
                             const std::string& why) {
  if (facts.empty()) return 0;
  Failures failures = read_failures(vault);
  std::vector<LedgerEntry> lines;
  for (const Fact& fact : facts) {
    FailureCount& failure = failures[fact.id];
    if (failure.hash != fact.hash) failure = {fact.hash, 0};
    failure.count = std::min(failure.count + 1, failures_quarantine);
    if (failure.count == failures_quarantine && !fact.quarantined) lines.push_back(quarantine_line(fact, identity, why));
  }
  // The ledger comes first: a count without its line would quarantine nothing, a line without its count is written once more.
  TRY(append_ledger(vault, lines));
  TRY(write_failures(vault, failures));
  return lines.size();
}

Status clear_failures(const Vault& vault, const std::vector<std::string>& facts) {
  Failures failures = read_failures(vault);
  const auto is_settled = [&](const auto& failure) { return std::ranges::find(facts, failure.first) != facts.end(); };
  if (std::erase_if(failures, is_settled) == 0) return {};
  return write_failures(vault, failures);
}

}  // namespace loci
