#include "edits/decisions.h"

#include <algorithm>

#include "edits/seen_file.h"
#include "memory/correct.h"
#include "memory/file_changes.h"
#include "memory/removed_entries.h"
#include "memory/vault_logs.h"
#include "parser/core_file.h"
#include "parser/parser.h"
#include "vault/rewrite/change_file.h"

namespace loci {
namespace {

constexpr const char* by_user = "user";

// Of a fact that the index knows; a tombstone without a hash counts whatever the text.
Result<std::string> hash_of(Memory& memory, const std::string& id) {
  const auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); }));
  return !found.empty() && found.front().id == id ? found.front().hash : std::string();
}

bool is_removed(const VaultLogs& logs, const std::string& id) {
  const Tombstone* state = state_of(logs, id);
  return state && removes(*state);
}

// The file with the line's metadata naming another entry; as it is if no such line stands between the markers.
std::string with_ref(std::string_view file, const std::string& from, const std::string& to) {
  std::string out(file);
  for (const ParsedEntry& entry : parse(file).entries) {
    if (!entry.metadata || entry.metadata->ref != from) continue;
    Metadata metadata = *entry.metadata;
    metadata.ref = to;
    const size_t line_end = std::min(file.find_first_of("\r\n", entry.begin), file.size());
    return out.replace(entry.begin, line_end - entry.begin, format_metadata(metadata));
  }
  return out;
}

// correct() takes the line out with the entry that it showed; what the person wrote there belongs to them and comes back.
Status put_line_back(const Vault& vault, const std::string& core_file, const std::string& ref, const std::string& successor) {
  const auto without = remove_core_lines(core_file, {ref});
  if (!without) return {};
  TRY(change_file(vault, core_file_name, [&](std::string_view bytes) -> Result<std::string> {
    return bytes == *without ? with_ref(core_file, ref, successor) : std::string(bytes);
  }));
  return {};
}

}  // namespace

Status delete_entries(Memory& memory, const EditState& state, const std::string& file, const std::vector<Absence>& entries) {
  if (entries.empty()) return {};
  const Vault& vault = memory.vault();
  const auto logs = TRY(read_logs(vault));
  Instant at = next_tombstone_time(vault, logs);
  std::vector<Tombstone> tombstones;
  for (const Absence& entry : entries) {
    const auto markdown = TRY(state.absent_markdown(file, entry.id));
    if (!markdown.empty()) TRY(keep_removed_entry(vault, {{}, entry.id, file, markdown}));
    tombstones.push_back({at, entry.id, entry.hash, Tombstone::Reason::deleted, by_user, {}});
    for (const std::string& fact : entry.from) {
      if (is_removed(logs, fact)) continue;
      auto hash = TRY(hash_of(memory, fact));
      tombstones.push_back({at, fact, std::move(hash), Tombstone::Reason::deleted, by_user, {}});
    }
    at += std::chrono::milliseconds(1);  // what `restore` takes back together has one time
  }
  TRY(append_tombstones(vault, tombstones));
  std::vector<std::string> files{file}, notes;  // a line that stays in the core shows nothing: doctor lists it
  for (const Absence& entry : entries) take_out_of_core(vault, entry.id, files, notes);
  (void)make_searchable(memory, files);  // the tombstones decide; an index that is busy takes them in later
  return {};
}

Status demote_lines(Memory& memory, const std::vector<Absence>& lines) {
  const auto logs = TRY(read_logs(memory.vault()));
  const Instant at = next_tombstone_time(memory.vault(), logs);
  std::vector<Tombstone> tombstones;
  for (const Absence& line : lines) tombstones.push_back({at, line.id, line.hash, Tombstone::Reason::demoted, by_user, {}});
  TRY(append_tombstones(memory.vault(), tombstones));
  (void)make_searchable(memory, {core_file_name});
  return {};
}

Result<bool> correct_line(Memory& memory, const std::string& ref, const std::string& core_file) {
  const auto core = TRY(read_core(core_file));
  const auto line = std::ranges::find(core.lines, ref, &CoreLine::ref);
  if (line == core.lines.end()) return false;
  const auto known = find_entry(memory, ref);
  if (!known && known.error().code != ErrorCode::not_found) return std::unexpected(known.error());
  if (!known || known->id != ref) return false;
  const auto corrected = correct(memory, ref, words_of_line(line->text), {Source::correction, by_user});
  if (!corrected && corrected.error().code == ErrorCode::refused) return false;
  if (!corrected) return std::unexpected(corrected.error());
  TRY(put_line_back(memory.vault(), core_file, ref, corrected->id));
  (void)make_searchable(memory, {core_file_name});
  return true;
}

}  // namespace loci
