// Which memories an answer was given.
#pragma once

#include <array>

#include "operations/operation.h"

namespace loci {

inline constexpr auto used_parameters = std::to_array<Parameter>({
    {"--session", "ID", ValueKind::session, "the conversation (else the only one of the last hour)"},
    {"--turn", "N", ValueKind::number, "only this message of it"},
});

extern const MemoryOperation used_operation;

}  // namespace loci
