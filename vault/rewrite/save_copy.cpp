#include "vault/rewrite/save_copy.h"

#include <algorithm>
#include <set>

#include "base/id.h"
#include "parser/text_lines.h"

namespace loci {
namespace {

std::set<std::string_view> lines_of(std::string_view text) {
  std::set<std::string_view> lines;
  for (size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    end = next_line(text, begin);
    lines.insert(text.substr(begin, end - begin));
  }
  return lines;
}

}  // namespace

Status keep_save_copy(const WriteFolder& folder, const WriteName& write, std::string_view bytes) {
  FileSystem& files = folder.vault().files();
  const Instant now = folder.vault().clock().now();
  const path unnamed = folder.file(new_file_name(write.start, make_id(now)));
  const auto fd = TRY(files.open(unnamed, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600));
  TRY(files.write_once(fd, bytes, unnamed));
  const auto info = TRY(files.status(fd, unnamed));
  const KeptName copy{.start = write.start,
                      .hash = content_hash(bytes),
                      .inode = info.st_ino,
                      .since = now,
                      .state = KeptName::State::copy,
                      .id = write.id};
  return files.rename(unnamed, folder.file(format(copy)));
}

Status drop_save_copy(const WriteFolder& folder, const WriteName& write, const std::string& hash) {
  for (const KeptName& kept : folder.list().kept) {
    if (kept.state != KeptName::State::copy || kept.id != write.id || kept.hash != hash) continue;
    TRY(folder.vault().files().remove(folder.file(format(kept))));
  }
  return {};
}

Status drop_save_copies_in(const WriteFolder& folder, const std::string& target, std::string_view bytes) {
  FileSystem& files = folder.vault().files();
  for (const KeptName& kept : folder.list().kept) {
    if (kept.state != KeptName::State::copy || folder.target_of(kept.id, kept.start) != target) continue;
    const path name = folder.file(format(kept));
    const auto copy = TRY(read_file(files, name));
    if (!every_line_stands_in(copy, bytes)) continue;
    TRY(files.remove(name));
  }
  return {};
}

bool every_line_stands_in(std::string_view part, std::string_view whole) {
  const auto there = lines_of(whole);
  return std::ranges::all_of(lines_of(part), [&](std::string_view line) {
    const auto found = there.lower_bound(line);
    return found != there.end() && (line.ends_with('\n') ? *found == line : found->starts_with(line));
  });
}

}  // namespace loci
