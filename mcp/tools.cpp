#include "mcp/tools.h"

#include "operations/schema.h"
#include "operations/table.h"

namespace loci::mcp {
namespace {

using Effect = MemoryOperation::Effect;

// All are given: what is left out would mean "destroys, and talks to the world".
Json annotations_of(const MemoryOperation& operation) {
  Json hints = Json::object();
  hints.add_unchecked("title", operation.title);
  hints.add_unchecked("readOnlyHint", operation.effect == Effect::reads);
  hints.add_unchecked("destructiveHint", operation.effect == Effect::changes);
  hints.add_unchecked("idempotentHint", operation.effect == Effect::reads);
  hints.add_unchecked("openWorldHint", false);
  return hints;
}

Json tool_of(const MemoryOperation& operation) {
  Json tool = Json::object();
  tool.add_unchecked("name", operation.tool);
  tool.add_unchecked("title", operation.title);
  tool.add_unchecked("description", operation.summary);
  tool.add_unchecked("inputSchema", input_schema_of(operation));
  tool.add_unchecked("outputSchema", schema_of(operation.shape));
  tool.add_unchecked("annotations", annotations_of(operation));
  return tool;
}

Json text_content(std::string text) {
  Json block = Json::object();
  block.add_unchecked("type", "text");
  block.add_unchecked("text", std::move(text));
  return Json(Json::Array{std::move(block)});
}

// What a model can do about it is said in tools, not in commands.
Error for_model(Error error) {
  if (error.code == ErrorCode::not_found) error.hint = "memory_search and recent_conversations show ids";
  return error;
}

Json failed(const Error& error) {
  const std::string& hint = error.hint;
  Json result = Json::object();
  result.add_unchecked("content", text_content(error.message + (hint.empty() ? "" : ". " + hint)));
  result.add_unchecked("isError", true);
  return result;
}

Json succeeded(const MemoryOperation& operation, const Answer& answer) {
  Json told = told_to_model(operation.shape, answer.body);
  Json result = Json::object();
  result.add_unchecked("content", text_content(to_string(told)));
  result.add_unchecked("structuredContent", std::move(told));
  result.add_unchecked("isError", false);
  return result;
}

// A page that a program may want would leave a model no room to think.
Status check_page(const Json& arguments) {
  const Json* limit = arguments.find("limit");
  if (limit && limit->as_integer() && *limit->as_integer() > most_for_model)
    return fail(ErrorCode::usage, "'limit' is a whole number from 1 to " + std::to_string(most_for_model));
  return {};
}

// A notification for every hundredth of the way, if whoever asked wants to be told.
ProgressCallback progress_of(const Host& host, const Message& request) {
  const Json* token = request.meta() ? request.meta()->find("progressToken") : nullptr;
  if (!host.notify || !token || !(token->as_string() || token->as_integer())) return {};
  return [&host, token = *token, last = std::int64_t{-1}](const Progress& progress) mutable {
    const auto percent = static_cast<std::int64_t>(progress.total == 0 ? 0 : progress.done * 100 / progress.total);
    if (percent <= last) return;  // it only ever goes up
    last = percent;
    Json params = Json::object();
    params.add_unchecked("progressToken", token);
    params.add_unchecked("progress", percent);
    params.add_unchecked("total", 100);
    params.add_unchecked("message", progress.what);
    host.notify(notification("notifications/progress", std::move(params)));
  };
}

}  // namespace

Json list_tools() {
  Json tools = Json::array();
  for (const MemoryOperation* operation : all_operations())
    if (!operation->tool.empty()) tools.push_back(tool_of(*operation));
  Json result = Json::object();
  result.add_unchecked("tools", std::move(tools));
  return result;
}

RpcResult<Json> call_tool(const Host& host, const Message& request) {
  const std::string* name = request.params.string_at("name");
  if (!name) return std::unexpected(RpcError{RpcError::invalid_params, "\"name\" is a string"});
  const MemoryOperation* operation = find_tool(*name);
  if (!operation) return std::unexpected(RpcError{RpcError::invalid_params, "unknown tool '" + *name + "'"});
  const Json* given = request.params.find("arguments");
  if (given && !given->as_object()) return std::unexpected(RpcError{RpcError::invalid_params, "\"arguments\" is an object"});
  const Json arguments = given ? *given : Json::object();
  if (const auto checked = check_page(arguments); !checked) return failed(checked.error());
  Answer answer;
  const auto done = host.with_memory(operation->effect != Effect::reads, [&](Memory& memory) -> Status {
    auto called = call_operation(*operation, memory, arguments, Actor::agent, host.around, progress_of(host, request));
    if (!called) return std::unexpected(for_model(std::move(called.error())));
    answer = std::move(*called);
    return {};
  });
  return done ? succeeded(*operation, answer) : failed(done.error());
}

}  // namespace loci::mcp
