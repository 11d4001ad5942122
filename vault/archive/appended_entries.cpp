#include "vault/archive/appended_entries.h"

#include <map>
#include <utility>

#include "parser/parser.h"
#include "vault/archive/journal.h"

namespace loci {
namespace {

constexpr size_t date_length = std::string_view("2026-11-21").size();

}  // namespace

Result<std::vector<AppendedEntry>> appended_entries(const Vault& vault) {
  std::vector<AppendedEntry> entries;
  std::map<std::string, size_t, std::less<>> places;
  const auto journal = TRY(read_journal(vault));
  for (const JournalRecord& record : journal) {
    if (!stem_of_file(record.file)) continue;
    std::string behind = record.behind;
    for (const ParsedEntry& parsed : parse(record.bytes).entries) {
      if (!parsed.metadata || parsed.metadata->id.empty()) continue;
      const auto [place, is_new] = places.emplace(parsed.id, entries.size());
      if (is_new) entries.emplace_back();
      AppendedEntry& entry = entries[place->second];
      if (is_new) entry.first_head = record.head, entry.first_sequence = place->second;
      entry.file = record.file;
      entry.id = parsed.id;
      entry.hash = parsed.hash;
      entry.behind = std::exchange(behind, parsed.id);
      entry.block = record.bytes.substr(parsed.begin, parsed.end - parsed.begin);
    }
  }
  return entries;
}

std::optional<ArchiveStem> stem_of_file(std::string_view file) {
  constexpr std::string_view suffix = ".md";
  const path name = path(file).filename();
  if (!file.starts_with("archive/") || !file.ends_with(suffix) || !parse_time(name.native().substr(0, date_length)))
    return std::nullopt;
  file.remove_suffix(suffix.size());
  const size_t dot = file.rfind('.');
  if (dot != std::string_view::npos && dot + 1 < file.size() &&
      file.find_first_not_of("0123456789", dot + 1) == std::string_view::npos)
    file = file.substr(0, dot);
  const bool is_conversation = file.starts_with("archive/sessions/");
  return ArchiveStem{std::string(file),
                     (is_conversation ? "# Conversation of " : "# ") + name.native().substr(0, date_length) + '\n'};
}

}  // namespace loci
