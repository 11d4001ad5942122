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

Result<Corrected> bury_in_user_file(Memory& memory, const Entry& old, const std::string& text, const std::string& buried,
                                    const std::string& id, const Author& author) {
  const Vault& vault = memory.vault();
  const auto logs = TRY(read_logs(vault));
  Tombstone tombstone = retired(old, text, next_tombstone_time(vault, logs), author, id);
  tombstone.id = buried;
  TRY(append_tombstones(vault, {tombstone}));
  Corrected corrected{id, user_file_name, 0, {buried}, {user_file_name}, {}, {}};
  corrected.searchable = make_searchable(memory, {user_file_name});
  locate(memory, corrected);
  return corrected;
}

// What is buried under its text's id is kept under that.
Status keep_copy_for_restore(const Vault& vault, const std::string& id, const std::string& buried) {
  const std::string bytes = TRY(read_file(vault.files(), vault.file(user_file_name)));
  for (const ParsedEntry& entry : parse(bytes).entries)
    if (entry.id == id)
      return keep_removed_entry(vault, {{}, buried, user_file_name, bytes.substr(entry.begin, entry.end - entry.begin)});
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

Result<Corrected> correct_user_file(Memory& memory, const Entry& old, const std::string& text, const Author& author) {
  const std::string buried = id_from_hash(old.hash);
  TRY(keep_copy_for_restore(memory.vault(), old.id, buried));
  const auto id = TRY(update_in_user_file(memory.vault(), old.id, text));
  return bury_in_user_file(memory, old, text, buried, id, author);
}

Result<Corrected> supersede_in_user_file(Memory& memory, const Entry& old, const Edit& change, const Author& author) {
  const Vault& vault = memory.vault();
  Metadata metadata = inherited(old);
  metadata.id = make_id(memory.now());
  metadata.source = author.source;
  metadata.corrects = old.id;
  if (change.tags) metadata.tags = *change.tags;
  const auto with_new_text = [&](const std::string& bytes) { return with_successor(vault, old, bytes, metadata, *change.text); };
  if (auto edited = edit_user_file(vault, with_new_text); !edited)
    return std::unexpected(for_an_agent(memory, std::move(edited.error())));
  return bury_in_user_file(memory, old, *change.text, old.id, metadata.id, author);
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
