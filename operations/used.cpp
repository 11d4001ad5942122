#include "operations/used.h"

#include "context/used.h"
#include "operations/shapes.h"
#include "operations/visible.h"

namespace loci {
namespace {

using shapes::Type;
constexpr auto everybody = Field::For::everybody;

constexpr Field given_shape[] = {{"id"}, {"file"}, {"line", Type::integer}};
constexpr Field cut_shape[] = {{"id"}, {"why"}};
constexpr Field turn_shape[] = {{"session"},
                                {"turn", Type::integer},
                                {"at"},
                                {"given", Type::objects, everybody, given_shape},
                                {"cut", Type::objects, everybody, cut_shape}};
constexpr Field shape[] = {{"turns", Type::objects, everybody, turn_shape}};

// An id that is unknown by now was forgotten for good, and is told to nobody who may not see everything.
template <typename Listed>
Status keep_seen(Memory& memory, Visible& visible, std::vector<Listed>& listed) {
  std::vector<Listed> seen;
  for (Listed& one : listed) {
    const auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(one.id, 1); }));
    if (!found.empty() && found.front().id == one.id && TRY(visible.sees(found.front()))) seen.push_back(std::move(one));
  }
  listed = std::move(seen);
  return {};
}

Result<Answer> run(const OperationCall& call) {
  TRY(call.memory.bring_up_to_date(call.progress));
  Visible visible(call.memory, call.actor);
  // Which conversations there are may be private, too.
  if (!visible.sees_all() && call.values.text("session").empty()) return fail(ErrorCode::usage, "'session' is missing");
  auto turns = TRY(used(call.memory, call.values.text("session"), call.values.number("turn")));
  if (!visible.sees_all())
    for (UsedTurn& turn : turns) {
      TRY(keep_seen(call.memory, visible, turn.given));
      TRY(keep_seen(call.memory, visible, turn.cut));
    }
  return Answer{used_to_json(turns), false, {}};
}

}  // namespace

constinit const MemoryOperation used_operation = {
    .name = "used",
    .method = "GET",
    .path = "/memory/used",
    .tool = "memory_used",
    .title = "Memories that were used",
    .summary =
        "Which memories were given for an answer in a conversation, with their file and line, and which were left out and why. Use "
        "it when the user asks where an answer came from.",
    .parameters = used_parameters,
    .shape = shape,
    .run = run,
};

}  // namespace loci
