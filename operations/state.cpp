#include "operations/state.h"

#include "memory/json_shapes.h"
#include "memory/status.h"
#include "operations/shapes.h"
#include "operations/visible.h"
#include "parser/core_file.h"
#include "vault/rewrite/user_file.h"

namespace loci {
namespace {

using shapes::Type;
constexpr auto everybody = Field::For::everybody;

constexpr size_t most_problems = 100;  // told to an agent: a model has to read them
constexpr size_t usual_wait_ms = 10'000, most_wait_ms = 600'000;
constexpr Parameter status_parameters[] = {
    {"--wait", "", ValueKind::none, "answer when everything that was saved before can be found"},
    {"--timeout", "MS", ValueKind::number, "for so many milliseconds at most", false, {}, false, 0, most_wait_ms},
};
constexpr Field entries_shape[] = {{"L0", Type::integer}, {"L1", Type::integer}, {"L2", Type::integer}};
constexpr Field facts_shape[] = {
    {"total", Type::integer}, {"pending", Type::integer}, {"settled", Type::integer}, {"deleted", Type::integer}};
constexpr Field used_shape[] = {{"chars", Type::integer}, {"limit", Type::integer}};
constexpr Field status_shape[] = {
    {"vault"},
    {"entries", Type::object, everybody, entries_shape},
    {"facts", Type::object, everybody, facts_shape},
    {"watermark"},
    {"l0_used", Type::object, everybody, used_shape},
    {"problems", Type::objects, everybody, shapes::problem},
    {"more_problems", Type::integer},
    {"index", Type::object, everybody, shapes::index_state},
};

// By the file that it is about, and by the entries that it names: it may quote them.
Result<bool> sees_problem(Visible& visible, const Json& problem) {
  if (!visible.sees_file(problem.text_at("file"))) return false;
  for (const Json& id : problem.array_at("entries"))
    if (id.as_string() && !TRY(visible.sees_id(*id.as_string()))) return false;
  return true;
}

Status keep_seen(Visible visible, Json& body) {
  if (visible.sees_all()) return {};
  Json problems = Json::array();
  std::int64_t left_out = 0;
  for (const Json& problem : body.array_at("problems")) {
    if (!TRY(sees_problem(visible, problem))) continue;
    if (problems.as_array()->size() < most_problems)
      problems.push_back(problem);
    else
      ++left_out;
  }
  body.set("problems", std::move(problems));
  if (left_out > 0) body.set("more_problems", left_out);
  return {};
}

Result<Answer> status_of(const OperationCall& call) {
  Memory& memory = call.memory;
  const auto patience = std::chrono::milliseconds(call.values.number_or("timeout", usual_wait_ms));
  if (call.values.flag("wait") && call.around.wait_until_searchable) TRY(call.around.wait_until_searchable(patience));
  const auto freshness = TRY(memory.bring_up_to_date(call.progress));
  memory.drop_reader();  // what is listed of files that cannot be read may be newer than what can be searched
  Json body;
  if (call.around.status)
    body = TRY(call.around.status(memory));
  else
    body = status_to_json(TRY(status(memory, freshness)));
  TRY(keep_seen(Visible(memory, call.actor), body));
  return Answer{std::move(body), false, {}};
}

}  // namespace

Result<AlwaysKnown> always_known(Memory& memory, Actor actor) {
  const Vault& vault = memory.vault();
  Visible visible(memory, actor);
  const auto part_of = [&](const char* file) -> Result<std::string> {
    const auto bytes = read_file_if_any(vault.files(), vault.file(file));
    return bytes ? visible.seen_part(bytes->value_or(""), file) : std::string();  // the other one is given all the same
  };
  const auto user_file = TRY(part_of(user_file_name));
  const auto core_file = TRY(part_of(core_file_name));
  return AlwaysKnown{measure_user_file(user_file).injected, core_injection(core_file).text};
}

constinit const MemoryOperation status_operation = {
    .name = "status",
    .method = "GET",
    .path = "/memory/status",
    .tool = "memory_status",
    .title = "State of the memory",
    .summary = "How many memories there are, how full user.md is, and what is wrong with the files, if anything.",
    .parameters = status_parameters,
    .shape = status_shape,
    .may_take_long = true,
    .run = status_of,
};

}  // namespace loci
