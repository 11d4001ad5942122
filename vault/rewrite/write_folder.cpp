#include "vault/rewrite/write_folder.h"

#include <algorithm>

#include "vault/layout/host.h"

namespace loci {
namespace {

constexpr std::chrono::seconds lock_patience{10};
constexpr size_t longest_path = size_t{64} * 1024;

}  // namespace

Result<WriteFolder> WriteFolder::lock(const Vault& vault) {
  const path folder = vault.temporary_folder();
  TRY(make_temporary_folder(vault));
  auto held = TRY(ProcessLock::acquire(vault.files(), folder, lock_patience));
  return WriteFolder(vault, folder, std::move(held));
}

WriteFolder::Contents WriteFolder::list() const {
  Contents contents;
  std::error_code error;
  for (std::filesystem::directory_iterator item(folder_, error), end; !error && item != end; item.increment(error)) {
    const std::string name = item->path().filename().native();
    if (auto write = parse_write_name(name)) {
      contents.writes.push_back(std::move(*write));
    } else if (auto kept = parse_kept_name(name)) {
      contents.kept.push_back(std::move(*kept));
    } else if (auto id = id_of_target_file(name)) {
      contents.target_ids.push_back(std::move(*id));
    } else if (is_new_file_name(name)) {
      contents.new_files.push_back(name);
    }
  }
  std::ranges::sort(contents.writes, {}, &WriteName::id);
  std::ranges::sort(contents.kept, {}, &KeptName::id);
  return contents;
}

// The line end tells a note that was cut off by a crash: nothing was exchanged then.
Result<TemporaryFile> WriteFolder::note_target(const std::string& id, const std::string& target) const {
  return TemporaryFile::write(*vault_, target_file_name(id), target + '\n', 0600);
}

std::string WriteFolder::target_of(const std::string& id, const std::string& start) const {
  const auto noted = read_file_if_any(vault_->files(), file(target_file_name(id)), longest_path);
  if (noted && *noted && (*noted)->size() > 1 && (*noted)->ends_with('\n')) return (*noted)->substr(0, (*noted)->size() - 1);
  return start.empty() ? "lost.md" : start;
}

Status WriteFolder::remove_unused_targets() const {
  const Contents now = list();
  for (const std::string& id : now.target_ids) {
    const bool is_used = std::ranges::find(now.writes, id, &WriteName::id) != now.writes.end() ||
                         std::ranges::find(now.kept, id, &KeptName::id) != now.kept.end();
    if (is_used) continue;
    TRY(vault_->files().remove(file(target_file_name(id))));
  }
  return {};
}

Status WriteFolder::keep(const WriteName& write, const std::string& hash) const {
  FileSystem& files = vault_->files();
  const path from = file(format(write));
  const auto fd = TRY(files.open(from, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW));
  const auto info = TRY(files.status(fd, from));
  const KeptName kept{.start = write.start,
                      .hash = hash,
                      .inode = info.st_ino,
                      .since = vault_->clock().now(),
                      .state = KeptName::State::fresh,
                      .id = write.id};
  TRY(files.rename(from, file(format(kept))));
  return sync();
}

void wait_for_writes(const Vault& vault) { (void)WriteFolder::lock(vault); }

}  // namespace loci
