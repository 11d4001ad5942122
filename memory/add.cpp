#include "memory/add.h"

#include <algorithm>

#include "memory/private_tag.h"
#include "memory/unfinished_changes.h"
#include "parser/text_hash.h"
#include "vault/logs/logs.h"

namespace loci {
namespace {

// The keys that a line may have beside "text"; the names are those of the metadata.
constexpr std::string_view known_keys[] = {"source",     "kind",    "tags", "project", "task", "category",
                                           "confidence", "session", "turn", "role",    "at"};

std::vector<std::string> files_of(const std::vector<Appended>& entries) {
  std::vector<std::string> files;
  for (const Appended& entry : entries)
    if (std::ranges::find(files, entry.file) == files.end()) files.push_back(entry.file);
  return files;
}

// The object without its text, read by the rules of metadata: one place knows the types.
Result<Metadata> metadata_from(const Json::Object& line) {
  Json object = Json::object();
  for (const auto& [key, value] : line) {
    if (key == "text") continue;
    if (std::ranges::find(known_keys, key) == std::end(known_keys)) return fail(ErrorCode::usage, "unknown key \"" + key + "\"");
    object.add_unchecked(key, value);
  }
  return read_metadata(object);
}

}  // namespace

Searchable make_searchable(Memory& memory, const std::vector<std::string>& files) {
  if (const auto report = memory.take_in(files); !report) return {false, report.error().message};
  return {};
}

Status check_tags_given(size_t count) {
  if (count <= most_tags_given) return {};
  return fail(ErrorCode::usage, "has " + std::to_string(count) + " tags; at most " + std::to_string(most_tags_given));
}

Result<std::vector<Appended>> append_new(Memory& memory, std::vector<NewEntry> entries) {
  for (const NewEntry& entry : entries)
    if (entry.metadata.at && *entry.metadata.at > memory.now() + most_ahead)
      return fail(ErrorCode::usage, "\"at\" is " + format_rfc3339(*entry.metadata.at) + ", more than a day from now",
                  "mend it, or leave it out; is this machine's clock right?");
  for (NewEntry& entry : entries) {
    if (!entry.metadata.at) continue;
    const auto tombstone = TRY(latest_tombstone_of(memory.vault(), stored_text_hash(entry.text), loose_text_hash(entry.text)));
    if (tombstone) entry.metadata.at = std::max(*entry.metadata.at, *tombstone + std::chrono::milliseconds(1));
  }
  return append_entries(memory.vault(), std::move(entries));
}

Result<Added> add(Memory& memory, std::vector<NewEntry> entries) {
  if (entries.empty()) return Added{};
  (void)finish_unfinished_changes(memory);  // what cannot be finished now stays noted
  auto notes = OpenPrivateTag(memory.vault().config()).warnings(entries);
  auto appended = TRY(append_new(memory, std::move(entries)));
  Added added{std::move(appended), {}, std::move(notes)};
  added.searchable = make_searchable(memory, files_of(added.entries));
  return added;
}

Result<NewEntry> entry_from_json_line(std::string_view line, Actor actor) { return entry_from_json(TRY(parse_json(line)), actor); }

Result<NewEntry> entry_from_json(const Json& json, Actor actor) {
  const Json::Object* object = json.as_object();
  if (!object) return fail(ErrorCode::usage, "not a JSON object");
  const Json* text = json.find("text");
  if (!text || !text->as_string()) return fail(ErrorCode::usage, "\"text\" is missing or no string");
  auto metadata = metadata_from(*object);
  if (!metadata) return std::unexpected(Error{ErrorCode::usage, metadata.error().message});
  if (!metadata->role.empty() && metadata->role != "user" && metadata->role != "assistant")
    return fail(ErrorCode::usage, "\"role\" is neither user nor assistant");
  TRY(check_tags_given(metadata->tags.size()));
  if (metadata->confidence && (*metadata->confidence < 0 || *metadata->confidence > 1))
    return fail(ErrorCode::usage, "\"confidence\" is not between 0 and 1");
  if (metadata->session.find_first_not_of(" \t\r\n\v\f") == std::string::npos) metadata->session.clear();
  TRY(may_add(actor, *metadata));
  const Source most = most_trusted_source(actor);
  metadata->source = std::min(metadata->source.value_or(most), most);
  // Nor is more of what an agent says believed because it says so.
  if (actor != Actor::person && metadata->confidence)
    metadata->confidence = std::min(*metadata->confidence, default_confidence(*metadata->source));
  return NewEntry{std::move(*metadata), *text->as_string()};
}

}  // namespace loci
