#include "memory/may_send.h"

#include <algorithm>

#include "memory/removed_entries.h"
#include "parser/blocks.h"
#include "parser/core_file.h"
#include "parser/lines.h"
#include "parser/parser.h"

namespace loci {

bool Sendable::is_named(const Entry& entry) const {
  if (rules_.matches_text(entry.text)) return true;
  if (std::ranges::any_of(entry.section, [&](const std::string& heading) { return rules_.matches_text(heading); })) return true;
  return std::ranges::any_of(entry.places,
                             [&](const EntryPlace& place) { return rules_.matches(entry.tags, entry.project, place.file); });
}

// Without what a rule names and is no entry: headings, beside what stands below them, and comments.
std::string Sendable::without_named_blocks(std::string_view text) const {
  std::string part;
  const Lines lines(text);
  const std::vector<Block> blocks = outline_of(lines).blocks;
  size_t begin = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const size_t first = lines.begin(blocks[i].line);
    const size_t behind = i + 1 < blocks.size() ? lines.begin(blocks[i + 1].line) : text.size();
    if (!rules_.matches_text(text.substr(first, behind - first))) continue;
    part += text.substr(begin, first - begin);
    begin = behind;
  }
  return part += text.substr(begin);
}

Result<bool> Sendable::may_send(const Entry& entry) {
  if (!has_rules()) return true;
  std::set<std::string> seen{entry.id};
  return !TRY(is_private(entry, seen));
}

Result<bool> Sendable::may_send_id(const std::string& id) {
  if (!has_rules()) return true;
  const auto entry = TRY(origin(id));
  return entry ? may_send(*entry) : Result<bool>(false);
}

Result<bool> Sendable::is_private(const Entry& entry, std::set<std::string>& seen) {
  if (is_named(entry)) return true;
  const auto said_in_private = TRY(was_said_in_private(entry));
  if (said_in_private) return true;
  const auto origins = TRY(origins_of(entry));
  for (const std::string& id : origins) {
    if (!seen.insert(id).second) continue;
    const auto made_of = TRY(origin(id));
    if (!made_of) continue;
    if (const auto covered = is_private(*made_of, seen); !covered || *covered) return covered;
  }
  return false;
}

Result<bool> Sendable::was_said_in_private(const Entry& entry) {
  if (entry.session.empty()) return false;
  const bool is_summary = entry.kind == EntryKind::session_summary || entry.kind == EntryKind::task_summary;
  if (!is_summary && !entry.turn) return false;
  const auto turns = TRY(private_turns_of(entry.session));
  if (!is_summary) return turns->contains(*entry.turn);
  return !turns->empty() && (!entry.turn || *turns->begin() <= *entry.turn);
}

// Forgotten halves count: what was said beside them is no less private.
Result<const std::set<std::int64_t>*> Sendable::private_turns_of(const std::string& session) {
  const auto [known, is_new] = private_turns_.try_emplace(session);
  if (!is_new) return &known->second;
  EntryFilter filter;
  filter.session = session;
  filter.kinds = {EntryKind::turn};
  filter.inactive = true;
  constexpr size_t most_turns = 1'000'000;
  const auto said = TRY(memory_.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.list(filter, most_turns); }));
  for (const Entry& entry : said)
    if (entry.turn && is_named(entry)) known->second.insert(*entry.turn);
  return &known->second;
}

// In the index, or as it was kept when it was taken out of its file.
Result<std::optional<Entry>> Sendable::origin(const std::string& id) {
  auto found = TRY(memory_.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); }));
  if (!found.empty() && found.front().id == id) return std::move(found.front());
  if (!removed_) {
    const auto removed = TRY(read_removed_entries(memory_.vault()));
    removed_.emplace();
    for (const RemovedEntry& one : removed) removed_->insert_or_assign(one.id, entry_of(one));
  }
  const auto kept = removed_->find(id);
  return kept == removed_->end() ? std::nullopt : std::optional(kept->second);
}

Result<std::vector<std::string>> Sendable::origins_of(const Entry& entry) {
  std::vector<std::string> origins = entry.from;
  if (!entry.corrects.empty()) origins.push_back(entry.corrects);
  if (!chronicle_) chronicle_.emplace(TRY(Chronicle::read(memory_.vault())));
  for (const std::string_view id : chronicle_->replaced_by(entry.id))
    if (!chronicle_->gave_way(id)) origins.emplace_back(id);
  return origins;
}

Result<bool> Sendable::has_ended(const std::string& id) {
  const auto found = memory_.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); });
  if (found && !found->empty() && found->front().id == id) return !found->front().active;
  if (!chronicle_) chronicle_.emplace(TRY(Chronicle::read(memory_.vault())));
  return chronicle_->is_removed(id);
}

Result<std::string> Sendable::without_ended_lines(std::string_view file) {
  const auto core = read_core(file);
  if (!core) return std::string(file);
  std::vector<std::string> ended;
  for (const CoreLine& line : core->lines)
    if (!line.ref.empty() && TRY(has_ended(line.ref))) ended.push_back(line.ref);
  return remove_core_lines_of_all_sides(file, ended);
}

// Of an entry of such a file: a line that shows another entry went with that one, or stays with it.
Result<bool> Sendable::may_stand(const ParsedEntry& parsed, const std::string& file) {
  const bool shows_another = parsed.metadata && !parsed.metadata->ref.empty();
  if (file == core_file_name && !shows_another && TRY(has_ended(parsed.id))) return false;
  Entry entry;
  entry.id = parsed.id;
  entry.text = parsed.text;
  entry.tags = parsed.tags;
  entry.section = parsed.section;
  entry.places = {{file, parsed.line, parsed.line}};
  if (parsed.metadata) {
    entry.project = parsed.metadata->project;
    entry.corrects = parsed.metadata->corrects;
    if (shows_another) entry.from = {parsed.metadata->ref};
  }
  return may_send(entry);
}

Result<std::string> Sendable::sendable_part(std::string_view bytes, const std::string& file) {
  if (!has_rules() && file != core_file_name) return std::string(bytes);  // what has ended is looked for in MEMORY.md alone
  std::string part = file == core_file_name ? TRY(without_ended_lines(bytes)) : std::string(bytes);
  const ParsedFile parsed = parse(part);
  for (auto entry = parsed.entries.rbegin(); entry != parsed.entries.rend(); ++entry)
    if (!TRY(may_stand(*entry, file))) part.erase(entry->begin, entry->end - entry->begin);
  return has_rules() ? without_named_blocks(part) : part;
}

}  // namespace loci
