#include "memory/file_changes.h"

#include <algorithm>
#include <ranges>
#include <set>

#include "base/id.h"
#include "parser/conflict_lines.h"
#include "parser/core_file.h"
#include "parser/entry_back.h"
#include "parser/entry_edit.h"
#include "parser/parser.h"
#include "parser/text_hash.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/user_file.h"
#include "vault/rewrite/versions.h"

namespace loci {
namespace {

void remember_file(std::vector<std::string>& files, const std::string& file) {
  if (std::ranges::find(files, file) == files.end()) files.push_back(file);
}

// The bytes of the entry in the file, metadata and end marker included; empty if it is not there.
std::string markdown_of(std::string_view file, const std::string& id) {
  for (const ParsedEntry& entry : parse(file).entries)
    if (entry.id == id) return std::string(file.substr(entry.begin, entry.end - entry.begin));
  return {};
}

// What loci may take text out of at a person's word. Notes and the person's part of MEMORY.md are theirs, the archive only grows.
bool is_rewritable(Place place) { return place == Place::consolidated || place == Place::user; }

// A copy of an entry that another file has the name of is known by its text, and has its comment still.
const ParsedEntry* find_by_id_or_text(const ParsedFile& file, const std::string& id) {
  auto found = std::ranges::find(file.entries, id, &ParsedEntry::id);
  if (found == file.entries.end())
    found = std::ranges::find_if(file.entries, [&](const ParsedEntry& entry) { return id_from_hash(entry.hash) == id; });
  return found == file.entries.end() ? nullptr : &*found;
}

// The kept copy is durable before the text leaves the file.
Result<std::string> without_entry(const Vault& vault, const std::string& file, std::string_view bytes, const std::string& id) {
  const ParsedFile parsed = parse(bytes);
  const ParsedEntry* entry = find_by_id_or_text(parsed, id);
  if (!entry) return std::string(bytes);
  TRY(keep_removed_entry(vault, {{}, id, file, std::string(bytes.substr(entry->begin, entry->end - entry->begin))}));
  return remove_entry(bytes, entry->id);
}

Status check_room(const std::string& file, std::string_view before, std::string_view after) {
  if (file != user_file_name) return {};
  const UserFileUse use = measure_user_file(after);
  if (!use.over_limit() || use.used < measure_user_file(before).used) return {};
  return fail(ErrorCode::refused, "it would pass the limit: " + use.summary());
}

// The newest version that is known of the file in which the entry stood; empty if there is none.
Result<std::string> version_with(const Vault& vault, const std::string& file, const std::string& id) {
  const auto versions = TRY(versions_of(vault, file));
  for (const Version& version : versions | std::views::reverse)
    if (auto bytes = TRY(bytes_of(vault, file, version)); bytes && !markdown_of(*bytes, id).empty()) return std::move(*bytes);
  return std::string();
}

// Its id where it stands: that under which it was kept may be its text's.
std::string id_of(const RemovedEntry& removed) {
  const ParsedFile parsed = parse(removed.markdown);
  return parsed.entries.empty() ? removed.id : parsed.entries.front().id;
}

bool stands_in(std::string_view file, const RemovedEntry& removed) {
  const ParsedFile kept = parse(removed.markdown);
  if (kept.entries.empty()) return false;
  const ParsedEntry& entry = kept.entries.front();
  return std::ranges::any_of(parse(file).entries,
                             [&](const ParsedEntry& one) { return one.id == entry.id && one.hash == entry.hash; });
}

Result<std::string> with_entry_back_in_its_file(const Vault& vault, const RemovedEntry& removed, std::string_view bytes) {
  if (stands_in(bytes, removed)) return std::string(bytes);
  const auto former = version_with(vault, removed.file, id_of(removed));  // derived: without it, the end of the file
  return with_entry_back(bytes, removed.markdown, former.value_or(std::string()));
}

// An entry in the place of its successor, of which a copy is kept.
Result<std::string> with_entry_in_its_place(const Vault& vault, const RemovedEntry& removed, const std::string& file,
                                            const std::string& successor, std::string_view bytes) {
  const std::string markdown = markdown_of(bytes, successor);
  if (markdown.empty()) return fail(ErrorCode::not_found, "'" + successor + "' is no longer there");
  TRY(keep_removed_entry(vault, {{}, successor, file, markdown}));
  if (stands_in(bytes, removed)) return remove_entry(bytes, successor);
  auto after = TRY(with_entry_instead_of(bytes, successor, removed.markdown));
  const bool has_its_id = !markdown_of(removed.markdown, successor).empty();  // as a line of user.md that was reworded
  return has_its_id || markdown_of(after, successor).empty() ? std::move(after) : remove_entry(after, successor);  // its copies
}

// What a person made of the line of another entry is none that was promoted for that one.
bool is_reworded_to(const Chronicle& chronicle, const CoreLine& line, const std::string& hash, std::string_view text_hash) {
  return !line.ref.empty() && hash == text_hash && !chronicle.ever_promoted(line.ref, hash);
}

enum class WhichLines : std::uint8_t { of_the_entry, and_reworded_to_it };

// A line that a person reworded, and is perhaps asked about, is theirs: it stays, and shows no entry any more.
Result<std::string> without_core_lines(const Vault& vault, std::string_view bytes, const std::string& id,
                                       std::string_view text_hash, WhichLines which) {
  // Without a line for this entry the markers need not be in order.
  const bool is_named = bytes.find("\"" + id + "\"") != std::string_view::npos;
  const auto core = read_core(bytes);
  if (!is_named && (!core || which == WhichLines::of_the_entry)) return std::string(bytes);
  if (!core) return std::unexpected(core.error());
  const auto chronicle = TRY(Chronicle::read(vault));
  std::vector<int> theirs;
  std::set<std::string> refs{id};
  for (const CoreLine& line : core->lines) {
    const std::string hash = stored_text_hash(line.text);
    if (line.ref == id && hash != text_hash && chronicle.has_promoted_otherwise(id, hash)) theirs.push_back(line.line);
    const bool may_go = which == WhichLines::and_reworded_to_it && line.ref != id;
    if (may_go && is_reworded_to(chronicle, line, hash, text_hash)) refs.insert(line.ref);
  }
  if (!is_named && refs.size() == 1) return std::string(bytes);
  return remove_core_lines(release_core_lines(bytes, theirs), {refs.begin(), refs.end()});
}

// Between git's markers, where a line stays until a person has chosen.
bool is_shown_in_conflict(std::string_view bytes, const std::string& id) {
  if (bytes.find("\"" + id + "\"") == std::string_view::npos) return false;
  const auto core = read_core(bytes);
  const auto held = lines_in_conflict(bytes);
  return core && std::ranges::any_of(core->lines, [&](const CoreLine& line) { return line.ref == id && held.contains(line.line); });
}

void tell_of_line(std::vector<std::string>& notes, const std::string& why) {
  std::string note = "the line that shows it still stands in " + std::string(core_file_name) + why;
  if (std::ranges::find(notes, note) == notes.end()) notes.push_back(std::move(note));
}

constexpr const char* in_conflict = ", between git's conflict markers: 'loci resolve MEMORY.md' puts both sides together";

}  // namespace

Status DecidedChanges::change(const std::string& file, const ChangeBytes& change) { return plan(file, change, IfMissing::fail); }

Status DecidedChanges::plan(const std::string& file, const ChangeBytes& change, IfMissing if_missing) {
  auto known = files_.find(file);
  if (known == files_.end()) {
    auto bytes = TRY(read_file_if_any(vault_.files(), vault_.file(file)));
    if (!bytes && if_missing == IfMissing::fail) bytes = TRY(read_file(vault_.files(), vault_.file(file)));
    const std::string present = bytes.value_or(std::string());
    known = files_.emplace(file, Planned{std::move(bytes), present}).first;
  }
  known->second.after = TRY(change(known->second.after));
  return {};
}

void DecidedChanges::take_out_of_file(const std::string& id, const EntryPlace& place) {
  const Place kind = place_of(place.file);
  const std::string where = place.file + ":" + std::to_string(place.line);
  if (kind == Place::core) notes_.push_back("it still stands in " + where + ", which is yours to edit");
  if (!is_rewritable(kind)) return;
  const auto planned = change(place.file, [&](std::string_view bytes) { return without_entry(vault_, place.file, bytes, id); });
  if (!planned)
    notes_.push_back("its text still stands in " + where + ": " + planned.error().message);
  else if (std::string& first = files_.at(place.file).where; first.empty())
    first = where;
}

void DecidedChanges::take_out(const Entry& entry) {
  for (const EntryPlace& place : entry.places) take_out_of_file(entry.id, place);
  take_out_of_core(entry.id, entry.hash);
}

void DecidedChanges::take_out_copies(const Entry& entry) {
  for (const EntryPlace& place : entry.places)
    if (place.file != entry.places.front().file) take_out_of_file(entry.id, place);
}

void DecidedChanges::give_way(const Entry& entry) {
  for (const EntryPlace& place : entry.places) take_out_of_file(entry.id, place);
}

Result<std::string> DecidedChanges::put_back(const RemovedEntry& removed, const std::vector<Entry>& instead) {
  for (const Entry& successor : instead)
    for (const auto& [file, line, line_end] : successor.places) {
      if (!is_rewritable(place_of(file))) continue;
      const auto placed = change(file, [&](std::string_view bytes) -> Result<std::string> {
        auto after = TRY(with_entry_in_its_place(vault_, removed, file, successor.id, bytes));
        TRY(check_room(file, bytes, after));
        return after;
      });
      if (placed) return file;
    }
  if (!is_rewritable(place_of(removed.file))) return fail(ErrorCode::refused, "'" + removed.file + "' is no file of loci's");
  const auto back = [&](std::string_view bytes) -> Result<std::string> {
    std::string after(bytes);
    for (const Entry& successor : instead) after = TRY(without_entry(vault_, removed.file, after, successor.id));
    after = TRY(with_entry_back_in_its_file(vault_, removed, after));
    TRY(check_room(removed.file, bytes, after));
    return after;
  };
  TRY(plan(removed.file, back, IfMissing::create));
  return removed.file;
}

void DecidedChanges::take_out_of_core(const std::string& id, std::string_view text_hash) {
  bool is_held = false;
  const auto planned = change(core_file_name, [&](std::string_view bytes) {
    is_held = is_shown_in_conflict(bytes, id);
    return without_core_lines(vault_, bytes, id, text_hash, WhichLines::and_reworded_to_it);
  });
  if (!planned && planned.error().code != ErrorCode::not_found) tell_of_line(notes_, ": " + planned.error().message);
  if (planned && is_held) tell_of_line(notes_, in_conflict);
}

Result<Appended> DecidedChanges::append(NewEntry entry) {
  const auto ready = TRY(ready_to_append(vault_, {std::move(entry)}));
  const NewEntry& one = entries_.emplace_back(ready.front());
  return Appended{one.metadata.id, {}, 0, one.metadata.at.value_or(vault_.clock().now()), stored_text_hash(one.text)};
}

bool DecidedChanges::changes_files() const {
  return std::ranges::any_of(files_,
                             [](const auto& each) { return each.second.before.value_or(std::string()) != each.second.after; });
}

FileTransaction DecidedChanges::transaction_of(FileTransaction::Order order, const std::vector<Tombstone>& tombstones,
                                               const std::vector<LedgerEntry>& ledger) {
  FileTransaction transaction{.id = make_id(vault_.clock().now()),
                              .order = order,
                              .entries = std::move(entries_),
                              .tombstones = tombstones,
                              .ledger = ledger};
  for (auto& [file, planned] : files_)
    if (planned.before.value_or(std::string()) != planned.after)
      transaction.files.push_back({file, std::move(planned.before), std::move(planned.after)});
  return transaction;
}

Result<std::vector<Appended>> DecidedChanges::carry_out(const std::vector<Tombstone>& tombstones,
                                                        const std::vector<LedgerEntry>& ledger, std::vector<std::string>& files,
                                                        std::vector<std::string>& notes) {
  const FileTransaction transaction = transaction_of(FileTransaction::Order::logs_first, tombstones, ledger);
  auto [waiting, kept, appended] = TRY(commit(vault_, transaction));
  for (const FileChange& change : transaction.files)
    if (std::ranges::find(waiting, change.file, &WaitingFile::file) == waiting.end()) remember_file(files, change.file);
  std::ranges::move(notes_, std::back_inserter(notes));
  for (const std::string& id : kept) notes.push_back("'" + id + "' stays as it is: somebody has just changed it");
  for (const auto& [file, why] : waiting)
    notes.push_back("it still stands in " + (files_.at(file).where.empty() ? file : files_.at(file).where) + ": " + why.message +
                    "; it goes as soon as that is over, with the next write or by the daemon");
  return std::move(appended);
}

Status DecidedChanges::carry_out_at_once(const std::vector<Tombstone>& tombstones, const std::vector<LedgerEntry>& ledger,
                                         std::vector<std::string>& files, std::vector<std::string>& notes) {
  const FileTransaction transaction = transaction_of(FileTransaction::Order::files_first, tombstones, ledger);
  TRY(commit(vault_, transaction));
  for (const FileChange& change : transaction.files) remember_file(files, change.file);
  std::ranges::move(notes_, std::back_inserter(notes));
  return {};
}

void take_out_of_core(const Vault& vault, const std::string& id, std::string_view text_hash, std::vector<std::string>& files,
                      std::vector<std::string>& notes) {
  bool is_held = false;
  const auto changed = change_file(vault, core_file_name, [&](std::string_view bytes) {
    is_held = is_shown_in_conflict(bytes, id);
    return without_core_lines(vault, bytes, id, text_hash, WhichLines::of_the_entry);
  });
  if (changed && *changed) remember_file(files, core_file_name);
  if (!changed && changed.error().code != ErrorCode::not_found) tell_of_line(notes, ": " + changed.error().message);
  if (changed && is_held) tell_of_line(notes, in_conflict);
}

Result<bool> put_back_into_files(const Vault& vault, const std::string& id, std::vector<std::string>& files) {
  const auto removed = TRY(find_removed_entry(vault, id));
  if (!removed) return false;
  if (!is_rewritable(place_of(removed->file))) return fail(ErrorCode::refused, "'" + removed->file + "' is no file of loci's");
  const auto back = [&](std::string_view bytes) -> Result<std::string> {
    auto after = TRY(with_entry_back_in_its_file(vault, *removed, bytes));
    TRY(check_room(removed->file, bytes, after));
    return after;
  };
  if (TRY(change_file(vault, removed->file, back, IfMissing::create))) remember_file(files, removed->file);
  return true;
}

}  // namespace loci
