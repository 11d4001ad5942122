#include "consolidate/decide/second_reading.h"

#include <algorithm>

#include "consolidate/decide/decision_view.h"
#include "consolidate/decide/prompts.h"
#include "consolidate/decide/request_parts.h"
#include "model/fence.h"
#include "model/json_answer.h"

namespace loci {
namespace {

using Kind = Operation::Kind;

std::string said(std::string_view text, Source source, std::string_view date) {
  return "{\"text\":" + fenced(text) + said_when(source, date) + "}";
}

std::string listed(const std::vector<std::string>& items) {
  std::string list;
  for (const std::string& item : items) list.append(list.empty() ? "" : ",").append(item);
  return "[" + list + "]";
}

// The text that stays where a fact is called a duplicate.
std::string kept_text(const Decision& decision, const Operation& duplicate, const Material& material) {
  for (const Operation& other : decision.operations) {
    const bool is_home = duplicate.same_as_fact ? std::ranges::find(other.facts, *duplicate.same_as_fact) != other.facts.end()
                                                : other.kind == Kind::replace && other.target == duplicate.same_as_entry;
    if (is_home && DecisionView::writes_text(other)) return other.text;
  }
  return duplicate.same_as_fact ? material.facts[*duplicate.same_as_fact].text : material.entries[*duplicate.same_as_entry].text;
}

std::string line_of(const OperationToRead& read, size_t number, const Material& material) {
  const Operation& operation = read.decision->operations[read.operation];
  const bool is_duplicate = operation.kind == Kind::duplicate;
  std::vector<std::string> facts, before;
  for (const size_t fact : operation.facts)
    facts.push_back(said(material.facts[fact].text, material.facts[fact].source, material.facts[fact].day));
  const auto add_entry = [&](size_t index) {
    const DurableEntry& entry = material.entries[index];
    before.push_back(said(entry.text, entry.source, day_of(entry)));
  };
  if (operation.target) add_entry(*operation.target);
  for (const Operation& other : read.decision->operations)
    if (operation.kind == Kind::replace && other.kind == Kind::remove && other.into == operation.target) add_entry(*other.target);
  std::string kind = is_duplicate                  ? "DUPLICATE"
                     : operation.kind == Kind::add ? "ADD"
                     : operation.is_correction     ? "CORRECT"
                                                   : "CHANGE";
  const std::string text = is_duplicate ? kept_text(*read.decision, operation, material) : operation.text;
  return "{\"op\":" + std::to_string(number) + ",\"kind\":\"" + kind + "\",\"facts\":" + listed(facts) +
         ",\"before\":" + listed(before) + (is_duplicate ? ",\"kept\":" : ",\"text\":") + fenced(text) + "}\n";
}

bool is_worded_anew(const Decision& decision, const Operation& operation, const Material& material) {
  const auto is_same = [&](const std::string& text) {
    return std::ranges::all_of(operation.facts, [&](size_t fact) { return material.facts[fact].text == text; });
  };
  if (operation.kind == Kind::duplicate) return !is_same(kept_text(decision, operation, material));
  return operation.kind == Kind::replace || (operation.kind == Kind::add && !is_same(operation.text));
}

}  // namespace

std::vector<OperationToRead> operations_to_read(const Decision& decision, const Material& material) {
  std::vector<OperationToRead> found;
  for (size_t i = 0; i < decision.operations.size(); ++i)
    if (is_worded_anew(decision, decision.operations[i], material)) found.push_back({&decision, i});
  return found;
}

std::vector<std::vector<OperationToRead>> portions_to_read(const std::vector<OperationToRead>& operations,
                                                           const Material& material) {
  std::vector<std::vector<OperationToRead>> portions;
  size_t characters = 0;
  for (const OperationToRead& one : operations) {
    const size_t more = line_of(one, portions.empty() ? 1 : portions.back().size() + 1, material).size();
    if (portions.empty() || portions.back().size() == most_read_operations || characters + more > most_read_characters) {
      portions.emplace_back();
      characters = 0;
    }
    portions.back().push_back(one);
    characters += more;
  }
  return portions;
}

ModelRequest verify_request(const std::vector<OperationToRead>& operations, const Material& material) {
  std::string lines;
  for (size_t i = 0; i < operations.size(); ++i) lines += line_of(operations[i], i + 1, material);
  ModelRequest request;
  request.task = verify_prompt_version;
  request.instructions = prompt_named("verify-2.md");
  request.input = fence("operations", lines);
  request.schema = object_schema(
      {{"problems", list_of(object_schema({{"op", typed("integer")},
                                           {"what", one_of({"says more", "drops something", "other person or thing",
                                                            "other time or order of times", "certainty changed", "negation changed",
                                                            "order made a habit", "belongs to different things"})},
                                           {"why", typed("string")}}))}});
  return request;
}

Result<Violations> parse_problems(std::string_view answer, size_t operations) {
  constexpr std::string_view names[] = {"problems"};
  const auto refuse = [](const char* what) { return fail(ErrorCode::refused, std::string("the second reading ") + what); };
  const auto json = TRY(find_json_answer(answer, names));
  const Json::Array* list = json.find(names[0])->as_array();
  if (!list) return refuse("is no list of problems");
  Violations problems(operations);
  for (const Json& one : *list) {
    const Json *number = one.find("op"), *what = one.find("what"), *why = one.find("why");
    if (!number || !number->as_integer() || !what || !what->as_string() || !why || !why->as_string())
      return refuse("has a problem of another shape");
    const std::int64_t n = *number->as_integer();
    if (n < 1 || static_cast<std::uint64_t>(n) > operations) return refuse("names an operation that there is not");
    problems[static_cast<size_t>(n) - 1].push_back(*what->as_string() +
                                                   (why->as_string()->empty() ? "" : ": " + *why->as_string()));
  }
  return problems;
}

}  // namespace loci
