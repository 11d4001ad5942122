// The write behind an append: all bytes at once at the end of an open file, durable, and then checked to be in the file that has
// the name now, because an editor or `sed -i` may have put another one in its place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "vault/archive/archive_file.h"
#include "vault/layout/vault.h"

namespace loci {

struct Written {
  std::uint64_t offset = 0;  // where the bytes stand
  int line = 0;              // the line at that offset, 1-based
};

// None: the bytes were written and are gone again. On an error they are not in the file, unless other bytes stand behind them
// already: what a failed write left is taken back, so that trying again stores nothing twice.
Result<std::optional<Written>> write_checked(const Vault& vault, const OpenArchive& archive, std::string_view bytes);

// The same, noted in the journal before, and taken out of it again if nothing was stored. A journal that cannot be written keeps
// nothing from being stored.
Result<std::optional<Written>> write_journalled(const Vault& vault, const OpenArchive& archive, const std::string& bytes);

}  // namespace loci
