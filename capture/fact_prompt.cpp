#include "capture/fact_prompt.h"

#include <algorithm>
#include <array>

#include "base/unicode.h"
#include "capture/prompts.h"
#include "capture/said_lines.h"
#include "model/fence.h"
#include "model/json_answer.h"

namespace loci {
namespace {

constexpr size_t most_keys = 5, longest_key = 40;
constexpr std::int64_t most_answer_tokens = 4'096;

Json object_schema(Json::Object properties) {
  Json required = Json::array();
  for (const auto& [name, schema] : properties) required.push_back(name);
  return Json(Json::Object{{"type", "object"},
                           {"properties", Json(std::move(properties))},
                           {"required", std::move(required)},
                           {"additionalProperties", false}});
}

Json typed(std::string_view type) { return Json(Json::Object{{"type", type}}); }
Json list_of(Json items) { return Json(Json::Object{{"type", "array"}, {"items", std::move(items)}}); }

Json facts_schema(bool with_turn) {
  Json::Object fact;
  if (with_turn) fact.emplace_back("turn", typed("integer"));
  fact.emplace_back("text", typed("string"));
  fact.emplace_back("about", list_of(typed("string")));
  fact.emplace_back("kind", Json(Json::Object{{"type", "string"}, {"enum", Json::Array{"fact", "preference", "correction"}}}));
  fact.emplace_back("corrects", typed("integer"));
  fact.emplace_back("quote", typed("string"));
  return object_schema({{"facts", list_of(object_schema(std::move(fact)))}});
}

std::string known_lines(const std::vector<KnownFact>& known) {
  std::string lines;
  for (size_t i = 0; i < known.size(); ++i)
    lines += "{\"n\":" + std::to_string(i + 1) + (known[i].day.empty() ? "" : ",\"date\":\"" + with_weekday(known[i].day) + '"') +
             ",\"text\":" + fenced(known[i].text) + "}\n";
  return lines;
}

std::unexpected<Error> unusable(const std::string& why) {
  return fail(ErrorCode::remote, "the model's answer cannot be used: " + why, "nothing of it was stored; try again");
}

std::optional<ProposedFact::Kind> kind_named(std::string_view name) {
  if (name == "fact") return ProposedFact::Kind::fact;
  if (name == "preference") return ProposedFact::Kind::preference;
  if (name == "correction") return ProposedFact::Kind::correction;
  return std::nullopt;
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos; }

Result<std::vector<std::string>> parse_about(const Json* value) {
  if (!value || !value->as_array()) return unusable("\"about\" is no list");
  std::vector<std::string> about;
  for (const Json& key : *value->as_array()) {
    if (!key.as_string()) return unusable("\"about\" holds something that is no text");
    const std::string& text = *key.as_string();
    // A hint for finding, and no more: one too many or too long is left out.
    if (about.size() < most_keys && !is_blank(text) && count_code_points(text) <= longest_key && !text.contains('\n'))
      about.push_back(text);
  }
  return about;
}

Status check_text(const std::string& text) {
  if (is_blank(text)) return unusable("a fact is blank");
  if (count_code_points(text) > longest_proposed_fact) return unusable("a fact is longer than 1,000 characters");
  if (text.contains('\0')) return unusable("a fact holds a NUL");
  if (text.contains("<!--m") || text.contains("<!--/m")) return unusable("a fact holds metadata");
  return {};
}

// 0 names none, and so does an answer that leaves it out.
Result<std::optional<KnownFact>> parse_corrected(const Json* value, const std::vector<KnownFact>& known) {
  if (!value) return std::nullopt;
  if (!value->as_integer()) return unusable("\"corrects\" is no number");
  const std::int64_t number = *value->as_integer();
  if (number < 0 || static_cast<size_t>(number) > known.size()) return unusable("a fact corrects one that was not shown");
  return number == 0 ? std::nullopt : std::optional(known[static_cast<size_t>(number) - 1]);
}

Result<ProposedFact> parse_fact(const Json& value, const std::vector<KnownFact>& known, const std::set<std::int64_t>& turns) {
  const size_t fields = (turns.empty() ? 4 : 5) + (value.find("corrects") ? 1 : 0);
  const std::string *text = value.string_at("text"), *kind = value.string_at("kind"), *quote = value.string_at("quote");
  if (!value.as_object() || value.as_object()->size() != fields || !text || !kind || !quote)
    return unusable("a fact has other fields than were asked for");
  ProposedFact fact{.turn = 0, .text = *text, .about = {}, .quote = *quote};
  if (!turns.empty()) {
    const Json* turn = value.find("turn");
    if (!turn || !turn->as_integer() || !turns.contains(*turn->as_integer()))
      return unusable("a fact names a turn that was not shown");
    fact.turn = *turn->as_integer();
  }
  const auto named = kind_named(*kind);
  if (!named) return unusable("a fact has an unknown kind");
  fact.kind = *named;
  TRY(check_text(fact.text));
  auto about = TRY(parse_about(value.find("about")));
  fact.about = std::move(about);
  auto corrected = TRY(parse_corrected(value.find("corrects"), known));
  fact.corrects = std::move(corrected);
  return fact;
}

}  // namespace

ModelRequest extract_request(std::string_view said, const std::vector<KnownFact>& known) {
  return {.task = "extract/2",
          .instructions = capture_prompt("extract-2.md"),
          .input = fence("turn", said) + fence("known", known_lines(known)),
          .schema = facts_schema(false),
          .max_output_tokens = most_answer_tokens};
}

ModelRequest gap_fill_request(std::string_view said, const std::vector<KnownFact>& known) {
  return {.task = "gap-fill/2",
          .instructions = capture_prompt("gap-fill-2.md"),
          .input = fence("conversation", said) + fence("known", known_lines(known)),
          .schema = facts_schema(true),
          .max_output_tokens = most_answer_tokens};
}

Result<std::vector<ProposedFact>> parse_facts(std::string_view answer, const std::vector<KnownFact>& known,
                                              const std::set<std::int64_t>& turns) {
  constexpr std::array<std::string_view, 1> keys = {"facts"};
  const auto object = find_json_answer(answer, keys);
  if (!object) return unusable(object.error().message);
  const Json* list = object->find("facts");
  if (!list->as_array() || object->as_object()->size() != 1) return unusable("it has other fields than were asked for");
  if (list->as_array()->size() > most_proposed_facts)
    return unusable("it has more than " + std::to_string(most_proposed_facts) + " facts");
  std::vector<ProposedFact> facts;
  for (const Json& value : *list->as_array()) {
    auto fact = TRY(parse_fact(value, known, turns));
    facts.push_back(std::move(fact));
  }
  return facts;
}

}  // namespace loci
