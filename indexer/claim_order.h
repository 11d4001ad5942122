// Which of several files has what only one of them can have: an id that each of them claims, or being the first place of a text
// that stands in each. Everything that builds, changes or reads the index asks here, so that all of it agrees. A pure function.
//
// The four memory places come before notes: otherwise a note whose name sorts before `archive/` would take over the id, and with
// it the trust, of any memory that it copies. Within each of the two the path decides.
#pragma once

#include <string_view>
#include <tuple>

#include "vault/layout/layout.h"

namespace loci {

struct ClaimOrder {
  using is_transparent = void;

  // Whether the file `a` comes before the file `b`.
  bool operator()(std::string_view a, std::string_view b) const {
    const bool a_is_note = place_of(a) == Place::note;
    const bool b_is_note = place_of(b) == Place::note;
    return std::tie(a_is_note, a) < std::tie(b_is_note, b);
  }
};

}  // namespace loci
