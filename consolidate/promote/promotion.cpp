#include "consolidate/promote/promotion.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <tuple>

#include "base/unicode.h"
#include "consolidate/decide/prompts.h"
#include "memory/promoted_lines.h"
#include "model/fence.h"
#include "model/json_answer.h"
#include "parser/core_file.h"
#include "parser/parser.h"
#include "parser/shared_words.h"
#include "parser/text_hash.h"
#include "parser/text_lines.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/change_file.h"
#include "vault/rewrite/versions.h"
#include "words/meaning.h"
#include "words/orders.h"
#include "words/text_words.h"

namespace loci {
namespace {

constexpr std::int64_t days_that_count = 2;  // of being recalled
constexpr size_t most_offered = 400;         // entries that a model sees
constexpr size_t most_offered_bytes = 60'000;

RecallCount recalled(const PromotionInput& input, const std::string& id) {
  const auto found = input.recalls.by_id.find(id);
  return found == input.recalls.by_id.end() ? RecallCount{} : found->second;
}

bool can_stand(const PromotedLine& line) { return fits_core_line(line.ref, line.text); }

// Lines as they are chosen, within the limits. Two entries may say the same; it is shown once.
class Choice {
 public:
  explicit Choice(size_t most_lines) : most_lines_(most_lines) {}

  void add(PromotedLine line) {
    const size_t characters = count_code_points(line.text);
    const bool is_known = std::ranges::find(lines_, line.text, &PromotedLine::text) != lines_.end();
    if (is_known || !can_stand(line) || lines_.size() == most_lines_ || characters_ + characters > most_promoted_characters) return;
    characters_ += characters;
    lines_.push_back(std::move(line));
  }
  std::vector<PromotedLine> take() { return std::move(lines_); }

 private:
  size_t most_lines_, characters_ = 0;
  std::vector<PromotedLine> lines_;
};

bool is_barred(const PromotionInput& input, const DurableEntry& entry) {
  return std::ranges::any_of(input.barred, [&](const std::string& one) { return one == entry.id || one == entry.hash; });
}

// Why an entry stands in every prompt where no model chooses. What is none of these waits until it is looked up.
enum class Reason : std::uint8_t { none, shown_already, preference, recalled_often, order_or_correction };

Reason reason_for(const PromotionInput& input, const DurableEntry& entry) {
  const bool is_persons = entry.source >= Source::user;
  if (entry.source == Source::correction || (is_persons && is_standing_order(entry.text))) return Reason::order_or_correction;
  if (recalled(input, entry.id).days >= days_that_count) return Reason::recalled_often;
  if (is_persons && tells_preference(entry.text)) return Reason::preference;
  return std::ranges::find(input.shown, entry.id) != input.shown.end() ? Reason::shown_already : Reason::none;
}

// Of two that contradict each other, the older: what is said in every prompt is said of now.
std::set<std::string_view> contradicted(const PromotionInput& input) {
  std::set<std::string_view> older;
  for (const DurableEntry& entry : input.entries) {
    const auto other = std::ranges::find(input.entries, entry.state.against, &DurableEntry::id);
    if (entry.state.against.empty() || other == input.entries.end()) continue;
    older.insert(other->updated > entry.updated ? entry.id : other->id);
  }
  return older;
}

// Those that may be promoted, the most wanted first.
std::vector<const DurableEntry*> ranked(const PromotionInput& input) {
  const auto older = contradicted(input);
  std::vector<const DurableEntry*> entries;
  for (const DurableEntry& entry : input.entries)
    if (!is_barred(input, entry) && !entry.is_private && !older.contains(entry.id)) entries.push_back(&entry);
  const auto rank = [&](const DurableEntry* entry) {
    const RecallCount count = recalled(input, entry->id);
    return std::tuple(reason_for(input, *entry), count.days, count.times, entry->source, std::string_view(entry->updated));
  };
  std::ranges::sort(entries, [&](const DurableEntry* a, const DurableEntry* b) {
    const auto first = rank(a), second = rank(b);
    return first != second ? first > second : a->id < b->id;
  });
  return entries;
}

std::vector<const DurableEntry*> offered(const PromotionInput& input) {
  auto entries = ranked(input);
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
  Choice choice(input.most_lines);
  for (const DurableEntry* entry : ranked(input))
    if (reason_for(input, *entry) != Reason::none) choice.add({entry->id, as_core_line(entry->text)});
  return choice.take();
}

bool is_anything_offered(const PromotionInput& input) { return !offered(input).empty(); }

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
          .input = (input.today.empty() ? "" : "Today is " + input.today + ". ") + "At most " + std::to_string(input.most_lines) +
                   " lines and " + std::to_string(most_promoted_characters) + " characters in all.\n\n" + fence("entries", records),
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
  Choice choice(input.most_lines);
  for (const Json& one : *list->as_array()) {
    const std::string *id = one.string_at("id"), *text = one.string_at("text");
    if (!id) continue;
    const auto entry = known.find(*id);
    if (entry == known.end() || !seen.insert(entry->first).second) continue;
    PromotedLine line{*id, text ? as_core_line(*text) : std::string()};
    if (!can_stand(line) || !is_shorter_wording(reader, line.text, entry->second->text))
      line.text = as_core_line(entry->second->text);
    choice.add(std::move(line));
  }
  return choice.take();
}

namespace {

struct CoreChange {
  std::string bytes;
  std::vector<PromotedLine> lines;   // that stand there now
  std::vector<std::string> dropped;  // refs whose lines do not any more
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

Result<CoreChange> with_lines(const Chronicle& chronicle, std::string_view file, const std::vector<PromotedLine>& wanted,
                              size_t most, const std::set<std::string>& to_leave) {
  const auto core = TRY(read_core(file));
  std::vector<std::string> replaced;
  std::set<std::string> kept;  // a person reworded them, or is asked: what that means is found out elsewhere
  size_t others = 0;
  for (const CoreLine& line : core.lines) {
    if (line.ref.empty()) {
      ++others;
    } else if (!to_leave.contains(line.ref) && chronicle.has_promoted(line.ref, stored_text_hash(line.text))) {
      replaced.push_back(line.ref);
    } else {
      kept.insert(line.ref);
    }
  }
  std::erase_if(replaced, [&](const std::string& ref) { return kept.contains(ref); });  // a copy of a line is the person's, too
  std::set<std::string> said;                                                           // by lines that stay
  for (const CoreLine& line : core.lines)
    if (line.ref.empty() || kept.contains(line.ref)) said.insert(loose_text_hash(line.text));
  std::vector<NewCoreLine> lines;
  for (const PromotedLine& line : wanted) {
    const bool has_place = !kept.contains(line.ref) && !to_leave.contains(line.ref) && !said.contains(loose_text_hash(line.text));
    if (has_place && lines.size() + kept.size() + others < most) lines.push_back({line.ref, line.text});
  }
  lines = that_fit(file, replaced, lines);
  auto bytes = TRY(replace_core_lines(file, replaced, lines));
  CoreChange change{std::move(bytes), {}, {}};
  for (const NewCoreLine& line : lines) change.lines.push_back({line.ref, line.text});
  std::ranges::copy_if(replaced, std::back_inserter(change.dropped),
                       [&](const std::string& ref) { return std::ranges::find(lines, ref, &NewCoreLine::ref) == lines.end(); });
  return change;
}

PromotedLines ledger_line(const CoreChange& change, const Vault& vault, const std::string& run, std::int64_t generation) {
  PromotedLines promoted{generation, run, vault.clock().now(), {}, change.dropped};
  for (const PromotedLine& line : change.lines) promoted.lines.emplace_back(line.ref, stored_text_hash(line.text));
  return promoted;
}

}  // namespace

Status check_no_conflict(std::string_view core_file) {
  const ParsedFile parsed = parse(core_file);
  if (std::ranges::find(parsed.problems, "conflict-markers", &ParseProblem::code) == parsed.problems.end()) return {};
  return fail(ErrorCode::refused, "git's conflict markers stand in it: 'loci resolve MEMORY.md' puts both sides together");
}

Result<bool> write_promotion(const Vault& vault, const std::vector<PromotedLine>& lines, const std::string& run,
                             std::int64_t generation, const std::set<std::string>& to_leave) {
  const auto most = static_cast<size_t>(vault.config().consolidation.memory_max_lines);
  const auto change = [&](std::string_view file) -> Result<std::string> {
    TRY(check_no_conflict(file));
    if (!TRY(is_understood(vault, core_file_name, file)))
      return fail(ErrorCode::refused, "somebody has just saved it", "the next run writes it");
    const auto chronicle = TRY(Chronicle::read(vault));
    auto with_core = TRY(with_lines(chronicle, file, lines, most, to_leave));
    // The ledger first: a line that stands in the file and in no promotion would be taken for a person's.
    if (with_core.bytes != file) TRY(append_promotion(vault, ledger_line(with_core, vault, run, generation)));
    return std::move(with_core.bytes);
  };
  auto changed = change_file(vault, core_file_name, change);
  if (!changed && changed.error().code == ErrorCode::not_found) return false;  // a person who wants no core has no MEMORY.md
  return changed;
}

}  // namespace loci
