#include "daemon/routes_write.h"

#include <algorithm>
#include <ranges>
#include <set>
#include <span>

#include "base/unicode.h"
#include "capture/pauses.h"
#include "capture/turn.h"
#include "edits/understand.h"
#include "memory/change_shapes.h"
#include "memory/correct.h"
#include "memory/forget.h"
#include "memory/json_shapes.h"
#include "operations/visible.h"

namespace loci {
namespace {

constexpr size_t most_entries = 1'000;  // of one request
constexpr size_t most_paths = 10'000;
constexpr std::chrono::milliseconds take_in_patience{10'000};

// --- adding ---

Result<std::vector<NewEntry>> entries_from(const HttpRequest& request) {
  const auto body = parse_json(request.body, {.bytes = max_request_body, .mends_characters = true});
  if (!body) return fail(ErrorCode::usage, "the body is not JSON: " + body.error().message);
  const Json* list = body->find("entries");
  if (list && (!list->as_array() || body->as_object()->size() != 1))
    return fail(ErrorCode::usage, "\"entries\" is an array, and stands alone");
  const std::span<const Json> items = list ? std::span(*list->as_array()) : std::span(&*body, 1);
  if (items.size() > most_entries)
    return fail(ErrorCode::usage, "one request may add " + std::to_string(most_entries) + " entries", "send several");
  std::vector<NewEntry> entries;
  for (const Json& item : items) {
    auto entry = entry_from_json(item, actor_of(request));
    if (!entry && list) entry.error().message = "entry " + std::to_string(entries.size() + 1) + ": " + entry.error().message;
    if (!entry) return std::unexpected(entry.error());
    entries.push_back(std::move(*entry));
  }
  return entries;
}

// Of all that the entries were said in.
Status check_no_pause(const RouteCall& call, const std::vector<NewEntry>& entries) {
  if (actor_of(call.request) == Actor::person) return {};
  std::set<std::string> sessions;
  for (const NewEntry& entry : entries) sessions.insert(entry.metadata.session);
  const auto may = call.context.memories.with<bool>([&](Memory& memory) -> Result<bool> {
    for (const std::string& session : sessions) TRY(check_no_pause(memory.vault(), Actor::agent, session));
    return true;
  });
  return may ? Status() : std::unexpected(may.error());
}

Json added_to_json(const Added& added) {
  Json body = versioned();
  body.add_unchecked("entries", appended_to_json(added.entries));
  body.add_unchecked("notes", added.notes);
  add_searchable(body, added.searchable);
  return body;
}

// --- changing ---

struct Change {
  Edit edit;
  std::string id;
  std::optional<std::vector<std::string>> if_match;
  Actor actor;
};

Result<Edit> edit_from(const Values& values) {
  Edit edit;
  if (values.has("text")) edit.text = values.text("text");
  if (values.has("tags")) edit.tags = values.texts("tags");
  if (!edit.text && !edit.tags)
    return fail(ErrorCode::usage, "there is nothing to change", R"(send {"text":"…"}, {"tags":["…"]} or both)");
  return edit;
}

// RFC 9110: the star, or a list of tags in quotes; a bare hash, as JSON shows it, is understood too. None without the header, which
// may not be empty: whoever sends it wants to be held back.
Result<std::optional<std::vector<std::string>>> if_match_of(const HttpRequest& request) {
  if (request.if_match.empty()) return std::nullopt;
  constexpr std::string_view blanks = " \t";
  std::vector<std::string> tags;
  for (const auto part : std::views::split(std::string_view(request.if_match), ',')) {
    const std::string_view tag(part);
    const size_t begin = tag.find_first_not_of(blanks);
    if (begin != std::string_view::npos) tags.emplace_back(tag.substr(begin, tag.find_last_not_of(blanks) + 1 - begin));
  }
  if (tags.empty()) return fail(ErrorCode::usage, "If-Match is empty", "send the entry's hash, or leave the header out");
  return tags;
}

// A weak tag never matches.
bool matches(const std::vector<std::string>& if_match, const Entry& entry) {
  const std::string etag = '"' + entry.hash + '"';
  return std::ranges::any_of(if_match, [&](const std::string& one) { return one == etag || one == entry.hash || one == "*"; });
}

// The entry, if it still is what the caller saw.
std::expected<Entry, HttpResponse> entry_to_change(Memory& memory, const std::string& id, Actor actor,
                                                   const std::optional<std::vector<std::string>>& if_match) {
  auto entry = Visible(memory, actor).find_to_change(id);
  if (!entry) return std::unexpected(error_response(entry.error()));
  if (if_match && !matches(*if_match, *entry))
    return std::unexpected(error_response(
        Error{ErrorCode::refused, "'" + entry->id + "' has changed since you read it", "read it again; its hash is the If-Match"},
        412));
  return std::move(*entry);
}

// --- forgetting ---

void respond_to(const Respond& respond, const Status& queued) {
  if (!queued) respond(error_response(queued.error(), 503));
}

// --- reindexing ---

// A path as the index has it: relative, and not out of the vault.
bool is_inside(std::string_view path) {
  constexpr size_t longest = 4096;
  if (path.empty() || path.size() > longest || path.starts_with('/') || path.find('\0') != std::string_view::npos) return false;
  if (!is_valid_utf8(path)) return false;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    if (path.substr(begin, end - begin) == "..") return false;
    begin = end + 1;
  }
  return true;
}

Status check_paths(const std::vector<std::string>& paths) {
  if (paths.size() > most_paths) return fail(ErrorCode::usage, "'paths' has at most " + std::to_string(most_paths) + " paths");
  if (std::ranges::all_of(paths, is_inside)) return {};
  return fail(ErrorCode::usage, "'paths' holds something that is no relative path of the vault");
}

}  // namespace

void post_entries(const RouteCall& call, const Respond& respond) {
  auto entries = entries_from(call.request);
  if (!entries) return respond(error_response(entries.error()));
  if (const auto may = check_no_pause(call, *entries); !may) return respond(error_response(may.error()));
  const auto answer = [respond](const Result<Added>& added) {
    respond(added ? json_response(added_to_json(*added), 201) : error_response(added.error()));
  };
  const auto is_turn = [](const NewEntry& entry) { return entry.metadata.kind == EntryKind::turn; };
  if (std::ranges::none_of(*entries, is_turn)) return call.context.writes.add(std::move(*entries), answer);
  respond_to(respond, call.context.writes.run(
                          [answer, entries = std::move(*entries)](Memory& memory) { answer(add_with_turns(memory, entries)); }));
}

void patch_entry(const RouteCall& call, const Respond& respond) {
  auto edit = edit_from(call.values);
  if (!edit) return respond(error_response(edit.error()));
  auto if_match = if_match_of(call.request);
  if (!if_match) return respond(error_response(if_match.error()));
  Change change{std::move(*edit), call.id, std::move(*if_match), actor_of(call.request)};
  respond_to(respond, call.context.writes.run([respond, change = std::move(change)](Memory& memory) {
    if (const auto may = check_no_pause(memory.vault(), change.actor, {}); !may) return respond(error_response(may.error()));
    if (const auto understood = understand_first(memory); !understood) return respond(error_response(understood.error()));
    const auto entry = entry_to_change(memory, change.id, change.actor, change.if_match);
    if (!entry) return respond(entry.error());
    const auto changed = loci::edit(memory, entry->id, change.edit, change.actor);
    respond(changed ? json_response(corrected_to_json(*changed)) : error_response(changed.error()));
  }));
}

void delete_entry(const RouteCall& call, const Respond& respond) {
  auto if_match = if_match_of(call.request);
  if (!if_match) return respond(error_response(if_match.error()));
  const ForgetOptions options{call.values.flag("everywhere"), actor_of(call.request)};
  respond_to(respond, call.context.writes.run([respond, options, id = call.id, if_match = std::move(*if_match)](Memory& memory) {
    if (const auto may = check_no_pause(memory.vault(), options.actor, {}); !may) return respond(error_response(may.error()));
    if (const auto understood = understand_first(memory); !understood) return respond(error_response(understood.error()));
    const auto entry = entry_to_change(memory, id, options.actor, if_match);
    if (!entry) return respond(entry.error());
    const auto forgotten = forget(memory, {entry->id}, options);
    respond(forgotten ? json_response(forgotten_to_json(*forgotten)) : error_response(forgotten.error()));
  }));
}

Result<HttpResponse> post_reindex(const RouteCall& call) {
  const bool clear = call.values.flag("clear_existing"), has_paths = call.values.has("paths");
  const auto paths = call.values.texts("paths");
  if (clear && has_paths) return fail(ErrorCode::usage, "'clear_existing' and 'paths' exclude each other");
  TRY(check_paths(paths));
  if (has_paths && paths.empty()) return json_response(report_to_json({}));
  const auto report =
      TRY(has_paths ? call.context.keeper.take_in(paths, take_in_patience) : call.context.keeper.reindex(clear, {}));
  return json_response(report_to_json(report));
}

}  // namespace loci
