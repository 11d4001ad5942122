// What a text asks of whoever reads it, from now on, and what its writer prefers. By tables for a few languages; no meaning is
// understood: good enough to choose what stands first where no model chooses. Pure; any thread.
#pragma once

#include <string_view>

namespace loci {

// "Always answer in English.", "Hanna: Bitte schreibt Rechnungen auf Deutsch.", "Never call me before nine." A question is none.
bool is_standing_order(std::string_view text);

// "Prefers tea.", "Am liebsten Zug."
bool tells_preference(std::string_view text);

}  // namespace loci
