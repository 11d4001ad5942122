#include "memory/removed_entries.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/json.h"
#include "parser/parser.h"
#include "parser/text_hash.h"

namespace loci {
namespace {

// An entry of 1 MiB whose every byte needs six in JSON, with room to spare.
constexpr JsonLimits line_limits{.bytes = size_t{32} << 20, .depth = 4};

std::optional<RemovedEntry> from_json(const Json& line) {
  const std::string *at = line.string_at("at"), *id = line.string_at("id"), *file = line.string_at("file"),
                    *markdown = line.string_at("markdown");
  if (!at || !id || !file || !markdown) return std::nullopt;
  const auto instant = parse_time(*at);
  if (!instant) return std::nullopt;
  return RemovedEntry{*instant, *id, *file, *markdown};
}

std::string format(const RemovedEntry& entry) {
  Json line = Json::object();
  line.add_unchecked("at", format_rfc3339(entry.at));
  line.add_unchecked("id", entry.id);
  line.add_unchecked("file", entry.file);
  line.add_unchecked("markdown", entry.markdown);
  return to_string(line) + '\n';
}

}  // namespace

HostLog removed_log(const Vault& vault) { return {vault, "removed"}; }

std::optional<RemovedEntry> parse_removed_entry(std::string_view line) {
  const auto json = parse_json(line, line_limits);
  return json ? from_json(*json) : std::nullopt;
}

Result<std::vector<RemovedEntry>> read_removed_entries(const Vault& vault, std::vector<Problem>* problems) {
  std::vector<RemovedEntry> entries;
  const auto logs = TRY(removed_log(vault).read());
  for (const HostLog::File& log : logs) {
    const auto told = visit_log_lines(log, line_limits, [&](int, const Json& line) {
      auto entry = from_json(line);
      if (entry) entries.push_back(std::move(*entry));
      return entry.has_value();
    });
    if (problems) problems->insert(problems->end(), told.begin(), told.end());
  }
  std::ranges::stable_sort(entries, {}, &RemovedEntry::at);
  return entries;
}

Result<std::optional<RemovedEntry>> find_removed_entry(const Vault& vault, const std::string& id) {
  auto entries = TRY(read_removed_entries(vault));
  std::optional<RemovedEntry> latest;
  for (RemovedEntry& entry : entries)
    if (entry.id == id) latest = std::move(entry);
  return latest;
}

Status keep_removed_entry(const Vault& vault, RemovedEntry entry) { return keep_removed_entries(vault, {std::move(entry)}); }

Status keep_removed_entries(const Vault& vault, std::vector<RemovedEntry> entries) {
  if (entries.empty()) return {};
  const auto known = TRY(read_removed_entries(vault));
  std::map<std::string_view, const RemovedEntry*> latest;
  for (const RemovedEntry& one : known) latest[one.id] = &one;
  Instant at = vault.clock().now();
  // A clock that went back must not make these copies the older ones.
  if (!known.empty()) at = std::max(at, known.back().at + std::chrono::milliseconds(1));
  std::string lines;
  for (RemovedEntry& one : entries) {
    const auto before = latest.find(one.id);
    if (before != latest.end() && before->second->file == one.file && before->second->markdown == one.markdown) continue;
    one.at = std::exchange(at, at + std::chrono::milliseconds(1));
    latest[one.id] = &one;
    lines += format(one);
  }
  return lines.empty() ? Status() : removed_log(vault).append(lines);
}

Entry entry_of(const RemovedEntry& removed) {
  Entry entry;
  entry.id = removed.id;
  entry.active = false;
  entry.place = place_of(removed.file);
  entry.layer = layer_of(entry.place, EntryKind::fact, true);
  entry.places = {{removed.file, 0, 0}};
  const ParsedFile parsed = parse(removed.markdown);
  if (parsed.entries.empty()) return entry;
  const ParsedEntry& said = parsed.entries.front();
  entry.text = said.text;
  entry.hash = said.hash;
  entry.has_metadata = said.metadata.has_value();
  entry.tags = said.tags;
  if (!said.metadata) return entry;
  entry.source = is_edited(said.metadata->sum, said.hash) ? Source::user : said.metadata->source.value_or(Source::user);
  entry.at = said.metadata->at;
  entry.project = said.metadata->project;
  entry.from = said.metadata->from;
  entry.corrects = said.metadata->corrects;
  return entry;
}

Result<Entry> find_removed(const Vault& vault, const VaultLogs& logs, const std::string& id_or_prefix, const Error& unknown) {
  const auto removed = TRY(read_removed_entries(vault));
  std::map<std::string, Entry> found;
  for (const Tombstone& tombstone : logs.tombstones) {
    if (!tombstone.id.starts_with(id_or_prefix)) continue;
    Entry& entry = found[tombstone.id];
    entry.id = tombstone.id;
    entry.active = false;
    if (!tombstone.text_hash.empty()) entry.hash = tombstone.text_hash;
  }
  for (const RemovedEntry& one : removed)
    if (one.id.starts_with(id_or_prefix)) found[one.id] = entry_of(one);
  if (const auto exact = found.find(id_or_prefix); exact != found.end()) return exact->second;
  if (found.size() == 1) return found.begin()->second;
  if (found.empty()) return std::unexpected(unknown);
  return fail(ErrorCode::usage, "several entries have an id that starts with '" + id_or_prefix + "'", "write more of it");
}

}  // namespace loci
