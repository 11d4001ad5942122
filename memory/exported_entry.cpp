#include "memory/exported_entry.h"

#include <algorithm>
#include <iterator>

#include "base/byte_order_mark.h"
#include "memory/export.h"
#include "parser/parser.h"
#include "parser/text_hash.h"
#include "parser/writer.h"

namespace loci {
namespace {

constexpr const char* is_it_an_export = "is this what 'loci export' wrote?";
constexpr JsonLimits export_limits{.bytes = size_t{1} << 30, .depth = 64};

std::optional<Settled> settled_from(const Json* json) {
  using Outcome = LedgerEntry::Outcome;
  if (!json) return std::nullopt;
  for (const Outcome outcome : {Outcome::added, Outcome::replaced, Outcome::merged, Outcome::duplicate, Outcome::ignored})
    if (json->text_at("outcome") == name_of(outcome)) return Settled{outcome, json->text_at("entry")};
  return std::nullopt;
}

// The keys of the export that are metadata's too, with metadata's own rules for types.
Result<Metadata> metadata_of_export(const Json& json) {
  Json object = Json::object();
  for (const char* key : {"id", "at", "source", "kind", "session", "turn", "role", "task", "project", "tags", "category",
                          "confidence", "about", "corrects", "first_seen", "updated", "sources", "from"})
    if (const Json* value = json.find(key)) object.set(key, *value);
  return read_metadata(object);
}

Entry entry_from(const Metadata& metadata, const Json& json) {
  Entry entry;
  entry.id = metadata.id;
  entry.text = json.text_at("text");
  entry.hash = stored_text_hash(entry.text);
  entry.at = metadata.at;
  entry.source = metadata.source.value_or(Source::agent);
  entry.kind = metadata.kind.value_or(EntryKind::fact);
  entry.session = metadata.session;
  entry.turn = metadata.turn;
  entry.role = metadata.role;
  entry.task = metadata.task;
  entry.project = metadata.project;
  entry.tags = metadata.tags;
  entry.category = metadata.category;
  entry.confidence = metadata.confidence;
  entry.about = metadata.about;
  entry.corrects = metadata.corrects;
  entry.first_seen = metadata.first_seen;
  entry.updated = metadata.updated;
  entry.sources = metadata.sources;
  entry.from = metadata.from;
  const std::string file = json.text_at("file");
  entry.place = file.empty() ? Place::archive : place_of(file);
  entry.layer = layer_from(json.text_at("layer")).value_or(Layer::L1);
  return entry;
}

// Tags of headings and front matter stay behind with the file: what does not count for the entry by itself goes into its metadata.
void add_tags_of_place(Metadata& metadata, const Entry& entry) {
  const ParsedFile alone = parse(write_entry(metadata, entry.text).value_or(std::string()));
  const auto counts = [&](const std::string& tag) {
    return !alone.entries.empty() && std::ranges::find(alone.entries.front().tags, tag) != alone.entries.front().tags.end();
  };
  std::vector<std::string> missing;
  std::ranges::remove_copy_if(entry.tags, std::back_inserter(missing), counts);
  metadata.tags.insert(metadata.tags.end(), missing.begin(), missing.end());
}

// An export of an earlier version says it by the entry's place alone; one that shows another has a "ref".
bool stands_by_itself(const Json& json) {
  const Json* metadata = json.find("metadata");
  return !metadata || metadata->text_at("ref").empty();
}

Result<ExportedEntry> exported_from(const Json& json) {
  if (!json.string_at("text")) return fail(ErrorCode::usage, "has no \"text\"");
  const auto metadata = metadata_of_export(json);
  if (!metadata) return fail(ErrorCode::usage, metadata.error().message);
  if (metadata->id.empty()) return fail(ErrorCode::usage, "has no \"id\"");
  const Json* settled = json.find("settled");
  ExportedEntry exported;
  exported.entry = entry_from(*metadata, json);
  exported.tells_settled = settled != nullptr;
  exported.settled = settled_from(settled);
  if (const Json* own = json.find("own"))
    exported.own = own_texts_from(*own);
  else if (stands_by_itself(json))
    exported.own = own_texts_from(Json(Json::Array{json}));
  if (const Json* own = json.find("metadata"); own && !own->is_null()) {
    auto in_file = read_metadata(*own);
    if (!in_file) return fail(ErrorCode::usage, "has \"metadata\" that is none: " + in_file.error().message);
    exported.entry.edited = is_edited(in_file->sum, exported.entry.hash);
    in_file->id = metadata->id;
    add_tags_of_place(*in_file, exported.entry);
    exported.metadata = std::move(*in_file);
  }
  return exported;
}

bool is_active(const Json& json) {
  const std::string* status = json.string_at("status");
  return !status || *status == "active";
}

Result<std::vector<ExportedEntry>> entries_of(const Json::Array& values) {
  std::vector<ExportedEntry> entries;
  for (const Json& value : values) {
    if (!is_active(value)) continue;
    auto entry = exported_from(value);
    if (!entry)
      return fail(ErrorCode::usage, "entry " + std::to_string(entries.size() + 1) + " " + entry.error().message, is_it_an_export);
    entries.push_back(std::move(*entry));
  }
  return entries;
}

Result<Json::Array> parse_lines(std::string_view bytes) {
  Json::Array values;
  for (size_t number = 1; !bytes.empty(); ++number) {
    const size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    auto json = parse_json(line);
    if (!json) return fail(ErrorCode::usage, "line " + std::to_string(number) + ": " + json.error().message, is_it_an_export);
    values.push_back(std::move(*json));
  }
  return values;
}

// That of a text without metadata is made of its words.
bool is_id_of_text(const std::string& id) { return id.starts_with("h-"); }

ExportedEntry exported_from(ParsedEntry&& parsed) {
  Metadata metadata = std::move(*parsed.metadata);
  ExportedEntry exported;
  if (const auto own = std::ranges::find(metadata.unknown, "own", &Json::Member::first); own != metadata.unknown.end()) {
    exported.own = own_texts_from(own->second);
    metadata.unknown.erase(own);
  }
  Json place = Json::object();
  place.set("text", parsed.text);
  place.set("file", !exported.own.empty() ? exported.own.front().file : metadata.from.empty() ? "" : "consolidated/memory.md");
  exported.entry = entry_from(metadata, place);
  const bool is_reworded = is_edited(metadata.sum, parsed.hash);
  if (is_reworded) exported.entry.source = std::max(exported.entry.source, Source::user);
  if (is_id_of_text(metadata.id)) {
    exported.entry.id = id_from_hash(parsed.hash);
    for (OwnText& text : exported.own) text.written = parsed.text;
  } else {
    exported.entry.edited = is_reworded;
    exported.metadata = std::move(metadata);
  }
  return exported;
}

// Each entry of it has metadata, and is whole.
Result<std::vector<ExportedEntry>> parse_markdown(std::string_view bytes) {
  const auto fail_at = [](int line, const std::string& what) {
    return fail(ErrorCode::usage, "line " + std::to_string(line) + ": " + what, is_it_an_export);
  };
  ParsedFile file = parse(bytes);
  if (!file.problems.empty()) return fail_at(file.problems.front().line, file.problems.front().message);
  std::vector<ExportedEntry> entries;
  for (ParsedEntry& entry : file.entries) {
    if (!entry.metadata || entry.metadata->id.empty()) return fail_at(entry.line, "an entry without metadata");
    entries.push_back(exported_from(std::move(entry)));
  }
  return entries;
}

bool is_markdown(std::string_view bytes) {
  take_byte_order_mark(bytes);
  bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
  return bytes.starts_with("<!--m ");
}

}  // namespace

Result<std::vector<ExportedEntry>> parse_export(std::string_view bytes) {
  if (is_markdown(bytes)) return parse_markdown(bytes);
  if (const auto whole = parse_json(bytes, export_limits); whole && whole->find("entries")) {
    const Json::Array* values = whole->find("entries")->as_array();
    if (!values) return fail(ErrorCode::usage, "\"entries\" is no array", is_it_an_export);
    return entries_of(*values);
  }
  const auto lines = TRY(parse_lines(bytes));
  return entries_of(lines);
}

Result<std::vector<ExportedEntry>> read_loci_export(const path& from, const Environment& environment, FileSystem& files,
                                                    const Clock& clock) {
  std::error_code error;
  if (!std::filesystem::is_directory(from, error)) {
    const auto bytes = TRY(read_file(files, from));
    auto entries = parse_export(bytes);
    if (!entries) entries.error().message.insert(0, from.string() + ": ");
    return entries;
  }
  auto memory = TRY(Memory::open(from, environment, files, clock));
  TRY(memory.bring_up_to_date());
  std::vector<ExportedEntry> entries;
  Status wrong;
  TRY(for_each_exported(memory, [&](const Json& json) {
    auto entry = exported_from(json);
    if (entry) entries.push_back(std::move(*entry));
    if (!entry) wrong = std::unexpected(entry.error());
    return wrong.has_value();
  }));
  TRY(wrong);
  return entries;
}

}  // namespace loci
