#include "memory/import_versions.h"

#include <algorithm>

#include "base/hash.h"
#include "parser/parser.h"
#include "parser/text_hash.h"

namespace loci {
namespace {

std::string version_id(const std::string& record, const std::string& hash) {
  return "i-" + hex(as_bytes(sha256(record + '\0' + hash)), 24);
}

// What loci wrote there, before a person changed it.
Result<std::string> sum_written(Memory& memory, const Entry& entry) {
  const Vault& vault = memory.vault();
  const auto bytes = TRY(read_file_if_any(vault.files(), vault.file(entry.places.front().file)));
  if (!bytes) return std::string();
  for (const ParsedEntry& one : parse(*bytes).entries)
    if (one.id == entry.id && one.metadata) return one.metadata->sum;
  return std::string();
}

}  // namespace

Status RecordVersions::add(Memory& memory, const Chronicle& chronicle, const std::string& id) {
  if (id.empty() || found_.contains(id)) return {};
  for (const Entry& entry : TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); }))) {
    if (entry.id != id || entry.places.empty()) continue;
    Found found{entry.hash, entry.edited ? TRY(sum_written(memory, entry)) : std::string(), entry.corrects, entry.at, false, false,
                {}};
    const Tombstone* end = chronicle.tombstone_of(id);
    found.was_ended = end != nullptr;
    found.is_removed = end && removes(*end);
    if (found.is_removed && end->reason == Tombstone::Reason::corrected) found.successor = end->superseded_by;
    found_.emplace(id, found);
    TRY(add(memory, chronicle, found.successor));
    TRY(add(memory, chronicle, found.corrects));
  }
  return {};
}

Status RecordVersions::load(Memory& memory, const Chronicle& chronicle, const std::vector<ExportedEntry>& entries) {
  for (const ExportedEntry& one : entries) {
    if (!one.is_record) continue;
    TRY(add(memory, chronicle, one.entry.id));
    if (!has(one.entry.id)) continue;
    TRY(add(memory, chronicle, first_id_of(one)));
    TRY(add(memory, chronicle, id_of(one)));
  }
  return {};
}

bool RecordVersions::was_taken_in_as(const Found& found, const std::string& hash) const {
  return found.sum.empty() ? found.hash == hash : found.sum == sum_from_hash(hash);
}

std::string RecordVersions::first_id_of(const ExportedEntry& one) const {
  const auto first = found_.find(one.entry.id);
  const bool is_first = first == found_.end() || was_taken_in_as(first->second, one.entry.hash);
  return is_first ? one.entry.id : version_id(one.entry.id, one.entry.hash);
}

std::string RecordVersions::id_of(const ExportedEntry& one) const {
  std::string id = first_id_of(one);
  const auto found = found_.find(id);
  if (found == found_.end() || !found->second.is_removed) return id;
  const std::string stands = standing(one.entry.id);
  if (stands.empty() || !is_later(one, stands)) return id;
  return found_.at(stands).hash == one.entry.hash ? stands : version_id(stands, one.entry.hash);
}

bool RecordVersions::is_later(const ExportedEntry& one, const std::string& than) const {
  const auto& before = found_.at(than).at;
  return one.entry.at && before && *one.entry.at > *before;
}

bool RecordVersions::is_earlier(const ExportedEntry& one, const std::string& than) const {
  const auto& stands = found_.at(than).at;
  return one.entry.at && stands && *one.entry.at < *stands;
}

bool RecordVersions::is_version(const std::string& record, const std::string& id) const {
  const auto found = found_.find(id);
  if (found == found_.end()) return false;
  const Found& one = found->second;
  return id == record || id == version_id(record, one.hash) || (!one.corrects.empty() && id == version_id(one.corrects, one.hash));
}

bool RecordVersions::is_known(const ExportedEntry& one) const {
  const auto found = found_.find(id_of(one));
  return found != found_.end() && (!found->second.is_removed || is_version(one.entry.id, found->second.successor));
}

std::string RecordVersions::standing(const std::string& record) const {
  std::string id = record;
  for (size_t steps = 0; steps <= found_.size() && is_version(record, id); ++steps) {
    const Found& found = found_.at(id);
    if (!found.is_removed) return found.sum.empty() ? id : std::string();
    id = found.successor;
  }
  return {};
}

}  // namespace loci
