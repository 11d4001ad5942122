#include "vault/changes/file_transaction_store.h"

#include <algorithm>

namespace loci {
namespace {

// What waits to be written would bring the words back. A purge takes them out of the files itself, and its tombstones say the rest.
std::optional<std::string> purge_note(std::string_view, std::string_view bytes, const PurgedText& text) {
  const auto is_named = [&](const PurgedEntry& entry) { return bytes.find('"' + entry.id + '"') != std::string_view::npos; };
  if (text.stands_in(bytes) || std::ranges::any_of(text.entries(), is_named)) return std::nullopt;
  return std::string(bytes);
}

}  // namespace

constinit const Store file_transaction_store{
    "changes that wait to be finished", StoreRoot::state, "transactions/", Permissions::owner, purge_note, "transactions"};

}  // namespace loci
