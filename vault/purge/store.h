// One kind of file in which memory text, a hash of it, or an id made of one may stand. Whoever keeps such files says so here, once,
// with a constant beside the code that writes them; daemon/stores.h lists all. `purge` and `doctor` walk that list and know no
// format themselves. Of each file below the vault's root and the state folder somebody is the keeper: the one with the longest
// `place` that the file's path starts with.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "vault/purge/purged_text.h"

namespace loci {

enum class StoreRoot : std::uint8_t { vault, state };

// Who may read its files.
enum class Permissions : std::uint8_t {
  owner,   // 0600, in folders of 0700: `doctor` closes what is open to others
  person,  // files that a person or git brings, too: theirs to set
};

struct Store {
  std::string_view name;  // for people: "the journal of appends"
  StoreRoot root;
  std::string_view place;  // relative to the root: a file ("consolidation.json"), or how its files' paths start ("runs/", "index.")
  Permissions permissions;

  // The bytes of one of its files without the text, and without a hash of it; no value: the file has to go. Bytes that come back
  // as they were are not written. Null: no text stands in these files, or they are made anew from those of the vault. Pure.
  using PurgeBytes = std::optional<std::string> (*)(std::string_view file, std::string_view bytes, const PurgedText& text);
  PurgeBytes purge = nullptr;

  // The folder, relative to the root, whose lock whoever rewrites these files holds (base/process_lock.h); empty if they are only
  // appended to, or replaced by whoever comes last.
  std::string_view lock = {};
};

// The store that a file belongs to, or null; `file` is relative to the root.
const Store* store_of(std::span<const Store> stores, StoreRoot root, std::string_view file);

}  // namespace loci
