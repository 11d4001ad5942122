#include "memory/import.h"

#include <algorithm>
#include <set>

#include "memory/export.h"
#include "memory/file_changes.h"
#include "memory/metadata_of.h"
#include "memory/vault_logs.h"
#include "parser/entry_edit.h"
#include "parser/text_hash.h"
#include "vault/rewrite/change_file.h"
#include "vault/rewrite/replace.h"

namespace loci {
namespace {

constexpr size_t batch_size = 256;
constexpr const char* consolidated_file = "consolidated/memory.md";

bool is_consolidated(const Entry& entry) { return entry.place == Place::consolidated && !entry.from.empty(); }

// What is known already, asked of the index once for each entry.
class Known {
 public:
  explicit Known(Memory& memory) : memory_(memory) {}

  Status load() {
    std::string after;
    EntryFilter all;
    all.inactive = true;
    while (true) {
      const auto entries = TRY(memory_.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.list(all, 1000, after); }));
      for (const Entry& entry : entries) add(entry);
      if (entries.empty()) break;
      after = entries.back().id;
    }
    // What was forgotten and stands in no file any more.
    const auto logs = TRY(read_logs(memory_.vault()));
    for (const Tombstone& tombstone : logs.tombstones) ids_.insert(tombstone.id);
    return {};
  }

  // Words said twice are two turns; a fact said twice is one.
  bool has(const Entry& entry) const {
    if (ids_.contains(entry.id)) return true;
    return entry.kind == EntryKind::fact && !is_consolidated(entry) && hashes_.contains(entry.hash);
  }

  void add(const Entry& entry) {
    ids_.insert(entry.id);
    if (entry.kind == EntryKind::fact && entry.from.empty()) hashes_.insert(entry.hash);
  }

 private:
  Memory& memory_;
  std::set<std::string> ids_, hashes_;
};

NewEntry archived(const Entry& entry) {
  Metadata metadata = metadata_of(entry);
  // These belong to consolidated entries; a fact in the archive has none.
  metadata.first_seen.clear();
  metadata.updated.clear();
  metadata.sources.clear();
  metadata.from.clear();
  return {std::move(metadata), entry.text};
}

void remember_file(std::vector<std::string>& files, const std::string& file) {
  if (std::ranges::find(files, file) == files.end()) files.push_back(file);
}

Status archive(const Vault& vault, const std::vector<Entry>& entries, std::vector<std::string>& files) {
  for (size_t start = 0; start < entries.size(); start += batch_size) {
    std::vector<NewEntry> batch;
    for (size_t i = start; i < std::min(start + batch_size, entries.size()); ++i) batch.push_back(archived(entries[i]));
    const auto appended = TRY(append_entries(vault, std::move(batch)));
    for (const Appended& entry : appended) remember_file(files, entry.file);
  }
  return {};
}

Status make_consolidated_file(const Vault& vault) {
  const auto bytes = TRY(read_file_if_any(vault.files(), vault.file(consolidated_file)));
  return bytes ? Status() : create_file(vault, consolidated_file, "# Memory\n");
}

// The facts that each consolidated entry rests on are settled into it, as they were where they come from.
std::vector<LedgerEntry> ledger_lines(const Vault& vault, const VaultLogs& logs, const std::vector<Entry>& consolidated,
                                      const std::vector<Entry>& facts) {
  std::int64_t generation = 1;
  for (const LedgerEntry& line : logs.ledger) generation = std::max(generation, line.generation);
  std::vector<LedgerEntry> lines;
  for (const Entry& entry : consolidated)
    for (const std::string& id : entry.from) {
      const auto fact = std::ranges::find(facts, id, &Entry::id);
      if (fact == facts.end()) continue;
      LedgerEntry line;
      line.generation = generation;
      line.run = "import";
      line.at = vault.clock().now();
      line.fact = id;
      line.fact_hash = fact->hash;
      line.outcome = LedgerEntry::Outcome::added;
      line.entry = entry.id;
      line.entry_hash = entry.hash;
      lines.push_back(std::move(line));
    }
  return lines;
}

Status consolidate(const Vault& vault, const std::vector<Entry>& consolidated, const std::vector<Entry>& facts) {
  if (consolidated.empty()) return {};
  TRY(make_consolidated_file(vault));
  TRY(change_file(vault, consolidated_file, [&](std::string_view before) -> Result<std::string> {
    std::string bytes(before);
    for (const Entry& entry : consolidated) {
      auto after = TRY(insert_entry(bytes, metadata_of(entry), entry.text));
      bytes = std::move(after);
    }
    return bytes;
  }));
  const auto logs = TRY(read_logs(vault));
  return append_ledger(vault, ledger_lines(vault, logs, consolidated, facts));
}

Result<Entry> entry_from_export(const Json& json) {
  const Json* text = json.find("text");
  const Json* layer = json.find("layer");
  if (!json.as_object() || !text || !text->as_string()) return fail(ErrorCode::usage, "has no \"text\"");
  // The keys of the export that are metadata's too, with metadata's own rules for types.
  Json object = Json::object();
  for (const char* key : {"id", "at", "source", "kind", "session", "turn", "role", "task", "project", "tags", "category",
                          "confidence", "about", "corrects", "first_seen", "updated", "sources", "from"})
    if (const Json* value = json.find(key)) object.set(key, *value);
  const auto metadata = parse_metadata(to_string(object));
  if (!metadata) return fail(ErrorCode::usage, metadata.error().message);
  if (metadata->id.empty()) return fail(ErrorCode::usage, "has no \"id\"");
  Entry entry;
  entry.id = metadata->id;
  entry.text = *text->as_string();
  entry.hash = stored_text_hash(entry.text);
  entry.at = metadata->at;
  entry.source = metadata->source.value_or(Source::agent);
  entry.kind = metadata->kind.value_or(EntryKind::fact);
  entry.session = metadata->session;
  entry.turn = metadata->turn;
  entry.role = metadata->role;
  entry.task = metadata->task;
  entry.project = metadata->project;
  entry.tags = metadata->tags;
  entry.category = metadata->category;
  entry.confidence = metadata->confidence;
  entry.about = metadata->about;
  entry.corrects = metadata->corrects;
  entry.first_seen = metadata->first_seen;
  entry.updated = metadata->updated;
  entry.sources = metadata->sources;
  entry.from = metadata->from;
  const Json* file = json.find("file");
  entry.place = file && file->as_string() ? place_of(*file->as_string()) : Place::archive;
  entry.layer = layer && layer->as_string() ? layer_from(*layer->as_string()).value_or(Layer::L1) : Layer::L1;
  return entry;
}

std::unexpected<Error> wrong_entry(size_t number, const Error& error) {
  return fail(ErrorCode::usage, "entry " + std::to_string(number) + " " + error.message, "is this what 'loci export' wrote?");
}

bool is_active(const Json& json) {
  const Json* status = json.find("status");
  return !status || !status->as_string() || *status->as_string() == "active";
}

Result<std::vector<Entry>> entries_of(const Json::Array& values) {
  std::vector<Entry> entries;
  for (const Json& value : values) {
    if (!is_active(value)) continue;
    auto entry = entry_from_export(value);
    if (!entry) return wrong_entry(entries.size() + 1, entry.error());
    entries.push_back(std::move(*entry));
  }
  return entries;
}

Result<Json::Array> parse_lines(std::string_view bytes) {
  Json::Array values;
  for (size_t number = 1; !bytes.empty(); ++number) {
    const size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    auto json = parse_json(line);
    if (!json)
      return fail(ErrorCode::usage, "line " + std::to_string(number) + ": " + json.error().message,
                  "is this what 'loci export' wrote?");
    values.push_back(std::move(*json));
  }
  return values;
}

}  // namespace

Result<std::vector<Entry>> parse_export(std::string_view bytes) {
  if (const auto whole = parse_json(bytes, JsonLimits{.bytes = size_t{1} << 30, .depth = 64}); whole && whole->find("entries")) {
    const Json::Array* values = whole->find("entries")->as_array();
    if (!values) return fail(ErrorCode::usage, "\"entries\" is no array", "is this what 'loci export' wrote?");
    return entries_of(*values);
  }
  const auto lines = TRY(parse_lines(bytes));
  return entries_of(lines);
}

Result<std::vector<Entry>> read_loci_export(const path& from, const Environment& environment, FileSystem& files,
                                            const Clock& clock) {
  std::error_code error;
  if (!std::filesystem::is_directory(from, error)) {
    const auto bytes = TRY(read_file(files, from));
    return parse_export(bytes);
  }
  auto memory = TRY(Memory::open(from, environment, files, clock));
  TRY(memory.bring_up_to_date());
  std::vector<Entry> entries;
  TRY(for_each_entry(memory, [&](const Entry& entry) {
    entries.push_back(entry);
    return true;
  }));
  return entries;
}

Result<Imported> import_entries(Memory& memory, std::vector<Entry> entries, bool dry_run) {
  TRY(memory.bring_up_to_date());
  Known known(memory);
  TRY(known.load());
  Imported imported;
  imported.found = entries.size();
  std::vector<Entry> facts, consolidated;
  for (Entry& entry : entries) {
    if (known.has(entry)) {
      ++imported.known;
      continue;
    }
    known.add(entry);
    (is_consolidated(entry) ? consolidated : facts).push_back(std::move(entry));
  }
  imported.archived = facts.size();
  imported.consolidated = consolidated.size();
  if (dry_run || (facts.empty() && consolidated.empty())) return imported;

  std::vector<std::string> files;
  TRY(archive(memory.vault(), facts, files));
  if (auto stored = consolidate(memory.vault(), consolidated, facts); !stored) {
    imported.notes.push_back(std::to_string(consolidated.size()) +
                             " consolidated entries were not taken over: " + stored.error().message);
    imported.consolidated = 0;
  }
  imported.searchable = make_searchable(memory, {});
  return imported;
}

}  // namespace loci
