// Calls of loci in an agent's settings, as words. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loci {

// A word as a shell reads it back.
std::string quoted_word(const std::string& word);

// The words of a line that was made of quoted words.
std::vector<std::string> words_of_call(std::string_view line);

// Nothing but "PROGRAM [--vault DIR] hook EVENT": loci by whatever path, and with a --vault by whatever name.
bool is_hook_of_loci(const std::vector<std::string>& words);

// "PROGRAM --vault DIR mcp" by whatever name, or whatever a program named loci is called with.
bool is_server_of_loci(const std::vector<std::string>& words);

// Just "PROGRAM --vault DIR mcp", as `loci connect` writes it: what is called otherwise somebody wrote by hand, and it is theirs.
bool is_server_of_connect(const std::vector<std::string>& words);

// What stands behind --vault; empty if nothing does.
std::string vault_in_words(const std::vector<std::string>& words);

}  // namespace loci
