#include "memory/purge_record.h"

#include <algorithm>

#include "base/json.h"

namespace loci {
namespace {

constexpr JsonLimits limits{.bytes = size_t{256} << 20, .depth = 16};

path record_file(const Vault& vault) { return vault.state_folder() / purge_record_name; }

Json to_json(const Entry& entry) {
  std::vector<std::string> files;
  for (const EntryPlace& place : entry.places) files.push_back(place.file);
  return Json::Object{{"id", entry.id},     {"text", entry.text}, {"hash", entry.hash},
                      {"from", entry.from}, {"files", files},     {"has_metadata", entry.has_metadata}};
}

Entry from_json(const Json& json) {
  Entry entry;
  entry.id = json.text_at("id");
  entry.text = json.text_at("text");
  entry.hash = json.text_at("hash");
  entry.from = json.texts_at("from");
  for (std::string& file : json.texts_at("files")) entry.places.push_back({std::move(file), 0, 0});
  const Json* has_metadata = json.find("has_metadata");
  entry.has_metadata = has_metadata && has_metadata->as_bool() && *has_metadata->as_bool();
  return entry;
}

}  // namespace

Result<std::vector<Entry>> read_purge_record(const Vault& vault) {
  std::vector<Entry> entries;
  const auto bytes = TRY(read_file_if_any(vault.files(), record_file(vault), limits.bytes));
  const auto json = bytes ? parse_json(*bytes, limits) : Result<Json>(Json());
  if (!json) return entries;
  for (const Json& one : json->array_at("entries"))
    if (Entry entry = from_json(one); !entry.id.empty()) entries.push_back(std::move(entry));
  return entries;
}

Status write_purge_record(const Vault& vault, const std::vector<Entry>& entries) {
  Json::Array listed;
  for (const Entry& entry : entries) listed.push_back(to_json(entry));
  TRY(make_folders(vault.files(), vault.state_folder()));
  return write_file(vault.files(), record_file(vault), to_string(Json::Object{{"v", 1}, {"entries", std::move(listed)}}) + "\n");
}

Status remove_purge_record(const Vault& vault) { return vault.files().remove(record_file(vault)); }

}  // namespace loci
