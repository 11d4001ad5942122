#include "vault/purge/store.h"

namespace loci {

const Store* store_of(std::span<const Store> stores, StoreRoot root, std::string_view file) {
  const Store* keeper = nullptr;
  for (const Store& store : stores)
    if (store.root == root && file.starts_with(store.place) && (!keeper || store.place.size() > keeper->place.size()))
      keeper = &store;
  return keeper;
}

}  // namespace loci
