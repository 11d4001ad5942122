#include "memory/removed_entries.h"

#include "base/json.h"

namespace loci {
namespace {

// Ids are [A-Za-z0-9._-]{1,64}, and the suffix keeps "." and ".." from being names.
path file_of(const Vault& vault, const std::string& id) { return vault.state_folder() / "removed" / (id + ".json"); }

}  // namespace

Status keep_removed_entry(const Vault& vault, const std::string& id, const RemovedEntry& entry) {
  const path file = file_of(vault, id);
  if (auto made = make_folders(vault.files(), file.parent_path()); !made) return made;
  Json json = Json::object();
  json.set("file", entry.file);
  json.set("markdown", entry.markdown);
  return write_file(vault.files(), file, to_string(json) + "\n");
}

Result<std::optional<RemovedEntry>> find_removed_entry(const Vault& vault, const std::string& id) {
  const auto bytes = read_file_if_any(vault.files(), file_of(vault, id));
  if (!bytes) return std::unexpected(bytes.error());
  if (!*bytes) return std::nullopt;
  const auto json = parse_json(**bytes);
  if (!json) return std::nullopt;  // torn: as good as none
  const Json* file = json->find("file");
  const Json* markdown = json->find("markdown");
  if (!file || !file->as_string() || !markdown || !markdown->as_string()) return std::nullopt;
  return RemovedEntry{*file->as_string(), *markdown->as_string()};
}

Status drop_removed_entry(const Vault& vault, const std::string& id) { return vault.files().remove(file_of(vault, id)); }

}  // namespace loci
