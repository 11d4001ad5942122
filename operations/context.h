// What an agent gets before it answers.
#pragma once

#include <array>

#include "operations/operation.h"

namespace loci {

inline constexpr auto context_parameters = std::to_array<Parameter>({
    {"--query", "TEXT", ValueKind::text, "the user's message"},
    {"--session", "ID", ValueKind::session, "the conversation that it is for"},
    {"--turn", "N", ValueKind::number, "the number of the message in it"},
    {"--budget", "N", ValueKind::number, "at most so many tokens (else recall.max_injection_tokens, 2000)"},
    {"--recent", "FILE", ValueKind::utterances, "what was said before, as JSON: [{\"role\",\"text\"}], oldest first"},
    {"--project", "NAME", ValueKind::project, "the project that is worked on"},
    {"--task", "ID", ValueKind::task, "the task that is worked on, for its state in the first block"},
    {"--since", "DATE", ValueKind::date, "with the conversations from this date on"},
    {"--until", "DATE", ValueKind::date, "up to and with this date"},
});

extern const MemoryOperation context_operation;

}  // namespace loci
