#include "edits/edit_store.h"

#include "parser/core_file.h"
#include "vault/purge/purge_json.h"
#include "vault/purge/purge_markdown.h"

namespace loci {
namespace {

// The copies of files change as the files themselves do, so that a purge looks like nobody's edit.
std::optional<std::string> purge_edits(std::string_view file, std::string_view bytes, const PurgedText& text) {
  return file.ends_with(".json") ? purge_json_file(bytes, text) : purge_memory_file(core_file_name, bytes, text);
}

}  // namespace

constinit const Store edit_store{"what edits are told from", StoreRoot::state, "edits/", Permissions::owner, purge_edits, "edits"};

}  // namespace loci
