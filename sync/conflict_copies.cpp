#include "sync/conflict_copies.h"

#include <algorithm>

#include "base/shell_word.h"
#include "edits/answers.h"
#include "parser/entry_edit.h"
#include "parser/parser.h"
#include "sync/merge_three.h"
#include "sync/settle_files.h"
#include "vault/layout/scan.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/change_file.h"

namespace loci {
namespace {

// Nobody who forgot an entry wants it back from an old copy.
Result<std::string> without_forgotten(const Chronicle& logs, std::string copy, std::string_view original) {
  const ParsedFile present = parse(original);
  for (const ParsedEntry& entry : parse(copy).entries) {
    const bool stands = std::ranges::any_of(present.entries, [&](const ParsedEntry& other) { return other.id == entry.id; });
    const bool is_gone = logs.is_removed(entry.id, entry.hash);
    if (!stands && is_gone) copy = TRY(remove_entry(copy, entry.id));
  }
  return copy;
}

std::unexpected<Error> no_copy(const std::string& file) {
  return fail(ErrorCode::not_found, "'" + file + "' is no copy that a sync left", "'loci resolve' lists what waits");
}

bool is_chosen_whole(const std::string& original, std::string_view bytes) {
  return merge_way_of(original) == MergeWay::apart || bytes.contains('\0');
}

// What is not made of paragraphs is taken whole, or not at all.
Result<MergedCopy> choose_copy(Memory& memory, const ConflictCopy& copy, const std::string& bytes, std::optional<Side> whole) {
  const Vault& vault = memory.vault();
  if (!whole)
    return fail(ErrorCode::refused, "'" + copy.original + "' cannot be put together from two versions",
                "--ours keeps it and removes the copy, --theirs puts the copy in its place; rename the copy to keep both");
  MergedCopy done{copy.original};
  if (*whole == Side::ours) {
    done.act = TRY(remove_conflict_copy(memory, copy.file));
    return done;
  }
  const GivenAnswer answer{"merged", {TRY(file_before(vault, copy.original)), TRY(file_before(vault, copy.file))}};
  const auto change = [&](std::string_view) -> Result<std::string> { return bytes; };
  done.rewritten = TRY(change_file(vault, copy.original, change, IfMissing::create));
  if (TRY(read_file(vault.files(), vault.file(copy.file))) == bytes) TRY(vault.files().remove(vault.file(copy.file)));
  done.act = TRY(keep_answer(vault, answer));
  return done;
}

}  // namespace

std::optional<std::string> original_of_copy(std::string_view copy) {
  const size_t slash = copy.rfind('/'), name = slash == std::string_view::npos ? 0 : slash + 1, dot = copy.rfind('.');
  if (dot == std::string_view::npos || dot < name) return std::nullopt;
  const std::string_view stem = copy.substr(name, dot - name), suffix = copy.substr(dot);
  for (const std::string_view mark : {".sync-conflict-", ".loci-conflict-"})
    if (const size_t at = stem.find(mark); at != std::string_view::npos && at > 0)
      return std::string(copy.substr(0, name + at)).append(suffix);
  const size_t words = stem.find("conflicted copy"), bracket = stem.rfind(" (", words);
  if (words == std::string_view::npos || bracket == std::string_view::npos || bracket == 0) return std::nullopt;
  return std::string(copy.substr(0, name + bracket)).append(suffix);
}

Result<std::vector<ConflictCopy>> conflict_copies(const Vault& vault) {
  std::vector<ConflictCopy> copies;
  for (const std::string& file : TRY(scan(vault)).conflict_files)
    if (auto original = original_of_copy(file)) copies.push_back({file, std::move(*original)});
  std::error_code error;
  std::filesystem::recursive_directory_iterator walk(vault.dot_loci(), error);
  for (; !error && walk != std::filesystem::recursive_directory_iterator(); walk.increment(error)) {  // settings and logs
    if (walk->path() == vault.temporary_folder()) walk.disable_recursion_pending();
    std::string file = walk->path().lexically_relative(vault.root()).generic_string();
    if (auto original = original_of_copy(file)) copies.push_back({std::move(file), std::move(*original)});
  }
  std::ranges::sort(copies, {}, &ConflictCopy::file);
  return copies;
}

void add_copy_problems(const Vault& vault, std::vector<Problem>& problems) {
  const auto copies = conflict_copies(vault);
  if (!copies) return;
  for (const ConflictCopy& copy : *copies) {
    Problem problem{copy.file, 0, "conflict-file",
                    "two versions of one file: 'loci resolve " + shell_word(copy.file) + "' puts them together"};
    if (std::ranges::find(problems, problem) == problems.end()) problems.push_back(std::move(problem));
  }
}

Result<bool> is_chosen_whole(const Vault& vault, const ConflictCopy& copy) {
  return is_chosen_whole(copy.original, TRY(read_file_if_any(vault.files(), vault.file(copy.file))).value_or(""));
}

Result<MergedCopy> merge_conflict_copy(Memory& memory, const std::string& copy, std::optional<Side> whole) {
  const Vault& vault = memory.vault();
  const auto original = original_of_copy(copy);
  if (!original) return no_copy(copy);
  const auto bytes = TRY(read_file(vault.files(), vault.file(copy)));
  if (is_chosen_whole(*original, bytes)) return choose_copy(memory, {copy, *original}, bytes, whole);
  const auto logs = TRY(Chronicle::read(vault));
  MergedCopy done{*original};
  const GivenAnswer answer{"merged", {TRY(file_before(vault, *original)), TRY(file_before(vault, copy))}};
  const auto change = [&](std::string_view present) -> Result<std::string> {
    if (merge_way_of(*original) == MergeWay::lines) return merge_lines({{}, present, bytes}).bytes;
    const std::string theirs = TRY(without_forgotten(logs, bytes, present));
    MergedFile merged = merge_entry_files({{}, present, theirs}, knowledge_of(logs));
    done.conflicts = merged.conflicts;
    return std::move(merged.bytes);
  };
  done.rewritten = TRY(change_file(vault, *original, change, IfMissing::create));
  if (TRY(read_file(vault.files(), vault.file(copy))) == bytes) TRY(vault.files().remove(vault.file(copy)));
  TRY(memory.take_in({*original}));
  done.act = TRY(keep_answer(vault, answer));
  return done;
}

Result<std::string> remove_conflict_copy(Memory& memory, const std::string& copy) {
  const Vault& vault = memory.vault();
  if (!original_of_copy(copy)) return no_copy(copy);
  const GivenAnswer answer{"removed", {TRY(file_before(vault, copy))}};
  if (!answer.files.front().bytes) return no_copy(copy);
  TRY(vault.files().remove(vault.file(copy)));
  return keep_answer(vault, answer);
}

}  // namespace loci
