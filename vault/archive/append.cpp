#include "vault/archive/append.h"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "base/counted.h"
#include "base/id.h"
#include "base/named_day.h"
#include "parser/text_hash.h"
#include "parser/writer.h"
#include "vault/archive/archive_file.h"
#include "vault/archive/archive_write.h"
#include "vault/archive/journal.h"
#include "vault/layout/host.h"
#include "vault/logs/logs.h"

namespace loci {
namespace {

// Losing a write to an editor once is rare; five times in a row is something else.
constexpr int attempts = 5;

struct PreparedEntry {
  ArchiveStem stem;
  std::string block;  // metadata line, text, end marker
  Appended appended;
};

std::unexpected<Error> refuse(size_t position, size_t count, std::string why, std::string hint) {
  const std::string which = count == 1 ? "the entry" : "entry " + std::to_string(position + 1) + " of " + std::to_string(count);
  return fail(ErrorCode::refused, which + ' ' + std::move(why), std::move(hint));
}

Result<Instant> time_of_writing(const Vault& vault, const std::string& text) {
  const Instant now = vault.clock().now();
  const auto tombstone = TRY(latest_tombstone_of(vault, stored_text_hash(text), loose_text_hash(text)));
  // What was deleted and is said again is a new memory, also when the clock that wrote the tombstone was ahead of this one.
  return tombstone ? std::max(now, *tombstone + std::chrono::milliseconds(1)) : now;
}

// Stems of one batch. Finding conversations' first days may mean reading a large folder: once for all of them.
class Stems {
 public:
  explicit Stems(const Vault& vault) : vault_(vault), first_days_(vault), host_(is_first_host(vault) ? "" : vault.host()) {}

  // An entry that brings its own time goes to the file of its day.
  ArchiveStem of(const NewEntry& entry) {
    const Metadata& metadata = entry.metadata;
    const std::string day = entry.undated ? "undated" : named_day(vault_.clock(), metadata.at.value_or(vault_.clock().now()));
    if (!goes_to_conversation(metadata)) return archive_stem(first_days_, vault_, metadata, day, host_);
    const auto found = conversations_.find(metadata.session);
    if (found != conversations_.end()) return found->second;
    return conversations_.emplace(metadata.session, archive_stem(first_days_, vault_, metadata, day, host_)).first->second;
  }

 private:
  const Vault& vault_;
  FirstDays first_days_;
  std::string host_;
  std::unordered_map<std::string, ArchiveStem> conversations_;
};

Status make_ready(const Vault& vault, NewEntry& entry) {
  if (!entry.metadata.at && !entry.undated) {
    const auto at = TRY(time_of_writing(vault, entry.text));
    entry.metadata.at = at;
  }
  if (entry.metadata.id.empty()) entry.metadata.id = make_id(vault.clock().now());
  return {};
}

Result<PreparedEntry> prepare(const Vault& vault, NewEntry&& entry, Stems& stems) {
  PreparedEntry prepared;
  prepared.stem = stems.of(entry);
  prepared.appended.hash = stored_text_hash(entry.text);
  TRY(make_ready(vault, entry));
  prepared.appended.id = entry.metadata.id;
  prepared.appended.at = entry.metadata.at.value_or(vault.clock().now());
  auto block = TRY(write_entry(std::move(entry.metadata), entry.text));
  prepared.block = std::move(block);
  return prepared;
}

Result<std::vector<PreparedEntry>> prepare_all(const Vault& vault, std::vector<NewEntry>&& entries) {
  std::vector<PreparedEntry> prepared;
  prepared.reserve(entries.size());
  Stems stems(vault);
  for (size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].text.size() > max_entry_bytes)
      return refuse(i, entries.size(), "has " + std::to_string(entries[i].text.size()) + " bytes; at most 1 MiB is one memory",
                    "keep the text in a file of its own in the vault, or split it");
    auto one = prepare(vault, std::move(entries[i]), stems);
    if (!one && one.error().code == ErrorCode::refused)
      return refuse(i, entries.size(), "cannot be stored: " + one.error().message, one.error().hint);
    if (!one) return std::unexpected(one.error());
    prepared.push_back(std::move(*one));
  }
  return prepared;
}

using Group = std::vector<PreparedEntry*>;  // of one stem, in the order given

std::vector<Group> group_by_stem(std::vector<PreparedEntry>& entries) {
  std::vector<Group> groups;
  std::unordered_map<std::string_view, size_t> index;
  for (PreparedEntry& entry : entries) {
    const auto [place, is_new] = index.emplace(entry.stem.stem, groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(&entry);
  }
  return groups;
}

// How many of these entries go into a file of `size` bytes: at least one.
size_t count_that_fit(const Vault& vault, std::span<PreparedEntry* const> entries, std::uint64_t size) {
  size_t count = 0;
  for (; count < entries.size(); ++count) {
    size += entries[count]->block.size() + 1;
    if (count > 0 && size > rotation_limit(vault)) break;
  }
  return count;
}

std::string join(std::span<PreparedEntry* const> entries, bool final_newline) {
  std::string bytes = final_newline ? "" : "\n";
  for (const PreparedEntry* entry : entries) (bytes += '\n') += entry->block;
  return bytes;
}

void note_places(std::span<PreparedEntry* const> entries, const std::string& file, int line, bool final_newline) {
  if (!final_newline) ++line;
  for (PreparedEntry* entry : entries) {
    entry->appended.file = file;
    entry->appended.line = line + 2;  // behind the blank line and the metadata
    line += 1 + static_cast<int>(std::ranges::count(entry->block, '\n'));
  }
}

// Writes the first of these entries, as many as go into one file, and returns how many; 0: they were lost to somebody who replaced
// the file at that moment.
Result<size_t> append_once(const Vault& vault, const ArchiveStem& stem, std::span<PreparedEntry* const> entries) {
  const auto archive = TRY(open_archive(vault, stem, entries.front()->block.size() + 2));
  entries = entries.first(count_that_fit(vault, entries, archive.tail.size));
  const auto written = TRY(write_journalled(vault, archive, join(entries, archive.tail.final_newline)));
  if (!written) return 0;
  note_places(entries, archive.file, written->line, archive.tail.final_newline);
  return entries.size();
}

Status append_to(const Vault& vault, const ArchiveStem& stem, std::span<PreparedEntry* const> entries) {
  for (int attempt = 0; !entries.empty();) {
    const auto count = TRY(append_once(vault, stem, entries));
    if (count == 0 && ++attempt == attempts)
      return fail(ErrorCode::failed, stem.stem + ".md is being replaced by another program again and again",
                  "close what is saving it, then try again");
    entries = entries.subspan(count);
  }
  return {};
}

}  // namespace

Result<std::vector<NewEntry>> ready_to_append(const Vault& vault, std::vector<NewEntry> entries) {
  for (NewEntry& entry : entries) TRY(make_ready(vault, entry));
  TRY(prepare_all(vault, std::vector<NewEntry>(entries)));
  return entries;
}

Result<std::vector<Appended>> append_entries(const Vault& vault, std::vector<NewEntry> entries) {
  if (entries.empty()) return std::vector<Appended>{};
  TRY(join_vault(vault));
  auto prepared = TRY(prepare_all(vault, std::move(entries)));

  for (const Group& group : group_by_stem(prepared)) {
    if (auto appended = append_to(vault, group.front()->stem, group); !appended) {
      const auto stored = std::ranges::count_if(prepared, [](const PreparedEntry& entry) { return entry.appended.line > 0; });
      if (stored > 0)
        appended.error().hint = counted(stored, "entry was", "entries were") + " stored before this; " + appended.error().hint;
      return std::unexpected(appended.error());
    }
  }

  std::vector<Appended> appended;
  appended.reserve(prepared.size());
  for (PreparedEntry& entry : prepared) appended.push_back(std::move(entry.appended));
  return appended;
}

}  // namespace loci
