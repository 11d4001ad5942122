#include "edits/copies.h"

#include <algorithm>
#include <ranges>

#include "memory/add.h"
#include "parser/core_file.h"
#include "parser/entry_edit.h"
#include "parser/parser.h"
#include "parser/text_hash.h"
#include "parser/text_lines.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/change_file.h"

namespace loci {
namespace {

const ParsedEntry* entry_at(const ParsedFile& file, int line) {
  const auto found = std::ranges::find(file.entries, line, &ParsedEntry::line);
  return found != file.entries.end() && found->metadata ? &*found : nullptr;
}

bool is_as_written(const ParsedEntry& entry) { return entry.metadata->sum == sum_from_hash(entry.hash); }

// Two places that claim one name.
struct Contest {
  EntryPlace holder, other;
};

// The one that does not keep it: a person's words beside loci's, else the one that comes later. Null: they are no longer there.
Result<const EntryPlace*> loser_of(const Vault& vault, const Contest& contest) {
  const auto first = TRY(read_file(vault.files(), vault.file(contest.holder.file)));
  const auto second = TRY(read_file(vault.files(), vault.file(contest.other.file)));
  const ParsedFile holder_file = parse(first), other_file = parse(second);
  const ParsedEntry *holder = entry_at(holder_file, contest.holder.line), *other = entry_at(other_file, contest.other.line);
  if (!holder || !other || holder->metadata->id != other->metadata->id || holder->hash == other->hash) return nullptr;
  return !is_as_written(*holder) && is_as_written(*other) ? &contest.holder : &contest.other;
}

// By the index, which has to know the files as they are.
Result<std::vector<Contest>> contests(Memory& memory) {
  std::vector<Contest> found;
  const auto reader = TRY(memory.reader());
  for (const Problem& problem : reader->problems()) {
    if (problem.code != "duplicate-id" || place_of(problem.file) != Place::consolidated) continue;
    const auto bytes = TRY(read_file_if_any(memory.vault().files(), memory.vault().file(problem.file)));
    const ParsedFile file = parse(bytes.value_or(std::string()));
    const ParsedEntry* other = entry_at(file, problem.line);
    if (!other) continue;
    const auto holder = TRY(reader->find(other->metadata->id, 1));
    if (holder.empty() || holder.front().id != other->metadata->id || holder.front().place != Place::consolidated) continue;
    found.push_back({holder.front().places.front(), {problem.file, problem.line}});
  }
  return found;
}

}  // namespace

Status let_go_of_copied_lines(Memory& memory) {
  const auto logs = TRY(Chronicle::read(memory.vault()));
  const auto change = [&](std::string_view bytes) -> Result<std::string> {
    const auto core = TRY(read_core(bytes));
    std::vector<int> copies;  // the lines of their text
    for (const CoreLine& line : core.lines) {
      const auto is_copy = [&](const CoreLine& other) { return other.ref == line.ref && other.line != line.line; };
      const auto promoted = logs.promoted().find(line.ref);
      if (line.ref.empty() || promoted == logs.promoted().end() || promoted->second.line_hash == stored_text_hash(line.text))
        continue;
      const auto original = std::ranges::find_if(core.lines, [&](const CoreLine& other) {
        return is_copy(other) && promoted->second.line_hash == stored_text_hash(other.text);
      });
      if (original != core.lines.end()) copies.push_back(line.line);
    }
    std::string out(bytes);
    for (const int line : copies | std::views::reverse) {  // the comment stands in the line above
      const size_t begin = line_begin(out, line - 1), end = line_begin(out, line);
      if (std::string_view(out).substr(begin).starts_with("<!--m ")) out.erase(begin, end - begin);
    }
    return out;
  };
  const auto changed = change_file(memory.vault(), core_file_name, change);
  if (changed && *changed) (void)make_searchable(memory, {core_file_name});
  return {};  // as it is: they are kept, though nobody finds them
}

Status let_go_of_copied_entries(Memory& memory, const std::set<std::string>& untouchable) {
  const Vault& vault = memory.vault();
  for (size_t most = TRY(contests(memory)).size(); most > 0; --most) {  // each moves the lines below it
    bool has_changed = false;
    for (const Contest& contest : TRY(contests(memory))) {
      const EntryPlace* loser = TRY(loser_of(vault, contest));
      if (!loser || untouchable.contains(loser->file)) continue;
      const auto changed =
          change_file(vault, loser->file, [&](std::string_view bytes) { return remove_metadata(bytes, loser->line); });
      has_changed = changed && *changed;
      if (has_changed) (void)make_searchable(memory, {loser->file});
      if (has_changed) break;
    }
    if (!has_changed) break;
  }
  return {};
}

}  // namespace loci
