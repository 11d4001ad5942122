#include "vault/rewrite/recovery.h"

#include <optional>
#include <utility>

#include "vault/git/git_operation.h"
#include "vault/layout/inside.h"
#include "vault/rewrite/conflict_file.h"
#include "vault/rewrite/put_back.h"
#include "vault/rewrite/save_copy.h"
#include "vault/rewrite/write_folder.h"

namespace loci {
namespace {

struct Found {
  std::string hash;
  timespec modified{};
};

// None: there is no such file.
Result<std::optional<Found>> find(FileSystem& files, const path& file) {
  const auto fd = files.open(file, O_RDONLY | O_NOCTTY | O_NONBLOCK);
  if (!fd && fd.error().code == ErrorCode::not_found) return std::nullopt;
  if (!fd) return std::unexpected(fd.error());
  const auto info = TRY(files.status(*fd, file));
  const auto bytes = TRY(files.read_all(*fd, file, size_t{1} << 30));
  return Found{content_hash(bytes), info.st_mtim};
}

bool is_newer(const Found& a, const Found& b) {
  return std::pair(a.modified.tv_sec, a.modified.tv_nsec) > std::pair(b.modified.tv_sec, b.modified.tv_nsec);
}

class Recoverer {
 public:
  Recoverer(const WriteFolder& folder, const Sleep& pause)
      : folder_(folder), files_(folder.vault().files()), pause_(pause), contents_(folder.list()) {}

  Result<Recovery> run() {
    for (const WriteName& write : contents_.writes) note(finish(write));
    for (const std::string& name : contents_.new_files) note(remove(name));
    note(folder_.remove_unused_targets());
    if (first_failure_) return std::unexpected(*first_failure_);
    return recovery_;
  }

 private:
  void note(const Status& status) {
    if (!status && !first_failure_) first_failure_ = status.error();
  }

  Status remove(const std::string& name) {
    TRY(files_.remove(folder_.file(name)));
    ++recovery_.leftovers;
    return {};
  }

  Status finish(const WriteName& write) {
    const std::string target = folder_.target_of(write.id, write.start);
    const auto file = TRY(resolve_inside(folder_.vault(), target));
    const auto aside = TRY(find(files_, folder_.file(format(write))));
    if (!aside) return {};
    if (aside->hash == write.before) return folder_.keep(write, write.before);
    const auto there = TRY(find(files_, file));
    if (aside->hash == write.after)
      return there && there->hash == write.before ? remove(format(write)) : folder_.keep(write, write.after);
    return finish_save(write, target, file, *aside, there);
  }

  // Under the temporary name stands a person's save.
  Status finish_save(const WriteName& write, const std::string& target, const path& file, const Found& aside,
                     const std::optional<Found>& there) {
    if (there && there->hash != write.after && !is_newer(aside, *there)) return show(write, target, aside.hash);
    // The one that is to come out is ours, or an older save; or, where there is no file, nothing is.
    auto left = TRY(put_back(folder_, write, file, there ? there->hash : write.after, pause_));
    recovery_.put_back.push_back(target);
    TRY(sync_folder(files_, file.parent_path()));
    if (left.empty()) return {};
    const bool is_known = left == write.after || left == write.before;
    return is_known ? folder_.keep(write, left) : show(write, target, left);
  }

  Status show(const WriteName& write, const std::string& target, const std::string& hash) {
    auto made = TRY(make_conflict_file(folder_.vault(), folder_.file(format(write)), target));
    recovery_.conflict_files.push_back(std::move(made));
    return drop_save_copy(folder_, write, hash);
  }

  const WriteFolder& folder_;
  FileSystem& files_;
  const Sleep& pause_;
  WriteFolder::Contents contents_;
  Recovery recovery_;
  std::optional<Error> first_failure_;
};

}  // namespace

Result<Recovery> recover_writes(const Vault& vault, const Sleep& pause) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(vault.temporary_folder(), ignored)) return Recovery{};
  const auto folder = TRY(WriteFolder::lock(vault));
  return finish_writes(folder, pause);
}

Result<Recovery> finish_writes(const WriteFolder& folder, const Sleep& pause) {
  if (const auto operation = git_operation_around(folder.vault().root()))
    return fail(ErrorCode::refused, "unfinished writes wait while git is in the middle of something (" + operation->marker + ')',
                "finish or abort it in git first");
  return Recoverer(folder, pause).run();
}

}  // namespace loci
