#include "vault/archive/archive_tail.h"

#include <algorithm>
#include <ranges>

#include "parser/parser.h"
#include "parser/text_lines.h"

namespace loci {
namespace {

std::string last_id_of(const ParsedFile& parsed) {
  for (const ParsedEntry& entry : std::views::reverse(parsed.entries))
    if (entry.metadata && !entry.metadata->id.empty()) return entry.id;
  return {};
}

}  // namespace

ArchiveTail tail_of(std::string_view bytes) {
  const ParsedFile parsed = parse(bytes);
  return {.size = bytes.size(),
          .lines = count_line_ends(bytes),
          .final_newline = bytes.empty() || bytes.ends_with('\n'),
          .takes_entries = parsed.open_end == OpenEnd::none && !parsed.held,
          .last_id = last_id_of(parsed)};
}

Result<ArchiveTail> examine_tail(const Vault& vault, const std::string& file, const Fd& fd, const path& name) {
  const auto info = TRY(vault.files().status(fd, name));
  const auto note = read_tail_note(vault, file);
  const bool is_as_left = note && is_as_noted(*note, fd, name, info);
  if (is_as_left && note->takes_entries) {
    const ArchiveTail noted{.size = note->size,
                            .lines = note->lines,
                            .final_newline = true,
                            .takes_entries = true,
                            .is_suspect = note->is_suspect,
                            .last_id = note->last_id};
    return read_on(fd, name, noted, static_cast<std::uint64_t>(info.st_size));
  }
  const auto bytes = TRY(vault.files().read_all(fd, name, size_t{1} << 30));
  ArchiveTail tail = tail_of(bytes);
  tail.is_suspect = note && (note->is_suspect || !is_as_left);
  return tail;
}

Result<ArchiveTail> read_on(const Fd& fd, const path& name, const ArchiveTail& tail, std::uint64_t end) {
  if (end <= tail.size) return tail;
  const auto bytes = TRY(read_range(fd, name, tail.size, end));
  ArchiveTail all = tail_of(bytes);
  all.size += tail.size;
  all.lines += tail.lines;
  all.is_suspect = tail.is_suspect;
  if (all.last_id.empty()) all.last_id = tail.last_id;
  return all;
}

TailNote note_of(const std::string& file, const ArchiveTail& tail) {
  return {.file = file,
          .size = tail.size,
          .lines = tail.lines,
          .takes_entries = tail.takes_entries && tail.final_newline,
          .is_suspect = tail.is_suspect,
          .last_id = tail.last_id,
          .at = {}};
}

void note_tail(const Vault& vault, const std::string& file, const Fd& fd, const path& name, const ArchiveTail& tail) {
  const auto info = vault.files().status(fd, name);
  const auto bytes = read_range(fd, name, tail.size - std::min(tail.size, fingerprint_bytes), tail.size);
  if (!info || !bytes) return;
  TailNote note = note_of(file, tail);
  identify(note, *info, *bytes);
  write_tail_note(vault, std::move(note));
}

}  // namespace loci
