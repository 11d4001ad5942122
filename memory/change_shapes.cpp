#include "memory/change_shapes.h"

#include "memory/json_shapes.h"

namespace loci {

Json appended_to_json(const std::vector<Appended>& entries) {
  Json list = Json::array();
  for (const Appended& entry : entries) {
    Json one = Json::object();
    one.add_unchecked("id", entry.id);
    one.add_unchecked("file", entry.file);
    one.add_unchecked("line", entry.line);
    one.add_unchecked("at", format_rfc3339(entry.at));
    one.add_unchecked("hash", entry.hash);
    list.push_back(std::move(one));
  }
  return list;
}

void add_searchable(Json& value, const Searchable& searchable) {
  value.add_unchecked("searchable", searchable.yes);
  if (!searchable.yes) value.add_unchecked("reason", searchable.reason);
}

Json corrected_to_json(const Corrected& corrected) {
  Json body = versioned();
  body.add_unchecked("id", corrected.id);
  body.add_unchecked("file", corrected.file);
  body.add_unchecked("line", corrected.line);
  body.add_unchecked("replaced", corrected.replaced);
  body.add_unchecked("files", corrected.files);
  body.add_unchecked("notes", corrected.notes);
  body.add_unchecked("searchable", corrected.searchable.yes);
  return body;
}

Json forgotten_to_json(const Forgotten& forgotten) {
  std::vector<std::string> ids;
  for (const Entry& entry : forgotten.entries) ids.push_back(entry.id);
  Json body = versioned();
  body.add_unchecked("forgotten", ids);
  body.add_unchecked("still_say", entries_to_json(forgotten.still_say));
  body.add_unchecked("files", forgotten.files);
  body.add_unchecked("notes", forgotten.notes);
  body.add_unchecked("searchable", forgotten.searchable.yes);
  return body;
}

Json restored_to_json(const Restored& restored) {
  Json body = versioned();
  body.add_unchecked("restored", restored.ids);
  body.add_unchecked("gave_way", restored.gave_way);
  body.add_unchecked("files", restored.files);
  body.add_unchecked("notes", restored.notes);
  add_searchable(body, restored.searchable);
  return body;
}

Json purged_to_json(const Purged& purged) {
  Json value = versioned();
  value.add_unchecked("purged", purged.ids);
  value.add_unchecked("files", purged.files);
  value.add_unchecked("state_files", purged.state_files);
  value.add_unchecked("still_in", purged.still_in);
  value.add_unchecked("notes", purged.notes);
  value.add_unchecked("complete", purged.complete);
  return value;
}

}  // namespace loci
