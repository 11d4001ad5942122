#include "daemon/service_status.h"

#include <unistd.h>

#include <algorithm>

#include "consolidate/shapes.h"
#include "edits/doubtful.h"
#include "edits/in_question.h"
#include "edits/understand.h"
#include "embeddings/embedder.h"
#include "memory/status.h"
#include "sync/sync_record.h"

namespace loci {
namespace {

Json watcher_to_json(const WatchState& watch, const IndexLoopState& index) {
  Json value = Json::object();
  value.set("mode", watch.polling ? "polling" : "inotify");
  value.set("reason", watch.polling_reason.empty() ? Json() : Json(watch.polling_reason));
  value.set("watches", static_cast<std::int64_t>(watch.watches));
  value.set("overflows", watch.overflows);
  value.set("rescans", index.rescans);
  value.set("last_reason", index.last_reason.empty() ? Json() : Json(index.last_reason));
  Json reasons = Json::object();
  for (const auto& [reason, times] : index.rescans_by_reason) reasons.set(reason, times);
  value.set("reasons", std::move(reasons));
  return value;
}

Json work_to_json(const Progress& work) {
  Json value = Json::object();
  value.set("what", work.what);
  value.set("done", static_cast<std::int64_t>(work.done));
  value.set("total", static_cast<std::int64_t>(work.total));
  return value;
}

Json embeddings_to_json(const Vault& vault, const EmbeddingLoop::State& state) {
  Json value = Json::object();
  value.set("model", name_of_embedding_model(vault.config()));
  value.set("entries", state.counts.entries);
  value.set("with_vector", state.counts.with_vector);
  value.set("kept_back", state.counts.kept_back);
  value.set("refused", state.counts.refused);
  value.set("running", state.running);
  value.set("limit_reached", state.counts.limit_reached);
  value.set("tokens_today", tokens_of_embeddings(vault));
  value.set("error", state.error ? Json(*state.error) : Json());
  return value;
}

Json daemon_to_json(const Vault& vault, Instant started_at, const std::vector<Problem>& problems) {
  Json value = Json::object();
  value.set("pid", std::int64_t{::getpid()});
  value.set("version", LOCI_VERSION);
  value.set("started_at", format_rfc3339(started_at));
  value.set("state_folder", vault.state_folder().string());
  value.set("problems", problems_to_json(problems));
  return value;
}

}  // namespace

Result<Json> service_status(Memory& memory, IndexLoop& index, const Watcher& watcher, Housekeeper& housekeeper,
                            ConsolidateLoop& consolidation, EmbeddingLoop* embedding, std::vector<Problem> of_the_daemon,
                            Instant started_at) {
  const auto freshness = TRY(index.freshness());
  auto report = TRY(status(memory, freshness));
  const auto known = index.state();
  const auto watch = watcher.state();
  report.facts = fact_counts(memory, std::move(report.facts));
  add_edit_problems(memory, report.problems);
  add_doubtful_acts(memory.vault(), report.problems);
  add_sync_problem(memory.vault(), report.problems);
  std::ranges::move(housekeeper.problems(), std::back_inserter(of_the_daemon));
  if (known.trouble) of_the_daemon.push_back({known.trouble->file, known.trouble->line, "index-behind", known.trouble->message});
  if (watch.polling && !watch.polling_reason.empty()) of_the_daemon.push_back({"", 0, "polling", watch.polling_reason});
  std::ranges::copy(of_the_daemon, std::back_inserter(report.problems));
  Json value = status_to_json(report);
  value.set("sync", sync_status(memory.vault()));
  value.set("watcher", watcher_to_json(watch, known));
  value.set("daemon", daemon_to_json(memory.vault(), started_at, of_the_daemon));
  auto folding = TRY(consolidation_status(memory));
  const auto loop = consolidation.state();
  folding.set("next_check", format_rfc3339(loop.next_check));
  folding.set("running", loop.running);
  value.set("consolidation", std::move(folding));
  if (embedding != nullptr) value.set("embeddings", embeddings_to_json(memory.vault(), embedding->state()));
  if (const auto& work = known.work ? known.work : loop.work) value.set("work", work_to_json(*work));
  return value;
}

}  // namespace loci
