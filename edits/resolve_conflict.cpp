#include <algorithm>

#include "base/shell_word.h"
#include "edits/answers.h"
#include "edits/ended_elsewhere.h"
#include "edits/resolve.h"
#include "edits/seen_file.h"
#include "memory/file_changes.h"
#include "parser/core_file.h"
#include "parser/entry_edit.h"
#include "parser/parser.h"
#include "parser/text_hash.h"
#include "parser/text_lines.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/replace.h"

namespace loci {
namespace {

// What stands between the markers as theirs is ours.
bool is_turned(const Disagreement& one, std::string_view ours) {
  const auto has = [&](const std::string& text) { return !text.empty() && ours.contains(text); };
  if (one.id.empty()) return has(one.theirs) && !has(one.ours);
  const ParsedFile file = parse(ours);
  const auto found = std::ranges::find(file.entries, one.id, &ParsedEntry::id);
  if (found == file.entries.end()) return has(one.theirs) ? !has(one.ours) : one.theirs.empty() && !has(one.ours);
  return found->text == one.theirs && found->text != one.ours;
}

// The same of a whole file, by what stands in its conflicts.
bool is_turned(const ConflictSides& sides, std::string_view ours) {
  int turned = 0;
  for (const ConflictPlace& place : sides.places) {
    const auto here = std::string_view(sides.ours).substr(place.ours_begin, place.ours_end - place.ours_begin),
               there = std::string_view(sides.theirs).substr(place.theirs_begin, place.theirs_end - place.theirs_begin);
    turned += static_cast<int>(!there.empty() && ours.contains(there)) - static_cast<int>(!here.empty() && ours.contains(here));
  }
  return turned > 0;
}

ChooseSide as_seen_here(const ChooseSide& choose, const std::optional<std::string>& ours) {
  if (!ours) return choose;
  return [&choose, &ours](const Disagreement& one) -> std::optional<Side> {
    if (!is_turned(one, *ours)) return choose(one);
    const auto side = choose({one.id, one.theirs, one.ours});
    if (!side || *side == Side::both) return side;
    return *side == Side::ours ? Side::theirs : Side::ours;
  };
}

// Nobody has given it other words than those that ended, and no fact that stands says them: the side that has it had not heard of
// that.
bool has_ended(const Chronicle& logs, const SeenEntry& entry) {
  const Tombstone* end = logs.tombstone_of(entry.id);
  if (!end || !removes(*end)) return false;
  if (end->text_hash == entry.hash || end->loose == loose_text_hash(entry.text)) return true;
  return entry.as_written && !logs.says_standing_fact(entry.id, entry.hash, entry.from);
}

// What one side deleted and the other has with other words stays only if that side is chosen. The ids of those that stay.
Result<std::vector<std::string>> settle_deleted(const Vault& vault, const ConflictSides& sides, const ChooseSide& choose,
                                                MergedEntries& merged) {
  std::vector<std::string> kept;
  if (!merged.undecided.empty()) return kept;
  const auto logs = TRY(Chronicle::read(vault));
  const SeenFile ours = see_file(Place::consolidated, sides.ours), theirs = see_file(Place::consolidated, sides.theirs);
  for (const SeenEntry& entry : see_file(Place::consolidated, merged.bytes).entries) {
    const SeenEntry *our = find_seen(ours.entries, entry.id), *their = find_seen(theirs.entries, entry.id);
    if (!entry.has_metadata || (our && their) || !logs.is_removed(entry.id)) continue;
    if (has_ended(logs, entry)) {
      merged.bytes = TRY(remove_entry(merged.bytes, entry.id));
      continue;
    }
    Disagreement disagreement{entry.id, our ? our->text : std::string(), their ? their->text : std::string()};
    const auto side = choose(disagreement);
    if (!side) merged.undecided.push_back(std::move(disagreement));
    if (!side) continue;
    if (*side == Side::ours ? our : their) {
      kept.push_back(entry.id);
      // With the answer: git lets nobody else write the file before it is told of that.
      merged.bytes = TRY(resting_on_what_stands(merged.bytes, entry.id, entry.from, logs));
    } else {
      merged.bytes = TRY(remove_entry(merged.bytes, entry.id));
    }
  }
  return kept;
}

// A promoted line is one line, whatever was typed for it.
Result<std::string> reword_core_line(std::string_view bytes, const std::string& ref, std::string_view text) {
  const auto core = TRY(read_core(bytes));
  const auto found = std::ranges::find(core.lines, ref, &CoreLine::ref);
  if (found == core.lines.end()) return fail(ErrorCode::refused, "the line of '" + ref + "' is not where it was");
  std::string line;
  for (size_t begin = 0; begin < text.size(); begin = next_line(text, begin)) {
    const std::string words = as_core_line(text.substr(begin, next_line(text, begin) - begin));
    if (!words.empty()) line += (line.empty() ? "" : " ") + words;
  }
  return edit_core_lines(bytes, {{ref, found->text, NewCoreLine{ref, line}}});
}

Result<std::string> reworded(const std::string& file, std::string_view bytes, const std::string& id, const std::string& text) {
  return place_of(file) == Place::core ? reword_core_line(bytes, id, text) : replace_entry_text(bytes, id, text, KeepSum::yes);
}

}  // namespace

ConflictAnswers keep_both() {
  const Reword both = [](const Disagreement& one) -> std::optional<std::string> {
    if (one.id.empty()) return std::nullopt;                                   // the one stands behind the other
    if (one.ours.empty() || one.theirs.empty()) return one.ours + one.theirs;  // deleted on the other side
    return one.ours + "\n\n" + one.theirs;
  };
  return {[](const Disagreement&) { return Side::both; }, both};
}

Result<Resolved> merge_conflicts(Memory& memory, const std::string& file, const ConflictAnswers& answers) {
  const Vault& vault = memory.vault();
  std::vector<std::pair<std::string, std::string>> typed;  // id, text
  bool counts = false;
  const ChooseSide seen_here = as_seen_here(answers.choose, answers.ours);
  const ChooseSide choose = [&](const Disagreement& one) -> std::optional<Side> {
    counts = true;
    auto text = answers.reword ? answers.reword(one) : std::nullopt;
    if (!text) return seen_here(one);
    typed.emplace_back(one.id, std::move(*text));
    return one.ours.empty() ? Side::theirs : Side::ours;
  };
  const Reword reword_words = [&](const Disagreement& one) {
    counts = true;
    return answers.reword ? answers.reword(one) : std::nullopt;
  };
  const auto bytes = TRY(read_file(vault.files(), vault.file(file)));
  if (!parse(bytes).held)
    return fail(ErrorCode::not_found, "nothing about '" + file + "' waits for an answer", "'loci resolve' lists what does");
  auto sides = sides_of_conflict(bytes);
  if (!sides)
    return fail(ErrorCode::refused, "git's conflict markers in " + file + " cannot be told apart from its text", "edit it by hand");
  const bool takes_all = answers.whole && place_of(file) == Place::note;
  const auto words = takes_all ? std::vector<Disagreement>{} : settle_words(*sides, seen_here, reword_words);
  const bool takes_first = takes_all && (*answers.whole == Side::ours) != (answers.ours && is_turned(*sides, *answers.ours));
  auto merged = takes_all ? MergedEntries{takes_first ? sides->ours : sides->theirs, {}}
                          : TRY(merge_entries(sides->ours, sides->theirs, sides->base, choose));
  const auto kept = takes_all ? std::vector<std::string>{} : TRY(settle_deleted(vault, *sides, choose, merged));
  merged.undecided.insert(merged.undecided.begin(), words.begin(), words.end());
  Resolved resolved{file, {}, {}, {}, std::move(merged.undecided), false, {}};
  if (!resolved.undecided.empty()) return resolved;
  if (answers.must_count && !counts && !takes_all)
    return fail(ErrorCode::refused, "nothing in " + file + " says two things: the answer would count for nothing",
                "'loci resolve " + shell_word(file) + "' alone puts both sides together");
  for (const auto& [id, text] : typed) merged.bytes = TRY(reworded(file, merged.bytes, id, text));
  GivenAnswer answer{"merged", {TRY(file_before(vault, file))}};
  if (auto replaced = replace_file(vault, file, bytes, merged.bytes, sleep_pause, DuringGit::go_ahead); !replaced)
    return std::unexpected(replaced.error());
  resolved.rewritten = true;
  resolved.searchable = make_searchable(memory, {file});
  for (const std::string& id : kept) {  // that it counts has been said
    const auto said = answer_about_entry(memory, id, true);
    if (!said && said.error().code != ErrorCode::not_found) return std::unexpected(said.error());
    if (said) answer.counted.push_back(id);
  }
  resolved.act = TRY(keep_answer(vault, answer));
  return resolved;
}

}  // namespace loci
