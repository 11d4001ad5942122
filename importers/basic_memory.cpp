// Notes of basic-memory: "- [category] text #tag (context)" is an observation, "- relation [[Target]]" a relation.
#include <algorithm>

#include "importers/encoding.h"
#include "importers/members.h"
#include "importers/notes.h"
#include "importers/readers.h"
#include "importers/times.h"

namespace loci::importers {
namespace {

struct Observation {
  std::string category, text;
  std::vector<std::string> tags;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// What stands in the brackets at the start, if it can be a category: no box of a task, no one mark, no time.
std::optional<std::string> category_in(std::string_view item) {
  if (!item.starts_with('[') || item.starts_with("[[")) return std::nullopt;
  const size_t end = item.find(']');
  if (end == std::string_view::npos || item.substr(end + 1).starts_with('(')) return std::nullopt;  // a link
  const std::string_view inner = item.substr(1, end - 1);
  const bool is_mark = inner.size() <= 1;
  const bool is_time = !inner.empty() && std::ranges::all_of(inner, [](char c) { return is_digit(c) || c == ':' || c == '.'; });
  if (is_mark || is_time) return std::nullopt;
  return std::string(inner);
}

std::vector<std::string> tags_in(std::string_view text) {
  std::vector<std::string> tags;
  for (size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
    if (at > 0 && text[at - 1] != ' ') continue;
    const std::string_view rest = text.substr(at + 1);
    const std::string_view tag = rest.substr(0, std::min(rest.find_first_of(" \t\n(),"), rest.size()));
    if (!tag.empty() && tag != "#") tags.emplace_back(tag);
  }
  return tags;
}

bool is_box(std::string_view item) { return item.size() > 2 && item[0] == '[' && item[2] == ']'; }

std::optional<Observation> observation_in(std::string_view item) {
  Observation observation;
  if (auto category = category_in(item)) {
    observation.category = std::move(*category);
    item = trimmed_line(item.substr(item.find(']') + 1));
    observation.tags = tags_in(item);
  } else {
    observation.tags = tags_in(item);
    if (observation.tags.empty() || is_box(item) || item.starts_with('[')) return std::nullopt;
  }
  observation.text = item;
  return item.empty() ? std::nullopt : std::optional(std::move(observation));
}

// "depends_on [[Disk Layout]] (since v2)" of the note Storage: "Storage depends_on Disk Layout (since v2)".
std::optional<std::string> relation_in(std::string_view title, std::string_view item) {
  const size_t open = item.find("[["), close = item.find("]]");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
  if (category_in(item)) return std::nullopt;  // "- [fact] [[Ana]] bakes" is an observation
  std::string_view label = trimmed_line(item.substr(0, open));
  const bool is_quoted = label.size() > 1 && label.front() == '"' && label.back() == '"';
  if (is_quoted) label = label.substr(1, label.size() - 2);
  if (label.empty() || (!is_quoted && label.find(' ') != std::string_view::npos)) return std::nullopt;
  std::string text(title);
  text += ' ';
  text += label;
  text += ' ';
  text += item.substr(open + 2, close - open - 2);
  text += item.substr(close + 2);
  return text;
}

class NoteReader {
 public:
  NoteReader(std::string name, Records& records) : name_(std::move(name)), records_(records) {}

  Status read(const std::string& bytes, Instant written_at) {
    const Note note = read_note(bytes);
    pattern_.tags = note.tags;
    for (const char* key : {"modified", "created"})
      if (!pattern_.at) pattern_.at = time_of(note.field(key), records_);
    if (!pattern_.at) {
      pattern_.at = written_at;
      pattern_.is_date_of_file = true;
    }
    id_ = note.field("permalink").empty() ? name_ : std::string(note.field("permalink"));
    const std::string title = note.field("title").empty() ? path(name_).stem().string() : std::string(note.field("title"));
    for (const NoteBlock& block : blocks_of(note.body)) TRY(take(title, block));
    return {};
  }

 private:
  Status take(const std::string& title, const NoteBlock& block) {
    if (!block.is_item) {
      records_.skip("prose: a vault reads notes where they are", name_);
      return {};
    }
    if (const auto relation = relation_in(title, block.text)) return hand_over(*relation, {"relation"}, block);
    auto observation = observation_in(block.text);
    if (!observation) {
      records_.skip("an item that is no observation", block.text);
      return {};
    }
    // "[fact]" says what every record here is, and is what an export gives to one without a tag.
    if (!observation->category.empty() && observation->category != "fact") observation->tags.push_back(observation->category);
    return hand_over(observation->text, observation->tags, block);
  }

  Status hand_over(const std::string& text, const std::vector<std::string>& tags, const NoteBlock& block) {
    Record record = pattern_;
    record.text = text;
    record.key = id_ + "\n" + text;
    for (const auto& more : {tags, block.tags}) record.tags.insert(record.tags.end(), more.begin(), more.end());
    return records_.take(std::move(record));
  }

  std::string name_, id_;
  Records& records_;
  Record pattern_;
};

}  // namespace

Status read_basic_memory(const ImportSource& source, Records& records) {
  const auto is_note = [](std::string_view name) {
    return name.ends_with(".md") && !name.starts_with('.') && name.find("/.") == std::string_view::npos;
  };
  const auto unreadable = [&](const std::string& name) { records.skip("a folder that cannot be read", name); };
  for (const std::string& name : files_below(source, source.root, is_note, unreadable)) {
    const path file = source.root / name;
    const auto bytes = read_file(source.files, file, size_t{16} << 20);
    const auto written_at = time_of_file(file);
    if (!bytes || !written_at) {
      records.skip("a file that cannot be read", name);
      continue;
    }
    TRY(NoteReader(name, records).read(text_of_file(*bytes), *written_at));
  }
  return {};
}

}  // namespace loci::importers
