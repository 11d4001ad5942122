#include "consolidate/runs/entry_files.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "consolidate/decide/history.h"
#include "edits/understand.h"
#include "parser/entry_edits.h"
#include "parser/text_hash.h"
#include "parser/writer.h"
#include "vault/layout/inside.h"

namespace loci {
namespace {

using Kind = EntryEdit::Kind;
using Ids = std::unordered_map<std::string_view, const ParsedEntry*>;

std::string numbered_file(size_t number) {
  return "consolidated/memory" + (number == 1 ? std::string() : "-" + std::to_string(number)) + ".md";
}

Ids ids_of(const ParsedFile& parsed) {
  Ids ids;
  for (const ParsedEntry& entry : parsed.entries) ids.emplace(entry.id, &entry);
  return ids;
}

std::string markdown_of(std::string_view file, const ParsedEntry& entry) {
  return std::string(file.substr(entry.begin, entry.end - entry.begin));
}

// A file and what is to be done to it.
struct EditedEntries {
  std::optional<std::string> before;
  ParsedFile parsed;
  Ids ids;
  std::vector<EntryEdit> edits;
  std::map<std::string, size_t> records;  // id -> the plan's entry
  size_t expected_bytes = 0;
  bool takes_in = false;

  std::string_view bytes() const { return before ? std::string_view(*before) : std::string_view(); }
  // Bytes that are not would not come back from a rewrite.
  bool is_utf8() const { return std::ranges::find(parsed.problems, "invalid-utf8", &ParseProblem::code) == parsed.problems.end(); }
  bool can_grow() const { return !parsed.held && parsed.open_end == OpenEnd::none && is_utf8(); }
};

std::unexpected<Error> changed_meanwhile(const std::string& id, const std::string& file) {
  Error error{ErrorCode::refused, "'" + id + "' in " + file + " was changed meanwhile",
              "it is decided about again in the next run"};
  error.file = file;
  return std::unexpected(std::move(error));
}

// What code does not decide about stays as it stands. Tags of the front matter are every entry's without being written there.
Metadata metadata_in_place(const ParsedEntry& present, const ParsedFile& file, const PlannedEntry& change) {
  Metadata metadata = *present.metadata;
  const Metadata& planned = change.metadata;
  if (present.hash != stored_text_hash(change.text)) metadata.confidence.reset();
  const std::vector<std::string> own_tags = std::move(metadata.tags);
  metadata.tags = planned.tags;
  std::erase_if(metadata.tags, [&](const std::string& tag) {
    return std::ranges::find(file.resume.front_tags, tag) != file.resume.front_tags.end() &&
           std::ranges::find(own_tags, tag) == own_tags.end();
  });
  metadata.source = planned.source;
  metadata.project = planned.project;
  metadata.about = planned.about;
  metadata.first_seen = planned.first_seen;
  metadata.updated = planned.updated;
  metadata.sources = planned.sources;
  metadata.from = planned.from;
  write_state(metadata, state_in(planned));
  return metadata;
}

class Editor {
 public:
  Editor(Memory& memory, const std::vector<PlannedEntry>& changes, Placement placement)
      : memory_(memory), vault_(memory.vault()), changes_(changes), placement_(placement) {}

  Result<FileChanges> edit() {
    result_.entries.resize(changes_.size());
    for (size_t i = 0; i < changes_.size(); ++i)
      if (!changes_[i].before_hash.empty()) TRY(change_in_place(i));
    for (size_t i = 0; i < changes_.size(); ++i)
      if (changes_[i].before_hash.empty()) TRY(append(i));
    for (auto& [name, file] : files_) TRY(write(name, file));
    // Where a merge goes from one file to another, a crash between the two leaves it in both rather than in none.
    std::ranges::stable_partition(result_.files, [&](const FileChange& change) { return files_.at(change.file).takes_in; });
    return std::move(result_);
  }

 private:
  Result<EditedEntries*> open(const std::string& name) {
    const auto [known, is_new] = files_.try_emplace(name);
    EditedEntries& file = known->second;
    if (!is_new) return &file;
    auto bytes = TRY(read_file_if_any(vault_.files(), vault_.file(name)));
    file.before = std::move(bytes);
    file.parsed = parse(file.bytes());
    file.ids = ids_of(file.parsed);
    file.expected_bytes = file.bytes().size();
    return &file;
  }

  Status change_in_place(size_t index) {
    const PlannedEntry& change = changes_[index];
    const auto opened = TRY(open(change.file));
    EditedEntries& file = *opened;
    if (!file.is_utf8())
      return fail(ErrorCode::refused, change.file + " is not UTF-8, and is not rewritten", "'loci status' shows the line");
    const auto present = file.ids.find(change.id);
    if (present == file.ids.end() || !present->second->metadata || present->second->hash != change.before_hash)
      return changed_meanwhile(change.id, change.file);
    const ParsedEntry& entry = *present->second;
    EntryRecord& record = result_.entries[index];
    record = {change.id, change.file, entry.text, {}, entry.hash, {}, markdown_of(file.bytes(), entry), {}, change.facts};
    file.records.emplace(change.id, index);
    change_entry(file, entry, change);
    return change_copies(change);
  }

  static void change_entry(EditedEntries& file, const ParsedEntry& entry, const PlannedEntry& change) {
    if (change.removed) {
      file.expected_bytes -= entry.end - entry.begin;
      file.edits.push_back({.kind = Kind::remove, .id = change.id});
      return;
    }
    file.takes_in = true;
    file.edits.push_back({Kind::replace, change.id, metadata_in_place(entry, file.parsed, change), change.text});
  }

  // What a person copied is one entry in several places. A place with other words is theirs.
  Status change_copies(const PlannedEntry& change) {
    const auto found = TRY(memory_.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(change.id, 1); }));
    if (found.empty() || found.front().id != change.id) return {};
    std::set<std::string> others;
    for (const EntryPlace& place : found.front().places)
      if (place.file != change.file && place_of(place.file) == Place::consolidated) others.insert(place.file);
    for (const std::string& name : others) {
      if (TRY(is_asked_about(name))) continue;
      EditedEntries& file = *TRY(open(name));
      const auto copy = file.ids.find(change.id);
      const bool is_same = copy != file.ids.end() && copy->second->metadata && copy->second->hash == change.before_hash;
      if (is_same && file.is_utf8()) change_entry(file, *copy->second, change);
    }
    return {};
  }

  Status append(size_t index) {
    const PlannedEntry& change = changes_[index];
    const auto block = TRY(write_entry(change.metadata, change.text));
    const auto found = TRY(file_with_room(block.size() + 1));
    const auto& [name, file] = found;
    if (file->ids.contains(change.id)) return changed_meanwhile(change.id, name);
    result_.entries[index] = {change.id, name, {}, {}, {}, {}, {}, {}, change.facts};
    file->records.emplace(change.id, index);
    file->expected_bytes += block.size() + 1;
    file->takes_in = true;
    file->edits.push_back({Kind::append, {}, change.metadata, change.text});
    return {};
  }

  Result<std::pair<std::string, EditedEntries*>> file_with_room(size_t bytes) {
    if (next_file_ == 0) next_file_ = placement_ == Placement::from_the_first ? 1 : last_file();
    for (;; ++next_file_) {
      std::string name = numbered_file(next_file_);
      if (TRY(is_link_elsewhere(name))) continue;
      if (TRY(is_asked_about(name))) continue;
      const auto file = TRY(open(name));
      const bool is_new = !file->before && file->edits.empty();
      if (is_new || (file->can_grow() && file->expected_bytes + bytes <= consolidated_bytes))
        return std::pair(std::move(name), file);
    }
  }

  // A file that is a link out of the vault is never written through, and the next name is as good. Where something else is in the
  // way, it is in the way of every name, whatever the fact is.
  Result<bool> is_link_elsewhere(const std::string& name) const {
    auto inside = resolve_inside(vault_, name);
    std::error_code ignored;
    if (inside || std::filesystem::is_symlink(vault_.file(name), ignored)) return !inside;
    inside.error().code = ErrorCode::failed;
    return std::unexpected(std::move(inside.error()));
  }

  Result<bool> is_asked_about(const std::string& name) const {
    const auto questions = TRY(waiting_questions(vault_));
    return std::ranges::find(questions, name, &Question::file) != questions.end();
  }

  size_t last_file() const {
    size_t number = 1;
    std::error_code unknown;
    while (std::filesystem::exists(vault_.file(numbered_file(number + 1)), unknown)) ++number;
    return number;
  }

  Status write(const std::string& name, EditedEntries& file) {
    if (file.edits.empty()) return {};  // it was only looked at
    auto edited = apply_entry_edits(file.bytes(), file.parsed, file.edits);
    if (!edited) {
      edited.error().file = name;
      return std::unexpected(edited.error());
    }
    const Ids ids = ids_of(edited->parsed);
    for (const auto& [id, index] : file.records) {
      if (changes_[index].removed) continue;
      const ParsedEntry& entry = *ids.at(id);
      EntryRecord& record = result_.entries[index];
      record.after = entry.text;
      record.after_hash = entry.hash;
      record.after_markdown = markdown_of(edited->bytes, entry);
    }
    if (file.bytes() != edited->bytes) result_.files.push_back({name, std::move(file.before), std::move(edited->bytes)});
    return {};
  }

  Memory& memory_;
  const Vault& vault_;
  const std::vector<PlannedEntry>& changes_;
  Placement placement_;
  std::map<std::string, EditedEntries> files_;
  FileChanges result_;
  size_t next_file_ = 0;  // where new entries go; 0: not known yet
};

}  // namespace

Result<FileChanges> changes_of_files(Memory& memory, const std::vector<PlannedEntry>& changes, Placement placement) {
  return Editor(memory, changes, placement).edit();
}

}  // namespace loci
