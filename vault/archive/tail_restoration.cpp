#include "vault/archive/tail_restoration.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "parser/parser.h"
#include "vault/archive/archive_file.h"
#include "vault/archive/archive_write.h"
#include "vault/archive/journal.h"
#include "vault/git/git_objects.h"
#include "vault/git/git_operation.h"
#include "vault/logs/chronicle.h"

namespace loci {
namespace {

constexpr int attempts = 5;                  // as for any append
constexpr std::chrono::seconds moments{30};  // git saves the files and puts others there within so much
constexpr size_t date_length = std::string_view("2026-11-21").size();

// "archive/2026-11-21.2.md": the stem "archive/2026-11-21" and the number 2.
struct NumberedFile {
  ArchiveStem stem;
  int number = 1;
};

std::optional<NumberedFile> parse_name(std::string_view file) {
  constexpr std::string_view suffix = ".md";
  const path name = path(file).filename();
  if (!file.starts_with("archive/") || !file.ends_with(suffix) || !parse_time(name.native().substr(0, date_length)))
    return std::nullopt;
  file.remove_suffix(suffix.size());
  NumberedFile parsed;
  const size_t dot = file.rfind('.');
  if (dot != std::string_view::npos && dot + 1 < file.size() &&
      file.find_first_not_of("0123456789", dot + 1) == std::string_view::npos && file.size() - dot <= 9) {
    parsed.number = std::stoi(std::string(file.substr(dot + 1)));
    file = file.substr(0, dot);
  }
  const bool is_conversation = file.starts_with("archive/sessions/");
  parsed.stem = {std::string(file), (is_conversation ? "# Conversation of " : "# ") + name.native().substr(0, date_length) + '\n'};
  return parsed;
}

using Names = std::set<std::string, std::less<>>;

struct AppendedEntry {
  std::string file, id, hash, head;
  Instant at;
  std::uint64_t write_offset = 0;  // where what it was written with was to go
  std::uint64_t offset = 0;        // and the entry itself
  size_t sequence = 0;             // of appends
  std::string block;               // metadata, text and end marker
};

// In the order of their first append. What was appended again counts where and when that happened last.
std::vector<AppendedEntry> appended_entries(const std::vector<JournalRecord>& journal) {
  std::vector<AppendedEntry> entries;
  std::map<std::string, size_t, std::less<>> places;
  size_t sequence = 0;
  for (const JournalRecord& record : journal)
    for (const ParsedEntry& parsed : parse(record.bytes).entries) {
      if (!parsed.metadata || parsed.metadata->id.empty()) continue;
      AppendedEntry entry{.file = record.file,
                          .id = parsed.id,
                          .hash = parsed.hash,
                          .head = record.head,
                          .at = record.at,
                          .write_offset = record.offset,
                          .offset = record.offset + parsed.begin,
                          .sequence = sequence++,
                          .block = record.bytes.substr(parsed.begin, parsed.end - parsed.begin)};
      const auto [place, is_new] = places.emplace(parsed.id, entries.size());
      if (is_new)
        entries.push_back(std::move(entry));
      else
        entries[place->second] = std::move(entry);
    }
  return entries;
}

// What stands in a file.
struct Standing {
  Names ids;
  Names texts;  // hashes of those without metadata
};

Standing standing_in(std::string_view bytes) {
  Standing standing;
  for (const ParsedEntry& entry : parse(bytes).entries)
    entry.metadata ? standing.ids.insert(entry.id) : standing.texts.insert(entry.hash);
  return standing;
}

class Restoration {
 public:
  Restoration(const Vault& vault, std::vector<AppendedEntry> appended)
      : vault_(vault), appended_(std::move(appended)), head_(git_head_around(vault.root())) {}

  Result<std::vector<std::string>> run(const std::vector<std::string>& files) {
    for (const std::string& file : files) {
      const auto named = parse_name(file);
      if (!named || std::ranges::find(appended_, file, &AppendedEntry::file) == appended_.end()) continue;
      const auto lost = TRY(lost_from(file, *named));
      if (lost.empty()) continue;
      TRY(append(named->stem, lost));
    }
    return std::vector<std::string>(written_.begin(), written_.end());
  }

 private:
  Result<std::vector<const AppendedEntry*>> lost_from(const std::string& file, const NumberedFile& named) {
    std::vector<const AppendedEntry*> lost;
    const auto bytes = TRY(read_file_if_any(vault_.files(), vault_.file(file)));
    if (!bytes && head_.empty()) return lost;
    const Standing here = standing_in(bytes.value_or(""));
    for (const AppendedEntry& entry : appended_)
      if (entry.file == file && !here.ids.contains(entry.id) && !here.texts.contains(entry.hash) && !was_taken_out(entry, here))
        lost.push_back(&entry);
    TRY(drop_those_elsewhere(lost, named));
    drop_what_git_took(lost, bytes, here);
    return lost;
  }

  // Something that was appended behind it since, with nothing cut off in between, is still there.
  bool was_taken_out(const AppendedEntry& entry, const Standing& here) const {
    size_t cut = std::numeric_limits<size_t>::max();
    for (const AppendedEntry& later : appended_)
      if (later.file == entry.file && later.sequence > entry.sequence && later.offset <= entry.offset)
        cut = std::min(cut, later.sequence);
    return std::ranges::any_of(appended_, [&](const AppendedEntry& later) {
      return later.file == entry.file && later.head == entry.head && later.sequence > entry.sequence && later.sequence < cut &&
             later.offset > entry.offset && here.ids.contains(later.id);
    });
  }

  // Leaves what an editor cut off, and what git wrote over without having seen it.
  void drop_what_git_took(std::vector<const AppendedEntry*>& lost, const std::optional<std::string>& bytes,
                          const Standing& here) const {
    if (lost.empty() || head_.empty()) return;
    const bool is_gits = !bytes || git_wrote(vault_.file(lost.front()->file), *bytes);
    std::vector<const AppendedEntry*> taken;
    std::ranges::copy_if(lost, std::back_inserter(taken), [&](const AppendedEntry* entry) {
      return is_gits || entry->head != head_ || git_wrote_below_appends(*entry, *bytes, here);
    });
    if (taken.empty()) return;
    EntryIds ids;
    for (const AppendedEntry* entry : taken) ids.insert(entry->id);
    const Instant first = std::ranges::min(taken, {}, &AppendedEntry::at)->at;
    const auto records = search_git_objects(vault_.root(), first - moments, ids);
    std::erase_if(lost, [&](const AppendedEntry* entry) {
      return ids.contains(entry->id) && (!records || records->held.contains(entry->id) || !was_in_a_save(*entry, *records));
    });
  }

  // git put an older file there, and entries were appended to that one.
  bool git_wrote_below_appends(const AppendedEntry& entry, std::string_view bytes, const Standing& here) const {
    std::uint64_t size = bytes.size();
    for (const AppendedEntry& later : appended_)
      if (later.file == entry.file && later.sequence > entry.sequence && here.ids.contains(later.id))
        size = std::min(size, later.write_offset);
    return size < bytes.size() && git_index_has(vault_.root(), bytes.substr(0, size), entry.at);
  }

  // Appended while git saved the files; or just now saved by a merge that could not put it back.
  bool was_in_a_save(const AppendedEntry& entry, const GitRecords& records) const {
    const Instant now = vault_.clock().now();
    return std::ranges::any_of(records.saves, [&](Instant save) {
      return std::chrono::abs(save - entry.at) <= moments || std::chrono::abs(save - now) <= moments;
    });
  }

  Status drop_those_elsewhere(std::vector<const AppendedEntry*>& lost, const NumberedFile& named) const {
    if (lost.empty()) return {};
    const auto chronicle = TRY(Chronicle::read(vault_));
    std::erase_if(lost, [&](const AppendedEntry* entry) { return chronicle.is_removed(entry->id); });
    for (int number = named.number + 1; !lost.empty(); ++number) {
      const auto bytes = TRY(read_file_if_any(vault_.files(), vault_.file(numbered_file(named.stem.stem, number))));
      if (!bytes) break;
      const Standing later = standing_in(*bytes);
      std::erase_if(lost, [&](const AppendedEntry* entry) { return later.ids.contains(entry->id); });
    }
    return {};
  }

  Status append(const ArchiveStem& stem, const std::vector<const AppendedEntry*>& lost) {
    std::string blocks;
    for (const AppendedEntry* entry : lost) {
      (blocks += '\n') += entry->block;
      if (!blocks.ends_with('\n')) blocks += '\n';
    }
    for (int attempt = 0; attempt < attempts; ++attempt) {
      const auto archive = TRY(open_archive(vault_, stem, blocks.size() + 1));
      const auto written = TRY(write_journalled(vault_, archive, archive.tail.final_newline ? blocks : '\n' + blocks));
      if (!written) continue;
      written_.insert(archive.file);
      return {};
    }
    return fail(ErrorCode::failed, stem.stem + ".md is being replaced by another program again and again",
                "close what is saving it; what it cut off is appended again then");
  }

  const Vault& vault_;
  std::vector<AppendedEntry> appended_;
  std::string head_;
  Names written_;
};

}  // namespace

Result<std::vector<std::string>> restore_archive_tails(const Vault& vault, const std::vector<std::string>& files) {
  const auto is_archive = [](const std::string& file) { return parse_name(file).has_value(); };
  if (std::ranges::none_of(files, is_archive) || git_operation_around(vault.root())) return std::vector<std::string>{};
  const auto journal = TRY(read_journal(vault));
  return Restoration(vault, appended_entries(journal)).run(files);
}

}  // namespace loci
