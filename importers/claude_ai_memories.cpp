// What Claude.ai remembers of its user: memories.json, [{conversations_memory, project_memories {uuid: text}, account_uuid}], or
// memories/ACCOUNT.json with one such object. projects.json, [{uuid, name}], or projects/UUID.json says what the projects are
// called.
#include <filesystem>
#include <utility>

#include "importers/claude_ai.h"
#include "importers/notes.h"

namespace loci::importers {
namespace {

bool is_of(std::string_view name, std::string_view kind) {
  if (!name.ends_with(".json")) return false;
  const path file(name);
  return file.stem() == kind || file.parent_path().filename() == kind;
}

// All that is in it, as one record may be.
Result<Json> read_whole(const ByteReader& read) {
  std::string text;
  while (true) {
    const std::string_view bytes = TRY(read());
    if (bytes.empty()) return parse_record(text);
    if (text.size() <= largest_record) text += bytes;
  }
}

Status for_each_object(const Json& json, const std::function<Status(const Json&)>& take) {
  if (json.as_object()) return take(json);
  if (const auto* items = json.as_array())
    for (const Json& item : *items) TRY(take(item));
  return {};
}

// "**Work context**", alone in its paragraph; empty: it is none.
std::string_view title_in(std::string_view text) {
  constexpr std::string_view mark = "**";
  if (text.size() < 5 || !text.starts_with(mark) || !text.ends_with(mark)) return {};
  text = text.substr(2, text.size() - 4);
  return text.contains('*') || text.contains('\n') ? std::string_view() : text;
}

class MemoryReader {
 public:
  MemoryReader(const ProjectNames& projects, std::optional<Instant> written_at, Records& records)
      : projects_(projects), written_at_(written_at), records_(records) {}

  Status read(const Json& memory) {
    account_ = memory.text_at("account_uuid");
    TRY(read_text({}, memory.text_at("conversations_memory")));
    const Json* of_projects = memory.find("project_memories");
    if (of_projects && of_projects->as_object())
      for (const auto& [project, text] : *of_projects->as_object())
        if (const std::string* words = text.as_string()) TRY(read_text(project, *words));
    return {};
  }

 private:
  // It is written anew every day: what stands under a title is one record, whose next version supersedes it.
  Status read_text(const std::string& project, std::string_view text) {
    project_ = project;
    title_.clear();
    std::string heading;
    for (const NoteBlock& block : blocks_of(text)) {
      if (std::exchange(heading, block.section) != block.section) TRY(begin(block.section));
      if (const std::string_view title = block.is_item ? std::string_view() : title_in(block.text); !title.empty())
        TRY(begin(title));
      else
        append(block);
    }
    return hand_over();
  }

  Status begin(std::string_view title) {
    TRY(hand_over());
    title_ = title;
    return {};
  }

  void append(const NoteBlock& block) {
    std::string& words = record_.text;
    if (!words.empty()) words += block.is_item ? "\n" : "\n\n";
    words += block.is_item ? "- " + block.text : block.text;
    record_.tags.insert(record_.tags.end(), block.tags.begin(), block.tags.end());
  }

  Status hand_over() {
    Record record = std::exchange(record_, {});
    if (record.text.empty()) return {};
    record.key = "memory\n" + account_ + "\n" + project_ + "\n" + title_;
    record.at = written_at_;
    record.is_date_of_file = written_at_.has_value();
    if (const auto name = projects_.find(project_); name != projects_.end()) record.project = name->second;
    if (const std::string tag = slug(title_); !tag.empty()) record.tags.push_back(tag);
    return records_.take(std::move(record));
  }

  const ProjectNames& projects_;
  const std::optional<Instant> written_at_;
  Records& records_;
  std::string account_, project_, title_;
  Record record_;  // what stands under the title so far
};

}  // namespace

bool is_claude_ai_memory(std::string_view name) { return is_of(name, "memories"); }

ProjectNames claude_ai_projects(const ImportSource& source) {
  ProjectNames names;
  const auto is_wanted = [](std::string_view name) { return is_of(name, "projects"); };
  (void)for_each_member(source, is_wanted, [&](Member& member) -> Status {
    if (!is_wanted(member.name)) return {};
    const Json json = TRY(read_whole(member.read));
    return for_each_object(json, [&](const Json& project) -> Status {
      names[project.text_at("uuid")] = project.text_at("name");
      return {};
    });
  });
  names.erase("");
  return names;
}

Status read_claude_ai_memory(const Member& member, const ProjectNames& projects, std::optional<Instant> written_at,
                             Records& records) {
  const auto json = read_whole(member.read);
  if (!json) return fail(json.error().code, member.name + ": " + json.error().message);
  MemoryReader reader(projects, written_at, records);
  return for_each_object(*json, [&](const Json& memory) { return reader.read(memory); });
}

}  // namespace loci::importers
