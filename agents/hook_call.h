// Calls of loci in an agent's settings, as words. They are loci's by the program that they run: one named loci, or this one by
// another name. Pure but for that.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loci {

// A word as a shell reads it back.
std::string quoted_word(const std::string& word);

// The words of a line that was made of quoted words.
std::vector<std::string> words_of_call(std::string_view line);

// Nothing but "loci [--vault DIR] hook EVENT".
bool is_hook_of_loci(const std::vector<std::string>& words);

// Whatever loci is called with.
bool is_server_of_loci(const std::vector<std::string>& words);

// Just "loci --vault DIR mcp", as `loci connect` writes it: what is called otherwise somebody wrote by hand, and it is theirs.
bool is_server_of_connect(const std::vector<std::string>& words);

// What stands behind --vault; empty if nothing does.
std::string vault_in_words(const std::vector<std::string>& words);

}  // namespace loci
