#include "memory/remember.h"

#include <algorithm>
#include <optional>

#include "base/id.h"
#include "memory/correct.h"
#include "memory/forget.h"
#include "memory/private_tag.h"
#include "memory/user_file_correction.h"
#include "parser/text_hash.h"
#include "vault/rewrite/user_file.h"

namespace loci {
namespace {

using Action = RememberRequest::Action;

std::unexpected<Error> wrong(std::string message) {
  return fail(ErrorCode::usage, std::move(message),
              R"(for example {"action":"add","layer":"L1","content":"Deploys happen on Fridays.","tags":["deploy"]})");
}

std::optional<Action> action_from(std::string_view name) {
  if (name == "add") return Action::add;
  if (name == "update") return Action::update;
  if (name == "remove") return Action::remove;
  return std::nullopt;
}

// Reads an optional string member; false if it is there and no string.
bool read_string(const Json& object, std::string_view key, std::string& out) {
  const Json* value = object.find(key);
  if (!value || value->is_null()) return true;
  if (!value->as_string()) return false;
  out = *value->as_string();
  return true;
}

bool read_strings(const Json& object, std::string_view key, std::vector<std::string>& out) {
  const Json* value = object.find(key);
  if (!value || value->is_null()) return true;
  if (!value->as_array()) return false;
  for (const Json& one : *value->as_array()) {
    if (!one.as_string()) return false;
    out.push_back(*one.as_string());
  }
  return true;
}

Status check_keys(const Json::Object& object) {
  constexpr std::string_view known[] = {"action", "layer", "content", "target_id", "section", "tags", "quote", "session"};
  for (const auto& [key, value] : object)
    if (std::ranges::find(known, key) == std::end(known)) return wrong("unknown key \"" + key + "\"");
  return {};
}

std::unexpected<Error> refuse_history() {
  return fail(ErrorCode::refused, "L2 is what was said: it cannot be changed",
              "add to L1, or update or remove an entry of L1 or L0");
}

Remembered from_corrected(Corrected&& corrected, Source source) {
  return {std::move(corrected.id),    std::move(corrected.file),      corrected.line, source,
          std::move(corrected.notes), std::move(corrected.searchable)};
}

Result<Remembered> add_fact(Memory& memory, const RememberRequest& request) {
  Metadata metadata;
  const Source source = TRY(source_by_quote(memory, request.content, request.quote, nullptr));
  metadata.source = source;
  metadata.tags = request.tags;
  auto added = TRY(add(memory, {NewEntry{std::move(metadata), request.content}}));
  const Appended& entry = added.entries.front();
  return Remembered{entry.id, entry.file, entry.line, source, std::move(added.notes), std::move(added.searchable)};
}

// The target, which has to be of the layer that was named, if one was. One of L2 is refused by whoever is asked to change it.
Result<Entry> target_of(Memory& memory, const RememberRequest& request) {
  auto entry = TRY(find_entry_to_change(memory, request.target_id));
  if (request.layer && entry.layer != *request.layer && entry.layer != Layer::L2)
    return fail(ErrorCode::not_found, "there is no entry '" + entry.id + "' in " + std::string(name_of(*request.layer)),
                "it is in " + std::string(name_of(entry.layer)));
  return entry;
}

Result<Remembered> add_to_prompt(Memory& memory, const RememberRequest& request) {
  Metadata metadata;
  metadata.id = make_id(memory.now());
  const Source source = TRY(source_by_quote(memory, request.content, request.quote, nullptr));
  metadata.source = source;
  metadata.tags = request.tags;
  auto notes = OpenPrivateTag(memory.vault().config()).warnings({NewEntry{metadata, request.content}});
  auto id = add_to_user_file(memory.vault(), std::move(metadata), request.content, request.section);
  if (!id) return std::unexpected(for_an_agent(memory, std::move(id.error())));
  Remembered remembered{std::move(*id), user_file_name, 0, source, std::move(notes), make_searchable(memory, {user_file_name})};
  if (!remembered.searchable.yes) return remembered;
  if (const auto entry = find_entry(memory, remembered.id); entry) remembered.line = entry->places.front().line;
  return remembered;
}

Result<Remembered> update(Memory& memory, const RememberRequest& request) {
  const auto target = TRY(target_of(memory, request));
  auto tags = request.tags.empty() ? std::nullopt : std::optional(request.tags);
  const Source proven = TRY(source_by_quote(memory, request.content, request.quote, &target));
  const Source source = stored_text_hash(request.content) == target.hash ? target.source : proven;  // the words stay whose they are
  return from_corrected(TRY(supersede(memory, target.id, Edit{request.content, std::move(tags)}, Actor::agent, proven)), source);
}

Result<Remembered> remove(Memory& memory, const RememberRequest& request) {
  const auto target = TRY(target_of(memory, request));
  auto forgotten = TRY(forget(memory, {target.id}, {.everywhere = false, .actor = Actor::agent}));
  return Remembered{target.id, {}, 0, std::nullopt, std::move(forgotten.notes), std::move(forgotten.searchable)};
}

}  // namespace

Result<RememberRequest> parse_remember_request(std::string_view text) {
  const auto json = parse_json(text);
  if (!json) return wrong("not JSON: " + json.error().message);
  return remember_request_from(*json);
}

Result<RememberRequest> remember_request_from(const Json& json) {
  if (!json.as_object()) return wrong("not a JSON object");
  TRY(check_keys(*json.as_object()));
  RememberRequest request;
  std::string action = "add", layer;
  if (!read_string(json, "action", action) || !read_string(json, "layer", layer) ||
      !read_string(json, "content", request.content) || !read_string(json, "target_id", request.target_id) ||
      !read_string(json, "section", request.section) || !read_string(json, "quote", request.quote.text) ||
      !read_string(json, "session", request.quote.session) || !read_strings(json, "tags", request.tags))
    return wrong("a value has the wrong type: tags is an array of strings, everything else a string");
  TRY(check_tags_given(request.tags.size()));
  const auto known_action = action_from(action);
  if (!known_action) return wrong("action is '" + action + "', not add, update or remove");
  if (!layer.empty()) request.layer = layer_from(layer);
  if (!layer.empty() && !request.layer) return wrong("layer is '" + layer + "', not L0 or L1");
  if (request.layer == Layer::L2) return refuse_history();
  request.action = *known_action;
  if (request.action != Action::remove && request.content.empty()) return wrong("content is missing");
  if (request.action != Action::add && request.target_id.empty()) return wrong("target_id is missing");
  return request;
}

Result<Remembered> remember(Memory& memory, const RememberRequest& request) {
  switch (request.action) {
    case Action::add:
      return request.layer == Layer::L0 ? add_to_prompt(memory, request) : add_fact(memory, request);
    case Action::update:
      return update(memory, request);
    case Action::remove:
      return remove(memory, request);
  }
  return fail(ErrorCode::usage, "unknown action");
}

}  // namespace loci
