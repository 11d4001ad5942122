#include "consolidate/promotion.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <tuple>

#include "base/unicode.h"
#include "consolidate/meaning.h"
#include "consolidate/prompts.h"
#include "consolidate/text_words.h"
#include "edits/log_evidence.h"
#include "model/fence.h"
#include "model/json_answer.h"
#include "parser/core_file.h"
#include "parser/shared_words.h"
#include "parser/text_hash.h"
#include "parser/text_lines.h"
#include "vault/logs/logs.h"
#include "vault/rewrite/change_file.h"

namespace loci {
namespace {

constexpr size_t longest_line = 400;         // characters; what is longer would push the rest out of the prompt
constexpr std::int64_t days_that_count = 2;  // of being recalled
constexpr size_t most_offered = 400;         // entries that a model sees
constexpr size_t most_offered_bytes = 60'000;

RecallCount recalled(const PromotionInput& input, const std::string& id) {
  const auto found = input.recalls.by_id.find(id);
  return found == input.recalls.by_id.end() ? RecallCount{} : found->second;
}

// One line, white space collapsed, without a bullet of its own.
std::string as_one_line(std::string_view text) {
  text.remove_prefix(list_marker(text).size());
  std::string line;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!is_space) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

bool can_stand(const PromotedLine& line) {
  return !line.text.empty() && count_code_points(line.text) <= longest_line && can_be_core_line({line.ref, line.text});
}

bool is_barred(const PromotionInput& input, const std::string& id) {
  return std::ranges::find(input.barred, id) != input.barred.end();
}

// Those that may be promoted, the most wanted first.
std::vector<const DurableEntry*> ranked(const PromotionInput& input) {
  std::vector<const DurableEntry*> entries;
  for (const DurableEntry& entry : input.entries)
    if (!is_barred(input, entry.id)) entries.push_back(&entry);
  const auto rank = [&](const DurableEntry* entry) {
    return std::tuple(recalled(input, entry->id).times, entry->source, entry->updated);
  };
  std::ranges::sort(entries, [&](const DurableEntry* a, const DurableEntry* b) {
    const auto first = rank(a), second = rank(b);
    return first != second ? first > second : a->id < b->id;
  });
  return entries;
}

bool is_worth_it(const PromotionInput& input, const DurableEntry& entry) {
  return entry.source >= Source::user || recalled(input, entry.id).days >= days_that_count;
}

std::vector<const DurableEntry*> offered(const PromotionInput& input) {
  auto entries = ranked(input);
  std::erase_if(entries, [](const DurableEntry* entry) { return entry->is_private; });
  if (entries.size() > most_offered) entries.resize(most_offered);
  size_t bytes = 0;
  const auto beyond =
      std::ranges::find_if(entries, [&](const DurableEntry* entry) { return (bytes += entry->text.size()) > most_offered_bytes; });
  entries.erase(beyond, entries.end());
  return entries;
}

// A shorter wording leaves words out; it adds none, function words included.
bool is_shorter_wording(WordReader& reader, const std::string& line, const std::string& entry) {
  return shared_words(line, entry) == 1.0 && says_no_more(reader, reader.read(line), reader.read(entry));
}

Json promotion_schema() {
  return *parse_json(R"({"type":"object","additionalProperties":false,"required":["lines"],"properties":{"lines":{"type":"array",
    "items":{"type":"object","additionalProperties":false,"required":["id","text"],
    "properties":{"id":{"type":"string"},"text":{"type":["string","null"]}}}}}})");
}

}  // namespace

std::vector<PromotedLine> builtin_promotion(const PromotionInput& input) {
  std::vector<PromotedLine> lines;
  for (const DurableEntry* entry : ranked(input)) {
    if (lines.size() == input.most_lines) break;
    if (!is_worth_it(input, *entry)) continue;
    PromotedLine line{entry->id, as_one_line(entry->text)};
    if (can_stand(line)) lines.push_back(std::move(line));
  }
  return lines;
}

ModelRequest promotion_request(const PromotionInput& input) {
  std::string records;
  for (const DurableEntry* entry : offered(input)) {
    const RecallCount count = recalled(input, entry->id);
    records += R"({"id":)" + fenced(entry->id) + R"(,"text":)" + fenced(entry->text) + R"(,"source":)" +
               fenced(name_of(entry->source)) + R"(,"updated":)" + fenced(entry->updated) + R"(,"recalled":)" +
               std::to_string(count.times) + R"(,"days":)" + std::to_string(count.days) + R"(,"queries":)" +
               std::to_string(count.queries) + R"(,"last":)" + fenced(count.last) + "}\n";
  }
  return {.task = "promote/1",
          .instructions = prompt_named("promote-1.md"),
          .input = "At most " + std::to_string(input.most_lines) + " lines.\n\n" + fence("entries", records),
          .schema = promotion_schema()};
}

Result<std::vector<PromotedLine>> parse_promotion(std::string_view answer, const PromotionInput& input) {
  constexpr std::string_view keys[] = {"lines"};
  const auto json = TRY(find_json_answer(answer, keys));
  const Json* list = json.find("lines");
  if (!list->as_array()) return fail(ErrorCode::refused, "the answer's \"lines\" are no array");
  std::map<std::string_view, const DurableEntry*> known;
  for (const DurableEntry* entry : offered(input)) known.emplace(entry->id, entry);
  std::set<std::string_view> seen;
  WordReader reader;
  std::vector<PromotedLine> lines;
  for (const Json& one : *list->as_array()) {
    const std::string *id = one.string_at("id"), *text = one.string_at("text");
    if (!id || lines.size() == input.most_lines) continue;
    const auto entry = known.find(*id);
    if (entry == known.end() || !seen.insert(entry->first).second) continue;
    PromotedLine line{*id, text ? as_one_line(*text) : std::string()};
    if (!can_stand(line) || !is_shorter_wording(reader, line.text, entry->second->text))
      line.text = as_one_line(entry->second->text);
    if (can_stand(line)) lines.push_back(std::move(line));
  }
  return lines;
}

namespace {

struct CoreChange {
  std::string bytes;
  std::vector<PromotedLine> lines;  // that stand there now
};

// As many of the lines as the file has room for, in the lines and characters that are injected.
std::vector<NewCoreLine> that_fit(std::string_view file, const std::vector<std::string>& refs,
                                  const std::vector<NewCoreLine>& lines) {
  std::vector<NewCoreLine> taken;
  const auto without = remove_core_lines(file, refs);
  if (!without) return taken;
  size_t characters = core_injection(*without).characters + 2;  // the blank line in front of the core
  for (const NewCoreLine& line : lines) {
    characters += count_code_points(line.text) + 3;  // bullet, blank, line end
    if (characters > core_injection_limit) break;
    taken.push_back(line);
  }
  return taken;
}

Result<CoreChange> with_lines(const LogEvidence& evidence, std::string_view file, const std::vector<PromotedLine>& wanted,
                              size_t most) {
  const auto core = TRY(read_core(file));
  std::vector<std::string> replaced;
  std::set<std::string> kept;  // a person reworded them: what that means is found out elsewhere
  size_t others = 0;
  for (const CoreLine& line : core.lines) {
    if (line.ref.empty()) {
      ++others;
    } else if (evidence.explains_line(line.ref, stored_text_hash(line.text))) {
      replaced.push_back(line.ref);
    } else {
      kept.insert(line.ref);
    }
  }
  std::vector<NewCoreLine> lines;
  for (const PromotedLine& line : wanted)
    if (!kept.contains(line.ref) && lines.size() + kept.size() + others < most) lines.push_back({line.ref, line.text});
  lines = that_fit(file, replaced, lines);
  auto bytes = TRY(replace_core_lines(file, replaced, lines));
  CoreChange change{std::move(bytes), {}};
  for (const NewCoreLine& line : lines) change.lines.push_back({line.ref, line.text});
  return change;
}

PromotedLines ledger_line(const CoreChange& change, const Vault& vault, const std::string& run, std::int64_t generation) {
  PromotedLines promoted{generation, run, vault.clock().now(), {}};
  for (const PromotedLine& line : change.lines) promoted.lines.emplace_back(line.ref, stored_text_hash(line.text));
  return promoted;
}

}  // namespace

Result<bool> write_promotion(const Vault& vault, const std::vector<PromotedLine>& lines, const std::string& run,
                             std::int64_t generation) {
  const auto most = static_cast<size_t>(vault.config().consolidation.memory_max_lines);
  const auto change = [&](std::string_view file) -> Result<std::string> {
    const auto evidence = TRY(LogEvidence::read(vault));
    auto with_core = TRY(with_lines(evidence, file, lines, most));
    // The ledger first: a line that stands in the file and in no promotion would be taken for a person's.
    if (with_core.bytes != file) TRY(append_promotion(vault, ledger_line(with_core, vault, run, generation)));
    return std::move(with_core.bytes);
  };
  auto changed = change_file(vault, core_file_name, change);
  if (!changed && changed.error().code == ErrorCode::not_found) return false;  // a person who wants no core has no MEMORY.md
  return changed;
}

}  // namespace loci
