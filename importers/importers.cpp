#include "importers/importers.h"

#include <algorithm>
#include <array>

#include "importers/readers.h"

namespace loci::importers {
namespace {

using Place = std::optional<path>;

std::string variable(const Environment& environment, const char* name) {
  return environment.variable ? environment.variable(name).value_or("") : std::string();
}

Place claude(const Environment& environment) {
  const std::string folder = variable(environment, "CLAUDE_CONFIG_DIR");
  return folder.empty() ? environment.home / ".claude" : path(folder);
}

Place codex(const Environment& environment) {
  const std::string folder = variable(environment, "CODEX_HOME");
  return folder.empty() ? environment.home / ".codex" : path(folder);
}

Place openclaw(const Environment& environment) {
  const std::string folder = variable(environment, "OPENCLAW_STATE_DIR");
  return (folder.empty() ? environment.home / ".openclaw" : path(folder)) / "workspace";
}

Place letta(const Environment& environment) { return environment.home / ".letta"; }

Place hermes(const Environment& environment) {
  const std::string folder = variable(environment, "HERMES_HOME");
  return folder.empty() ? environment.home / ".hermes" : path(folder);
}

constexpr std::array table{
    Importer{"claude-code", "what Claude Code remembers of each project (~/.claude)", read_claude_code, claude},
    Importer{"claude-transcripts", "conversations with Claude Code (~/.claude)", read_claude_transcripts, claude},
    Importer{"codex", "conversations with Codex, and what it remembers (~/.codex)", read_codex, codex},
    Importer{"openclaw", "the workspace of OpenClaw ($OPENCLAW_STATE_DIR, ~/.openclaw)", read_openclaw, openclaw},
    Importer{"letta", "memory of Letta's agents (~/.letta)", read_letta, letta},
    Importer{"hermes", "memory of Hermes ($HERMES_HOME, ~/.hermes)", read_hermes, hermes},
    Importer{"basic-memory", "a folder of notes", read_basic_memory, nullptr},
    Importer{"memsearch", "a folder with .memsearch/", read_memsearch, nullptr},
    Importer{"mem0", "a JSON file of mem0", read_mem0, nullptr},
    Importer{"chatgpt", "an export of ChatGPT: the zip file, or conversations.json", read_chatgpt, nullptr},
    Importer{"claude-ai", "an export of Claude.ai: the zip file, or conversations.json", read_claude_ai, nullptr},
};

}  // namespace

std::span<const Importer> all_importers() { return table; }

const Importer* importer_named(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Importer::name);
  return found == table.end() ? nullptr : &*found;
}

std::optional<path> found_place(const Importer& importer, const Environment& environment) {
  if (!importer.usual_place) return std::nullopt;
  auto place = importer.usual_place(environment);
  std::error_code error;
  return place && std::filesystem::is_directory(*place, error) ? place : std::nullopt;
}

}  // namespace loci::importers
