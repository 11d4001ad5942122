#include "edits/question_shapes.h"

namespace loci {

std::string_view name_of(Question::Kind kind) {
  switch (kind) {
    case Question::Kind::wholesale:
      return "wholesale";
    case Question::Kind::gone:
      return "gone";
    case Question::Kind::missing:
      return "missing";
    case Question::Kind::unreadable:
      return "unreadable";
    case Question::Kind::hidden:
      return "hidden";
    case Question::Kind::stuck:
      return "stuck";
    case Question::Kind::conflict:
      return "conflict";
  }
  return "wholesale";
}

Json question_to_json(const OpenQuestion& open) {
  Json value = Json::object();
  value.add_unchecked("file", open.question.file);
  value.add_unchecked("kind", name_of(open.question.kind));
  value.add_unchecked("ends_by_answer", ends_by_answer(open.question.kind));
  value.add_unchecked("line", open.question.line == 0 ? Json() : Json(static_cast<std::int64_t>(open.question.line)));
  value.add_unchecked("why", open.question.why.empty() ? Json() : Json(open.question.why));
  value.add_unchecked("since", format_rfc3339(open.question.since));
  value.add_unchecked("removed", static_cast<std::uint64_t>(open.question.removed));
  value.add_unchecked("changed", static_cast<std::uint64_t>(open.question.changed));
  value.add_unchecked("entries", static_cast<std::uint64_t>(open.question.entries));
  Json changes = Json::array();
  for (const EntryChange& change : open.changes) {
    Json one = Json::object();
    one.add_unchecked("id", change.id);
    one.add_unchecked("before", change.before.empty() ? Json() : Json(change.before));
    one.add_unchecked("after", change.after.empty() ? Json() : Json(change.after));
    changes.push_back(std::move(one));
  }
  value.add_unchecked("changes", std::move(changes));
  return value;
}

Json resolved_to_json(const Resolved& resolved) {
  Json value = Json::object();
  value.add_unchecked("v", 1);
  value.add_unchecked("file", resolved.file);
  value.add_unchecked("deleted", resolved.deleted);
  value.add_unchecked("demoted", resolved.demoted);
  value.add_unchecked("corrected", resolved.corrected);
  value.add_unchecked("rewritten", resolved.rewritten);
  value.add_unchecked("searchable", resolved.searchable.yes);
  value.add_unchecked("act", resolved.act.empty() ? Json() : Json(resolved.act));
  return value;
}

}  // namespace loci
