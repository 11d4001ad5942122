#include "edits/question_record.h"

#include <algorithm>

namespace loci {
namespace {

constexpr std::string_view kinds[] = {"wholesale", "gone", "missing", "unreadable", "hidden", "stuck", "conflict"};

Instant time_at(const Json& json, const char* key) { return parse_time(json.text_at(key)).value_or(Instant{}); }

Json record_of(const Absence& absence) {
  Json json = Json::object();
  json.add_unchecked("id", absence.id);
  json.add_unchecked("hash", absence.hash);
  json.add_unchecked("from", absence.from);
  json.add_unchecked("since", format_rfc3339(absence.since));
  json.add_unchecked("version", absence.version);
  if (!absence.said_in.empty()) json.add_unchecked("said_in", absence.said_in);
  return json;
}

Absence absence_from_record(const Json& json) {
  return {json.text_at("id"),     json.text_at("hash"),    json.texts_at("from"),
          time_at(json, "since"), json.text_at("version"), json.text_at("said_in")};
}

}  // namespace

Json record_of(const std::vector<Absence>& absences) {
  Json list = Json::array();
  for (const Absence& one : absences) list.push_back(record_of(one));
  return list;
}

Json record_of(const Question& question) {
  Json json = Json::object();
  json.add_unchecked("kind", kinds[static_cast<size_t>(question.kind)]);
  json.add_unchecked("line", question.line);
  if (!question.why.empty()) json.add_unchecked("why", question.why);
  json.add_unchecked("since", format_rfc3339(question.since));
  json.add_unchecked("removed", static_cast<std::uint64_t>(question.removed));
  json.add_unchecked("changed", static_cast<std::uint64_t>(question.changed));
  json.add_unchecked("touched", static_cast<std::uint64_t>(question.touched));
  json.add_unchecked("entries", static_cast<std::uint64_t>(question.entries));
  json.add_unchecked("before", question.before);
  json.add_unchecked("gone", record_of(question.gone));
  return json;
}

std::vector<Absence> absences_from_record(const std::vector<Json>& list) {
  std::vector<Absence> absences;
  for (const Json& one : list) absences.push_back(absence_from_record(one));
  return absences;
}

Question question_from_record(const Json& record, const std::string& file) {
  const auto kind = std::ranges::find(kinds, record.text_at("kind"));
  Question question;
  question.file = file;
  if (kind != std::end(kinds)) question.kind = static_cast<Question::Kind>(kind - std::begin(kinds));
  question.line = static_cast<int>(record.count_at("line"));
  question.why = record.text_at("why");
  question.since = time_at(record, "since");
  question.removed = record.count_at("removed");
  question.changed = record.count_at("changed");
  question.touched = record.count_at("touched");
  question.entries = record.count_at("entries");
  question.before = record.text_at("before");
  question.gone = absences_from_record(record.array_at("gone"));
  return question;
}

}  // namespace loci
