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
constexpr size_t usual_listed = 100;
constexpr Field shape[] = {{"turns", Type::objects, everybody, turn_shape}, {"next", Type::integer}};

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
  auto page = page_of_used(TRY(used(call.memory, call.values.text("session"), call.values.number("turn"))), call.values);
  if (!visible.sees_all())
    for (UsedTurn& turn : page.turns) {
      TRY(keep_seen(call.memory, visible, turn.given));
      TRY(keep_seen(call.memory, visible, turn.cut));
    }
  return Answer{used_page_to_json(page), false, {}};
}

}  // namespace

UsedPage page_of_used(std::vector<UsedTurn> turns, const Values& values) {
  const size_t end = std::min(values.number_or("before", turns.size()), turns.size());
  const size_t begin = end - std::min(values.number_or("limit", usual_listed), end);
  turns.erase(turns.begin() + static_cast<std::ptrdiff_t>(end), turns.end());
  turns.erase(turns.begin(), turns.begin() + static_cast<std::ptrdiff_t>(begin));
  return {std::move(turns), begin};
}

Json used_page_to_json(const UsedPage& page) {
  Json body = used_to_json(page.turns);
  body.set("next", page.next == 0 ? Json() : Json(static_cast<std::int64_t>(page.next)));
  return body;
}

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
