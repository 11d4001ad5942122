#include "vault/archive/archive_tail.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <sstream>

#include "base/hash.h"
#include "parser/parser.h"
#include "parser/text_lines.h"

namespace loci {
namespace {

// A writer goes back and forth between a few files: the day's, and those of the conversations that go on. Of two files with one
// note the later one has it.
constexpr std::uint64_t note_count = 64;
constexpr size_t note_bytes = 256;  // every note has this size, so that one write over another leaves nothing of it
constexpr std::uint64_t fingerprint_bytes = 4096;

path note_file(const Vault& vault, const path& name) {
  return vault.state_folder() / "tails" / std::to_string(hash64(name.string()) % note_count);
}

std::string identity_of(const struct stat& info) { return std::to_string(info.st_dev) + '-' + std::to_string(info.st_ino); }

std::string times_of(const struct stat& info) {
  const auto time = [](const timespec& t) { return std::to_string(t.tv_sec) + '.' + std::to_string(t.tv_nsec); };
  return time(info.st_mtim) + '-' + time(info.st_ctim);
}

struct Note {
  std::string identity, times;  // of the file; its times only if it ended at `size`
  std::uint64_t size = 0;
  int lines = 0;
  std::uint64_t fingerprint = 0;  // of the bytes before `size`
};

// The hash at the end tells a note that was read while another process wrote it.
std::string format(const Note& note) {
  std::ostringstream out;
  out << note.identity << ' ' << note.times << ' ' << note.size << ' ' << note.lines << ' ' << note.fingerprint << ' ';
  std::string bytes = out.str();
  bytes += std::to_string(hash64(bytes));
  bytes.resize(note_bytes - 1, ' ');
  return bytes + '\n';
}

std::optional<Note> read_note(const Vault& vault, const path& file) {
  const auto bytes = read_file_if_any(vault.files(), file, note_bytes);
  if (!bytes || !*bytes) return std::nullopt;
  std::istringstream in(**bytes);
  Note note;
  in >> note.identity >> note.times >> note.size >> note.lines >> note.fingerprint;
  return in && format(note) == **bytes ? std::optional(note) : std::nullopt;
}

Result<std::uint64_t> fingerprint(const Fd& fd, const path& name, std::uint64_t end) {
  const auto bytes = TRY(read_range(fd, name, end - std::min(end, fingerprint_bytes), end));
  return hash64(bytes);
}

ArchiveTail tail_of(std::string_view bytes) {
  const ParsedFile parsed = parse(bytes);
  return {.size = bytes.size(),
          .lines = count_line_ends(bytes),
          .final_newline = bytes.empty() || bytes.ends_with('\n'),
          .takes_entries = parsed.open_end == OpenEnd::none && !parsed.held};
}

// Up to where the note vouches for the file as it is now; none: for nothing.
Result<std::optional<ArchiveTail>> noted_tail(const Vault& vault, const Fd& fd, const path& name, const struct stat& info) {
  const auto note = read_note(vault, note_file(vault, name));
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (!note || note->identity != identity_of(info) || note->size > size) return std::nullopt;
  const ArchiveTail tail{.size = note->size, .lines = note->lines, .final_newline = true, .takes_entries = true};
  if (note->size == size) return note->times == times_of(info) ? std::optional(tail) : std::nullopt;
  const auto found = TRY(fingerprint(fd, name, note->size));
  return found == note->fingerprint ? std::optional(tail) : std::nullopt;
}

Status write_note(const Vault& vault, const path& file, const std::string& bytes) {
  FileSystem& files = vault.files();
  auto fd = files.open(file, O_WRONLY | O_CREAT, 0600);
  if (!fd && fd.error().code == ErrorCode::not_found) {
    TRY(make_folders(files, file.parent_path()));
    fd = files.open(file, O_WRONLY | O_CREAT, 0600);
  }
  return fd ? files.write_once(*fd, bytes, file) : std::unexpected(fd.error());
}

}  // namespace

Result<std::string> read_range(const Fd& fd, const path& name, std::uint64_t begin, std::uint64_t end) {
  std::string bytes(end - begin, '\0');
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t got = ::pread(fd.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(begin + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail_errno("read", name.string(), errno);
    if (got == 0) bytes.resize(done);  // it was cut meanwhile
    done += static_cast<size_t>(got);
  }
  return bytes;
}

Result<ArchiveTail> examine_tail(const Vault& vault, const Fd& fd, const path& name) {
  const auto info = TRY(vault.files().status(fd, name));
  const auto noted = TRY(noted_tail(vault, fd, name, info));
  if (noted) return read_on(fd, name, *noted, static_cast<std::uint64_t>(info.st_size));
  const auto bytes = TRY(vault.files().read_all(fd, name, size_t{1} << 30));
  return tail_of(bytes);
}

Result<ArchiveTail> read_on(const Fd& fd, const path& name, const ArchiveTail& tail, std::uint64_t end) {
  if (end <= tail.size) return tail;
  const auto bytes = TRY(read_range(fd, name, tail.size, end));
  ArchiveTail all = tail_of(bytes);
  all.size += tail.size;
  all.lines += tail.lines;
  return all;
}

void note_tail(const Vault& vault, const Fd& fd, const path& name, const ArchiveTail& tail) {
  if (!tail.takes_entries || !tail.final_newline) return;
  const auto info = vault.files().status(fd, name);
  const auto found = fingerprint(fd, name, tail.size);
  if (!info || !found) return;
  const bool is_end = static_cast<std::uint64_t>(info->st_size) == tail.size;
  // Without the note the next append parses the file.
  (void)write_note(vault, note_file(vault, name),
                   format({identity_of(*info), is_end ? times_of(*info) : "grown", tail.size, tail.lines, *found}));
}

}  // namespace loci
