#include "vault/archive/tail_notes.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <sstream>

#include "base/hash.h"

namespace loci {
namespace {

constexpr size_t note_bytes = 512;  // every note has this size, so that one write over another leaves nothing of it
constexpr size_t name_digits = 16;

path folder_of(const Vault& vault) { return vault.state_folder() / "tails"; }

path note_file(const Vault& vault, const std::string& file) { return folder_of(vault) / hex(as_bytes(sha256(file)), name_digits); }

std::string identity_of(const struct stat& info) { return std::to_string(info.st_dev) + '-' + std::to_string(info.st_ino); }

std::string times_of(const struct stat& info) {
  const auto time = [](const timespec& t) { return std::to_string(t.tv_sec) + '.' + std::to_string(t.tv_nsec); };
  return time(info.st_mtim) + '-' + time(info.st_ctim);
}

// The hash at the end tells a note that was read while another process wrote it.
std::string format(const TailNote& note) {
  std::ostringstream out;
  out << note.file << '\n'
      << note.last_id << '\n'
      << note.identity << ' ' << note.times << ' ' << note.size << ' ' << note.lines << ' ' << note.fingerprint << ' '
      << note.takes_entries << ' ' << note.is_suspect << ' ' << note.at.time_since_epoch().count() << ' ';
  std::string bytes = out.str();
  bytes += std::to_string(hash64(bytes));
  bytes.resize(std::max(bytes.size() + 1, note_bytes) - 1, ' ');
  return bytes + '\n';
}

std::optional<TailNote> parse_note(const std::string& bytes) {
  std::istringstream in(bytes);
  TailNote note;
  std::int64_t at = 0;
  std::getline(in, note.file);
  std::getline(in, note.last_id);
  in >> note.identity >> note.times >> note.size >> note.lines >> note.fingerprint >> note.takes_entries >> note.is_suspect >> at;
  note.at = Instant(std::chrono::milliseconds(at));
  return in && format(note) == bytes ? std::optional(note) : std::nullopt;
}

std::optional<TailNote> read_note(const Vault& vault, const path& name) {
  const auto bytes = read_file_if_any(vault.files(), name, note_bytes);
  return bytes && *bytes ? parse_note(**bytes) : std::nullopt;
}

std::uint64_t fingerprint(std::string_view bytes) {
  return hash64(bytes.substr(bytes.size() - std::min<size_t>(bytes.size(), fingerprint_bytes)));
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

std::optional<TailNote> read_tail_note(const Vault& vault, const std::string& file) {
  auto note = read_note(vault, note_file(vault, file));
  return note && note->file == file ? note : std::nullopt;
}

std::vector<TailNote> tail_notes(const Vault& vault) {
  std::vector<TailNote> notes;
  std::error_code ignored;  // no folder yet: no note
  for (const auto& item : std::filesystem::directory_iterator(folder_of(vault), ignored))
    if (auto note = read_note(vault, item.path())) notes.push_back(std::move(*note));
  std::ranges::sort(notes, {}, &TailNote::file);
  return notes;
}

void write_tail_note(const Vault& vault, TailNote note) {
  note.at = vault.clock().now();
  const std::string bytes = format(note);
  // Without the note the next append parses the file.
  if (bytes.size() == note_bytes) (void)write_note(vault, note_file(vault, note.file), bytes);
}

void identify(TailNote& note, const struct stat& info, std::string_view bytes) {
  note.identity = identity_of(info);
  note.times = static_cast<std::uint64_t>(info.st_size) == note.size ? times_of(info) : "-";
  note.fingerprint = fingerprint(bytes);
}

void remove_tail_notes(const Vault& vault, Instant older_than) {
  std::error_code ignored;
  for (const auto& item : std::filesystem::directory_iterator(folder_of(vault), ignored)) {
    const auto note = read_note(vault, item.path());
    if (!note || note->at < older_than) (void)vault.files().remove(item.path());
  }
}

bool is_untouched(const TailNote& note, const struct stat& info) {
  return note.identity == identity_of(info) && note.size == static_cast<std::uint64_t>(info.st_size) &&
         note.times == times_of(info);
}

bool is_as_noted(const TailNote& note, const Fd& fd, const path& name, const struct stat& info) {
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (note.size == size) return is_untouched(note, info);
  if (note.identity != identity_of(info) || note.size > size) return false;
  const auto before = read_range(fd, name, note.size - std::min(note.size, fingerprint_bytes), note.size);
  return before && fingerprint(*before) == note.fingerprint;
}

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

}  // namespace loci
