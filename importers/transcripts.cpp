// What agents write down of each conversation, a JSON line an event: of Claude Code and of Codex.
#include <algorithm>
#include <map>
#include <set>

#include "agents/transcript.h"
#include "importers/members.h"
#include "importers/notes.h"
#include "importers/readers.h"
#include "importers/times.h"

namespace loci::importers {
namespace {

// Calls for each line; of one that is longer than a record may be, with more of it than that.
Status for_each_line(const ByteReader& read, const std::function<Status(std::string_view)>& each) {
  std::string line;
  while (true) {
    std::string_view bytes = TRY(read());
    if (bytes.empty()) return line.empty() ? Status() : each(line);
    for (size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
      if (line.size() <= largest_record) line += bytes.substr(0, end);
      TRY(each(line));
      line.clear();
      bytes.remove_prefix(end + 1);
    }
    if (line.size() <= largest_record) line += bytes;
  }
}

void skip_line(std::string_view text, const Result<Json>& json, const std::string& where, Records& records) {
  if (trimmed_line(text).empty()) return;
  records.skip("a line that is no JSON", json ? where : where + ": " + json.error().message);
}

std::string last_part(const std::string& folder) { return path(folder).lexically_normal().filename().string(); }

// --- Claude Code: projects/FOLDER/SESSION.jsonl ---

struct Line {
  SaidLine said;
  std::string id, parent;
  std::optional<Instant> at;
  bool is_dead = false;
};

bool is_prompt(const Line& line) { return line.said.role == "user" && !line.said.is_hidden; }

// What was said again after going back has the same parent as what it takes the place of: the earlier one, and all that followed
// it, was given up.
void mark_what_was_given_up(std::vector<Line>& lines, const std::map<std::string, std::string>& parents) {
  std::map<std::string, std::string> latest;  // parent -> the prompt that was said last
  for (const Line& line : lines)
    if (is_prompt(line) && !line.parent.empty()) latest[line.parent] = line.id;
  std::set<std::string> dead;
  for (const Line& line : lines)
    if (is_prompt(line) && !line.parent.empty() && latest[line.parent] != line.id) dead.insert(line.id);
  if (dead.empty()) return;
  for (Line& line : lines) {
    std::set<std::string> seen;
    for (std::string id = line.id; !id.empty() && !line.is_dead && seen.insert(id).second;) {
      line.is_dead = dead.contains(id);
      const auto parent = parents.find(id);
      id = parent == parents.end() ? std::string() : parent->second;
    }
  }
}

// A conversation that goes on from another one holds the lines of that, under its name, or says where it comes from.
std::set<std::string> sessions_named_in(const Json& line) {
  std::set<std::string> sessions{line.text_at("sessionId"), line.text_at("forked_from_id")};
  if (const Json* origin = line.find("forkedFrom")) sessions.insert(origin->text_at("sessionId"));
  if (const Json* meta = line.text_at("type") == "session_meta" ? line.find("payload") : nullptr) {
    sessions.insert(meta->text_at("id"));
    sessions.insert(meta->text_at("forked_from_id"));
  }
  sessions.erase("");
  return sessions;
}

Status read_claude_session(Member& member, Records& records) {
  std::vector<Line> lines;
  std::map<std::string, std::string> parents;
  std::string session = path(member.name).stem().string(), folder;
  std::set<std::string> origins;
  size_t number = 0;
  TRY(for_each_line(member.read, [&](std::string_view text) -> Status {
    ++number;
    const auto json = parse_record(text);
    if (!json || !json->as_object()) {
      skip_line(text, json, member.name + ", line " + std::to_string(number), records);
      if (SaidLine said = said_in_broken_line(text); said.is_hidden) lines.push_back({std::move(said), {}, {}, {}});
      return {};
    }
    if (const std::string cwd = json->text_at("cwd"); !cwd.empty()) folder = cwd;
    if (const std::string id = json->text_at("sessionId"); !id.empty()) session = id;
    for (const std::string& origin : sessions_named_in(*json)) origins.insert(origin);
    const std::string id = json->text_at("uuid"), parent = json->text_at("parentUuid");
    if (!id.empty()) parents[id] = parent;
    SaidLine said = said_in_transcript(*json);
    if (!said.text.empty() || said.is_hidden) lines.push_back({std::move(said), id, parent, time_at(*json, "timestamp", records)});
    return {};
  }));
  mark_what_was_given_up(lines, parents);
  Conversation conversation(records, session, last_part(folder));
  for (const std::string& origin : origins) conversation.add_origin(origin);
  StoredLines stored;
  for (const Line& line : lines) {
    if (line.is_dead || !stored.has(line.said)) continue;
    if (line.said.role == "user") TRY(conversation.user(line.said.text, line.at, line.id));
    if (line.said.role == "assistant") TRY(conversation.assistant(line.said.text, line.at, line.id));
  }
  return conversation.end();
}

// --- Codex: sessions/Y/M/D/rollout-*.jsonl ---

Status read_codex_session(Member& member, Records& records) {
  std::string session = path(member.name).stem().string();
  std::optional<Conversation> conversation;
  size_t number = 0;
  StoredLines stored;
  TRY(for_each_line(member.read, [&](std::string_view text) -> Status {
    ++number;
    const auto json = parse_record(text);
    if (!json || !json->as_object()) {
      skip_line(text, json, member.name + ", line " + std::to_string(number), records);
      (void)stored.has(said_in_broken_line(text));
      return {};
    }
    const Json* payload = json->find("payload");
    if (payload && json->text_at("type") == "session_meta" && !conversation) {
      if (const std::string id = payload->text_at("id"); !id.empty()) session = id;
      conversation.emplace(records, session, last_part(payload->text_at("cwd")));
    }
    const SaidLine said = said_in_transcript(*json);
    if (conversation && json->text_at("type") == "session_meta")
      for (const std::string& origin : sessions_named_in(*json)) conversation->add_origin(origin);
    if (!stored.has(said)) return {};
    if (!conversation) conversation.emplace(records, session);
    const auto at = time_at(*json, "timestamp", records);
    const std::string key = session + ":" + std::to_string(number);
    return said.role == "user" ? conversation->user(said.text, at, key) : conversation->assistant(said.text, at, key);
  }));
  return conversation ? conversation->end() : Status();
}

Status read_sessions(const ImportSource& source, const path& below, const std::function<bool(std::string_view)>& is_wanted,
                     const std::function<Status(Member&)>& read) {
  std::error_code error;
  const path inner = source.root / below;
  ImportSource from = source;
  if (std::filesystem::is_directory(inner, error)) from.root = inner;
  return for_each_member(from, is_wanted, read);
}

}  // namespace

Status read_claude_transcripts(const ImportSource& source, Records& records) {
  // Deeper folders hold what subagents and tools wrote.
  const auto is_session = [](std::string_view name) { return name.ends_with(".jsonl") && std::ranges::count(name, '/') <= 1; };
  return read_sessions(source, "projects", is_session, [&](Member& member) { return read_claude_session(member, records); });
}

Status read_codex(const ImportSource& source, Records& records) {
  const auto is_session = [](std::string_view name) {
    return name.ends_with(".jsonl") && name.find("rollout-") != std::string_view::npos;
  };
  const auto sessions =
      read_sessions(source, "sessions", is_session, [&](Member& member) { return read_codex_session(member, records); });
  if (!sessions && sessions.error().code != ErrorCode::usage) return sessions;
  TRY(read_codex_memories(source, records));  // also beside a session that cannot be read
  return sessions;
}

}  // namespace loci::importers
