#include <iterator>

#include "base/file_system.h"
#include "cli/command.h"
#include "sync/merge_three.h"
#include "sync/settle_files.h"

namespace loci::cli {
namespace {

constexpr PositionalSpec merge_driver_positionals[] = {
    {"BASE", ValueKind::file}, {"OURS", ValueKind::file}, {"THEIRS", ValueKind::file}, {"PATH", ValueKind::file, false}};

bool is_binary(std::string_view bytes) { return bytes.contains('\0'); }

// git reads OURS when this has ended; whatever happens, it holds the whole of a version.
Result<int> run_merge_driver(Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  const path at = invocation.environment.working_folder;
  const auto base = TRY(read_file(invocation.files, at / words[0])), ours = TRY(read_file(invocation.files, at / words[1])),
             theirs = TRY(read_file(invocation.files, at / words[2]));
  if (is_binary(ours) || is_binary(theirs))
    return fail(ErrorCode::failed, "'" + words.back() + "' is no text", "choose one of the two");
  const ThreeVersions versions{base, ours, theirs};
  const bool is_log = words.back().ends_with(".jsonl");
  const MergedFile merged = is_log ? merge_lines(versions) : merge_entry_files(versions);
  TRY(write_file(invocation.files, at / words[1], merged.bytes, 0644));
  return merged.conflicts > 0 ? 1 : 0;
}

}  // namespace

constinit const Command merge_driver_command = {
    "merge-driver",
    "Merge three versions of a file of entries, for git",
    "What git runs when two sides changed MEMORY.md, user.md, consolidated/ or archive/: 'loci sync --setup' tells it to.\n"
    "The result takes the place of OURS. Ends with 1 if something stands between conflict markers there.",
    merge_driver_positionals,
    {},
    run_merge_driver};

}  // namespace loci::cli
