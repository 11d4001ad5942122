#include "memory/leftovers.h"

#include <set>

#include "memory/add.h"
#include "memory/file_changes.h"
#include "vault/logs/json_lines.h"
#include "vault/purge/purge_json.h"

namespace loci {
namespace {

path waiting_file(const Vault& vault) { return vault.state_folder() / "forgotten-texts.jsonl"; }
path file_in_work(const Vault& vault) { return vault.state_folder() / "forgotten-texts-in-work.jsonl"; }

Status read_ids(const Vault& vault, const path& file, std::set<std::string>& ids) {
  const auto bytes = TRY(read_file_if_any(vault.files(), file));
  if (!bytes) return {};
  visit_json_lines(*bytes, {}, [&](int, const Json* line) {
    if (const std::string* id = line ? line->string_at("id") : nullptr) ids.insert(*id);
  });
  return {};
}

// What was noted so far is in work from now on; what fails is noted anew. A process that dies in between leaves the list to the
// next.
Result<std::set<std::string>> take_list(const Vault& vault) {
  std::set<std::string> ids;
  TRY(read_ids(vault, file_in_work(vault), ids));
  TRY(read_ids(vault, waiting_file(vault), ids));
  if (ids.empty()) return ids;
  std::string all;
  for (const std::string& id : ids) all += to_string(Json::Object{{"id", id}}) + '\n';
  TRY(write_file(vault.files(), file_in_work(vault), all));
  TRY(vault.files().remove(waiting_file(vault)));
  return ids;
}

Status take_out(Memory& memory, const std::string& id, std::vector<std::string>& files) {
  const auto found = memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); });
  if (!found) return std::unexpected(found.error());
  std::vector<std::string> notes;  // whoever asked for it was told already
  if (found->empty() || found->front().id != id)
    take_out_of_core(memory.vault(), id, files, notes);
  else if (!found->front().active)
    take_out_of_files(memory.vault(), found->front(), files, notes);
  return {};
}

// It holds ids alone; one may be a hash.
std::optional<std::string> purge_ids(std::string_view, std::string_view bytes, const PurgedText& text) {
  return purge_json_lines(bytes, text, [&](Json& line) {
    const std::string id = line.text_at("id");
    return text.has_id(id) || text.has_id_of_hash(id) ? PurgedLine::goes : PurgedLine::stays;
  });
}

}  // namespace

constinit const Store leftover_store{"forgotten texts that still stand", StoreRoot::state, "forgotten-texts", Permissions::owner,
                                     purge_ids};

void remember_leftover(const Vault& vault, const std::string& id) {
  (void)append_json_line(vault.files(), waiting_file(vault), Json::Object{{"id", id}});
}

bool has_leftovers(const Vault& vault) {
  std::error_code ignored;
  return std::filesystem::exists(waiting_file(vault), ignored) || std::filesystem::exists(file_in_work(vault), ignored);
}

Result<std::vector<std::string>> take_out_leftovers(Memory& memory) {
  std::vector<std::string> files;
  const Vault& vault = memory.vault();
  if (!has_leftovers(vault)) return files;
  const auto freshness = TRY(memory.bring_up_to_date());
  if (!freshness.fresh()) TRY(memory.take_in({}));
  const auto ids = TRY(take_list(vault));
  for (const std::string& id : ids) TRY(take_out(memory, id, files));
  TRY(vault.files().remove(file_in_work(vault)));
  if (!files.empty()) (void)make_searchable(memory, files);
  return files;
}

}  // namespace loci
