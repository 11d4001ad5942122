#include "operations/write.h"

#include "capture/pauses.h"
#include "memory/json_shapes.h"
#include "memory/remember.h"
#include "operations/shapes.h"
#include "operations/visible.h"

namespace loci {
namespace {

using shapes::Type;

constexpr Parameter parameters[] = {
    {"--action", "ACTION", ValueKind::action, "add, update or remove; add if not given"},
    {"--layer", "LAYER", ValueKind::written_layer,
     "L0 is user.md, 1,000 characters that are in every prompt: who the user is. L1, if not given, is everything else"},
    {"--content", "TEXT", ValueKind::text,
     "of add and update: one fact, in a whole sentence that stands by itself, with names instead of \"he\" or \"it\""},
    {"--target-id", "ID", ValueKind::entry_id, "of update and remove: the id of the memory", false, "target_id"},
    {"--section", "HEADING", ValueKind::text, "of L0: the heading to put it under; made if there is none"},
    {"--tag", "TAG", ValueKind::tag, "a tag", true, "tags"},
    {"--quote", "TEXT", ValueKind::text, "what the user said, word for word, if that proves the content; needs `session`"},
    {"--session", "ID", ValueKind::session, "the session that the quote is from"},
};
constexpr Field shape[] = {
    {"id"}, {"file"}, {"line", Type::integer}, {"source"}, {"notes", Type::texts}, {"searchable", Type::flag}};

// The target by its whole id, in its own layer if none is named. What may not be seen is not there to be changed, and the answer
// says so in the words for an unknown id.
Status name_target(const OperationCall& call, RememberRequest& request) {
  const auto target = TRY(Visible(call.memory, call.actor).find_to_change(request.target_id));
  request.target_id = target.id;
  if (!call.values.has("layer")) request.layer = target.layer;
  return {};
}

// What a person wants kept out of the memory for a while, an agent does not write down either.
Status check_pause(const OperationCall& call, const std::string& session) {
  const auto pauses = TRY(read_pauses(call.memory.vault()));
  if (call.actor == Actor::person || !pause_at(pauses, session, call.memory.now())) return {};
  return fail(ErrorCode::refused, "the user has paused this memory: nothing was written", "go on without it");
}

Result<Answer> write(const OperationCall& call) {
  auto request = TRY(remember_request_from(call.values.json()));
  TRY(check_pause(call, call.values.text("session")));
  if (!request.target_id.empty()) TRY(name_target(call, request));
  const auto remembered = TRY(remember(call.memory, request));
  Json body = versioned();
  body.add_unchecked("id", remembered.id);
  body.add_unchecked("file", remembered.file.empty() ? Json() : Json(remembered.file));
  body.add_unchecked("line", remembered.line);
  body.add_unchecked("source", remembered.source ? Json(name_of(*remembered.source)) : Json());
  body.add_unchecked("notes", remembered.notes);
  body.add_unchecked("searchable", remembered.searchable.yes);
  return Answer{std::move(body), request.action == RememberRequest::Action::add, {}};
}

}  // namespace

constinit const MemoryOperation write_operation = {
    .name = "remember",
    .method = {},
    .path = {},
    .tool = "memory_write",
    .title = "Write memory",
    .summary =
        "Store, correct or remove one memory. Write down what will matter in later conversations: facts about the user, "
        "preferences, decisions and their reasons, names, dates. Record facts, not orders, and nothing that can be looked up "
        "in the code. When a memory is wrong, update it by its id instead of adding another one: the new text counts at once "
        "and the old one is kept as history. What was said in the past (L2) cannot be changed.",
    .parameters = parameters,
    .shape = shape,
    .effect = MemoryOperation::Effect::changes,
    .run = write,
};

}  // namespace loci
