// What the completion scripts of all shells are made of: the commands that are listed, and what is offered for a kind of value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"

namespace loci::cli {

// Where the values of a kind come from: words, the vault, files, or nowhere.
enum class Origin : std::uint8_t { none, words, vault, files, folders };

Origin origin_of(ValueKind kind);
// The words of a kind whose values are words, with spaces between them.
std::string words_of(ValueKind kind);
// What `loci __complete` calls a kind whose values are of the vault.
std::string_view vault_word(ValueKind kind);

// In the order of help.
std::vector<const Command*> visible_commands();
// With spaces between them.
std::string command_names();
std::string option_names(const Command& command);
// "'add --tag' 'add --project' …": the options that the next word belongs to, so that it is none of the command's own words.
std::string options_with_values(std::string_view separator);

}  // namespace loci::cli
