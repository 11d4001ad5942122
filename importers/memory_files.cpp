// Memories that are markdown files: what other agents keep for themselves.
#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "base/unicode.h"
#include "importers/encoding.h"
#include "importers/members.h"
#include "importers/notes.h"
#include "importers/readers.h"
#include "importers/take_in.h"
#include "importers/times.h"
#include "parser/tag_marks.h"

namespace loci::importers {
namespace {

bool is_markdown(std::string_view name) { return name.ends_with(".md"); }

struct TextFile {
  std::string name, text;
  std::optional<Instant> day;  // that its name tells
  Instant written_at;
};

// A memory that is a file is small; what is larger than this is none.
constexpr size_t largest_file = size_t{16} << 20;

Status for_each_text(const ImportSource& source, const path& below, const std::function<bool(std::string_view)>& is_wanted,
                     Records& records, const std::function<Status(const TextFile&)>& each) {
  const path folder = source.root / below;
  const auto unreadable = [&](const std::string& name) { records.skip("a folder that cannot be read", (below / name).string()); };
  for (const std::string& name : files_below(source, folder, is_wanted, unreadable)) {
    const path file = folder / name;
    const auto fd = source.files.open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const auto info = fd ? source.files.status(*fd, file) : Result<struct stat>(std::unexpected(fd.error()));
    auto text = info ? source.files.read_all(*fd, file, largest_file) : Result<std::string>(std::unexpected(info.error()));
    if (!text) {
      records.skip("a file that cannot be read", name);
      continue;
    }
    const auto day = time_of(date_in_name(path(name).filename().string()), records);
    TRY(each({name, text_of_file(std::move(*text)), day, modified_at(*info)}));
  }
  return {};
}

Record dated(const TextFile& file) {
  Record record;
  record.at = file.day.value_or(file.written_at);
  record.is_date_of_file = !file.day;
  return record;
}

bool has_folder(const path& folder) {
  std::error_code error;
  return std::filesystem::is_directory(folder, error);
}

void add_tags(Record& record, const std::vector<std::string>& tags) {
  record.tags.insert(record.tags.end(), tags.begin(), tags.end());
}

// What its file and its headings say of it, too.
Record dated(const TextFile& file, const Note& note, const NoteBlock& block) {
  Record record = dated(file);
  record.text = block.text;
  add_tags(record, note.tags);
  add_tags(record, block.tags);
  return record;
}

// A heading that is no date says what stands below it is about.
void add_section(Record& record, const NoteBlock& block) {
  if (const std::string section = slug(block.section); !section.empty() && date_in_name(block.section).empty())
    record.tags.push_back(section);
}

// Each block of a file is a fact.
Status take_blocks(const TextFile& file, const std::string& tag, Records& records) {
  const Note note = read_note(file.text);
  for (const NoteBlock& block : blocks_of(note.body)) {
    Record record = dated(file, note, block);
    record.key = file.name + "\n" + block.text;
    record.tags.push_back(tag);
    add_section(record, block);
    TRY(records.take(std::move(record)));
  }
  return {};
}

// --- Claude Code: projects/FOLDER/memory/NAME.md, one memory a file. MEMORY.md there lists them, and says what has no file ---

bool is_list(std::string_view name) { return name == "MEMORY.md" || name.ends_with("/MEMORY.md"); }

// Where the words of a link end that a text begins with: at the bracket that closes the first one.
size_t end_of_link_words(std::string_view text) {
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == '[')
      ++depth;
    else if (text[at] == ']' && --depth == 0)
      return at;
  }
  return text.size();
}

// "[Oven](oven.md): when it starts"
bool names_a_file(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of("*_ "), text.size()));
  if (!text.starts_with('[')) return false;
  text.remove_prefix(end_of_link_words(text));
  const std::string_view target = text.substr(0, text.find(')'));
  return target.starts_with("](") && is_markdown(target) && !target.contains("://");
}

// The folder's name has lost what was not a letter or digit: "-home-ana-atlas". A transcript beside it tells the real one.
std::string project_of_claude(const ImportSource& source, const std::string& folder) {
  const path place = source.root / "projects" / folder;
  const auto is_transcript = [](std::string_view file) { return file.ends_with(".jsonl") && !file.contains('/'); };
  for (const std::string& name : files_below(source, place, is_transcript, [](const std::string&) {})) {
    const auto fd = source.files.open(place / name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (!fd) continue;
    std::string bytes(size_t{64} << 10, '\0');
    const ssize_t count = ::pread(fd->get(), bytes.data(), bytes.size(), 0);
    bytes.resize(static_cast<size_t>(std::max<ssize_t>(count, 0)));
    for (const std::string_view line : lines_in(bytes))
      if (const auto json = parse_json(line); json && !json->text_at("cwd").empty())
        return path(json->text_at("cwd")).filename().string();
  }
  return folder.substr(folder.rfind('-') + 1);
}

Status take_claude_list(const TextFile& file, const std::string& project, Records& records) {
  const Note note = read_note(file.text);
  for (const NoteBlock& block : blocks_of(note.body)) {
    if (names_a_file(block.text)) continue;
    Record record = dated(file, note, block);
    record.key = file.name + "\n" + block.text;
    record.project = project;
    add_section(record, block);
    TRY(records.take(std::move(record)));
  }
  return {};
}

Status take_claude_file(const TextFile& file, const std::string& project, Records& records) {
  if (is_list(file.name)) return take_claude_list(file, project, records);
  const Note note = read_note(file.text);
  Record record = dated(file);
  record.key = file.name;
  record.text = trimmed_line(note.body);
  const std::string_view own_project = note.field("metadata.project");
  record.project = own_project.empty() ? project : std::string(own_project);
  for (const char* key : {"metadata.type", "type"})
    if (const std::string type = slug(note.field(key)); !type.empty() && record.tags.empty()) record.tags.push_back(type);
  add_tags(record, note.tags);
  if (record.text.empty()) {
    records.skip("a memory without a text", file.name);
    return {};
  }
  return records.take(std::move(record));
}

// The one folder of all projects that a person's own settings may name; empty: none that is to be read.
path moved_memory_of_claude(const ImportSource& source, Records& records) {
  const auto bytes = read_file(source.files, source.root / "settings.json", largest_file);
  const auto settings = bytes ? parse_json(*bytes) : Result<Json>(std::unexpected(bytes.error()));
  const std::string named = settings ? settings->text_at("autoMemoryDirectory") : std::string();
  if (named.empty()) return {};
  const auto left_out = [&](std::string_view why) {
    records.skip("a folder that autoMemoryDirectory names" + std::string(why), named);
    return path();
  };
  if (source.home.empty()) return left_out(": give it as PATH");
  const path folder = named.starts_with("~/") ? source.home / named.substr(2) : path(named);
  if (!folder.is_absolute() || !has_folder(folder)) return left_out(", and that is not there");
  if (!source.vault.empty() && !check_outside(folder, source.vault)) return left_out(" in the vault: it is memory where it is");
  return folder;
}

// --- OpenClaw ---

// Takes "<!-- trigger: a, b -->" and its like off the end of a line, as tags; what names tags itself is one of the block's already.
void take_off_comments(Record& record) {
  std::string& text = record.text;
  for (size_t begin = text.find("<!--"); begin != std::string::npos; begin = text.find("<!--")) {
    const size_t end = text.find("-->", begin);
    const std::string_view comment = std::string_view(text).substr(begin + 4, end == std::string::npos ? end : end - begin - 4);
    const size_t colon = comment.find(':');
    const std::string name = slug(comment.substr(0, colon));
    std::string_view rest = colon == std::string_view::npos ? std::string_view() : comment.substr(colon + 1);
    while (!rest.empty()) {
      const size_t comma = std::min(rest.find(','), rest.size());
      const std::string word = slug(rest.substr(0, comma));
      if (!word.empty() && !names_tags(name)) record.tags.push_back(name == "trigger" ? word : name + "-" + word);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    const size_t behind = end == std::string::npos ? text.size() : end + 3;
    text = std::string(trimmed_line(std::string_view(text).substr(0, begin))) + text.substr(behind);
  }
  text = trimmed_line(text);
}

// "(observed 2026-11-02, active)" at the end of a line of USER.md.
void take_off_observation(Record& record, Records& records) {
  const size_t begin = record.text.rfind("(observed ");
  if (begin == std::string::npos || !record.text.ends_with(')')) return;
  const std::string_view inner = std::string_view(record.text).substr(begin + 10, record.text.size() - begin - 11);
  if (const auto at = time_of(date_in_name(inner), records)) {
    record.at = at;
    record.is_date_of_file = false;
  }
  record.is_superseded = inner.find("superseded") != std::string_view::npos;
  record.text = trimmed_line(std::string_view(record.text).substr(0, begin));
}

// "Source: memory/2026-11-18.md#L3-L7" at the end of a line: where it was taken from, and so from when it is.
void take_off_provenance(Record& record, Records& records) {
  constexpr std::string_view mark = "Source: ";
  const size_t begin = record.text.rfind(mark);
  if (begin == std::string::npos || (begin > 0 && record.text[begin - 1] != ' ')) return;
  const std::string place = record.text.substr(begin + mark.size());
  const size_t lines = place.rfind("#L");
  if (lines == std::string::npos || place.find_first_not_of("L0123456789-", lines + 1) != std::string::npos) return;
  const path file = place.substr(0, lines);
  if (!is_markdown(file.native())) return;
  if (const auto at = time_of(date_in_name(file.filename().string()), records)) {
    record.at = at;
    record.is_date_of_file = false;
  }
  record.provenance = place;
  record.text = trimmed_line(std::string_view(record.text).substr(0, begin));
}

Status take_openclaw_file(const TextFile& file, Records& records) {
  const bool is_of_user = path(file.name).filename() == "USER.md";
  const Note note = read_note(file.text);
  for (const NoteBlock& block : blocks_of(note.body)) {
    Record record = dated(file, note, block);
    record.key = file.name + "\n" + block.text;
    if (is_of_user) {
      record.tags.push_back("user");
      take_off_observation(record, records);
    } else if (const std::string section = slug(block.section);
               !section.empty() && date_in_name(section).empty() && !section.starts_with("session-")) {
      record.tags.push_back(section);
    }
    take_off_comments(record);
    take_off_provenance(record, records);
    if (!record.text.empty()) TRY(records.take(std::move(record)));
  }
  return {};
}

// --- memsearch: "## Session HH:MM", "### HH:MM", "<!-- session:ID turn:ID transcript:PATH -->", items ---

std::string word_behind(std::string_view text, std::string_view name) {
  const size_t begin = text.find(name);
  if (begin == std::string_view::npos) return {};
  const std::string_view rest = text.substr(begin + name.size());
  return std::string(rest.substr(0, std::min(rest.find_first_of(" \t"), rest.size())));
}

class MemsearchDay {
 public:
  MemsearchDay(const TextFile& file, Records& records)
      : name_(path(file.name).filename().string()), day_(file.day), records_(records) {}

  Status read(const Note& note) {
    tags_of_file_ = note.tags;
    for (const BodyLine& whole : body_lines(note.body)) {
      const std::string_view line = trimmed_line(whole.text);
      if (whole.heading_level > 0) {
        TRY(end());
        headings_.enter(whole);
        const std::string words = headings_.words();
        time_ = words.substr(words.size() < 5 ? 0 : words.size() - 5);
      } else if (line.starts_with("<!--")) {
        if (const std::string session = word_behind(line, "session:"); !session.empty()) session_ = session;
        if (const std::string turn = word_behind(line, "turn:"); !turn.empty()) turn_ = turn;
        std::ranges::move(marked_tags(scrub_utf8(line)), std::back_inserter(tags_of_comments_));
      } else if (!line.empty()) {
        if (!text_.empty()) text_ += '\n';
        text_ += line;
      }
    }
    return end();
  }

 private:
  Status end() {
    const std::string text = std::exchange(text_, {}), session = std::exchange(session_, {}), turn = std::exchange(turn_, {});
    const auto tags_of_comments = std::exchange(tags_of_comments_, {});
    if (text.empty()) return {};
    Record record;
    record.text = text;
    record.tags = tags_of_file_;
    add_tags(record, headings_.tags());
    add_tags(record, tags_of_comments);
    record.is_summary = !session.empty();
    record.session = session;
    record.key = !turn.empty() ? session + ":" + turn : name_ + " " + time_ + "\n" + text;
    record.at = day_;
    if (const auto at = day_ ? local_time(date_in_name(name_), time_) : std::nullopt) record.at = at;
    return records_.take(std::move(record));
  }

  std::string name_, time_, session_, turn_, text_;
  std::optional<Instant> day_;  // of the file
  std::vector<std::string> tags_of_file_, tags_of_comments_;
  HeadingsAbove headings_;
  Records& records_;
};

// --- Codex: task groups ---

Status take_codex_memories(const TextFile& file, Records& records) {
  std::string project;
  const Note note = read_note(file.text);
  for (const NoteBlock& block : blocks_of(note.body)) {
    if (block.text.starts_with("applies_to:")) {
      const std::string cwd = word_behind(block.text, "cwd=");
      project = path(cwd.substr(0, cwd.find(';'))).filename().string();
      continue;
    }
    if (slug(block.section) == "keywords") continue;
    Record record = dated(file, note, block);
    record.project = project;
    record.tags.push_back(slug(block.section));
    TRY(records.take(std::move(record)));
  }
  return {};
}

}  // namespace

Status read_claude_code(const ImportSource& source, Records& records) {
  const auto is_memory = [](std::string_view name) { return is_markdown(name) && name.contains("/memory/"); };
  std::map<std::string, std::string> projects;
  TRY(for_each_text(source, "projects", is_memory, records, [&](const TextFile& file) {
    const std::string folder = file.name.substr(0, file.name.find('/'));
    if (!projects.contains(folder)) projects[folder] = project_of_claude(source, folder);
    return take_claude_file(file, projects[folder], records);
  }));
  std::error_code error;
  const bool is_moved_one = !has_folder(source.root / "projects") && std::filesystem::exists(source.root / "MEMORY.md", error);
  const path moved = is_moved_one ? source.root : moved_memory_of_claude(source, records);
  if (moved.empty()) return {};
  const auto is_note = [](std::string_view name) { return is_markdown(name) && !name.starts_with('.') && !name.contains("/."); };
  return for_each_text(source, moved, is_note, records, [&](const TextFile& file) { return take_claude_file(file, {}, records); });
}

Status read_codex_memories(const ImportSource& source, Records& records) {
  // The summary repeats it, and the raw memories are what it is made of.
  return for_each_text(
      source, "memories", [](std::string_view name) { return name == "MEMORY.md"; }, records,
      [&](const TextFile& file) { return take_codex_memories(file, records); });
}

Status read_openclaw(const ImportSource& source, Records& records) {
  const auto is_memory = [](std::string_view name) {
    if (!is_markdown(name) || name.starts_with("memory/imports/") || name.ends_with("DREAMS.md")) return false;
    return name == "USER.md" || name == "MEMORY.md" || name.starts_with("memory/") ||
           (name.starts_with("users/") && name.ends_with("/USER.md"));
  };
  return for_each_text(source, "", is_memory, records, [&](const TextFile& file) { return take_openclaw_file(file, records); });
}

Status read_memsearch(const ImportSource& source, Records& records) {
  const path below = has_folder(source.root / ".memsearch/memory") ? ".memsearch/memory" : "";
  const auto is_day = [](std::string_view name) {
    return is_markdown(name) && !date_in_name(path(name).filename().string()).empty();
  };
  return for_each_text(source, below, is_day, records,
                       [&](const TextFile& file) { return MemsearchDay(file, records).read(read_note(file.text)); });
}

Status read_letta(const ImportSource& source, Records& records) {
  const path below = has_folder(source.root / "agents") ? "agents" : "";
  const auto is_memory = [](std::string_view name) {
    return is_markdown(name) && name.find("/.git/") == std::string_view::npos && !name.starts_with("skills/") &&
           name.find("/skills/") == std::string_view::npos;
  };
  return for_each_text(source, below, is_memory, records,
                       [&](const TextFile& file) { return take_blocks(file, slug(path(file.name).stem().string()), records); });
}

Status read_hermes(const ImportSource& source, Records& records) {
  const path below = has_folder(source.root / "memories") ? "memories" : "";
  const auto is_memory = [](std::string_view name) { return name == "MEMORY.md" || name == "USER.md"; };
  return for_each_text(source, below, is_memory, records, [&](const TextFile& file) -> Status {
    const Note note = read_note(file.text);
    std::string_view rest = note.body;
    constexpr std::string_view border = "\n\xC2\xA7\n";
    while (!rest.empty()) {
      const size_t end = std::min(rest.find(border), rest.size());
      Record record = dated(file);
      record.text = trimmed_line(rest.substr(0, end));
      rest.remove_prefix(std::min(end + border.size(), rest.size()));
      if (record.text.empty()) continue;
      if (record.text.starts_with("[BLOCKED:")) {
        records.skip("a placeholder for an entry that was blocked there", record.text);
        continue;
      }
      add_tags(record, note.tags);
      if (file.name == "USER.md") record.tags.push_back("user");
      TRY(records.take(std::move(record)));
    }
    return {};
  });
}

}  // namespace loci::importers
