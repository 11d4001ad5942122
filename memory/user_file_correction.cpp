#include "memory/user_file_correction.h"

#include <set>

#include "base/id.h"
#include "memory/may_send.h"
#include "memory/removed_entries.h"
#include "memory/successor.h"
#include "parser/entry_edit.h"
#include "parser/parser.h"
#include "parser/text_hash.h"
#include "vault/rewrite/change_file.h"
#include "vault/rewrite/user_file.h"

namespace loci {
namespace {

Result<Corrected> carry_out(Memory& memory, DecidedChanges& changes, const Tombstone& tombstone, const std::string& id) {
  Corrected corrected{id, user_file_name, 0, {tombstone.id}, {}, {}, {}};
  TRY(changes.carry_out_at_once({tombstone}, {}, corrected.files, corrected.notes));
  corrected.searchable = make_searchable(memory, {user_file_name});
  locate(memory, corrected);
  return corrected;
}

Status keep_copy_for_restore(const Vault& vault, std::string_view bytes, const std::string& id, const std::string& buried) {
  for (const ParsedEntry& entry : parse(bytes).entries)
    if (entry.id == id)
      return keep_removed_entry(vault,
                                {{}, buried, user_file_name, std::string(bytes.substr(entry.begin, entry.end - entry.begin))});
  return {};
}

}  // namespace

Error for_an_agent(Memory& memory, Error refused) {
  if (refused.code != ErrorCode::refused || refused.file != user_file_name || refused.hint.empty()) return refused;
  refused.hint = "shorten or remove an entry first";
  const auto bytes = read_file_if_any(memory.vault().files(), memory.vault().file(user_file_name));
  const auto sendable = bytes && *bytes ? Sendable(memory).sendable_part(**bytes, user_file_name) : Result<std::string>();
  if (!sendable) return refused;
  std::set<std::string> may_be_named;
  for (const UserFileUse::Entry& entry : measure_user_file(*sendable).entries) may_be_named.insert(entry.id);
  auto entries = measure_user_file(bytes->value_or("")).entries;
  std::erase_if(entries, [&](const UserFileUse::Entry& entry) { return !may_be_named.contains(entry.id); });
  refused.hint = advice_to_make_room(std::move(entries));
  return refused;
}

Result<Tombstone> reword_in_user_file(DecidedChanges& changes, const Vault& vault, const Entry& old, const std::string& text,
                                      Instant at, const Author& author) {
  const std::string buried = id_from_hash(old.hash);
  std::string id;
  TRY(changes.change(user_file_name, [&](std::string_view bytes) -> Result<std::string> {
    TRY(keep_copy_for_restore(vault, bytes, old.id, buried));
    auto reworded = TRY(reworded_user_file(bytes, old.id, text));
    id = std::move(reworded.id);
    return std::move(reworded.bytes);
  }));
  Tombstone tombstone = retired(old, text, at, author, id);
  tombstone.id = buried;
  return tombstone;
}

Result<Corrected> correct_user_file(Memory& memory, const Entry& old, const std::string& text, const Author& author) {
  const Vault& vault = memory.vault();
  const Instant at = next_tombstone_time(vault, TRY(read_logs(vault)));
  DecidedChanges changes(vault);
  const Tombstone tombstone = TRY(reword_in_user_file(changes, vault, old, text, at, author));
  return carry_out(memory, changes, tombstone, tombstone.superseded_by);
}

Result<Corrected> supersede_in_user_file(Memory& memory, const Entry& old, const Edit& change, const Author& author) {
  const Vault& vault = memory.vault();
  Metadata metadata = inherited(old);
  metadata.id = make_id(memory.now());
  metadata.source = author.source;
  metadata.corrects = old.id;
  if (change.tags) metadata.tags = *change.tags;
  const auto with_new_text = [&](const std::string& bytes) { return with_successor(vault, old, bytes, metadata, *change.text); };
  DecidedChanges changes(vault);
  const auto planned =
      changes.change(user_file_name, [&](std::string_view bytes) { return edited_user_file(bytes, with_new_text); });
  if (!planned) return std::unexpected(for_an_agent(memory, planned.error()));
  const Instant at = next_tombstone_time(vault, TRY(read_logs(vault)));
  return carry_out(memory, changes, retired(old, *change.text, at, author, metadata.id), metadata.id);
}

Result<Corrected> edit_line_of_user_file(Memory& memory, const Entry& old, const Edit& change) {
  std::string id = old.id;
  if (change.text) {
    auto updated = TRY(update_in_user_file(memory.vault(), old.id, *change.text));
    id = std::move(updated);
  }
  if (change.tags) {
    TRY(change_file(memory.vault(), user_file_name,
                    [&](std::string_view bytes) { return set_entry_tags(bytes, id, *change.tags); }));
  }
  Corrected corrected{id, user_file_name, old.places.front().line, {}, {user_file_name}, {}, {}};
  corrected.searchable = make_searchable(memory, corrected.files);
  locate(memory, corrected);
  return corrected;
}

}  // namespace loci
