// How git is asked by a program, and what its answers say when something went wrong. Pure but for git_environment(), which reads
// this process's own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/child_process.h"
#include "base/result.h"

namespace loci {

// What stands in these is one machine's, for a moment. An older vault's .gitignore does not name them all.
inline const std::vector<std::string> own_folders{".loci/tmp", ".loci/spool"};

// No git of another program's counts here, and nothing asks for a password; who commits and how the remote is reached stays the
// person's. `more`: variables besides.
std::vector<std::string> git_environment(const std::vector<std::string>& more);

// The parts between `end`, without empty ones.
std::vector<std::string> split_answer(std::string_view text, char end);
std::string first_line_of(std::string_view text);

// A password that stands in an address is nobody's business.
std::string without_passwords(std::string text);
// The line that says what went wrong, without passwords.
std::string what_git_said(const ProgramAnswer& answer);

// `what`: the command, for the message.
std::unexpected<Error> git_failed(const std::string& what, const ProgramAnswer& answer);
// What kept the other side from answering, and what helps.
std::unexpected<Error> remote_failed(const std::string& remote, const ProgramAnswer& answer);
// A push that nobody but this repository itself refused, as by a hook.
bool is_refused_here(const ProgramAnswer& answer);
bool is_missing_branch(const ProgramAnswer& answer);

}  // namespace loci
