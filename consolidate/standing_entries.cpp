#include "consolidate/standing_entries.h"

namespace loci {

Result<StandingEntries> StandingEntries::read(const Vault& vault, const RunRecord& record) {
  StandingEntries standing;
  for (const FileRecordOfRun& of_run : record.files) TRY(standing.take_in(vault, of_run.file, of_run.after));
  for (const ClusterRecord& cluster : record.clusters)
    for (const EntryRecord& entry : cluster.entries)
      if (!standing.files_.contains(entry.file)) TRY(standing.take_in(vault, entry.file, {}));
  return standing;
}

Status StandingEntries::take_in(const Vault& vault, const std::string& name, const std::string& after) {
  auto bytes = TRY(read_file_if_any(vault.files(), vault.file(name)));
  File& file = files_[name];
  file.bytes = std::move(bytes);
  if (!file.bytes) return {};
  file.parsed = parse(*file.bytes);
  for (const ParsedEntry& entry : file.parsed.entries)
    if (entry.metadata) file.ids.emplace(entry.id, &entry);
  file.as_after = hash_of_bytes(*file.bytes) == after;
  return {};
}

const ParsedEntry* StandingEntries::find(const std::string& file, const std::string& id) const {
  const auto known = files_.find(file);
  if (known == files_.end()) return nullptr;
  const auto entry = known->second.ids.find(id);
  return entry == known->second.ids.end() ? nullptr : entry->second;
}

std::string StandingEntries::markdown_of(const EntryRecord& entry) const {
  const ParsedEntry* present = find(entry.file, entry.id);
  if (!present) return {};
  return files_.at(entry.file).bytes->substr(present->begin, present->end - present->begin);
}

bool StandingEntries::stands_as_after(const EntryRecord& entry) const {
  const auto file = files_.find(entry.file);
  if (file != files_.end() && file->second.as_after) return true;
  return markdown_of(entry) == entry.after_markdown;
}

bool StandingEntries::stands_as_before(const EntryRecord& entry) const { return markdown_of(entry) == entry.before_markdown; }

}  // namespace loci
