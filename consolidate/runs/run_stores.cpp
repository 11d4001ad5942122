#include "consolidate/runs/run_stores.h"

#include "vault/purge/purge_json.h"
#include "vault/purge/purge_markdown.h"

namespace loci {
namespace {

// A file as it was before the run has the hash of its bytes for a name: it stays as it is, or goes.
std::optional<std::string> purge_run(std::string_view file, std::string_view bytes, const PurgedText& text) {
  if (file.ends_with(".json")) return purge_json_file(bytes, text);
  if (tells_of_purged(bytes, text) || text.stands_escaped_in(bytes)) return std::nullopt;
  return std::string(bytes);
}

std::optional<std::string> purge_failures(std::string_view, std::string_view bytes, const PurgedText& text) {
  return purge_json_file(bytes, text);
}

}  // namespace

constinit const Store run_store{"the records of runs", StoreRoot::state, "runs/", Permissions::owner, purge_run};
constinit const Store failure_store{"the counts of failed facts", StoreRoot::state, "consolidation.json", Permissions::owner,
                                    purge_failures};

}  // namespace loci
