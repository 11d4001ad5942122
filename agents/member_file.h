// One member of an agent's settings that is loci's: its MCP server. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agents/connect.h"

namespace loci {

struct OurMember {
  std::vector<std::string> where;
  Json value;
  std::function<std::vector<std::string>(const Json&)> words;  // that it is called with
};

// What somebody has put into it besides stays as long as it is there. ErrorCode::refused where another program's stands under its
// name; that one is left alone.
AgentFile member_file(const path& file, OurMember ours);

}  // namespace loci
