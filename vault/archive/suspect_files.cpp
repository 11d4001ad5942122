#include "vault/archive/suspect_files.h"

#include <algorithm>

#include "parser/parser.h"
#include "vault/archive/archive_tail.h"
#include "vault/layout/inside.h"

namespace loci {
namespace {

// As long as the watcher waits before it believes that a file is empty or gone: an editor may be in the middle of saving it.
constexpr std::chrono::milliseconds at_rest_after{2'000};

// When a file was last written, or its folder, where it is no longer.
std::optional<Instant> last_change(path name) {
  struct stat info{};
  while (::lstat(name.c_str(), &info) != 0) {
    if (!name.has_relative_path()) return std::nullopt;
    name = name.parent_path();
  }
  return modified_at(info);
}

// Until nobody is saving it any more; nothing is left of a file at rest.
std::chrono::milliseconds until_at_rest(const Vault& vault, const path& name) {
  const auto changed = last_change(name);
  if (!changed) return {};
  const auto since = std::chrono::abs(vault.clock().now() - *changed);
  return std::max(std::chrono::duration_cast<std::chrono::milliseconds>(at_rest_after - since), std::chrono::milliseconds{});
}

// Nearly every file is: one call of the system tells it, wherever links lead.
bool is_untouched(const Vault& vault, const TailNote& note) {
  struct stat info{};
  return !note.is_suspect && ::stat(vault.file(note.file).c_str(), &info) == 0 && is_untouched(note, info);
}

bool is_as_left(const Vault& vault, const TailNote& note, const path& name) {
  struct stat info{};
  if (::stat(name.c_str(), &info) != 0) return note.identity == "-";
  if (is_untouched(note, info)) return true;
  const auto fd = vault.files().open(name, O_RDONLY | O_NOCTTY | O_NONBLOCK);
  return fd && is_as_noted(note, *fd, name, info);
}

// None if it changed while it was read.
Result<std::optional<SuspectFile>> read_suspect(const Vault& vault, const std::string& file, const path& name) {
  SuspectFile suspect;
  suspect.file = suspect.note.file = file;
  const auto fd = vault.files().open(name, O_RDONLY | O_NOCTTY | O_NONBLOCK);
  if (!fd && fd.error().code == ErrorCode::not_found) return suspect;
  if (!fd) return std::unexpected(fd.error());
  const auto info = TRY(vault.files().status(*fd, name));
  const auto bytes = TRY(vault.files().read_all(*fd, name, size_t{1} << 30));
  if (static_cast<size_t>(info.st_size) != bytes.size()) return std::nullopt;
  suspect.exists = true;
  for (const ParsedEntry& entry : parse(bytes).entries)
    entry.metadata ? suspect.ids.insert(entry.id) : suspect.texts.insert(entry.hash);
  suspect.note = note_of(file, tail_of(bytes));
  identify(suspect.note, info, bytes);
  return suspect;
}

}  // namespace

Result<Suspects> suspect_files(const Vault& vault) {
  Suspects suspects;
  for (const TailNote& note : tail_notes(vault)) {
    if (is_untouched(vault, note)) continue;
    const auto name = resolve_inside(vault, note.file);
    if (!name) continue;  // a link leads out of the vault: nothing is appended there
    const bool as_left = is_as_left(vault, note, *name);
    if (as_left && !note.is_suspect) continue;
    const auto rest = as_left ? std::chrono::milliseconds{} : until_at_rest(vault, *name);
    auto read = rest.count() == 0 ? TRY(read_suspect(vault, note.file, *name)) : std::nullopt;
    if (read)
      suspects.files.push_back(std::move(*read));
    else
      suspects.at_rest_in = std::max(suspects.at_rest_in.value_or(rest), rest.count() == 0 ? at_rest_after : rest);
  }
  return suspects;
}

}  // namespace loci
