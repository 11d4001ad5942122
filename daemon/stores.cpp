#include "daemon/stores.h"

#include "agents/hook_stores.h"
#include "capture/pauses.h"
#include "capture/turn_store.h"
#include "consolidate/kept_answers.h"
#include "consolidate/kept_keys.h"
#include "consolidate/rebuild_mark.h"
#include "consolidate/runs/run_stores.h"
#include "context/kept_session.h"
#include "edits/edit_store.h"
#include "embeddings/vector_file.h"
#include "memory/stores.h"
#include "panel/logins.h"
#include "sync/sync_record.h"
#include "vault/purge/purge_json.h"

namespace loci {
namespace {

// Nothing that anybody remembers stands in these.
constexpr Store settings{"the vault's settings", StoreRoot::vault, ".loci/config.toml", Permissions::person};
constexpr Store hosts{"the machines", StoreRoot::vault, ".loci/hosts/", Permissions::person};
// The last error of a model is in it, and that is a stranger's words.
constexpr Store model_use{
    "what models were used for", StoreRoot::state, "model-use.json", Permissions::owner,
    [](std::string_view, std::string_view bytes, const PurgedText& text) { return purge_json_file(bytes, text); }};
constexpr Store http_token{"the token of the HTTP address", StoreRoot::state, "http-token", Permissions::owner};
constexpr Store panel_logins{"the panel's logins", StoreRoot::state, logins_file_name, Permissions::owner};
constexpr Store panel_address{"the panel's address", StoreRoot::state, panel_address_name, Permissions::owner};
constexpr Store socket{"the daemon's socket", StoreRoot::state, "daemon.sock", Permissions::owner};

}  // namespace

std::vector<Store> all_stores() {
  std::vector<Store> stores = memory_stores();
  for (const Store& store :
       {edit_store, turn_store,    kept_session_store, pause_store,     spool_store,   second_spool_store, hook_store,
        run_store,  failure_store, answer_store,       topic_key_store, rebuild_store, settings,           hosts,
        model_use,  http_token,    panel_logins,       panel_address,   socket,        sync_store,         vector_store})
    stores.push_back(store);
  return stores;
}

}  // namespace loci
