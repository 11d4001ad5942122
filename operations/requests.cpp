#include "operations/requests.h"

#include "operations/shapes.h"

namespace loci {
namespace {

using shapes::Type;
using Effect = MemoryOperation::Effect;

constexpr std::array<Parameter, 1> id_alone{any_id_parameter};
constexpr auto edit_taken = joined(id_alone, edit_parameters);
constexpr auto forget_taken = joined(id_alone, forget_parameters);

constexpr Parameter end_parameters[] = {{"--id", "ID", ValueKind::session, "the session", false, {}, true}};
constexpr Field ended_shape[] = {{"session"}};
constexpr Field changed_shape[] = {{"files", Type::texts}, {"notes", Type::texts}, {"searchable", Type::flag}};
constexpr Field digest_shape[] = {{"text"}, {"notes", Type::texts}};
constexpr Field reindex_shape[] = {{"files_seen", Type::integer}, {"rebuilt", Type::flag}};
constexpr Field consolidated_shape[] = {{"ran", Type::flag}};
constexpr Field export_shape[] = {{"entries", Type::objects, Field::For::everybody, shapes::entry}};

}  // namespace

constinit const MemoryOperation end_session_operation = {
    .name = "session-end",
    .method = "POST",
    .path = "/memory/sessions/{id}/end",
    .tool = {},
    .title = "End a session",
    .summary = "Look for facts that were missed in a conversation, and sum it up.",
    .parameters = end_parameters,
    .shape = ended_shape,
    .effect = Effect::adds,
};

constinit const MemoryOperation edit_operation = {
    .name = "edit",
    .method = "PATCH",
    .path = "/memory/entries/{id}",
    .tool = {},
    .title = "Change an entry",
    .summary = "Give an entry another text, other tags, or both.",
    .parameters = edit_taken,
    .shape = changed_shape,
    .effect = Effect::changes,
};

constinit const MemoryOperation forget_operation = {
    .name = "forget",
    .method = "DELETE",
    .path = "/memory/entries/{id}",
    .tool = {},
    .title = "Forget an entry",
    .summary = "Delete an entry, and what says the same.",
    .parameters = forget_taken,
    .shape = changed_shape,
    .effect = Effect::changes,
};

constinit const MemoryOperation digest_operation = {
    .name = "digest",
    .method = "GET",
    .path = "/memory/digest",
    .tool = {},
    .title = "Digest",
    .summary = "What was said and stored in a period, or in one conversation, summed up.",
    .parameters = digest_parameters,
    .shape = digest_shape,
};

constinit const MemoryOperation reindex_operation = {
    .name = "reindex",
    .method = "POST",
    .path = "/memory/reindex",
    .tool = {},
    .title = "Look at the files",
    .summary = "Bring the index up to date with the files, with some of them, or anew from nothing.",
    .parameters = reindex_parameters,
    .shape = reindex_shape,
    .may_take_long = true,
};

constinit const MemoryOperation consolidate_operation = {
    .name = "consolidate",
    .method = "POST",
    .path = "/memory/consolidate",
    .tool = {},
    .title = "Consolidate",
    .summary = "Fold pending facts into durable entries, if the gates are open.",
    .parameters = consolidate_parameters,
    .shape = consolidated_shape,
    .effect = Effect::changes,
};

constinit const MemoryOperation export_operation = {
    .name = "export",
    .method = "GET",
    .path = "/memory/export",
    .tool = {},
    .title = "Export",
    .summary = "Everything that counts, as JSON or as markdown.",
    .parameters = export_parameters,
    .shape = export_shape,
    .may_take_long = true,
};

}  // namespace loci
