#include "edits/core_place.h"

#include <algorithm>

#include "memory/add.h"
#include "memory/forget.h"
#include "memory/may_send.h"
#include "memory/promoted_lines.h"
#include "memory/vault_logs.h"
#include "parser/conflict_lines.h"
#include "parser/core_file.h"
#include "parser/text_hash.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/change_file.h"

namespace loci {
namespace {

constexpr const char* by_user = "user";

Result<std::vector<CoreLine>> core_lines(const Vault& vault) {
  const auto file = TRY(read_file_if_any(vault.files(), vault.file(core_file_name)));
  if (!file) return fail(ErrorCode::refused, "there is no MEMORY.md", "'loci init' makes one");
  return TRY(read_core(*file)).lines;
}

bool shows(const std::vector<CoreLine>& lines, const std::string& id) {
  return std::ranges::find(lines, id, &CoreLine::ref) != lines.end();
}

Status refuse(const std::string& why, const char* hint = "") { return fail(ErrorCode::refused, why, hint); }

Status check_can_stand(Memory& memory, const Entry& entry, const std::vector<CoreLine>& lines) {
  const std::string text = as_core_line(entry.text);
  const auto& settings = memory.vault().config().consolidation;
  if (shows(lines, entry.id)) return refuse("'" + entry.id + "' stands in MEMORY.md already");
  const bool is_kept_by_loci =
      entry.place == Place::consolidated || (entry.place == Place::archive && entry.kind == EntryKind::fact);
  if (!is_kept_by_loci)
    return refuse("'" + entry.id + "' is no fact and no consolidated entry", "write it into MEMORY.md yourself");
  if (!TRY(Sendable(memory).may_send(entry)))
    return refuse("'" + entry.id + "' may not be sent to a model", "see [privacy] never_send");
  if (!fits_core_line(entry.id, text))
    return refuse("'" + entry.id + "' is too long for a line of MEMORY.md: at most " + std::to_string(longest_core_line) +
                  " characters");
  if (lines.size() >= static_cast<size_t>(std::max<std::int64_t>(settings.memory_max_lines, 0)))
    return refuse("MEMORY.md has as many lines as it may have", "demote another one, or raise consolidation.memory_max_lines");
  return {};
}

Status append_tombstone_of(Memory& memory, const Entry& entry, const std::string& hash, Tombstone::Reason reason) {
  const auto logs = TRY(read_logs(memory.vault()));
  return append_tombstones(memory.vault(), {{next_tombstone_time(memory.vault(), logs), entry.id, hash, reason, by_user, {}}});
}

}  // namespace

Result<CorePlace> promote(Memory& memory, const std::string& id) {
  const auto entry = TRY(find_entry_to_change(memory, id));
  TRY(check_can_stand(memory, entry, TRY(core_lines(memory.vault()))));
  const auto chronicle = TRY(Chronicle::read(memory.vault()));
  if (chronicle.is_demoted(entry.id)) TRY(append_tombstone_of(memory, entry, entry.hash, Tombstone::Reason::restored));
  TRY(bring_lines_in_step(memory, {.back = {entry.id}, .run = "by-hand"}));
  if (!shows(TRY(core_lines(memory.vault())), entry.id))
    return std::unexpected(refuse("there is no room left in MEMORY.md", "demote another line").error());
  return CorePlace{entry.id, true, {core_file_name}};
}

Result<CorePlace> demote(Memory& memory, const std::string& id) {
  const auto entry = TRY(find_entry_to_change(memory, id));
  const auto lines = TRY(core_lines(memory.vault()));
  const auto line = std::ranges::find(lines, entry.id, &CoreLine::ref);
  if (line == lines.end()) return fail(ErrorCode::refused, "'" + entry.id + "' has no line of its own in MEMORY.md");
  if (lines_in_conflict(TRY(read_file(memory.vault().files(), memory.vault().file(core_file_name)))).contains(line->line))
    return std::unexpected(
        refuse("its line stands between git's conflict markers", "'loci resolve MEMORY.md' comes first").error());
  // First what explains that the line goes.
  TRY(append_tombstone_of(memory, entry, stored_text_hash(line->text), Tombstone::Reason::demoted));
  TRY(change_file(memory.vault(), core_file_name, [&](std::string_view bytes) { return remove_core_lines(bytes, {entry.id}); }));
  (void)make_searchable(memory, {core_file_name});
  return CorePlace{entry.id, false, {core_file_name}};
}

Result<bool> stands_in_core(const Vault& vault, const std::string& id) {
  const auto lines = core_lines(vault);
  if (!lines && lines.error().code != ErrorCode::refused) return std::unexpected(lines.error());
  return lines && shows(*lines, id);
}

}  // namespace loci
