#include "operations/parameter.h"

namespace loci {

std::vector<std::string_view> choices_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::layer:
      return {"L0", "L1", "L2"};
    case ValueKind::written_layer:
      return {"L0", "L1"};
    case ValueKind::action:
      return {"add", "update", "remove"};
    case ValueKind::source:
      return {"correction", "user", "agent", "system"};
    case ValueKind::kind:
      return {"fact", "turn", "session-summary", "task-summary"};
    case ValueKind::format:
      return {"json", "md"};
    case ValueKind::origin:
      return {"loci",   "claude-code",  "claude-transcripts", "codex", "openclaw", "letta",
              "hermes", "basic-memory", "memsearch",          "mem0",  "chatgpt",  "claude-ai"};
    case ValueKind::form:
      return {"claude-code", "basic-memory", "mem0", "json", "md"};
    case ValueKind::encoding:
      return {"cl100k_base", "o200k_base"};
    case ValueKind::task_action:
      return {"start", "update", "complete", "list"};
    case ValueKind::shell:
      return {"bash", "zsh", "fish"};
    case ValueKind::agent:
      return {"claude-code", "codex", "gemini", "opencode", "openclaw"};
    case ValueKind::hook_event:
      return {"session-start", "user-prompt-submit", "stop", "session-end", "pre-compact", "post-compact"};
    case ValueKind::service:
      return {"install", "remove"};
    case ValueKind::log_level:
      return {"debug", "info", "notice", "warning", "error"};
    default:
      return {};
  }
}

}  // namespace loci
