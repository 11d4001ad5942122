#include "operations/context.h"

#include "context/context.h"
#include "context/read_request.h"
#include "operations/shapes.h"

namespace loci {
namespace {

using shapes::Type;
constexpr auto everybody = Field::For::everybody;

constexpr Field given_shape[] = {{"id"}, {"file"}, {"line", Type::integer}};
constexpr Field cut_shape[] = {{"id"}, {"why"}};
constexpr Field shape[] = {
    {"l0"},
    {"block"},
    {"tokens", Type::integer},
    {"exact", Type::flag},
    {"given", Type::objects, everybody, given_shape},
    {"cut", Type::objects, shapes::programs, cut_shape},
};

Result<Answer> run(const OperationCall& call) {
  const auto request = TRY(read_context_request(call.values.json(), call.memory.now()));
  const auto question = [&](IndexReader& reader) { return find_candidates(call.memory, reader, request); };
  const auto [found, freshness] = TRY(call.memory.ask_fresh<ContextEntries>(question, call.progress));
  return Answer{context_to_json(TRY(context_of(call.memory, request, found))), false, {}};
}

}  // namespace

constinit const MemoryOperation context_operation = {
    .name = "context",
    .method = "GET",
    .path = "/memory/context",
    .tool = "memory_context",
    .title = "Context for a question",
    .summary = "What is always known about the user (user.md and the core of MEMORY.md), and what memory knows about one question.",
    .parameters = context_parameters,
    .shape = shape,
    .takes_body = true,
    .run = run,
};

}  // namespace loci
