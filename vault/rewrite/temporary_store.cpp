#include "vault/rewrite/temporary_store.h"

#include "vault/purge/purge_markdown.h"
#include "vault/rewrite/displaced.h"

namespace loci {
namespace {

// A displaced file is known by the hash of its bytes: it stays as it is, or goes.
std::optional<std::string> purge_temporary(std::string_view file, std::string_view bytes, const PurgedText& text) {
  if (!is_displaced_name(file.substr(file.rfind('/') + 1))) return purge_markdown(bytes, text);
  if (text.stands_in(bytes) || tells_of_purged(bytes, text)) return std::nullopt;
  return std::string(bytes);
}

}  // namespace

constinit const Store temporary_store{"files that writes displaced", StoreRoot::vault, ".loci/tmp/",
                                      Permissions::person,           purge_temporary,  ".loci/tmp"};

}  // namespace loci
