// What is asked of a memory that no function on one memory can answer: it takes its turn among what writes, asks a model, or is
// sent while it is read. The rows say what is taken; whoever serves them does the rest (`run` is null).
#pragma once

#include <array>

#include "operations/operation.h"

namespace loci {

inline constexpr Parameter any_id_parameter = {
    "--id", "ID", ValueKind::entry_id, "the id of an entry, or a beginning of it that no other has", false, {}, true};

inline constexpr auto edit_parameters = std::to_array<Parameter>({
    {"--text", "TEXT", ValueKind::text, "the new text; - reads it from standard input"},
    {"--tag", "TAG", ValueKind::tag, "the new tags, in place of the old ones; '' takes all off", true, "tags"},
});
inline constexpr auto forget_parameters =
    std::to_array<Parameter>({{"--everywhere", "", ValueKind::none, "forget as well what else says nearly the same"}});
inline constexpr auto digest_parameters = std::to_array<Parameter>({
    {"--since", "DATE", ValueKind::date, "from this date on (else the last seven days)"},
    {"--until", "DATE", ValueKind::date, "up to and with this date (else now)"},
    {"--session", "ID", ValueKind::session, "this conversation, without ending it"},
    {"--timeline", "", ValueKind::none, "the timeline, also if a model is configured"},
});
inline constexpr auto reindex_parameters = std::to_array<Parameter>({
    {"--clear", "", ValueKind::none, "throw the index away and build it anew", false, "clear_existing"},
    {"--file", "FILE", ValueKind::file, "look at this file of the vault alone", true, "paths"},
});
inline constexpr auto consolidate_parameters = std::to_array<Parameter>({{"--force",
                                                                          "",
                                                                          ValueKind::none,
                                                                          "do not wait for the time, the number of facts, or facts "
                                                                          "that failed before",
                                                                          false,
                                                                          {},
                                                                          false,
                                                                          0,
                                                                          0,
                                                                          true}});
inline constexpr auto export_parameters =
    std::to_array<Parameter>({{"--format", "FORMAT", ValueKind::format, "what to write (else json)"}});

extern const MemoryOperation end_session_operation, edit_operation, forget_operation, digest_operation, reindex_operation,
    consolidate_operation, export_operation;

}  // namespace loci
