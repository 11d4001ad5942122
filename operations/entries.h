// Entries by id, by file, by time, by session.
#pragma once

#include "operations/filter.h"
#include "operations/operation.h"

namespace loci {

inline constexpr Parameter inactive_parameter = {
    "--inactive", "", ValueKind::none, "also what was forgotten or corrected", false, {}, false, 0, 0, true};

inline constexpr auto list_parameters =
    joined(filter_parameters, std::to_array<Parameter>({
                                  {"--file", "FILE", ValueKind::file, "only of this file of the vault"},
                                  inactive_parameter,
                                  {"--limit", "N", ValueKind::number, "at most so many", false, {}, false, 1, most_listed},
                                  {"--after", "ID", ValueKind::entry_id, "go on behind this entry"},
                              }));

inline constexpr auto recent_parameters = joined(
    filter_parameters, std::to_array<Parameter>({
                           {"--limit", "N", ValueKind::number, "at most so many (else 20)", false, {}, false, 1, most_listed},
                           {"--before", "ID", ValueKind::entry_id, "go on behind this entry"},
                       }));

inline constexpr auto sessions_parameters =
    std::to_array<Parameter>({{"--limit", "N", ValueKind::number, "at most so many (else 20)", false, {}, false, 1, most_listed}});

extern const MemoryOperation get_operation, list_operation, recent_operation, sessions_operation, session_operation;
// The newest turns, for a model: recent with kind turn.
extern const MemoryOperation recent_conversations_operation;

}  // namespace loci
