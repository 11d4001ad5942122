// What the archive holds of one conversation, read from its own files: those of every machine, and no others. The index may be
// behind, and a number must not be given twice.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "parser/parser.h"
#include "vault/layout/vault.h"

namespace loci {

// Relative paths of the files of archive/sessions/ that belong to this conversation, sorted. Reads one folder.
std::vector<std::string> files_of_session(const Vault& vault, const std::string& session);

// The entries in them whose metadata names the session, in the order of files and lines; forgotten ones too.
Result<std::vector<ParsedEntry>> entries_of_session(const Vault& vault, const std::string& session);

}  // namespace loci
