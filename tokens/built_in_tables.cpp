// The packed tables as a part of the program: the linker puts them where the kernel maps them, and only the pages that are looked
// at are ever read.
#include "tokens/token_table.h"

#ifdef LOCI_CL100K_BASE

asm(".pushsection .rodata\n"
    ".balign 64\n"
    "loci_cl100k_base_begin: .incbin \"" LOCI_CL100K_BASE
    "\"\n"
    "loci_cl100k_base_end:\n"
    ".balign 64\n"
    "loci_o200k_base_begin: .incbin \"" LOCI_O200K_BASE
    "\"\n"
    "loci_o200k_base_end:\n"
    ".global loci_cl100k_base_begin, loci_cl100k_base_end, loci_o200k_base_begin, loci_o200k_base_end\n"
    ".popsection\n");

extern "C" {
extern const std::byte loci_cl100k_base_begin[], loci_cl100k_base_end[], loci_o200k_base_begin[], loci_o200k_base_end[];
}

namespace loci {

std::span<const std::byte> built_in_table(std::string_view name) {
  if (name == "o200k_base") return {loci_o200k_base_begin, loci_o200k_base_end};
  return {loci_cl100k_base_begin, loci_cl100k_base_end};
}

}  // namespace loci

#else

namespace loci {

std::span<const std::byte> built_in_table(std::string_view) { return {}; }

}  // namespace loci

#endif
