#include "vault/replace.h"

#include <unistd.h>

#include "base/hash.h"
#include "base/id.h"
#include "vault/git_operation.h"
#include "vault/host.h"
#include "vault/inside.h"
#include "vault/temporary_file.h"

namespace loci {
namespace {

constexpr const char* try_again = "look at it and try again";

std::unexpected<Error> refuse(const std::string& relative, std::string what, std::string hint) {
  auto refused = fail(ErrorCode::refused, relative + ' ' + std::move(what), std::move(hint));
  refused.error().file = relative;
  return refused;
}

std::unexpected<Error> changed_meanwhile(const std::string& relative) {
  return refuse(relative, "was changed meanwhile by somebody else; their version stands", try_again);
}

std::string short_hash(std::string_view bytes) { return hex(as_bytes(sha256(bytes)), 16); }

// A name may have 255 bytes; what is added to it takes about 50.
std::string start_of_name(const path& file) { return file.filename().string().substr(0, 150); }

// Both hashes are in the name, so that after a crash it can be told what is in the file and what stands in its place.
std::string temporary_name(const path& file, std::string_view before, std::string_view after, Instant now) {
  return start_of_name(file) + '-' + short_hash(before) + '-' + short_hash(after) + '-' + make_id(now);
}

Status refuse_during_git(const Vault& vault, const std::string& relative) {
  const auto operation = git_operation_around(vault.root());
  if (!operation) return {};
  return refuse(relative, "is not rewritten while git is in the middle of something (" + operation->marker + ')',
                "finish or abort it in git first");
}

// The mode of the file, once it is sure that it holds what is expected.
Result<mode_t> mode_if_unchanged(FileSystem& files, const path& file, const std::string& relative, std::string_view expected) {
  auto fd = files.open(file, O_RDONLY | O_NOCTTY | O_NONBLOCK);
  if (!fd) {
    // An editor that saves by renaming takes the file away for a moment.
    if (fd.error().code == ErrorCode::not_found) return refuse(relative, "is not there (any more)", try_again);
    return std::unexpected(fd.error());
  }
  const auto info = files.status(*fd, file);
  if (!info) return std::unexpected(info.error());
  const auto bytes = files.read_all(*fd, file, size_t{1} << 30);
  if (!bytes) return std::unexpected(bytes.error());
  if (*bytes != expected) return changed_meanwhile(relative);
  return info->st_mode & 07777;
}

// After the exchange: is what came out what was expected? If not, or if that cannot be known, it goes back. A version that is
// neither in the file nor ours is never removed.
Status keep_or_put_back(FileSystem& files, const path& file, TemporaryFile& temporary, const std::string& relative,
                        std::string_view expected_bytes, std::string_view new_bytes) {
  const auto came_out = read_file(files, temporary.name());
  if (came_out && *came_out == expected_bytes) return {};
  if (auto back = files.exchange(temporary.name(), file); !back) {
    temporary.let_go();
    back.error().hint = "the version that was there is kept as " + temporary.name().string();
    return back;
  }
  if (const auto ours = read_file(files, temporary.name()); !ours || *ours != new_bytes) temporary.let_go();
  if (!came_out) return std::unexpected(came_out.error());
  return changed_meanwhile(relative);
}

}  // namespace

Status replace_file(const Vault& vault, const std::string& relative, std::string_view expected_bytes, std::string_view new_bytes) {
  FileSystem& files = vault.files();
  const auto file = resolve_inside(vault, relative);
  if (!file) return std::unexpected(file.error());
  if (auto allowed = refuse_during_git(vault, relative); !allowed) return allowed;
  const auto mode = mode_if_unchanged(files, *file, relative, expected_bytes);
  if (!mode) return std::unexpected(mode.error());
  if (auto joined = join_vault(vault); !joined) return joined;

  auto temporary =
      TemporaryFile::write(vault, temporary_name(*file, expected_bytes, new_bytes, vault.clock().now()), new_bytes, *mode);
  if (!temporary) return std::unexpected(temporary.error());
  if (auto exchanged = files.exchange(temporary->name(), *file); !exchanged) {
    if (exchanged.error().code == ErrorCode::not_found) return refuse(relative, "is not there any more", try_again);
    return exchanged;
  }
  if (auto kept = keep_or_put_back(files, *file, *temporary, relative, expected_bytes, new_bytes); !kept) return kept;
  return sync_folder(files, file->parent_path());
}

Status create_file(const Vault& vault, const std::string& relative, std::string_view bytes) {
  FileSystem& files = vault.files();
  const auto file = resolve_inside(vault, relative);
  if (!file) return std::unexpected(file.error());
  if (auto joined = join_vault(vault); !joined) return joined;
  if (auto made = make_folders(files, file->parent_path()); !made) return made;
  auto temporary = TemporaryFile::write(vault, start_of_name(*file) + "-new-" + make_id(vault.clock().now()), bytes, 0600);
  if (!temporary) return std::unexpected(temporary.error());
  if (auto renamed = files.rename_new(temporary->name(), *file); !renamed) {
    if (renamed.error().code == ErrorCode::refused) return refuse(relative, "exists already", "");
    return renamed;
  }
  temporary->let_go();
  return sync_folder(files, file->parent_path());
}

}  // namespace loci
