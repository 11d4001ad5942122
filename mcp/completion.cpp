#include "mcp/completion.h"

#include <set>

#include "mcp/prompts.h"
#include "mcp/resources.h"
#include "operations/visible.h"

namespace loci::mcp {
namespace {

constexpr size_t most_values = 100;          // of the protocol
constexpr size_t entries_looked_at = 2'000;  // of the newest: a key press must not read a whole memory

// What of an entry is offered for an argument of this name.
std::vector<std::string> offered(const Entry& entry, std::string_view argument) {
  if (argument == "id") return {entry.id};
  if (argument == "tag") return entry.tags;
  if (argument == "project") return {entry.project};
  if (argument == "session") return {entry.session};
  return {};
}

Result<std::set<std::string>> values(Memory& memory, std::string_view argument, const std::string& begin) {
  std::set<std::string> found;
  TRY(memory.bring_up_to_date());
  Visible visible(memory, Actor::agent);
  const auto entries = TRY(visible.entries(entries_looked_at, [&](size_t wanted) {
    return memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.recent({}, wanted); });
  }));
  for (const Entry& entry : entries)
    for (const std::string& value : offered(entry, argument))
      if (!value.empty() && value.starts_with(begin)) found.insert(value);
  return found;
}

bool is_known(const Json& ref) {
  const std::string type = ref.text_at("type");
  if (type == "ref/prompt") return has_prompt(ref.text_at("name"));
  return type == "ref/resource" && ref.text_at("uri") == entry_uri_template;
}

}  // namespace

RpcResult<Json> complete(const Host& host, const Message& request) {
  const Json* ref = request.params.find("ref");
  const Json* argument = request.params.find("argument");
  if (!ref || !argument || !argument->string_at("name") || !argument->string_at("value"))
    return std::unexpected(
        RpcError{RpcError::invalid_params, "a completion has a \"ref\" and an \"argument\" with name and value"});
  if (!is_known(*ref)) return std::unexpected(RpcError{RpcError::invalid_params, "unknown \"ref\""});
  std::set<std::string> found;
  const auto done = host.with_memory(false, [&](Memory& memory) -> Status {
    found = TRY(values(memory, argument->text_at("name"), argument->text_at("value")));
    return {};
  });
  if (!done) return std::unexpected(RpcError{RpcError::internal_error, done.error().message});
  Json list = Json::array();
  for (const std::string& value : found)
    if (list.as_array()->size() < most_values) list.push_back(value);
  Json completion = Json::object();
  completion.add_unchecked("values", std::move(list));
  completion.add_unchecked("total", static_cast<std::int64_t>(found.size()));
  completion.add_unchecked("hasMore", found.size() > most_values);
  Json result = Json::object();
  result.add_unchecked("completion", std::move(completion));
  return result;
}

}  // namespace loci::mcp
