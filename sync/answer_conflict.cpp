#include "sync/answer_conflict.h"

#include <algorithm>

#include "edits/answers.h"
#include "edits/git_conflicts.h"
#include "memory/file_changes.h"
#include "sync/exchange.h"
#include "sync/merge_notes.h"
#include "sync/settle_files.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/replace.h"

namespace loci {
namespace {

struct Unmerged {
  std::string file;
  GitStages stages;
  std::optional<std::string> present;
};

Result<std::optional<Unmerged>> unmerged_file(const Vault& vault, const std::string& file) {
  const auto files = TRY(Git(vault.root()).unmerged());
  const auto found = files.find(file);
  if (found == files.end()) return std::nullopt;
  return Unmerged{file, found->second, TRY(read_file_if_any(vault.files(), vault.file(file)))};
}

// No bytes: the file goes.
Status put(const Vault& vault, const Unmerged& unmerged, const std::optional<std::string>& bytes) {
  if (bytes == unmerged.present) return {};
  if (!bytes) return vault.files().remove(vault.file(unmerged.file));
  if (!unmerged.present) return create_file(vault, unmerged.file, *bytes);
  return replace_file(vault, unmerged.file, *unmerged.present, *bytes, sleep_pause, DuringGit::go_ahead);
}

Result<Resolved> told_git(Memory& memory, Resolved resolved) {
  TRY(TRY(git_of(memory.vault())).mark_merged(resolved.file));
  if (resolved.rewritten) resolved.searchable = make_searchable(memory, {resolved.file});
  return resolved;
}

Result<Resolved> take_whole(Memory& memory, const Unmerged& unmerged, const GitSides& sides, std::optional<Side> whole) {
  if (!whole || *whole == Side::both)
    return fail(ErrorCode::refused, "'" + unmerged.file + "' cannot be put together from two versions",
                "--ours keeps what is here, --theirs takes the other side's");
  GivenAnswer answer{"merged", {TRY(file_before(memory.vault(), unmerged.file))}};
  const bool is_there =
      *whole == Side::ours ? unmerged.stages.ours || unmerged.present != sides.theirs : unmerged.stages.theirs.has_value();
  TRY(put(memory.vault(), unmerged, is_there ? std::optional(*whole == Side::ours ? sides.ours : sides.theirs) : std::nullopt));
  Resolved resolved{unmerged.file, {}, {}, {}, {}, true, {}};
  resolved.act = TRY(keep_answer(memory.vault(), answer));
  return told_git(memory, std::move(resolved));
}

bool is_chosen_whole(const Unmerged& unmerged, const GitSides& sides) {
  const MergeWay way = merge_way_of(unmerged.file);
  const bool is_one_sided = way == MergeWay::text && !(unmerged.stages.ours && unmerged.stages.theirs);
  return way == MergeWay::apart || is_one_sided || sides.ours.contains('\0') || sides.theirs.contains('\0');
}

Result<MergedFile> as_the_driver(const Vault& vault, const Unmerged& unmerged, const GitSides& sides) {
  const std::string base = unmerged.stages.base ? TRY(Git(vault.root()).bytes_of(*unmerged.stages.base)) : std::string();
  const ThreeVersions versions{base, sides.ours, sides.theirs};
  const MergeWay way = merge_way_of(unmerged.file);
  if (way == MergeWay::lines) return merge_lines(versions);
  if (way == MergeWay::text) return merge_texts(versions);
  const auto logs = TRY(Chronicle::read(vault));
  return merge_entry_files(versions, knowledge_of(logs));
}

// True: nothing in it waits any more.
Result<bool> put_together(const Vault& vault, const Unmerged& unmerged, const GitSides& sides) {
  MergedFile merged = TRY(as_the_driver(vault, unmerged, sides));
  const bool is_gone =
      merged.bytes.find_first_not_of(" \t\r\n") == std::string::npos && !(unmerged.stages.ours && unmerged.stages.theirs);
  TRY(put(vault, unmerged, is_gone ? std::nullopt : std::optional(std::move(merged.bytes))));
  return merged.conflicts == 0;
}

// Byte for byte, as git leaves a file that both sides changed and it could not merge.
Result<bool> is_one_sides(const Vault& vault, const Unmerged& unmerged) {
  const auto& [base, ours, theirs] = unmerged.stages;
  if (!ours || !theirs || !unmerged.present) return false;
  const Git git(vault.root());
  return *unmerged.present == TRY(git.bytes_of(*ours)) || *unmerged.present == TRY(git.bytes_of(*theirs));
}

}  // namespace

Result<Resolved> answer_conflict(Memory& memory, const std::string& file, const ConflictAnswers& answers) {
  const Vault& vault = memory.vault();
  const auto unmerged = TRY(unmerged_file(vault, file));
  ConflictAnswers ours_known = answers;
  if (!unmerged) {  // a sync has put both sides together, here or elsewhere
    ours_known.ours = file_had_here(vault, {file, std::nullopt});
    return merge_conflicts(memory, file, ours_known);
  }
  if (const auto sides = sides_without_markers(vault, {file, unmerged->stages})) {
    if (is_chosen_whole(*unmerged, *sides) || (merge_way_of(file) == MergeWay::text && answers.whole))
      return take_whole(memory, *unmerged, *sides, answers.whole);
    const GivenAnswer answer{"merged", {TRY(file_before(vault, file))}};
    if (TRY(put_together(vault, *unmerged, *sides))) {
      Resolved resolved{file, {}, {}, {}, {}, true, {}};
      resolved.act = TRY(keep_answer(vault, answer));
      return told_git(memory, std::move(resolved));
    }
    TRY(memory.take_in({file}));
  }
  if (unmerged->stages.ours) ours_known.ours = TRY(Git(vault.root()).bytes_of(*unmerged->stages.ours));
  auto resolved = TRY(merge_conflicts(memory, file, ours_known));
  if (!resolved.undecided.empty()) return resolved;
  return told_git(memory, std::move(resolved));
}

Result<bool> is_answered_whole(const Vault& vault, const std::string& file) {
  const auto unmerged = TRY(unmerged_file(vault, file));
  const auto sides = unmerged ? sides_without_markers(vault, {file, unmerged->stages}) : std::nullopt;
  return sides && is_chosen_whole(*unmerged, *sides);
}

Result<Resolved> keep_unmerged(Memory& memory, const std::string& file) {
  const auto unmerged = TRY(unmerged_file(memory.vault(), file));
  if (!unmerged) return fail(ErrorCode::not_found, "git has merged '" + file + "'", "'loci resolve' lists what waits");
  const bool is_whole = TRY(is_answered_whole(memory.vault(), file));
  const std::string answers = is_whole ? "--ours or --theirs" : "--ours, --theirs or --both";
  if (unmerged->present && sides_of_conflict(*unmerged->present))
    return fail(ErrorCode::refused, "git's conflict markers stand in '" + file + "'", answers);
  if (TRY(is_one_sides(memory.vault(), *unmerged)))
    return fail(ErrorCode::refused, "'" + file + "' says what one side had said alone: nobody has put the two together",
                answers + "; --keep is for what you have put " + (is_whole ? "in its place" : "right by hand"));
  return told_git(memory, {file, {}, {}, {}, {}, false, {}});
}

}  // namespace loci
