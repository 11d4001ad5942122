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

// The target by its whole id. What may not be seen is not there to be changed, and the answer
// says so in the words for an unknown id.
Result<std::string> id_of_target(Memory& memory, Actor actor, const std::string& target) {
  const auto entry = TRY(Visible(memory, actor).find_to_change(target));
  return entry.id;
}

Result<Answer> write(const OperationCall& call) {
  const auto request = TRY(remember_request_from(call.values.json()));
  const auto remembered = TRY(write_memory(call.memory, request, call.actor));
  return Answer{to_json(remembered), request.action == RememberRequest::Action::add, {}};
}

}  // namespace

Result<Remembered> write_memory(Memory& memory, RememberRequest request, Actor actor) {
  TRY(check_no_pause(memory.vault(), actor, request.quote.session));
  if (!request.target_id.empty()) request.target_id = TRY(id_of_target(memory, actor, request.target_id));
  return remember(memory, request);
}

Json to_json(const Remembered& remembered) {
  Json body = versioned();
  body.add_unchecked("id", remembered.id);
  body.add_unchecked("file", remembered.file.empty() ? Json() : Json(remembered.file));
  body.add_unchecked("line", remembered.line);
  body.add_unchecked("source", remembered.source ? Json(name_of(*remembered.source)) : Json());
  body.add_unchecked("notes", remembered.notes);
  body.add_unchecked("searchable", remembered.searchable.yes);
  return body;
}

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
