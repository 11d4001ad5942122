#include "edits/copies.h"

#include <algorithm>
#include <map>
#include <ranges>

#include "edits/acts.h"
#include "edits/seen_file.h"
#include "memory/add.h"
#include "memory/may_send.h"
#include "parser/core_file.h"
#include "parser/entry_edit.h"
#include "parser/parser.h"
#include "parser/same_reading.h"
#include "parser/tags.h"
#include "parser/text_hash.h"
#include "parser/text_lines.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/change_file.h"

namespace loci {
namespace {

// What stands there with a comment, whether it has the name or another one of the file has.
const ParsedEntry* entry_at(const ParsedFile& file, int line) {
  const auto found = std::ranges::find(file.entries, line, &ParsedEntry::line);
  return found != file.entries.end() && comment_of(*found) ? &*found : nullptr;
}

bool is_as_written(const ParsedEntry& entry) { return comment_of(entry)->sum == sum_from_hash(entry.hash); }

// How near a text is to what loci made of the facts that it rests on.
Result<double> nearness_to_facts(Memory& memory, const ParsedEntry& entry) {
  double nearest = 0;
  for (const std::string& id : comment_of(entry)->from) {
    const auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); }));
    if (found.empty() || found.front().id != id) continue;
    nearest = std::max(nearest, nearness(normalise_loosely(entry.text), normalise_loosely(found.front().text)));
  }
  return nearest;
}

// Two places that claim one name.
struct Contest {
  EntryPlace holder, other;
};

// The one that does not keep it: the name stays with what loci wrote, else with the text that is nearest to it, else with the
// first. Null: they are no longer there, or git has left it open which of them is.
Result<const EntryPlace*> loser_of(Memory& memory, const Contest& contest) {
  const Vault& vault = memory.vault();
  const auto first = TRY(read_file_if_any(vault.files(), vault.file(contest.holder.file)));
  const auto second = TRY(read_file_if_any(vault.files(), vault.file(contest.other.file)));
  if (!first || !second) return nullptr;  // renamed, and the index has not heard of it
  const ParsedFile holder_file = parse(*first), other_file = parse(*second);
  if (holder_file.held || other_file.held) return nullptr;  // two sides of a conflict are no copies
  const ParsedEntry *holder = entry_at(holder_file, contest.holder.line), *other = entry_at(other_file, contest.other.line);
  if (!holder || !other || comment_of(*holder)->id != comment_of(*other)->id || holder->hash == other->hash) return nullptr;
  if (is_as_written(*holder)) return &contest.other;
  const bool other_keeps =
      is_as_written(*other) || TRY(nearness_to_facts(memory, *other)) > TRY(nearness_to_facts(memory, *holder));
  return other_keeps ? &contest.holder : &contest.other;
}

bool is_of_copy(const Problem& problem) { return problem.code == "duplicate-id" && place_of(problem.file) == Place::consolidated; }

// By the index, which has to know the files as they are.
Result<std::vector<Contest>> contests(Memory& memory) {
  std::vector<Contest> found;
  const auto reader = TRY(memory.reader());
  for (const Problem& problem : reader->problems()) {
    if (!is_of_copy(problem)) continue;
    const auto bytes = TRY(read_file_if_any(memory.vault().files(), memory.vault().file(problem.file)));
    const ParsedFile file = parse(bytes.value_or(std::string()));
    const ParsedEntry* other = entry_at(file, problem.line);
    if (!other) continue;
    const std::string& id = comment_of(*other)->id;
    const auto holder = TRY(reader->find(id, 1));
    if (holder.empty() || holder.front().id != id || holder.front().place != Place::consolidated) continue;
    found.push_back({holder.front().places.front(), {problem.file, problem.line}});
  }
  return found;
}

// The text's own words, with the tags of its comment behind them: what was private is no less so without it. ErrorCode::refused
// where tags do not count, as in code, and for a project that is private: it keeps its comment.
Result<std::string> without_comment(const Sendable& sendable, const std::string& path, std::string_view bytes, int line) {
  const ParsedFile file = parse(bytes);
  const ParsedEntry* entry = entry_at(file, line);
  if (!entry) return fail(ErrorCode::not_found, "there is no such entry any more");
  const Metadata& comment = *comment_of(*entry);
  if (!comment.project.empty() && !sendable.may_send({}, comment.project, path))
    return fail(ErrorCode::refused, "its project would be lost with the comment");
  const std::vector<std::string> said = find_tags(entry->text);
  std::string tags;
  for (const std::string& tag : comment.tags)
    if (std::ranges::find(said, tag) == said.end()) tags += " #" + tag;
  std::string out(bytes);
  const size_t end = line_begin(out, entry->line_end + 1);
  out.insert(out.find_last_not_of("\r\n", end - 1) + 1, tags);
  std::string bare = TRY(remove_metadata(out, line));
  const auto has_them = [&](const ParsedEntry& one) {
    return one.text == entry->text + tags && std::ranges::all_of(comment.tags, [&](const std::string& tag) {
             return std::ranges::find(one.tags, tag) != one.tags.end();
           });
  };
  if (!tags.empty() && std::ranges::none_of(parse(bare).entries, has_them))
    return fail(ErrorCode::refused, "its tags would be lost with the comment");
  return bare;
}

// Of lines that claim one name: the one that loci wrote, else the one that is nearest to the entry, else the first.
Result<const CoreLine*> holder_of(Memory& memory, const std::vector<const CoreLine*>& lines, std::string_view written) {
  const auto as_written = std::ranges::find(lines, written, [](const CoreLine* line) { return stored_text_hash(line->text); });
  if (as_written != lines.end()) return *as_written;
  const auto entry = find_entry(memory, lines.front()->ref);
  if (!entry && entry.error().code != ErrorCode::not_found) return std::unexpected(entry.error());
  if (!entry) return lines.front();
  const std::string said = normalise_loosely(entry->text);
  return *std::ranges::max_element(
      lines, {}, [&](const CoreLine* line) { return nearness(normalise_loosely(words_of_line(line->text)), said); });
}

// What cannot be changed stays as it is: it is kept, though nobody finds it.
Status change_core(Memory& memory, const ChangeBytes& change) {
  const auto changed = change_file(memory.vault(), core_file_name, change);
  if (changed && *changed) (void)make_searchable(memory, {core_file_name});
  return {};
}

}  // namespace

Status let_go_of_copied_lines(Memory& memory) {
  const auto logs = TRY(Chronicle::read(memory.vault()));
  return change_core(memory, [&](std::string_view bytes) -> Result<std::string> {
    const auto core = TRY(read_core(bytes));
    std::map<std::string_view, std::vector<const CoreLine*>> by_ref;
    for (const CoreLine& line : core.lines) by_ref[line.ref].push_back(&line);
    std::vector<int> copies = lines_outside_core(bytes);
    for (const auto& [ref, lines] : by_ref) {
      const auto promoted = logs.promoted().find(ref);
      if (ref.empty() || lines.size() < 2 || promoted == logs.promoted().end()) continue;
      const CoreLine& holder = *TRY(holder_of(memory, lines, promoted->second.line_hash));
      for (const CoreLine* line : lines)
        if (line->text != holder.text) copies.push_back(line->line);
    }
    std::ranges::sort(copies);
    return release_core_lines(bytes, copies);
  });
}

Status let_go_of_line(Memory& memory, const std::string& ref, const std::string& text_hash) {
  return change_core(memory, [&](std::string_view bytes) -> Result<std::string> {
    const auto core = TRY(read_core(bytes));
    std::vector<int> lines;
    for (const CoreLine& line : core.lines)
      if (line.ref == ref && stored_text_hash(words_of_line(line.text)) == text_hash) lines.push_back(line.line);
    return release_core_lines(bytes, lines);
  });
}

bool are_copies_left(Memory& memory) {
  const auto reader = memory.reader();
  return reader && std::ranges::any_of((*reader)->problems(), is_of_copy);
}

Status let_go_of_copied_entries(Memory& memory, const std::set<std::string>& untouchable) {
  const Vault& vault = memory.vault();
  const Sendable sendable(memory);
  for (size_t most = TRY(contests(memory)).size(); most > 0; --most) {  // each moves the lines below it
    bool has_changed = false;
    for (const Contest& contest : TRY(contests(memory))) {
      const EntryPlace* loser = TRY(loser_of(memory, contest));
      if (!loser || untouchable.contains(loser->file)) continue;
      const auto changed = change_file(
          vault, loser->file, [&](std::string_view bytes) { return without_comment(sendable, loser->file, bytes, loser->line); });
      has_changed = changed && *changed;
      if (has_changed) (void)make_searchable(memory, {loser->file});
      if (has_changed) break;
    }
    if (!has_changed) break;
  }
  return {};
}

}  // namespace loci
