#include "daemon/panel_upkeep.h"

#include <algorithm>
#include <map>
#include <ranges>

#include "base/hash.h"
#include "base/named_day.h"
#include "base/unicode.h"
#include "consolidate/runs/store.h"
#include "consolidate/runs/undo.h"
#include "consolidate/shapes.h"
#include "edits/act_log.h"
#include "edits/answers.h"
#include "edits/entry_questions.h"
#include "edits/in_question.h"
#include "edits/question_shapes.h"
#include "edits/take_back.h"
#include "memory/change_shapes.h"
#include "memory/correction_conflicts.h"
#include "memory/json_shapes.h"
#include "parser/core_file.h"
#include "sync/answer_conflict.h"
#include "sync/conflict_copies.h"
#include "vault/layout/scan.h"
#include "vault/layout/token_budget.h"
#include "vault/rewrite/replace.h"
#include "vault/rewrite/user_file.h"

namespace loci {
namespace {

constexpr std::string_view taken_back = "taken back";
constexpr size_t most_listed_facts = 5'000, most_shown_bytes = size_t{64} << 10;

Result<Json> body_of(const HttpRequest& request) { return parse_json(request.body, {.bytes = max_request_body}); }

bool is_set(const Json& body, std::string_view member) {
  const Json* flag = body.find(member);
  return flag && flag->as_bool() && *flag->as_bool();
}

std::string hash_of(std::string_view bytes) { return hex(as_bytes(sha256(bytes)), 64); }

Json correction_to_json(const CorrectionConflict& conflict) {
  Json value = Json::object(), versions = Json::array();
  for (const Entry& version : conflict.versions) versions.push_back(entry_to_json(version));
  value.add_unchecked("corrected", conflict.id);
  value.add_unchecked("versions", std::move(versions));
  return value;
}

Json text_or_null(const Vault& vault, const std::string& file) {
  const auto bytes =
      file.empty() ? std::nullopt : read_file_if_any(vault.files(), vault.file(file), most_shown_bytes).value_or(std::nullopt);
  const bool is_text = bytes && is_valid_utf8(*bytes) && !bytes->contains('\0');
  return is_text ? Json(*bytes) : Json();
}

Result<Json> conflicts_to_json(const Vault& vault) {
  Json list = Json::array();
  for (const ConflictCopy& copy : TRY(conflict_copies(vault))) {
    Json one = Json::object();
    one.add_unchecked("file", copy.file);
    one.add_unchecked("original", copy.original);
    one.add_unchecked("is_whole", is_chosen_whole(vault, copy).value_or(true));
    one.add_unchecked("text", text_or_null(vault, copy.file));
    one.add_unchecked("original_text", text_or_null(vault, copy.original));
    list.push_back(std::move(one));
  }
  return list;
}

Result<Json> question_to_json(const Vault& vault, const OpenQuestion& open) {
  Json one = question_to_json(open);
  const bool is_conflict = open.question.kind == Question::Kind::conflict;
  one.add_unchecked("is_whole", is_conflict && TRY(is_answered_whole(vault, open.question.file)));
  return one;
}

Json answered_to_json(const std::string& file, const std::string& act) {
  Json value = versioned();
  value.add_unchecked("file", file);
  value.add_unchecked("act", act);
  return value;
}

// The last answer to what was asked about a file, or about a copy of it; none if there was none.
std::optional<Act> last_answer(const Vault& vault, const std::string& file) {
  const auto acts = acts_of(vault);
  if (!acts) return std::nullopt;
  const auto original = original_of_copy(file);
  for (const Act& act : *acts | std::views::reverse)
    if (act.what == answered && (act.file == file || act.file == original)) return act;
  return std::nullopt;
}

// Two people, or two tabs, may answer one question: who comes second is told what was answered. Who asks `again` for what was done,
// since the answer to it was lost, gets that.
Result<Json> or_answered_already(const Memory& memory, const Json& body, std::string_view outcome, Error error) {
  const std::string file = body.text_at("file");
  const auto act = last_answer(memory.vault(), file);
  if (error.code != ErrorCode::not_found || !act || act->outcome == taken_back) return std::unexpected(error);
  if (is_set(body, "again") && act->outcome == outcome) return answered_to_json(file, act->id);
  error.message = "this was answered already, on " + format_rfc3339(act->at) + ": " + act->outcome;
  error.hint = "'loci log --edits' lists it as " + act->id;
  return std::unexpected(error);
}

Result<Resolved> resolved_by(Memory& memory, const std::string& file, const std::string& answer) {
  if (answer == "keep" || answer == "restore") {
    auto after_forget = answer_about_entry(memory, file, answer == "keep");
    if (after_forget || after_forget.error().code != ErrorCode::not_found) return after_forget;
    return answer == "keep" ? keep_edits(memory, file) : restore_entries(memory, file);
  }
  if (answer == "both") return answer_conflict(memory, file, keep_both());
  if (answer != "ours" && answer != "theirs")
    return fail(ErrorCode::usage, "'" + answer + "' is no answer", "keep, restore, both, ours or theirs");
  const Side side = answer == "ours" ? Side::ours : Side::theirs;
  return answer_conflict(memory, file, {[side](const Disagreement&) { return side; }, {}, side});
}

// By what its own model costs now, whichever one is asked by now.
Json with_cost(Json json, const Memory& memory, const RunRecord& run) {
  const auto price = price_of(memory.vault().config(), run.model, run.tokens.input, run.tokens.output);
  json.set("cost", price ? Json(*price) : Json());
  return json;
}

}  // namespace

Result<Json> panel_runs(const PanelCall&, Memory& memory) {
  const auto runs = TRY(list_runs(memory.vault()));
  Json list = Json::array();
  for (const RunRecord& run : runs) {
    list.push_back(with_cost(run_to_json(run, false), memory, run));
  }
  Json value = versioned();
  value.add_unchecked("runs", std::move(list));
  return value;
}

Result<Json> panel_run(const PanelCall& call, Memory& memory) {
  const auto run = TRY(read_run(memory.vault(), call.id));
  return with_cost(run_to_json(run, true), memory, run);
}

Result<Json> panel_pending(const PanelCall& call, Memory& memory) {
  using Facts = std::vector<IndexReader::PendingFact>;
  auto facts = TRY(memory.ask<Facts>([](IndexReader& reader) { return reader.pending_facts(); }));
  const auto in_question = TRY(facts_in_question(memory));  // they count as they did before
  std::erase_if(facts, [&](const IndexReader::PendingFact& fact) { return in_question.contains(fact.entry.id); });
  Json list = Json::array();
  for (const auto& fact : facts) {
    if (list.as_array()->size() == most_listed_facts) break;
    Json one = entry_to_json(fact.entry, call.recalls);
    one.add_unchecked("quarantined", fact.quarantined);
    list.push_back(std::move(one));
  }
  Json value = versioned();
  value.add_unchecked("facts", std::move(list));
  value.add_unchecked("total", static_cast<std::int64_t>(facts.size()));
  return value;
}

Result<Json> panel_growth(const PanelCall&, Memory& memory) {
  using Counts = std::map<Instant, std::int64_t>;
  using Slot = std::chrono::duration<std::int64_t, std::ratio<900>>;  // no day begins within one
  const auto slots = TRY(memory.ask<Counts>([](IndexReader& reader) -> Result<Counts> {
    Counts counts;
    const auto rows = TRY(reader.rows_matching(EntryFilter{}));
    for (const RowId row : rows) {
      const auto columns = reader.columns(row);
      if (columns.at == std::numeric_limits<std::int64_t>::min()) continue;
      const Instant at{std::chrono::milliseconds(columns.at)};
      const Instant in_slot = std::chrono::floor<Slot>(at) + std::chrono::milliseconds(1);
      ++counts[std::chrono::floor<std::chrono::days>(at) == at ? at : in_slot];  // a date stays one
    }
    return counts;
  }));
  std::map<std::string, std::int64_t> days;  // as they are where this machine is
  for (const auto& [at, entries] : slots) days[named_day(memory.vault().clock(), at)] += entries;
  Json list = Json::array();
  for (const auto& [day, entries] : days) {
    Json one = Json::object();
    one.add_unchecked("day", day);
    one.add_unchecked("entries", entries);
    list.push_back(std::move(one));
  }
  Json value = versioned();
  value.add_unchecked("days", std::move(list));
  return value;
}

Result<Json> panel_questions(const PanelCall&, Memory& memory) {
  Json questions = Json::array(), corrections = Json::array();
  for (const OpenQuestion& open : TRY(open_questions(memory))) questions.push_back(TRY(question_to_json(memory.vault(), open)));
  for (const CorrectionConflict& conflict : TRY(correction_conflicts(memory))) corrections.push_back(correction_to_json(conflict));
  Json value = versioned();
  value.add_unchecked("questions", std::move(questions));
  value.add_unchecked("corrections", std::move(corrections));
  value.add_unchecked("entries", problems_to_json(TRY(entry_questions(memory))));
  value.add_unchecked("conflicts", TRY(conflicts_to_json(memory.vault())));
  return value;
}

Result<Json> panel_user_file(const PanelCall&, Memory& memory) {
  const Vault& vault = memory.vault();
  const auto bytes = TRY(read_file_if_any(vault.files(), vault.file(user_file_name)));
  const std::string user = bytes.value_or("");
  const auto use = measure_user_file(user);
  const auto injection = core_injection(TRY(read_file_if_any(vault.files(), vault.file(core_file_name))).value_or(""));
  Json core = Json::object();
  core.add_unchecked("used", static_cast<std::int64_t>(injection.characters));
  core.add_unchecked("limit", static_cast<std::int64_t>(core_injection_limit));
  core.add_unchecked("lost", injection.lost);
  Json value = versioned();
  value.add_unchecked("text", user);
  value.add_unchecked("hash", hash_of(user));
  value.add_unchecked("is_there", bytes.has_value());
  value.add_unchecked("used", static_cast<std::int64_t>(use.used));
  value.add_unchecked("limit", static_cast<std::int64_t>(use.limit));
  value.add_unchecked("lost", use.lost);
  value.add_unchecked("core", std::move(core));
  return value;
}

Result<Json> panel_undo_run(const PanelCall& call, Memory& memory) {
  const auto lock = TRY(take_consolidation_lock(memory.vault()));
  return undone_to_json(TRY(undo_run(memory, call.id)));
}

Result<Json> panel_answer(const PanelCall& call, Memory& memory) {
  const auto body = TRY(body_of(call.request));
  TRY(open_questions(memory));  // looks at the files: one may have been put right since
  const std::string answer = body.text_at("answer");
  const auto resolved = resolved_by(memory, body.text_at("file"), answer);
  const char* outcome = answer == "keep" ? "kept" : answer == "restore" ? "restored" : "merged";
  if (!resolved) return or_answered_already(memory, body, outcome, resolved.error());
  return resolved_to_json(*resolved);
}

Result<Json> panel_end_conflict(const PanelCall& call, Memory& memory) {
  const auto body = TRY(body_of(call.request));
  const std::string file = body.text_at("file"), wanted = body.text_at("action");
  const auto copies = TRY(conflict_copies(memory.vault()));
  const auto copy = std::ranges::find(copies, file, &ConflictCopy::file);
  if (copy == copies.end())
    return or_answered_already(memory, body, wanted == "remove" ? "removed" : "merged",
                               Error{ErrorCode::not_found, "'" + file + "' is no conflict file", ""});
  const char* put_in = TRY(is_chosen_whole(memory.vault(), *copy)) ? "take" : "merge";
  if (wanted != put_in && wanted != "remove")
    return fail(ErrorCode::usage, "'" + wanted + "' is no action here", put_in + std::string(" or remove"));
  return answered_to_json(file, wanted == "remove" ? TRY(remove_conflict_copy(memory, file))
                                                   : TRY(merge_conflict_copy(memory, file, Side::theirs)).act);
}

Result<Json> panel_undo_act(const PanelCall& call, Memory& memory) {
  const auto back = take_back(memory, call.id);
  if (back) return restored_to_json({{back->act.id}, {}, back->files, {}, {}});
  const auto acts = TRY(acts_of(memory.vault()));
  const auto act = std::ranges::find(acts, call.id, &Act::id);
  if (act == acts.end() || act->outcome != taken_back) return std::unexpected(back.error());
  return restored_to_json({{act->id}, {}, {}, {}, {}});
}

Result<Json> panel_write_user_file(const PanelCall& call, Memory& memory) {
  const auto body = TRY(body_of(call.request));
  const Vault& vault = memory.vault();
  const Json* given = body.find("text");
  const std::string* text = given ? given->as_string() : nullptr;
  if (!given || !(text || given->is_null())) return fail(ErrorCode::usage, R"(there is no "text" in the body)");
  const auto check_seen = [seen = body.text_at("hash")](const std::string& bytes) -> Status {
    if (hash_of(bytes) == seen) return {};
    return fail(ErrorCode::refused, "user.md has changed since you read it", "look at it again");
  };
  if (text) {
    TRY(edit_user_file(vault, [&](const std::string& bytes) -> Result<std::string> {
      TRY(check_seen(bytes));
      return *text;
    }));
  } else if (const auto bytes = TRY(read_file_if_any(vault.files(), vault.file(user_file_name)))) {
    TRY(check_seen(*bytes));
    TRY(vault.files().remove(vault.file(user_file_name)));
  }
  make_searchable(memory, {user_file_name});
  return panel_user_file(call, memory);
}

}  // namespace loci
