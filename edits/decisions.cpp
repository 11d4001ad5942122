#include "edits/decisions.h"

#include <algorithm>
#include <functional>
#include <map>
#include <ranges>
#include <set>

#include "edits/acts.h"
#include "edits/copies.h"
#include "edits/earlier_names.h"
#include "indexer/stored_entry.h"
#include "memory/add.h"
#include "memory/archive_correction.h"
#include "memory/correct.h"
#include "memory/file_changes.h"
#include "memory/removal.h"
#include "memory/removed_entries.h"
#include "memory/vault_logs.h"
#include "parser/conflict_lines.h"
#include "parser/core_file.h"
#include "parser/parser.h"
#include "parser/text_hash.h"
#include "parser/text_lines.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/change_file.h"
#include "vault/rewrite/versions.h"

namespace loci {
namespace {

constexpr const char* by_user = "user";

// Of a fact that the index knows; a tombstone without a hash counts whatever the text.
Result<std::string> hash_of(Memory& memory, const std::string& id) {
  const auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); }));
  return !found.empty() && found.front().id == id ? found.front().hash : std::string();
}

// Where the index is behind, correct() takes the line out with the entry that it showed; what the person wrote there belongs to
// them and comes back.
Status put_line_back(const Vault& vault, const std::string& core_file, const std::string& ref, const std::string& successor) {
  const auto without = remove_core_lines(core_file, {ref});
  if (!without) return {};
  TRY(change_file(vault, core_file_name, [&](std::string_view bytes) -> Result<std::string> {
    return bytes == *without ? with_ref(core_file, ref, successor) : std::string(bytes);
  }));
  return {};
}

// What took the place of an entry, or of what did, and is like this; empty: nothing is.
Result<std::string> successor_that(Memory& memory, const Chronicle& logs, const std::string& ref,
                                   const std::function<bool(const Entry&)>& is_meant) {
  std::set<std::string_view> seen;
  std::vector<std::string_view> open{ref};
  for (size_t i = 0; i < open.size(); ++i) {
    if (!seen.insert(open[i]).second) continue;
    for (const std::string_view id : logs.successors_of(open[i])) {
      if (const auto entry = TRY(entry_with_id(memory, std::string(id))); entry && entry->active && is_meant(*entry))
        return entry->id;
      open.push_back(id);
    }
  }
  return std::string();
}

Result<std::string> successor_saying(Memory& memory, const Chronicle& logs, const std::string& ref, const std::string& hash) {
  return successor_that(memory, logs, ref, [&](const Entry& entry) { return entry.hash == hash; });
}

// Whatever a person has made of it since.
Result<std::string> successor_made_of(Memory& memory, const Chronicle& logs, const std::string& ref, const std::string& hash) {
  return successor_that(memory, logs, ref, [&](const Entry& entry) { return logs.has_written(entry.id, hash); });
}

// Entries with their metadata, as they stood in the versions that still had them. Each version is read once.
class MarkdownOfVersions {
 public:
  MarkdownOfVersions(const Vault& vault, const std::string& file) : vault_(vault), file_(file) {}

  // Empty if the version is no longer kept.
  Result<std::string> of(const Absence& entry) {
    const auto [known, is_new] = versions_.try_emplace(entry.version);
    auto& entries = known->second;
    if (is_new) {
      const auto bytes = TRY(bytes_of(vault_, file_, Version{Version::Kind::understood, entry.version, 0, {}}));
      if (bytes)
        for (const ParsedEntry& one : parse(*bytes).entries) entries.emplace(one.id, bytes->substr(one.begin, one.end - one.begin));
    }
    const auto found = entries.find(entry.id);
    return found == entries.end() ? std::string() : found->second;
  }

 private:
  const Vault& vault_;
  const std::string& file_;
  std::map<std::string, std::map<std::string, std::string>> versions_;  // by hash, and by id
};

// What a person's words had been made of was said again by whoever says it elsewhere.
Equals equals_of(const std::string& markdown) {
  const auto parsed = parse(markdown);
  const bool is_persons = !parsed.entries.empty() && parsed.entries.front().metadata &&
                          has_other_words(parsed.entries.front().metadata->sum, parsed.entries.front().text);
  return is_persons ? Equals::stay : Equals::end;
}

// The comment of a line that was emptied, with the bullet that is left.
std::string without_emptied(std::string_view file, const std::vector<Absence>& lines) {
  std::string out;
  bool in_core = false;
  for (size_t begin = 0; begin < file.size();) {
    const size_t end = next_line(file, begin);
    const std::string_view line = file.substr(begin, end - begin);
    if (line.starts_with(core_begin_marker)) in_core = true;
    if (line.starts_with(core_end_marker)) in_core = false;
    const bool shows = in_core && line.starts_with("<!--m ") &&
                       std::ranges::any_of(lines, [&](const Absence& one) { return line.contains("\"" + one.id + "\""); });
    if (!shows) {
      out += line;
      begin = end;
      continue;
    }
    const size_t behind = next_line(file, end);
    std::string_view bullet = file.substr(end, behind - end);
    bullet.remove_prefix(std::min(list_marker(bullet).size(), bullet.size()));
    const bool is_empty = bullet.find_first_not_of("-*+ \t\r\n") == std::string_view::npos;
    begin = is_empty ? behind : end;
  }
  return out;
}

// Of a line that left out some of its entry: what was filed when a person gave it the words that it showed until now.
Result<std::optional<Entry>> filed_of_line(Memory& memory, const Entry& entry, const std::string& hash) {
  auto same = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find_text(hash, {}); }));
  for (Entry& fact : same)
    if (fact.active && fact.place == Place::archive && fact.source == Source::correction && fact.corrects == entry.id)
      return std::move(fact);
  return std::nullopt;
}

NewEntry as_correction(const Entry& entry, const std::string& text) {
  NewEntry fact;
  fact.metadata.source = Source::correction;
  fact.metadata.kind = EntryKind::fact;
  fact.metadata.project = entry.project;
  fact.metadata.tags = entry.tags;
  fact.metadata.about = entry.about;
  fact.metadata.corrects = entry.id;
  fact.text = text;
  return fact;
}

// A person who rewords a line that has these refs.
Result<Author> by_line(const Vault& vault, const std::set<std::string>& refs) {
  Author author{Source::correction, by_user, TRY(reworded_in_core(vault))};
  author.lines.insert(refs.begin(), refs.end());
  return author;
}

// A line that left out some of its entry and was reworded: what it says now is true, and what it had left out may be, too. Reworded
// again, its last words count.
Result<std::string> file_correction(Memory& memory, const Entry& entry, const std::string& text, const ShownLine& shown) {
  if (TRY(filed_of_line(memory, entry, stored_text_hash(text)))) return std::string();
  if (const auto earlier = TRY(filed_of_line(memory, entry, shown.hash)))
    return TRY(replace_in_archive(memory, *earlier, as_correction(entry, text), {Source::correction, by_user})).id;
  const auto appended = TRY(append_entries(memory.vault(), {as_correction(entry, text)}));
  (void)make_searchable(memory, {appended.front().file});
  return appended.front().id;
}

}  // namespace

Result<std::vector<Tombstone>> delete_entries(Memory& memory, const std::string& file, const std::vector<Absence>& entries) {
  std::vector<Tombstone> tombstones;
  if (entries.empty()) return tombstones;
  const Vault& vault = memory.vault();
  const auto chronicle = TRY(Chronicle::read(vault));
  Instant at = next_tombstone_time(vault, chronicle.logs());
  MarkdownOfVersions versions(vault, file);
  std::vector<RemovedEntry> removed;
  for (const Absence& entry : entries) {
    const auto markdown = TRY(versions.of(entry));
    if (!markdown.empty()) removed.push_back({{}, entry.id, file, markdown});
    const Tombstone end{at, entry.id, entry.hash, Tombstone::Reason::deleted, by_user, {}};
    auto facts = TRY(with_overruled(memory, chronicle, TRY(facts_of_entry(memory, chronicle, entry.id, entry.from))));
    std::erase_if(facts, [&](const std::string& fact) { return chronicle.is_removed(fact); });
    tombstones.push_back(end);
    for (Tombstone& one : TRY(ends_of_facts(memory, facts, end, {}, equals_of(markdown)))) tombstones.push_back(std::move(one));
    at += std::chrono::milliseconds(1);  // what `restore` takes back together has one time
  }
  TRY(keep_removed_entries(vault, std::move(removed)));
  TRY(append_tombstones(vault, tombstones));
  std::vector<std::string> files{file}, notes;  // a line that stays in the core shows nothing: doctor lists it
  for (const Absence& entry : entries) {
    take_out_of_core(vault, entry.id, entry.hash, files, notes);
    for (const LedgerEntry* line : chronicle.lines_of_entry(entry.id))  // it may show the words that stood without its comment
      if (is_merge(*line) && line->entry == entry.id && is_hash_id(line->into))
        take_out_of_core(vault, line->into, {}, files, notes);
  }
  (void)make_searchable(memory, files);  // the tombstones decide; an index that is busy takes them in later
  return tombstones;
}

Status merge_entries(Memory& memory, const std::vector<MergedEntry>& merged) {
  if (merged.empty()) return {};
  const auto logs = TRY(Chronicle::read(memory.vault()));
  LedgerEntry line;
  line.generation = std::max<std::int64_t>(logs.generation(), 1);
  line.at = next_ledger_time(memory.vault(), logs);
  line.outcome = LedgerEntry::Outcome::merged;
  std::vector<LedgerEntry> lines;
  for (const auto& [entry, into] : merged) {
    line.run = act_id(entry.id, entry.hash, {});
    line.entry = entry.id;
    line.into = into;
    for (const std::string& fact : TRY(facts_of_entry(memory, logs, entry.id, entry.from))) {
      if (logs.is_removed(fact)) continue;
      line.fact = fact;
      line.fact_hash = TRY(hash_of(memory, fact));
      if (line.fact_hash.empty()) line.fact_hash = entry.hash;  // it stands nowhere: the line still says where its entry went
      lines.push_back(line);
    }
  }
  TRY(append_ledger(memory.vault(), lines));
  (void)make_searchable(memory, {".loci/ledger/" + memory.vault().host() + ".jsonl"});
  return {};
}

Status let_go_of_entries(Memory& memory, const std::vector<Absence>& absences) {
  if (absences.empty()) return {};
  const auto logs = TRY(Chronicle::read(memory.vault()));
  std::vector<LedgerEntry> lines;
  for (const Absence& one : absences) {
    Entry entry;
    entry.id = one.id;
    entry.from = TRY(facts_of_entry(memory, logs, one.id, one.from));
    std::ranges::move(TRY(lines_that_let_go(memory, logs, {entry}, {}, act_id(one.id, one.hash, {}),
                                            "the words that it rested on are gone, and nobody took them out")),
                      std::back_inserter(lines));
  }
  TRY(append_ledger(memory.vault(), lines));
  (void)make_searchable(memory, {".loci/ledger/" + memory.vault().host() + ".jsonl"});
  return {};
}

Result<std::vector<Tombstone>> demote_lines(Memory& memory, const std::vector<Absence>& lines) {
  const auto logs = TRY(read_logs(memory.vault()));
  const Instant at = next_tombstone_time(memory.vault(), logs);
  std::vector<Tombstone> tombstones;
  for (const Absence& line : lines) tombstones.push_back({at, line.id, line.hash, Tombstone::Reason::demoted, by_user, {}});
  TRY(append_tombstones(memory.vault(), tombstones));
  const auto emptied = change_file(memory.vault(), core_file_name,
                                   [&](std::string_view bytes) -> Result<std::string> { return without_emptied(bytes, lines); });
  if (!emptied && emptied.error().code == ErrorCode::failed) return std::unexpected(emptied.error());
  (void)make_searchable(memory, {core_file_name});
  return tombstones;
}

Status delete_text(Memory& memory, const std::string& id, const std::string& hash) {
  const auto logs = TRY(read_logs(memory.vault()));
  return append_tombstones(memory.vault(),
                           {{next_tombstone_time(memory.vault(), logs), id, hash, Tombstone::Reason::deleted, by_user, {}}});
}

Result<std::string> correct_line(Memory& memory, const std::string& ref, const ShownLine& shown, const std::string& core_file) {
  const auto core = TRY(read_core(core_file));
  const auto line = std::ranges::find(core.lines, ref, &CoreLine::ref);
  if (line == core.lines.end()) return std::string();
  TRY(memory.catch_up_with_changes());
  const auto known = find_entry(memory, ref);
  if (!known && known.error().code != ErrorCode::not_found) return std::unexpected(known.error());
  const std::string text = words_of_line(line->text);
  if (!known || known->id != ref) {
    const auto logs = TRY(Chronicle::read(memory.vault()));
    const std::string successor = TRY(successor_saying(memory, logs, ref, stored_text_hash(text)));
    if (!successor.empty()) return successor;  // which its line is brought in step with
    // The entry gave way to what a person had made of its line, and that is what they change now.
    const std::string made = TRY(successor_saying(memory, logs, ref, shown.hash));
    const bool has_its_line = std::ranges::find(core.lines, made, &CoreLine::ref) != core.lines.end();  // which they left as it was
    if (!made.empty() && !has_its_line) return TRY(correct(memory, made, text, TRY(by_line(memory.vault(), {ref, made})))).id;
    // By somebody who was killed before the line had followed.
    const std::string followed = TRY(successor_made_of(memory, logs, ref, stored_text_hash(text)));
    if (followed.empty()) TRY(let_go_of_line(memory, ref, stored_text_hash(text)));
    return followed;
  }
  if (stored_text_hash(text) == known->hash) return std::string();
  const bool only_marks_differ = !shown.text.empty() && normalise_loosely(shown.text) == normalise_loosely(known->text);
  if (known->hash != shown.hash && !only_marks_differ) return file_correction(memory, *known, text, shown);
  const auto corrected = correct(memory, ref, text, TRY(by_line(memory.vault(), {ref})));
  if (!corrected && corrected.error().code == ErrorCode::refused) return std::string();
  if (!corrected) return std::unexpected(corrected.error());
  if (std::ranges::find(corrected->files, core_file_name) != corrected->files.end()) {
    TRY(put_line_back(memory.vault(), core_file, ref, corrected->id));
    (void)make_searchable(memory, {core_file_name});
  }
  return corrected->id;
}

}  // namespace loci
