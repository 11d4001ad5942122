// What an export of Claude.ai holds beside conversations: what it remembers of its user.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "importers/members.h"

namespace loci::importers {

using ProjectNames = std::map<std::string, std::string>;  // by their uuids

// Is this a file of an export that says what Claude.ai remembers?
bool is_claude_ai_memory(std::string_view name);
// What cannot be read of them is left out: a memory is one without the name of its project, too.
ProjectNames claude_ai_projects(const ImportSource& source);
// ErrorCode::usage for what is no JSON.
Status read_claude_ai_memory(const Member& member, const ProjectNames& projects, std::optional<Instant> written_at,
                             Records& records);

}  // namespace loci::importers
