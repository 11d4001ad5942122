#include "memory/stores.h"

#include "memory/purge_record.h"
#include "memory/removed_entries.h"
#include "vault/archive/archive_stores.h"
#include "vault/changes/file_transaction_store.h"
#include "vault/logs/log_stores.h"
#include "vault/purge/purge_json.h"
#include "vault/purge/purge_markdown.h"
#include "vault/rewrite/temporary_store.h"
#include "vault/rewrite/version_store.h"

namespace loci {
namespace {

std::optional<std::string> purge_file_of_vault(std::string_view file, std::string_view bytes, const PurgedText& text) {
  return purge_memory_file(file, bytes, text);
}

// Nobody can be given back what was purged, nor its neighbour in one piece with it.
std::optional<std::string> purge_removed(std::string_view, std::string_view bytes, const PurgedText& text) {
  return purge_json_lines(bytes, text, [&](Json& line) {
    const std::string markdown = line.text_at("markdown");
    const bool holds = text.has_id(line.text_at("id")) || purge_markdown(markdown, text) != markdown;
    return holds ? PurgedLine::goes : PurgedLine::stays;
  });
}

}  // namespace

constinit const Store memory_file_store{"the memory files", StoreRoot::vault, "", Permissions::person, purge_file_of_vault};
constinit const Store removed_entry_store{"what was taken out of its file", StoreRoot::vault, ".loci/removed/", Permissions::person,
                                          purge_removed};
constinit const Store purge_record_store{"an unfinished purge", StoreRoot::state, purge_record_name, Permissions::owner};
constinit const Store index_store{"the index", StoreRoot::state, "index.", Permissions::owner};

std::vector<Store> memory_stores() {
  return {memory_file_store, removed_entry_store, ledger_store,       tombstone_store,       recall_count_store,
          temporary_store,   version_store,       retrieval_store,    journal_store,         tail_store,
          verdict_store,     index_store,         purge_record_store, file_transaction_store};
}

}  // namespace loci
