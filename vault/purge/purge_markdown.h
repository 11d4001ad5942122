// A purge of markdown: the same file without some texts. Pure.
#pragma once

#include <string>
#include <string_view>

#include "vault/purge/purged_text.h"

namespace loci {

inline constexpr std::string_view purged_placeholder = "(purged)";

// Is this what a purge leaves of an entry's text? It is nobody's words, and must not be searched for.
bool is_purged(std::string_view text);

// The text blanked: found by id where it has metadata, by hash otherwise. As many lines as before; every other entry reads as
// before.
std::string purge_markdown(std::string_view file, const PurgedText& text);

// The bytes of a memory file, or of a copy of it. consolidated/, user.md and MEMORY.md lose the entry whole, and the lines that
// show it; elsewhere the lines stay, blank.
std::string purge_memory_file(std::string_view file, std::string_view bytes, const PurgedText& text);

// An entry of the markdown, or a line of a core, is one that was purged or rests on one, and still says something.
bool tells_of_purged(std::string_view markdown, const PurgedText& text);

}  // namespace loci
