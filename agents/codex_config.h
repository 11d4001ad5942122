// The MCP server in Codex's config.toml: a table of its own at the end of the file, so that nothing else changes. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agents/settings_text.h"

namespace loci {

struct CodexServer {
  std::string command;
  std::vector<std::string> args;
  Json environment;  // an object of strings, or null
};

// ErrorCode::usage, with the line, for what is no TOML; ErrorCode::refused for a file in which the table cannot stand so, or in
// which it is another program's; that one is left alone.
Result<SettingsEdit> with_codex_server(const std::string& text, const CodexServer& server);
Result<SettingsEdit> without_codex_server(const std::string& text);

// Program and arguments of the server; none if it is not there.
std::optional<std::vector<std::string>> codex_server_words(const std::string& text);

}  // namespace loci
