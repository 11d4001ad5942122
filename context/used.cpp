#include "context/used.h"

#include <algorithm>
#include <set>

#include "memory/json_shapes.h"
#include "vault/logs/recall_log.h"

namespace loci {
namespace {

constexpr std::chrono::hours recently{1};

// The only session of the last hour.
Result<std::string> active_session(const std::vector<Retrieval>& retrievals, Instant now) {
  std::set<std::string> active;
  for (const Retrieval& retrieval : retrievals)
    if (!retrieval.session.empty() && retrieval.at >= now - recently) active.insert(retrieval.session);
  if (active.size() == 1) return *active.begin();
  if (active.empty()) return fail(ErrorCode::usage, "no session was active within the last hour", "say which one: --session ID");
  std::string named;
  for (const std::string& session : active) named += (named.empty() ? "" : ", ") + session;
  return fail(ErrorCode::usage, "several sessions were active within the last hour", "say which one: " + named);
}

// A search notes ids alone: where they stand now.
Result<std::vector<GivenEntry>> places_of(Memory& memory, const std::vector<std::string>& ids) {
  std::vector<GivenEntry> given;
  for (const std::string& id : ids) {
    const auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); }));
    const bool stands = !found.empty() && found.front().id == id && !found.front().places.empty();
    const EntryPlace place = stands ? found.front().places.front() : EntryPlace{};
    given.push_back({id, place.file, place.line, {}});
  }
  return given;
}

Result<UsedTurn> turn_of(Memory& memory, const Retrieval& retrieval) {
  UsedTurn used{retrieval.session, retrieval.turn, format_rfc3339(retrieval.at), {}, {}};
  const Json* given = retrieval.details.find("given");
  if (!given) used.given = TRY(places_of(memory, retrieval.ids));
  if (given && given->as_array())
    for (const Json& one : *given->as_array())
      used.given.push_back({one.text_at("id"), one.text_at("file"), static_cast<int>(one.integer_at("line")), {}});
  for (const Json& one : retrieval.details.array_at("cut")) used.cut.push_back({one.text_at("id"), one.text_at("why")});
  return used;
}

}  // namespace

Result<std::vector<UsedTurn>> used(Memory& memory, std::string session, std::optional<std::int64_t> turn) {
  const auto retrievals = TRY(read_retrievals(memory.vault()));
  if (session.empty()) session = TRY(active_session(retrievals, memory.now()));
  std::vector<UsedTurn> turns;
  for (const Retrieval& retrieval : retrievals)
    if (retrieval.session == session && (!turn || retrieval.turn == turn)) turns.push_back(TRY(turn_of(memory, retrieval)));
  return turns;
}

Json given_to_json(const std::vector<GivenEntry>& given) {
  Json list = Json::array();
  for (const GivenEntry& entry : given) {
    Json one = Json::object();
    one.add_unchecked("id", entry.id);
    one.add_unchecked("file", entry.file);
    one.add_unchecked("line", entry.line);
    list.push_back(std::move(one));
  }
  return list;
}

Json cut_to_json(const std::vector<CutEntry>& cut) {
  Json list = Json::array();
  for (const CutEntry& entry : cut) {
    Json one = Json::object();
    one.add_unchecked("id", entry.id);
    one.add_unchecked("why", entry.why);
    list.push_back(std::move(one));
  }
  return list;
}

Json used_to_json(const std::vector<UsedTurn>& turns) {
  Json list = Json::array();
  for (const UsedTurn& turn : turns) {
    Json one = Json::object();
    one.add_unchecked("session", turn.session);
    one.add_unchecked("turn", turn.turn ? Json(*turn.turn) : Json());
    one.add_unchecked("at", turn.at);
    one.add_unchecked("given", given_to_json(turn.given));
    one.add_unchecked("cut", cut_to_json(turn.cut));
    list.push_back(std::move(one));
  }
  Json out = versioned();
  out.add_unchecked("turns", std::move(list));
  return out;
}

}  // namespace loci
