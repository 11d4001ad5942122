#include "edits/settled_facts.h"

#include <algorithm>

#include "edits/acts.h"
#include "memory/add.h"
#include "memory/authority.h"
#include "memory/file_changes.h"
#include "memory/removal.h"
#include "memory/vault_logs.h"
#include "parser/parser.h"
#include "vault/logs/logs.h"

namespace loci {
namespace {

Result<Appended> append_words(Memory& memory, const ParsedEntry& entry) {
  NewEntry fact;
  fact.metadata.source = Source::user;
  fact.metadata.kind = EntryKind::fact;
  fact.metadata.corrects = entry.id;
  if (entry.metadata) {
    fact.metadata.project = entry.metadata->project;
    fact.metadata.tags = entry.metadata->tags;
    fact.metadata.about = entry.metadata->about;
  }
  fact.text = entry.text;
  return TRY(append_entries(memory.vault(), {std::move(fact)})).front();
}

// Away from this entry, if need be by way of others.
bool is_merged_by_hand(const LedgerEntry* line, std::string_view entry) {
  return line && is_merge(*line) && line->into != entry && is_act(line->run);
}

// The latest line that settled something in the entry; null if nothing rests there.
const LedgerEntry* latest_settled_in(const Chronicle& logs, const std::string& entry) {
  const LedgerEntry* latest = nullptr;
  for (const LedgerEntry* line : logs.lines_of_entry(entry))
    if (line->entry == entry) latest = line;
  return latest && latest->outcome != LedgerEntry::Outcome::undone && !latest->entry_hash.empty() ? latest : nullptr;
}

}  // namespace

Result<std::string> file_missing_words(Memory& memory, std::string_view version, const SeenEntry& entry) {
  if (entry.as_written) return std::string();
  const Vault& vault = memory.vault();
  const auto logs = TRY(Chronicle::read(vault));
  const LedgerEntry* latest = latest_settled_in(logs, entry.id);
  if (!latest) return std::string();
  if (latest->entry_hash == entry.hash)
    return latest->fact_hash == entry.hash && !logs.is_removed(latest->fact) ? latest->fact : std::string();
  LedgerEntry line;
  for (const Entry& filed : TRY(filed_and_not_settled(memory, entry.id)))  // and then it was killed
    if (filed.hash == entry.hash) line.fact = filed.id;
  const auto parsed = parse(version);
  const auto words = std::ranges::find(parsed.entries, entry.id, &ParsedEntry::id);
  if (words == parsed.entries.end()) return std::string();
  std::vector<std::string> files{".loci/ledger/" + vault.host() + ".jsonl"};
  if (line.fact.empty()) {
    const auto appended = TRY(append_words(memory, *words));
    line.fact = appended.id;
    files.push_back(appended.file);
  }
  line.generation = std::max<std::int64_t>(logs.generation(), 1);
  line.run = act_id(entry.id, entry.hash, {});
  line.at = next_ledger_time(vault, logs);
  line.fact_hash = line.entry_hash = entry.hash;
  line.outcome = LedgerEntry::Outcome::replaced;
  line.entry = entry.id;
  TRY(append_ledger(vault, {line}));
  (void)make_searchable(memory, files);
  return line.fact;
}

Status let_go_of_missing(const Vault& vault, const std::vector<Absence>& entries) {
  const auto logs = TRY(read_logs(vault));
  std::vector<LedgerEntry> lines;
  for (const LedgerEntry& known : logs.ledger) {
    const bool is_missing = std::ranges::find(entries, known.entry, &Absence::id) != entries.end();
    if (!is_missing || std::ranges::find(lines, known.fact, &LedgerEntry::fact) != lines.end()) continue;
    LedgerEntry line = known;
    line.run = act_id(known.entry, known.entry_hash, {});
    line.at = std::max(vault.clock().now(), logs.ledger.back().at + std::chrono::milliseconds(1));
    line.outcome = LedgerEntry::Outcome::undone;
    line.entry_hash.clear();
    line.into.clear();
    lines.push_back(std::move(line));
  }
  return lines.empty() ? Status() : append_ledger(vault, lines);
}

Status let_go_of_facts(Memory& memory, const SeenEntry& written, const SeenEntry& before, const SeenEntry& now) {
  const auto logs = TRY(read_logs(memory.vault()));
  std::vector<LedgerEntry> lines;
  for (const std::string& fact : written.from) {
    if (std::ranges::find(before.from, fact) != before.from.end()) continue;
    const auto settled = std::ranges::find_if(logs.ledger.rbegin(), logs.ledger.rend(), [&](const LedgerEntry& line) {
      return line.fact == fact && line.entry == written.id;
    });
    if (settled == logs.ledger.rend()) continue;
    LedgerEntry line = *settled;
    line.run = act_id(written.id, written.hash, now.hash);
    line.at = std::max(memory.now(), logs.ledger.back().at + std::chrono::milliseconds(1));
    line.outcome = LedgerEntry::Outcome::undone;
    line.entry_hash = now.hash;
    line.into.clear();
    lines.push_back(std::move(line));
  }
  return lines.empty() ? Status() : append_ledger(memory.vault(), lines);
}

namespace {

// With the entry, when a run was undone, say.
bool was_let_go_of(const LedgerEntry* line, std::string_view entry) {
  return line && line->outcome == LedgerEntry::Outcome::undone && line->entry == entry;
}

}  // namespace

bool stands_again(const Chronicle& logs, const SeenEntry& entry) {
  const auto any_fact = [&](const auto& holds) {
    return std::ranges::any_of(entry.from, [&](const std::string& fact) { return holds(fact); });
  };
  if (any_fact([&](const std::string& fact) { return is_merged_by_hand(logs.latest_line(fact), entry.id); })) return true;
  return !entry.as_written && !any_fact([&](const std::string& fact) { return logs.is_removed(fact); }) &&
         any_fact([&](const std::string& fact) { return was_let_go_of(logs.latest_line(fact), entry.id); });
}

namespace {

// The fact that a person's words in the entry were filed as, which says them no longer.
Result<bool> are_taken_back(Memory& memory, const std::string& fact, const SeenEntry& now) {
  const auto filed = TRY(entry_with_id(memory, fact));
  return filed && filed->corrects == now.id && filed->hash != now.hash;
}

// Without a hash: the words may stand elsewhere, and may be typed again.
Tombstone end_of_words(const Memory& memory, const Chronicle& logs, const std::string& fact) {
  return {next_tombstone_time(memory.vault(), logs.logs()),
          fact,
          {},
          Tombstone::Reason::corrected,
          std::string(name_of(Actor::person)),
          {}};
}

// What the ledger said last of the fact when it rested in the entry; null: it never did, or rests in another one that stands.
Result<const LedgerEntry*> line_while_it_rested(Memory& memory, const Chronicle& logs, const std::string& fact,
                                                const std::string& entry) {
  if (const LedgerEntry* settled = logs.line_that_settled(fact, entry)) return settled;
  const LedgerEntry* taken_in = nullptr;
  for (const LedgerEntry* line : logs.lines_of_fact(fact))
    if (line->into == entry && is_merge(*line)) taken_in = line;
  if (!taken_in) return nullptr;
  const auto resting = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find_resting_on(fact); }));
  const bool stands = std::ranges::any_of(resting, [](const Entry& one) { return one.active && one.place == Place::consolidated; });
  return stands ? nullptr : taken_in;
}

// Those that the entry names, and those that went elsewhere with it.
std::vector<std::string> facts_that_left(const Chronicle& logs, const SeenEntry& entry) {
  std::vector<std::string> facts;
  for (const std::string& fact : entry.from) {
    const LedgerEntry* latest = logs.latest_line(fact);
    if (was_let_go_of(latest, entry.id) || is_merged_by_hand(latest, entry.id)) facts.push_back(fact);
  }
  for (const LedgerEntry* line : logs.lines_of_entry(entry.id)) {
    const bool left = line->entry == entry.id && is_merged_by_hand(line, entry.id) && logs.latest_line(line->fact) == line;
    if (left && std::ranges::find(facts, line->fact) == facts.end()) facts.push_back(line->fact);
  }
  return facts;
}

}  // namespace

Status settle_facts_again(Memory& memory, const std::vector<StandsAgain>& entries) {
  if (entries.empty()) return {};
  const auto logs = TRY(Chronicle::read(memory.vault()));
  std::vector<LedgerEntry> lines;
  std::vector<Tombstone> taken_back;
  for (const auto& [before, now] : entries)
    for (const std::string& fact : facts_that_left(logs, before)) {
      if (logs.is_removed(fact)) continue;
      if (TRY(are_taken_back(memory, fact, now))) {
        taken_back.push_back(end_of_words(memory, logs, fact));
        continue;
      }
      const LedgerEntry* rested = TRY(line_while_it_rested(memory, logs, fact, before.id));
      if (!rested) continue;
      LedgerEntry& line = lines.emplace_back(*rested);
      line.generation = std::max<std::int64_t>(logs.generation(), 1);
      line.run = act_id(before.id, before.hash, now.hash);
      line.at = next_ledger_time(memory.vault(), logs);
    }
  if (lines.empty() && taken_back.empty()) return {};
  TRY(append_tombstones(memory.vault(), taken_back));
  TRY(append_ledger(memory.vault(), lines));
  (void)make_searchable(memory, {".loci/ledger/" + memory.vault().host() + ".jsonl"});
  return {};
}

Status take_words_back(Memory& memory, const SeenEntry& before, const SeenEntry& now) {
  std::vector<std::string> taken_back;
  for (const std::string& fact : before.from)
    if (std::ranges::find(now.from, fact) == now.from.end() && TRY(are_taken_back(memory, fact, now))) taken_back.push_back(fact);
  if (taken_back.empty()) return {};
  const auto logs = TRY(Chronicle::read(memory.vault()));
  std::vector<Tombstone> ends;
  for (const std::string& fact : taken_back)
    if (!logs.is_removed(fact)) ends.push_back(end_of_words(memory, logs, fact));
  TRY(append_tombstones(memory.vault(), ends));
  (void)make_searchable(memory, {".loci/tombstones/" + memory.vault().host() + ".jsonl"});
  return {};
}

}  // namespace loci
