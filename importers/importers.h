// Every origin that `loci import` understands, in one table.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "importers/take_in.h"
#include "vault/layout/environment.h"

namespace loci::importers {

struct Importer {
  std::string_view name;  // as --from says it
  std::string_view what;  // for people
  ImportReader read;
  std::optional<path> (*usual_place)(const Environment& environment);  // null: it has to be given
};

std::span<const Importer> all_importers();
const Importer* importer_named(std::string_view name);  // null if there is none

// Where there is something of it on this machine; none if there is nothing.
std::optional<path> found_place(const Importer& importer, const Environment& environment);

}  // namespace loci::importers
