#include "daemon/state_of_memory.h"

#include <algorithm>

#include "consolidate/runs/run_record.h"
#include "edits/edit_state.h"
#include "edits/in_question.h"
#include "edits/question_shapes.h"
#include "memory/json_shapes.h"
#include "memory/status.h"

namespace loci {
namespace {

constexpr std::string_view index_event = "index";
constexpr size_t most_runs = 20;

Json index_state(Memory& memory, IndexReader& reader) {
  Json data = versioned();
  data.add_unchecked("generation", reader.info().generation);
  data.add_unchecked("entries", layers_to_json(reader.layers()));
  data.add_unchecked("facts", facts_to_json(fact_counts(memory, reader.facts())));
  return data;
}

Json runs_state(const std::vector<RunRecord>& runs, const ConsolidateLoop::State& consolidation) {
  Json list = Json::array();
  for (const RunRecord& run : runs) {
    if (list.as_array()->size() == most_runs) break;
    Json one = Json::object();
    one.add_unchecked("run", run.run);
    one.add_unchecked("kind", run.kind);
    one.add_unchecked("outcome", run.outcome);
    list.push_back(std::move(one));
  }
  Json work;
  if (consolidation.work) {
    work = Json::object();
    work.add_unchecked("what", consolidation.work->what);
    work.add_unchecked("done", static_cast<std::int64_t>(consolidation.work->done));
    work.add_unchecked("total", static_cast<std::int64_t>(consolidation.work->total));
  }
  Json data = versioned();
  data.add_unchecked("running", consolidation.running);
  data.add_unchecked("work", std::move(work));
  data.add_unchecked("runs", std::move(list));
  return data;
}

Json questions_state(const std::vector<FileRecord>& records, const std::vector<Problem>& problems) {
  Json list = Json::array();
  const auto add = [&](const std::string& file, Question::Kind kind) {
    Json one = Json::object();
    one.add_unchecked("file", file);
    one.add_unchecked("kind", name_of(kind));
    list.push_back(std::move(one));
  };
  for (const FileRecord& record : records)
    if (record.question) add(record.file, record.question->kind);
  for (const Problem& problem : problems)
    if (problem.code == "conflict-markers") add(problem.file, Question::Kind::conflict);
  Json data = versioned();
  data.add_unchecked("questions", std::move(list));
  return data;
}

}  // namespace

Events state_of(Memory& memory, const ConsolidateLoop::State& consolidation) {
  Events events;
  auto reader = memory.reader();
  if (reader) events.push_back({std::string(index_event), index_state(memory, **reader)});
  if (const auto runs = list_runs(memory.vault())) events.push_back({"runs", runs_state(*runs, consolidation)});
  const auto records = EditState::peek(memory.vault());
  if (reader && records) events.push_back({"questions", questions_state(*records, (*reader)->problems())});
  return events;
}

bool is_for_agents(const Event& event) { return event.name == index_event; }

}  // namespace loci
