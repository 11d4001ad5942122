#include "edits/doubtful.h"

#include <algorithm>
#include <optional>

#include "edits/seen_file.h"
#include "parser/core_file.h"
#include "parser/entry_edit.h"
#include "parser/parser.h"
#include "parser/text_hash.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/change_file.h"

namespace loci {
namespace {

// The line between the markers that has these words and shows nothing; none if it is not there.
std::optional<ParsedEntry> line_of_words(std::string_view file, const Act& act) {
  const auto core = read_core(file);
  if (!core) return std::nullopt;
  const auto line = std::ranges::find_if(
      core->lines, [&](const CoreLine& one) { return one.ref.empty() && stored_text_hash(one.text) == act.hash_after; });
  if (line == core->lines.end()) return std::nullopt;
  const ParsedFile parsed = parse(file);
  const auto entry = std::ranges::find(parsed.entries, line->line, &ParsedEntry::line);
  return entry == parsed.entries.end() ? std::nullopt : std::optional(*entry);
}

std::optional<ParsedEntry> line_of_words(const Vault& vault, const Act& act) {
  const auto bytes = read_file_if_any(vault.files(), vault.file(core_file_name));
  return bytes && *bytes ? line_of_words(**bytes, act) : std::nullopt;
}

bool stands_in_its_file(const Vault& vault, const Act& act) {
  const auto bytes = read_file_if_any(vault.files(), vault.file(act.file));
  return bytes && *bytes && find_seen(see_file(place_of(act.file), **bytes).entries, act.entry);
}

bool stands_still(const Vault& vault, const Chronicle& logs, const Act& act) {
  if (is_of_words(act)) return line_of_words(vault, act).has_value();
  if (act.outcome == taken_out) return !stands_in_its_file(vault, act);
  if (act.outcome == "deleted") return logs.is_removed(act.entry) && !stands_in_its_file(vault, act);  // or that is asked about
  return act.outcome == "waits" || (act.outcome == "demoted" && logs.explains_line_removal(act.entry));
}

Problem problem_of_words(const Act& act, const ParsedEntry& line) {
  return {act.file,
          line.line,
          "edited-after-forget",
          "'" + line.id + "' is a line that you reworded, and the entry that it showed, '" + act.entry +
              "', had been forgotten or corrected: your words stand as a line of your own; 'loci resolve " + line.id +
              " --keep' says that they count, '--restore' takes them out",
          {line.id}};
}

Problem problem_of(const Vault& vault, const Act& act) {
  if (const auto line = is_of_words(act) ? line_of_words(vault, act) : std::nullopt) return problem_of_words(act, *line);
  return {act.file,
          0,
          "perhaps-old-buffer",
          "the file was saved as it had been before '" + act.entry +
              "' came: that counts as taken out, and may have been an editor's old buffer; 'loci restore " + act.id +
              "' puts it back, 'loci resolve " + act.entry + " --keep' says that it was meant",
          {act.entry}};
}

}  // namespace

Result<std::vector<Act>> doubtful_acts(const Vault& vault) {
  auto acts = TRY(acts_of(vault));
  std::erase_if(acts, [](const Act& act) { return !act.doubtful; });
  if (acts.empty()) return acts;
  const auto logs = TRY(Chronicle::read(vault));
  std::erase_if(acts, [&](const Act& act) { return !stands_still(vault, logs, act); });
  return acts;
}

void add_doubtful_acts(const Vault& vault, std::vector<Problem>& problems) {
  const auto acts = doubtful_acts(vault);
  if (!acts) return;
  for (const Act& act : *acts) problems.push_back(problem_of(vault, act));
}

bool is_of_words(const Act& act) { return act.outcome == "theirs"; }

std::string id_in_question(const Vault& vault, const Act& act) {
  const auto line = is_of_words(act) ? line_of_words(vault, act) : std::nullopt;
  return line ? line->id : act.entry;
}

Status take_words_out(const Vault& vault, const Act& act) {
  TRY(change_file(vault, act.file, [&](std::string_view bytes) -> Result<std::string> {
    const auto line = line_of_words(bytes, act);
    return line ? remove_entry(bytes, line->id) : std::string(bytes);
  }));
  return log_outcome(vault, act.id, "taken back");
}

Status note_that_all_were_meant(const Vault& vault, const std::string& entry) {
  for (const Act& act : TRY(acts_of(vault)))
    if (act.doubtful && act.entry == entry) TRY(note_that_it_was_meant(vault, act));
  return {};
}

Status note_that_it_was_meant(const Vault& vault, Act act) {
  act.doubtful = false;
  return log_act(vault, act);
}

}  // namespace loci
