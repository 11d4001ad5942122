#include "vault/rewrite/version_store.h"

#include "parser/core_file.h"
#include "vault/purge/purge_markdown.h"

namespace loci {
namespace {

// A version changes as its file does, and so the purge is nobody's edit. Their log has hashes of whole files alone.
std::optional<std::string> purge_version(std::string_view file, std::string_view bytes, const PurgedText& text) {
  return file.ends_with(".md") ? purge_memory_file(core_file_name, bytes, text) : std::string(bytes);
}

}  // namespace

constinit const Store version_store{"versions of files", StoreRoot::state, "versions/",
                                    Permissions::owner,  purge_version,    "versions"};

}  // namespace loci
