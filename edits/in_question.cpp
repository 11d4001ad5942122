#include "edits/in_question.h"

#include <algorithm>

#include "edits/edit_state.h"
#include "edits/understand.h"
#include "parser/conflict_lines.h"
#include "parser/parser.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/versions.h"

namespace loci {

namespace {

Result<std::set<std::string>> facts_in_conflict(Memory& memory) {
  const Vault& vault = memory.vault();
  std::set<std::string> facts;
  for (const std::string& file : TRY(archive_files_in_conflict(memory))) {
    const auto bytes = TRY(read_file_if_any(vault.files(), vault.file(file)));
    if (!bytes) continue;
    const auto held = lines_in_conflict(*bytes);
    for (const ParsedEntry& entry : parse(*bytes).entries)
      if (held.contains(entry.line)) facts.insert(entry.id);
  }
  return facts;
}

}  // namespace

Result<std::set<std::string>> archive_files_in_conflict(Memory& memory) {
  std::set<std::string> files;
  const auto reader = TRY(memory.reader());
  for (const Problem& problem : reader->problems())
    if (problem.code == "conflict-markers" && place_of(problem.file) == Place::archive) files.insert(problem.file);
  return files;
}

Result<std::set<std::string>> facts_in_question(Memory& memory) {
  const Vault& vault = memory.vault();
  std::set<std::string> facts = TRY(facts_in_conflict(memory));
  const auto absences = undecided_absences(vault).entries;
  const auto asked = TRY(entries_in_question(memory));
  if (absences.empty() && asked.empty()) return facts;
  const auto logs = TRY(Chronicle::read(vault));
  // Whatever has become of their own words: what rests in the file stays there until that is answered.
  for (const std::string& id : asked)
    for (const LedgerEntry* line : logs.lines_of_entry(id))
      if (logs.latest_line(line->fact) == line && line->outcome != LedgerEntry::Outcome::undone) facts.insert(line->fact);
  for (const Absence& absence : absences) {
    facts.insert(absence.from.begin(), absence.from.end());
    for (const LedgerEntry* line : logs.lines_of_entry(absence.id)) facts.insert(line->fact);  // of what was merged into it, too
  }
  return facts;
}

Result<std::int64_t> pending_in_question(Memory& memory) {
  const auto asked = TRY(facts_in_question(memory));
  if (asked.empty()) return 0;
  const auto pending =
      memory.ask<std::vector<IndexReader::PendingFact>>([](IndexReader& reader) { return reader.pending_facts(); });
  if (!pending) return std::unexpected(pending.error());
  return std::ranges::count_if(
      *pending, [&](const IndexReader::PendingFact& fact) { return !fact.quarantined && asked.contains(fact.entry.id); });
}

Result<std::set<std::string>> entries_in_question(Memory& memory) {
  std::set<std::string> ids;
  for (const Question& question : TRY(waiting_questions(memory.vault()))) {
    for (const Absence& gone : question.gone) ids.insert(gone.id);
    EntryFilter filter;
    filter.file = question.file;
    for (const Entry& entry :
         TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.list(filter, size_t{1} << 30); })))
      ids.insert(entry.id);
  }
  return ids;
}

Status prune_versions_but_asked(const Vault& vault) {
  std::set<std::string> asked;
  for (const Question& question : TRY(waiting_questions(vault))) asked.insert(question.file);
  return prune_versions(vault, asked);
}

FactCounts fact_counts(Memory& memory, FactCounts counts) {
  const std::int64_t asked = std::min(counts.pending, pending_in_question(memory).value_or(0));
  counts.pending -= asked;
  counts.settled += asked;
  return counts;
}

}  // namespace loci
