#include "operations/entries.h"

#include <algorithm>

#include "memory/former_states.h"
#include "memory/history_shapes.h"
#include "memory/json_shapes.h"
#include "operations/requests.h"
#include "operations/shapes.h"
#include "operations/turn_page.h"
#include "operations/visible.h"

namespace loci {
namespace {

using shapes::Type;

constexpr size_t usual_listed = 100, usual_recent = 20;
constexpr size_t most_said = 4'000;  // bytes of what one side said in a turn, for a model
constexpr auto everybody = Field::For::everybody;

constexpr Parameter get_parameters[] = {any_id_parameter, inactive_parameter};
constexpr Parameter session_parameters[] = {{"--id", "ID", ValueKind::session, "the session", false, {}, true}};
constexpr Parameter conversation_parameters[] = {
    {"--limit", "N", ValueKind::number, "at most so many turns (else 20)", false, {}, false, 1, 100},
    {"--since", "DATE", ValueKind::date, "from this date on"},
    {"--until", "DATE", ValueKind::date, "up to and with this date"},
    {"--session", "ID", ValueKind::session, "only of this session"},
    {"--project", "NAME", ValueKind::project, "only of this project"},
    {"--before", "ID", ValueKind::entry_id, "go on behind this turn: the `next` of the page before"},
};

constexpr Field former_shape[] = {{"day"}, {"text"}};
constexpr Field get_shape[] = {{"entry", Type::object, everybody, shapes::entry},
                               {"said_before", Type::objects, everybody, former_shape}};
constexpr Field turn_shape[] = {{"id"}, {"session"}, {"turn", Type::integer}, {"user"}, {"assistant"}, {"at"}};
constexpr Field list_shape[] = {{"entries", Type::objects, everybody, shapes::entry}, {"next"}};
constexpr Field recent_shape[] = {
    {"entries", Type::objects, everybody, shapes::entry}, {"turns", Type::objects, everybody, turn_shape}, {"next"}};
constexpr Field turns_shape[] = {{"turns", Type::objects, everybody, turn_shape}, {"next"}};
constexpr Field one_session[] = {{"session"}, {"entries", Type::integer}, {"turns", Type::integer}, {"first"}, {"last"},
                                 {"project"}};
constexpr Field sessions_shape[] = {{"sessions", Type::objects, everybody, one_session}};
constexpr Field session_shape[] = {{"session"}, {"entries", Type::objects, everybody, shapes::entry}};

using Entries = std::vector<Entry>;

Result<Entries> ask(Memory& memory, const std::function<Result<Entries>(IndexReader&)>& question) {
  return memory.ask<Entries>(question);
}

// Of `entries` one more than the page takes was asked for: then there is a next one.
Answer page_of(const OperationCall& call, Entries entries, size_t limit) {
  std::string next;
  if (entries.size() > limit) {
    entries.resize(limit);
    next = entries.back().id;
  }
  return {list_to_json(entries, next, call.around.recalls.of(call.memory.vault()).get()), false, {}};
}

Result<Answer> get(const OperationCall& call) {
  TRY(call.memory.bring_up_to_date(call.progress));
  Visible visible(call.memory, call.actor);
  const auto entry = TRY(visible.find(call.values.text("id"), call.values.flag("inactive")));
  Json body = versioned();
  body.add_unchecked("entry", entry_to_json(entry, call.around.recalls.of(call.memory.vault()).get()));
  body.add_unchecked("said_before", former_states_to_json(former_states_of(call.memory, entry)));
  return Answer{std::move(body), false, '"' + entry.hash + '"'};
}

Result<Answer> list(const OperationCall& call) {
  auto filter = TRY(filter_from(call.values, call.memory.now()));
  filter.file = call.values.text("file");
  filter.inactive = call.values.flag("inactive");
  const size_t limit = call.values.number_or("limit", usual_listed);
  TRY(call.memory.bring_up_to_date(call.progress));
  Visible visible(call.memory, call.actor);
  return page_of(call,
                 TRY(visible.entries(limit + 1,
                                     [&](size_t wanted) {
                                       return ask(call.memory, [&](IndexReader& reader) {
                                         return reader.list(filter, wanted, call.values.text("after"));
                                       });
                                     })),
                 limit);
}

Result<TurnPage> page(const OperationCall& call, const EntryFilter& filter, size_t limit) {
  Visible visible(call.memory, call.actor);
  return page_of_turns(call.memory, visible, filter, limit, call.values.text("before"));
}

Result<Answer> turns(const OperationCall& call, const EntryFilter& filter, size_t limit) {
  const auto found = TRY(page(call, filter, limit));
  return Answer{turns_to_json(found.turns, found.next), false, {}};
}

// A log that somebody pasted into a message would fill a model's context: `memory_get` gives it whole to whoever wants it.
std::string for_a_model(const std::string& text, const std::string& id) {
  size_t end = most_said;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) --end;
  return text.substr(0, end) + "\n[… " + std::to_string(text.size() - end) + " more bytes: memory_get " + id + "]";
}

Result<Answer> recent(const OperationCall& call) {
  const auto filter = TRY(filter_from(call.values, call.memory.now()));
  const size_t limit = call.values.number_or("limit", usual_recent);
  TRY(call.memory.bring_up_to_date(call.progress));
  if (filter.kinds == std::vector<EntryKind>{EntryKind::turn}) return turns(call, filter, limit);
  Visible visible(call.memory, call.actor);
  return page_of(call,
                 TRY(visible.entries(limit + 1,
                                     [&](size_t wanted) {
                                       return ask(call.memory, [&](IndexReader& reader) {
                                         return reader.recent(filter, wanted, call.values.text("before"));
                                       });
                                     })),
                 limit);
}

Result<Answer> recent_conversations(const OperationCall& call) {
  const auto filter = TRY(filter_from(call.values, call.memory.now()));
  TRY(call.memory.bring_up_to_date(call.progress));
  auto found = TRY(page(call, filter, call.values.number_or("limit", usual_recent)));
  for (Turn& turn : found.turns)
    for (const Entry& entry : turn.entries) {
      std::string& said = entry.role == "assistant" ? turn.assistant : turn.user;
      if (said.size() > most_said) said = for_a_model(said, entry.id);
    }
  return Answer{turns_to_json(found.turns, found.next), false, {}};
}

// What of a session may be seen, in numbers; none if nothing may.
Result<std::optional<SessionSummary>> seen_of(Memory& memory, Visible& visible, SessionSummary session) {
  if (visible.sees_all()) return session;
  auto entries = TRY(ask(memory, [&](IndexReader& reader) { return reader.session(session.id); }));
  TRY(visible.keep_seen(entries));
  if (entries.empty()) return std::nullopt;
  session.entries = static_cast<std::int64_t>(entries.size());
  session.turns = std::ranges::count(entries, EntryKind::turn, &Entry::kind);
  session.first = entries.front().at;
  session.last = entries.back().at;
  return session;
}

Result<Answer> sessions(const OperationCall& call) {
  const size_t limit = call.values.number_or("limit", usual_recent);
  TRY(call.memory.bring_up_to_date(call.progress));
  Visible visible(call.memory, call.actor);
  Json list = Json::array();
  const size_t wanted = visible.sees_all() ? limit : most_listed;
  const auto all = TRY(call.memory.ask<std::vector<SessionSummary>>([&](IndexReader& reader) { return reader.sessions(wanted); }));
  for (size_t i = 0; i < all.size() && list.as_array()->size() < limit; ++i)
    if (const auto seen = TRY(seen_of(call.memory, visible, all[i]))) list.push_back(session_to_json(*seen));
  Json body = versioned();
  body.add_unchecked("sessions", std::move(list));
  return Answer{std::move(body), false, {}};
}

Result<Answer> session(const OperationCall& call) {
  const std::string id = call.values.text("id");
  TRY(call.memory.bring_up_to_date(call.progress));
  auto entries = TRY(ask(call.memory, [&](IndexReader& reader) { return reader.session(id); }));
  Visible visible(call.memory, call.actor);
  TRY(visible.keep_seen(entries));
  if (entries.empty()) return fail(ErrorCode::not_found, "there is no session '" + id + "'", "/memory/sessions lists them");
  Json body = versioned();
  body.add_unchecked("session", id);
  body.add_unchecked("entries", entries_to_json(entries, call.around.recalls.of(call.memory.vault()).get()));
  return Answer{std::move(body), false, {}};
}

}  // namespace

constinit const MemoryOperation get_operation = {
    .name = "get",
    .method = "GET",
    .path = "/memory/entries/{id}",
    .tool = "memory_get",
    .title = "Read one memory",
    .summary =
        "Read one memory by its id: the whole text, where it stands (file and line), who said it and when, and what it said "
        "before it changed.",
    .parameters = get_parameters,
    .shape = get_shape,
    .run = get,
};

constinit const MemoryOperation list_operation = {
    .name = "list",
    .method = "GET",
    .path = "/memory/entries",
    .tool = {},
    .title = "List memories",
    .summary = "List memories by file and line, a page at a time.",
    .parameters = list_parameters,
    .shape = list_shape,
    .run = list,
};

constinit const MemoryOperation recent_operation = {
    .name = "recent",
    .method = "GET",
    .path = "/memory/recent",
    .tool = {},
    .title = "Newest memories",
    .summary = "The newest entries, newest first; with kind turn what was said, a turn at a time.",
    .parameters = recent_parameters,
    .shape = recent_shape,
    .run = recent,
};

constinit const MemoryOperation recent_conversations_operation = {
    .name = "recent-conversations",
    .method = {},
    .path = {},
    .tool = "recent_conversations",
    .title = "Recent conversations",
    .summary =
        "What the user and the assistant said lately, newest first, a turn at a time. Use it for \"what did we do last time\", "
        "\"recently\" and \"yesterday\"; it goes by time, not by words.",
    .parameters = conversation_parameters,
    .shape = turns_shape,
    .run = recent_conversations,
};

constinit const MemoryOperation sessions_operation = {
    .name = "sessions",
    .method = "GET",
    .path = "/memory/sessions",
    .tool = {},
    .title = "Sessions",
    .summary = "The sessions that have entries, latest first.",
    .parameters = sessions_parameters,
    .shape = sessions_shape,
    .run = sessions,
};

constinit const MemoryOperation session_operation = {
    .name = "session",
    .method = "GET",
    .path = "/memory/sessions/{id}",
    .tool = {},
    .title = "One session",
    .summary = "One session whole, in turn order.",
    .parameters = session_parameters,
    .shape = session_shape,
    .run = session,
};

}  // namespace loci
