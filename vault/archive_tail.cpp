#include "vault/archive_tail.h"

#include <charconv>

#include "base/hash.h"
#include "parser/parser.h"
#include "vault/text_lines.h"

namespace loci {
namespace {

// A writer goes back and forth between a few files: the day's, and those of the conversations that go on. Of two files with one
// note the later one has it.
constexpr std::uint64_t note_count = 64;
constexpr size_t note_limit = 1024;

path note_of(const Vault& vault, const path& name) {
  return vault.state_folder() / "tails" / std::to_string(hash64(name.string()) % note_count);
}

std::string stamp_of(const struct stat& info) {
  std::string stamp;
  for (const auto number :
       {static_cast<std::int64_t>(info.st_dev), static_cast<std::int64_t>(info.st_ino), static_cast<std::int64_t>(info.st_size),
        std::int64_t{info.st_mtim.tv_sec}, std::int64_t{info.st_mtim.tv_nsec}, std::int64_t{info.st_ctim.tv_sec},
        std::int64_t{info.st_ctim.tv_nsec}})
    stamp += std::to_string(number) + ' ';
  return stamp;
}

// The number of lines, if the note is about this state of the file and whole.
std::optional<int> noted_lines(const Vault& vault, const path& name, const struct stat& info) {
  const auto note = read_file_if_any(vault.files(), note_of(vault, name), note_limit);
  const std::string stamp = stamp_of(info);
  if (!note || !*note || !(*note)->starts_with(stamp) || !(*note)->ends_with('\n')) return std::nullopt;
  const char *first = (*note)->data() + stamp.size(), *last = (*note)->data() + (*note)->size() - 1;
  int lines = 0;
  const auto [end, error] = std::from_chars(first, last, lines);
  return error == std::errc() && end == last ? std::optional(lines) : std::nullopt;
}

Status write_note(const Vault& vault, const path& note, const std::string& bytes) {
  FileSystem& files = vault.files();
  auto fd = files.open(note, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (!fd && fd.error().code == ErrorCode::not_found) {
    if (auto made = make_folders(files, note.parent_path()); !made) return made;
    fd = files.open(note, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  }
  return fd ? files.write_once(*fd, bytes, note) : std::unexpected(fd.error());
}

}  // namespace

Result<ArchiveTail> examine_tail(const Vault& vault, const Fd& fd, const path& name) {
  const auto info = vault.files().status(fd, name);
  if (!info) return std::unexpected(info.error());
  if (const auto lines = noted_lines(vault, name, *info))
    return ArchiveTail{
        .size = static_cast<std::uint64_t>(info->st_size), .lines = *lines, .final_newline = true, .takes_entries = true};
  const auto bytes = vault.files().read_all(fd, name, size_t{1} << 30);
  if (!bytes) return std::unexpected(bytes.error());
  const ParsedFile parsed = parse(*bytes);
  return ArchiveTail{.size = bytes->size(),
                     .lines = count_line_ends(*bytes),
                     .final_newline = bytes->empty() || bytes->ends_with('\n'),
                     .takes_entries = parsed.open_end == OpenEnd::none && !parsed.held};
}

void note_clean_tail(const Vault& vault, const Fd& fd, const path& name, std::uint64_t size, int lines) {
  const auto info = vault.files().status(fd, name);
  if (!info || static_cast<std::uint64_t>(info->st_size) != size) return;
  // Without the note the next append parses the file.
  (void)write_note(vault, note_of(vault, name), stamp_of(*info) + std::to_string(lines) + '\n');
}

}  // namespace loci
