#include "edits/other_places.h"

#include <algorithm>

#include "edits/seen_file.h"
#include "parser/core_file.h"
#include "parser/parser.h"
#include "parser/text_hash.h"
#include "vault/layout/scan.h"
#include "vault/rewrite/user_file.h"
#include "vault/rewrite/versions.h"

namespace loci {

std::set<std::string> watched_files(const Vault& vault) {
  std::set<std::string> files;
  std::error_code error;
  for (const char* name : {core_file_name, user_file_name})
    if (std::filesystem::exists(vault.file(name), error)) files.insert(name);
  std::filesystem::recursive_directory_iterator walk(vault.file("consolidated"), error);
  for (; !error && walk != std::filesystem::recursive_directory_iterator(); walk.increment(error)) {
    const std::string file = walk->path().lexically_relative(vault.root()).generic_string();
    std::error_code unknown;
    if (has_versions(file) && walk->is_regular_file(unknown) && !is_ignored(vault, file)) files.insert(file);
  }
  return files;
}

OtherPlaces::OtherPlaces(Memory& memory) : memory_(memory) {
  const Vault& vault = memory.vault();
  for (const std::string& file : watched_files(vault)) {
    if (place_of(file) != Place::consolidated) continue;
    const auto bytes = read_file_if_any(vault.files(), vault.file(file));
    if (!bytes || !*bytes) continue;
    for (const SeenEntry& entry : see_file(Place::consolidated, **bytes).entries) {
      for (const std::string& name : {entry.id, entry.hash, loose_text_hash(entry.text)}) files_[name].insert(file);
      if (entry.has_metadata) texts_.emplace_back(entry.id, entry.text);
    }
  }
}

std::vector<std::string> OtherPlaces::that_say(std::string_view text) const {
  std::vector<std::string> ids;
  for (const auto& [id, said] : texts_)
    if (has_in_it(said, text)) ids.push_back(id);
  return ids;
}

std::set<std::string> OtherPlaces::files_with(const std::string& id, const std::string& hash, const std::string& loose) const {
  std::set<std::string> files;
  for (const std::string* name : {&id, &hash, &loose})
    if (const auto found = files_.find(*name); found != files_.end()) files.insert(found->second.begin(), found->second.end());
  return files;
}

// The index may know a file as it was: what it says is looked up.
Result<std::string> text_saying(const Vault& vault, const std::string& file, const std::string& hash, const std::string& loose) {
  const auto bytes = TRY(read_file_if_any(vault.files(), vault.file(file)));
  const auto parsed = parse(bytes.value_or(std::string()));
  const auto text = std::ranges::find_if(
      parsed.entries, [&](const ParsedEntry& entry) { return entry.hash == hash || loose_text_hash(entry.text) == loose; });
  return text == parsed.entries.end() ? std::string() : text->id;
}

std::string OtherPlaces::stands_outside(const std::string& name, std::string_view but_for) const {
  const auto found = files_.find(name);
  if (found == files_.end()) return {};
  const auto file = std::ranges::find_if(found->second, [&](const std::string& one) { return one != but_for; });
  return file == found->second.end() ? std::string() : *file;
}

Result<std::string> OtherPlaces::that_says(const std::string& hash, std::string loose, std::string_view but_for) {
  if (loose.empty()) loose = hash;
  for (const std::string& name : {hash, loose})
    if (std::string file = stands_outside(name, but_for); !file.empty()) return file;
  for (const Entry& entry :
       TRY(memory_.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find_text(hash, loose); })))
    if (std::string file = TRY(among(entry, hash, loose, but_for)); !file.empty()) return file;
  return std::string();
}

Result<bool> OtherPlaces::have(const std::string& id, const std::string& hash, std::string loose, std::string_view but_for) {
  if (loose.empty()) loose = hash;
  if (name(id, but_for) || !TRY(that_says(hash, loose, but_for)).empty()) return true;
  const auto named = TRY(memory_.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); }));
  return !named.empty() && named.front().id == id && !TRY(among(named.front(), hash, loose, but_for)).empty();
}

// Its place outside of consolidated/ and the archive that says this; empty: none.
Result<std::string> OtherPlaces::among(const Entry& entry, const std::string& hash, const std::string& loose,
                                       std::string_view but_for) const {
  for (const EntryPlace& place : entry.places) {
    const Place kind = place_of(place.file);
    const bool is_promoted_line = kind == Place::core && !entry.ref.empty();
    if (kind == Place::consolidated || kind == Place::archive || is_promoted_line || place.file == but_for) continue;
    if (!TRY(text_saying(memory_.vault(), place.file, hash, loose)).empty()) return place.file;
  }
  return std::string();
}

}  // namespace loci
