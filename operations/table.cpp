#include "operations/table.h"

#include <algorithm>

#include "operations/context.h"
#include "operations/entries.h"
#include "operations/requests.h"
#include "operations/search.h"
#include "operations/state.h"
#include "operations/used.h"
#include "operations/write.h"

namespace loci {
namespace {

// Tools are listed in this order, always: what stands at the beginning of a prompt stays in its cache.
constexpr const MemoryOperation* table[] = {
    &search_operation,      &write_operation,  &get_operation,      &recent_conversations_operation,
    &context_operation,     &used_operation,   &status_operation,   &list_operation,
    &end_session_operation, &recent_operation, &sessions_operation, &session_operation,
    &edit_operation,        &forget_operation, &digest_operation,   &reindex_operation,
    &consolidate_operation, &export_operation,
};

}  // namespace

std::span<const MemoryOperation* const> all_operations() { return table; }

const MemoryOperation* find_tool(std::string_view name) {
  const auto found =
      std::ranges::find_if(table, [&](const MemoryOperation* one) { return !one->tool.empty() && one->tool == name; });
  return found == std::end(table) ? nullptr : *found;
}

Result<Answer> call_operation(const MemoryOperation& operation, Memory& memory, const Json& given, Actor actor,
                              Surroundings& around, const ProgressCallback& progress) {
  if (operation.only_person && actor != Actor::person)
    return fail(ErrorCode::refused, "only a person may do that: " + std::string(operation.name), "it is done on the command line");
  const auto values = TRY(check_values(operation.parameters, given, actor));
  return operation.run({memory, values, actor, around, progress});
}

}  // namespace loci
