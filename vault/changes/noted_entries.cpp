#include "vault/changes/noted_entries.h"

#include <algorithm>
#include <set>

#include "parser/parser.h"
#include "vault/archive/appended_entries.h"

namespace loci {
namespace {

using Ids = std::set<std::string>;

// Takes out of `ids` those of the entries in these bytes.
void find(std::string_view bytes, Ids& ids) {
  if (std::ranges::none_of(ids, [&](const std::string& id) { return bytes.contains('"' + id + '"'); })) return;
  for (const ParsedEntry& entry : parse(bytes).entries) ids.erase(entry.id);
}

Status find_in_archive(const Vault& vault, Ids& ids) {
  std::error_code error;
  std::filesystem::recursive_directory_iterator item(vault.file("archive"), error), end;
  for (; !error && item != end && !ids.empty(); item.increment(error))
    if (item->is_regular_file(error)) find(TRY(read_file_if_any(vault.files(), item->path())).value_or(std::string()), ids);
  if (error && error != std::errc::no_such_file_or_directory) return fail_errno("read", "archive", error.value());
  return {};
}

Ids ids_of(const std::vector<NewEntry>& entries) {
  Ids ids;
  for (const NewEntry& entry : entries) ids.insert(entry.metadata.id);
  return ids;
}

}  // namespace

Result<std::vector<NewEntry>> missing_in_archive(const Vault& vault, const std::vector<NewEntry>& entries) {
  Ids missing = ids_of(entries);
  TRY(find_in_archive(vault, missing));
  std::vector<NewEntry> left;
  std::ranges::copy_if(entries, std::back_inserter(left), [&](const NewEntry& one) { return missing.contains(one.metadata.id); });
  return left;
}

Result<bool> came_into_archive(const Vault& vault, const std::vector<NewEntry>& entries) {
  if (entries.empty()) return false;
  const Ids ids = ids_of(entries);
  for (const AppendedEntry& appended : TRY(appended_entries(vault)))
    if (ids.contains(appended.id)) return true;
  return TRY(missing_in_archive(vault, entries)).size() < entries.size();
}

}  // namespace loci
