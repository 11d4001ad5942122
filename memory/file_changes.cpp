#include "memory/file_changes.h"

#include <algorithm>

#include "base/id.h"
#include "memory/removed_entries.h"
#include "parser/core_file.h"
#include "parser/entry_edit.h"
#include "parser/parser.h"
#include "parser/text_lines.h"
#include "vault/rewrite/file_transaction.h"
#include "vault/rewrite/user_file.h"

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

// The kept copy is durable before the text leaves the file.
Result<std::string> without_entry(const Vault& vault, const std::string& file, std::string_view bytes, const std::string& id) {
  const std::string markdown = markdown_of(bytes, id);
  if (markdown.empty()) return std::string(bytes);
  TRY(keep_removed_entry(vault, {{}, id, file, markdown}));
  return remove_entry(bytes, id);
}

// In the file's own line ends: those of what was taken out may have been others.
std::string with_markdown(std::string_view bytes, std::string markdown) {
  const std::string_view newline = line_end_of(bytes.empty() ? std::string_view(markdown) : bytes);
  for (size_t at = 0; (at = markdown.find("\r\n", at)) != std::string::npos;) markdown.erase(at, 1);
  if (!markdown.ends_with('\n')) markdown += '\n';
  std::string out(bytes);
  if (!out.empty() && !out.ends_with('\n')) out += newline;
  return out.append(newline).append(with_line_ends(markdown, newline));
}

Result<std::string> without_core_lines(std::string_view bytes, const std::string& id) {
  // Without a line for this entry the markers need not be in order.
  if (bytes.find("\"" + id + "\"") == std::string_view::npos) return std::string(bytes);
  return remove_core_lines(bytes, {id});
}

}  // namespace

Status DecidedChanges::change(const std::string& file, const ChangeBytes& change) {
  auto known = files_.find(file);
  if (known == files_.end()) {
    auto bytes = TRY(read_file(vault_.files(), vault_.file(file)));
    known = files_.emplace(file, Planned{bytes, bytes}).first;
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
  take_out_of_core(entry.id);
}

void DecidedChanges::take_out_copies(const Entry& entry) {
  for (const EntryPlace& place : entry.places)
    if (place.file != entry.places.front().file) take_out_of_file(entry.id, place);
}

void DecidedChanges::take_out_of_core(const std::string& id) {
  const auto planned = change(core_file_name, [&](std::string_view bytes) { return without_core_lines(bytes, id); });
  if (!planned && planned.error().code != ErrorCode::not_found)
    notes_.push_back("the line that shows it still stands in " + std::string(core_file_name) + ": " + planned.error().message);
}

bool DecidedChanges::changes_files() const {
  return std::ranges::any_of(files_, [](const auto& each) { return each.second.before != each.second.after; });
}

Status DecidedChanges::carry_out(const std::vector<Tombstone>& tombstones, const std::vector<LedgerEntry>& ledger,
                                 std::vector<std::string>& files, std::vector<std::string>& notes) {
  FileTransaction transaction{
      .id = make_id(vault_.clock().now()), .order = FileTransaction::Order::logs_first, .tombstones = tombstones, .ledger = ledger};
  for (auto& [file, planned] : files_)
    if (planned.before != planned.after) transaction.files.push_back({file, std::move(planned.before), std::move(planned.after)});
  const auto waiting = TRY(commit(vault_, transaction));
  for (const FileChange& change : transaction.files)
    if (std::ranges::find(waiting, change.file, &WaitingFile::file) == waiting.end()) remember_file(files, change.file);
  std::ranges::move(notes_, std::back_inserter(notes));
  for (const auto& [file, why] : waiting)
    notes.push_back("it still stands in " + (files_.at(file).where.empty() ? file : files_.at(file).where) + ": " + why.message +
                    "; it goes as soon as that is over, with the next write or by the daemon");
  return {};
}

void take_out_of_core(const Vault& vault, const std::string& id, std::vector<std::string>& files, std::vector<std::string>& notes) {
  const auto changed = change_file(vault, core_file_name, [&](std::string_view bytes) { return without_core_lines(bytes, id); });
  if (changed && *changed) remember_file(files, core_file_name);
  if (!changed && changed.error().code != ErrorCode::not_found)
    notes.push_back("the line that shows it still stands in " + std::string(core_file_name) + ": " + changed.error().message);
}

Result<bool> put_back_into_files(const Vault& vault, const std::string& id, std::vector<std::string>& files) {
  const auto removed = TRY(find_removed_entry(vault, id));
  if (!removed) return false;
  const std::string& file = removed->file;
  if (!is_rewritable(place_of(file))) return fail(ErrorCode::refused, "'" + file + "' is no file of loci's");
  const auto change = [&](std::string_view bytes) -> Result<std::string> {
    if (!markdown_of(bytes, id).empty()) return std::string(bytes);
    std::string after = with_markdown(bytes, removed->markdown);
    if (file == user_file_name && measure_user_file(after).over_limit())
      return fail(ErrorCode::refused, "it would pass the limit: " + measure_user_file(after).summary());
    return after;
  };
  const auto changed = TRY(change_file(vault, file, change, IfMissing::create));
  if (changed) remember_file(files, file);
  return true;
}

}  // namespace loci
