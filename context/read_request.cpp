#include "context/read_request.h"

#include "base/relative_time.h"

namespace loci {
namespace {

Status wrong(const std::string& field, const char* wanted) { return fail(ErrorCode::usage, "'" + field + "' is not " + wanted); }

Status read_text(const std::string& field, const Json& value, std::string& text) {
  if (!value.as_string()) return wrong(field, "a text");
  text = *value.as_string();
  return {};
}

Status read_count(const std::string& field, const Json& value, std::optional<std::int64_t>& count) {
  if (!value.as_integer() || *value.as_integer() < 0) return wrong(field, "a whole number from 0 up");
  count = *value.as_integer();
  return {};
}

Status read_field(const std::string& field, const Json& value, ContextRequest& request, std::string& since, std::string& until) {
  if (field == "query") return read_text(field, value, request.message);
  if (field == "session") return read_text(field, value, request.session);
  if (field == "project") return read_text(field, value, request.project);
  if (field == "task") return read_text(field, value, request.task);
  if (field == "since") return read_text(field, value, since);
  if (field == "until") return read_text(field, value, until);
  if (field == "turn") return read_count(field, value, request.turn);
  if (field == "budget") return read_count(field, value, request.budget);
  if (field != "recent")
    return fail(ErrorCode::usage, "unknown field '" + field + "'",
                "it is one of query, session, turn, budget, since, until, project, task, recent");
  request.recent = TRY(read_recent(value));
  return {};
}

Status read_date(const std::string& text, Instant now, std::optional<Instant> (*read)(std::string_view, Instant),
                 std::optional<Instant>& date) {
  if (text.empty()) return {};
  date = read(text, now);
  if (!date) return fail(ErrorCode::usage, "'" + text + "' is no date", "write it like " + std::string(date_examples));
  return {};
}

}  // namespace

Result<std::vector<Utterance>> read_recent(const Json& list) {
  const auto no_list = [] {
    return fail(ErrorCode::usage, "'recent' is not a list of what was said", R"(send [{"role":"user","text":"…"}], oldest first)");
  };
  if (!list.as_array()) return no_list();
  std::vector<Utterance> recent;
  for (const Json& one : *list.as_array()) {
    if (!one.string_at("role") || !one.string_at("text")) return no_list();
    recent.push_back({one.text_at("role"), one.text_at("text")});
  }
  return recent;
}

Status set_period(ContextRequest& request, const std::string& since, const std::string& until, Instant now) {
  TRY(read_date(since, now, parse_date, request.since));
  return read_date(until, now, parse_date_end, request.until);
}

Result<ContextRequest> read_context_request(const Json& body, Instant now) {
  if (!body.as_object()) return fail(ErrorCode::usage, "the body is no JSON object");
  ContextRequest request;
  std::string since, until;
  for (const auto& [field, value] : *body.as_object())
    if (!value.is_null()) TRY(read_field(field, value, request, since, until));
  TRY(set_period(request, since, until, now));
  return request;
}

}  // namespace loci
