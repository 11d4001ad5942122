#include "edits/merge_file.h"

#include "edits/seen_file.h"
#include "parser/core_file.h"
#include "parser/entry_edits.h"
#include "parser/parser.h"
#include "parser/text_lines.h"

namespace loci {
namespace {

// What stands between the markers of a core.
struct CoreBytes {
  size_t begin = 0, end = 0;
};

Result<CoreBytes> between_markers(std::string_view file) {
  const auto core = TRY(read_core(file));
  return CoreBytes{line_begin(file, core.begin_line + 1), line_begin(file, core.end_line)};
}

Result<std::string> merged(std::string_view ours, std::string_view theirs, std::optional<std::string_view> base,
                           const ChooseSide& choose) {
  auto both = TRY(merge_entries(ours, theirs, base, choose));
  if (!both.undecided.empty()) return fail(ErrorCode::refused, "'" + both.undecided.front().id + "' says two things");
  return std::move(both.bytes);
}

// What has come there of an entry that gave up its comment.
const SeenEntry* find_without_comment(const SeenEntry& entry, const SeenFile& then, const SeenFile& now) {
  if (!entry.has_metadata || find_seen(now.entries, entry.id)) return nullptr;
  const auto bare = std::ranges::find_if(now.entries, [&](const SeenEntry& one) {
    return !one.has_metadata && is_without_comment(one.text, entry.text) && !find_seen(then.entries, one.id);
  });
  return bare == now.entries.end() ? nullptr : &*bare;
}

Result<std::string> without(Place place, std::string_view file, const std::vector<std::string>& ids) {
  if (ids.empty()) return std::string(file);
  if (place == Place::core) return remove_core_lines_of_all_sides(file, ids);
  std::vector<EntryEdit> edits;
  for (const std::string& id : ids) edits.push_back({.kind = EntryEdit::Kind::remove, .id = id});
  auto edited = TRY(apply_entry_edits(file, parse(file), edits));
  return std::move(edited.bytes);
}

}  // namespace

Result<std::string> merge_file(Place place, std::string_view ours, std::string_view theirs, std::optional<std::string_view> base,
                               const ChooseSide& choose) {
  if (place != Place::core) return merged(ours, theirs, base, choose);
  const auto our = TRY(between_markers(ours)), their = TRY(between_markers(theirs));
  std::optional<std::string_view> base_lines;
  if (const auto of_base = base ? between_markers(*base) : Result<CoreBytes>(CoreBytes{}); base && of_base)
    base_lines = base->substr(of_base->begin, of_base->end - of_base->begin);
  const auto lines = TRY(
      merged(ours.substr(our.begin, our.end - our.begin), theirs.substr(their.begin, their.end - their.begin), base_lines, choose));
  return std::string(ours.substr(0, our.begin)).append(lines).append(ours.substr(our.end));
}

Result<std::string> as_before(Place place, std::string_view before, std::string_view now, const std::set<std::string>& settled) {
  const SeenFile then = see_file(place, before), present_now = see_file(place, now);
  std::vector<std::string> gone;
  for (const std::string& id : settled)
    if (find_seen(then.entries, id) && !find_seen(present_now.entries, id)) gone.push_back(id);
  const auto choose = [&](const Disagreement& one) { return settled.contains(one.id) ? Side::theirs : Side::ours; };
  const std::string both = TRY(merge_file(place, TRY(without(place, before, gone)), now, std::nullopt, choose));
  if (place != Place::core) return both;
  const auto lines = TRY(between_markers(both)), present = TRY(between_markers(now));
  return std::string(now.substr(0, present.begin))
      .append(both, lines.begin, lines.end - lines.begin)
      .append(now.substr(present.end));
}

Result<std::string> with_entries_of(Place place, std::string_view file, std::string_view other, const std::set<std::string>& ids) {
  const SeenFile there = see_file(place, file);
  std::vector<std::string> others;
  for (const SeenEntry& entry : see_file(place, other).entries)
    if (!ids.contains(entry.id) || find_seen(there.entries, entry.id)) others.push_back(entry.id);
  return merge_file(place, file, TRY(without(place, other, others)), std::nullopt, [](const Disagreement&) { return Side::ours; });
}

Result<std::string> put_back_since(Place place, std::string_view base, std::string_view newest, std::string_view saved,
                                   const std::set<std::string>& elsewhere, const std::set<std::string>& made_since) {
  const SeenFile then = see_file(place, base), now = see_file(place, newest), person = see_file(place, saved);
  std::vector<std::string> taken_out_by_loci, taken_out_by_person;
  std::set<std::string> without_comment;
  for (const SeenEntry& entry : then.entries) {
    const SeenEntry *stands = find_seen(person.entries, entry.id), *stood = find_seen(now.entries, entry.id);
    if (const SeenEntry* bare = find_without_comment(entry, then, now)) {  // the merge takes it for the same one
      if (stands)
        without_comment.insert(bare->id);
      else
        taken_out_by_person.push_back(bare->id);
      continue;
    }
    if (!stood && stands && stands->hash == entry.hash && !made_since.contains(entry.id)) taken_out_by_loci.push_back(entry.id);
    if (stood && !stands) taken_out_by_person.push_back(entry.id);
  }
  for (const SeenEntry& entry : now.entries)
    if (!find_seen(then.entries, entry.id) && elsewhere.contains(entry.id) && !without_comment.contains(entry.id))
      taken_out_by_person.push_back(entry.id);
  const auto ours = TRY(without(place, saved, taken_out_by_loci));
  const auto theirs = TRY(without(place, newest, taken_out_by_person));
  return merge_file(place, ours, theirs, base, [](const Disagreement&) { return Side::ours; });
}

}  // namespace loci
