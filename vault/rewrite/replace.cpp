#include "vault/rewrite/replace.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/id.h"
#include "vault/git/git_operation.h"
#include "vault/layout/host.h"
#include "vault/layout/inside.h"
#include "vault/layout/layout.h"
#include "vault/rewrite/conflict_file.h"
#include "vault/rewrite/put_back.h"
#include "vault/rewrite/recovery.h"
#include "vault/rewrite/save_copy.h"
#include "vault/rewrite/versions.h"
#include "vault/rewrite/write_folder.h"

namespace loci {
namespace {

constexpr const char* try_again = "look at it and try again";

std::unexpected<Error> refuse(const std::string& relative, std::string what, std::string hint) {
  auto refused = fail(ErrorCode::refused, relative + ' ' + std::move(what), std::move(hint));
  refused.error().file = relative;
  return refused;
}

Status refuse_during_git(const Vault& vault, const std::string& relative, DuringGit during_git) {
  if (during_git == DuringGit::go_ahead && !git_is_writing_around(vault.root())) return {};
  const auto operation = git_operation_around(vault.root());
  if (!operation) return {};
  return refuse(relative, "is not rewritten while git is in the middle of something (" + operation->marker + ')',
                "finish or abort it in git first");
}

// Nothing takes the place of a file in a folder that is closed to us. Whoever wanted it does the rest, and this later.
Status refuse_in_closed_folder(const std::string& relative, const path& folder) {
  if (::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) == 0 || errno == ENOENT) return {};
  return refuse(relative, "cannot be written (" + std::generic_category().message(errno) + ')',
                "check the owner and the permissions of its folder");
}

// What a person answers is theirs, like a save, and says something that nobody has understood yet; what git left there for them to
// answer says nothing.
bool notes_versions(const std::string& relative, DuringGit during_git) {
  return has_versions(relative) && during_git == DuringGit::refuse;
}

// One replace_file, from the moment that it has the folder's lock.
class Replacement {
 public:
  Replacement(const WriteFolder& folder, const std::string& relative, const path& file, const Sleep& pause, DuringGit during_git)
      : folder_(folder),
        files_(folder.vault().files()),
        relative_(relative),
        file_(file),
        pause_(pause),
        during_git_(during_git),
        settling_(pause) {}

  Status run(std::string_view expected, std::string_view bytes) {
    name_ = {.start = start_of_name(file_.filename().native()),
             .before = content_hash(expected),
             .after = content_hash(bytes),
             .id = make_id(folder_.vault().clock().now())};
    is_emptied_ = expected.empty() && TRY(has_lost_its_text());
    const auto found = TRY(look_unchanged(expected));
    TRY(refuse_in_closed_folder(relative_, file_.parent_path()));
    // Only now: bytes that do not stand there any more would pass for the newest version of the file.
    if (notes_versions(relative_, during_git_)) TRY(note_found(folder_.vault(), relative_, expected, found.saved_at));
    auto target = TRY(folder_.note_target(name_.id, target_path()));
    // Half written it must not pass for somebody's version: it gets the name that recovery judges once it is whole.
    auto temporary = TRY(TemporaryFile::write(folder_.vault(), new_file_name(name_.start, name_.id), bytes, found.mode));
    TRY(temporary.rename(format(name_)));
    TRY(folder_.sync());
    TRY(exchange(temporary.name(), expected));
    // From here on somebody else's bytes may stand under the temporary name: nothing is removed unseen.
    temporary.let_go();
    target.let_go();
    return finish(temporary.name(), expected);
  }

  // Whether it was refused because of a person's save.
  bool person_won() const { return person_won_; }

 private:
  std::string target_path() const { return file_.lexically_relative(folder_.vault().root()).native(); }

  std::unexpected<Error> lost(std::string what, std::string hint = try_again) {
    person_won_ = true;
    return refuse(relative_, std::move(what), std::move(hint));
  }

  struct Found {
    mode_t mode = 0;
    Instant saved_at;
    std::string bytes;
  };
  // By the newest version. Whoever saves it has perhaps only made room; a person who clears it means that a moment later, too.
  Result<bool> has_lost_its_text() const {
    const auto known = has_versions(relative_) ? TRY(versions_of(folder_.vault(), relative_)) : std::vector<Version>();
    return !known.empty() && known.back().size > 0;
  }

  // The file, once it is sure that it holds what is expected.
  Result<Found> look_unchanged(std::string_view expected) {
    while (true) {
      auto found = look();
      if (!found && found.error().code != ErrorCode::not_found) return std::unexpected(found.error());
      const bool is_there = found && found->bytes == expected;
      if (is_there && is_emptied_ && settling_.wait()) continue;
      if (is_there) return found;
      const bool is_saved_just_now = !found || found->bytes.empty();
      if (is_saved_just_now && settling_.wait()) continue;
      return found ? lost("was changed meanwhile by somebody else; their version stands") : lost("is not there (any more)");
    }
  }

  Result<Found> look() const {
    const auto fd = TRY(files_.open(file_, O_RDONLY | O_NOCTTY | O_NONBLOCK));
    const auto info = TRY(files_.status(fd, file_));
    auto bytes = TRY(files_.read_all(fd, file_, size_t{1} << 30));
    return Found{.mode = info.st_mode & 07777, .saved_at = modified_at(info), .bytes = std::move(bytes)};
  }

  Status exchange(const path& temporary, std::string_view expected) {
    while (true) {
      TRY(refuse_during_git(folder_.vault(), relative_, during_git_));
      auto exchanged = files_.exchange(temporary, file_);
      if (exchanged || exchanged.error().code != ErrorCode::not_found) return exchanged;
      if (!settling_.wait()) return lost("is not there any more");
      TRY(look_unchanged(expected));
    }
  }

  // After the exchange: is what came out what was expected? If not, or if that cannot be known, it goes back.
  Status finish(const path& temporary, std::string_view expected) {
    const auto came_out = hash_of_file(files_, temporary);
    if (came_out && *came_out == name_.before) return finish_replaced(temporary, expected);
    const auto left = put_back(folder_, name_, file_, name_.after, pause_);
    if (!left) {
      auto failed = std::unexpected(left.error());
      failed.error().hint =
          "a version of it is kept as " + temporary.string() + "; it is put back when the daemon starts, or by the next write";
      return failed;
    }
    const auto aside = set_aside(temporary, *left);
    TRY(sync_folder(files_, file_.parent_path()));
    if (!aside) return std::unexpected(aside.error());
    if (!came_out) return std::unexpected(came_out.error());
    return lost("was changed meanwhile by somebody else; their version stands",
                aside->empty() ? try_again : "an older save of it is kept as " + *aside + "; " + try_again);
  }

  Status finish_replaced(const path& temporary, std::string_view expected) {
    (void)drop_save_copies_in(folder_, target_path(), expected);  // one that stays is shown once too often
    auto synced = sync_folder(files_, file_.parent_path());
    // Where the displaced file cannot be kept under its new name, recovery finds it under this one.
    if (!target_path().starts_with(".loci/"))
      (void)folder_.keep(name_, name_.before);
    else if (files_.remove(temporary))
      (void)folder_.remove_unused_targets();
    return synced;
  }

  // What stands under the temporary name after it lost. Our own bytes were in the file for a moment, so an editor may have opened
  // them there. A person's older save becomes visible; its path is returned.
  Result<std::string> set_aside(const path& temporary, const std::string& hash) {
    if (hash == name_.after || hash == name_.before) {
      TRY(folder_.keep(name_, hash));
      return std::string();
    }
    std::string conflict;
    if (!hash.empty()) {
      auto made = TRY(make_conflict_file(folder_.vault(), temporary, target_path()));
      conflict = std::move(made);
      TRY(drop_save_copy(folder_, name_, hash));
    }
    TRY(folder_.remove_unused_targets());
    return conflict;
  }

  const WriteFolder& folder_;
  FileSystem& files_;
  const std::string& relative_;
  const path& file_;
  const Sleep& pause_;
  DuringGit during_git_;
  Settling settling_;
  WriteName name_;
  bool is_emptied_ = false;
  bool person_won_ = false;
};

Status replace(const Vault& vault, const std::string& relative, std::string_view expected_bytes, std::string_view new_bytes,
               const Sleep& pause, DuringGit during_git, bool& person_won) {
  const auto file = TRY(resolve_inside(vault, relative));
  TRY(refuse_during_git(vault, relative, during_git));
  TRY(join_vault(vault));
  const auto folder = TRY(WriteFolder::lock(vault));
  (void)finish_writes(folder, pause);  // what it cannot do now the daemon reports
  const Instant begun = vault.clock().of_files();
  Replacement replacement(folder, relative, file, pause, during_git);
  auto replaced = replacement.run(expected_bytes, new_bytes);
  person_won = replacement.person_won();
  // One that is not noted passes for a person's, whose acts the logs then explain.
  if (replaced && notes_versions(relative, during_git)) (void)note_version(vault, relative, Version::Kind::wrote, new_bytes, begun);
  return replaced;
}

}  // namespace

Status replace_file(const Vault& vault, const std::string& relative, std::string_view expected_bytes, std::string_view new_bytes,
                    const Sleep& pause, DuringGit during_git) {
  bool person_won = false;
  return replace(vault, relative, expected_bytes, new_bytes, pause, during_git, person_won);
}

Result<std::string> replace_or_set_aside(const Vault& vault, const std::string& relative, std::string_view expected_bytes,
                                         std::string_view new_bytes, const Sleep& pause) {
  bool person_won = false;
  const auto replaced = replace(vault, relative, expected_bytes, new_bytes, pause, DuringGit::refuse, person_won);
  if (replaced) return std::string();
  if (!person_won) return std::unexpected(replaced.error());
  return write_conflict_file(vault, new_bytes, relative);
}

namespace {

// Somebody took away what was known to stand there, and nobody has looked since: that is no less an act than an edit.
void note_made(const Vault& vault, const std::string& relative, std::string_view bytes, Instant begun) {
  const auto known = versions_of(vault, relative);
  if (known && !known->empty() && place_of(relative) == Place::consolidated) (void)note_found(vault, relative, {}, begun);
  (void)note_version(vault, relative, Version::Kind::wrote, bytes, begun);
}

}  // namespace

Status create_file(const Vault& vault, const std::string& relative, std::string_view bytes) {
  FileSystem& files = vault.files();
  const auto file = TRY(resolve_inside(vault, relative));
  TRY(join_vault(vault));
  TRY(make_folders(files, file.parent_path()));
  // With the lock nobody takes the temporary for a dead process's. Without it that is unlikely, and an entry has to be stored.
  const auto folder = WriteFolder::lock(vault);
  if (!folder && folder.error().code != ErrorCode::locked) return std::unexpected(folder.error());
  const Instant begun = vault.clock().of_files();
  auto temporary =
      TRY(TemporaryFile::write(vault, new_file_name(file.filename().native(), make_id(vault.clock().now())), bytes, 0600));
  if (auto renamed = files.rename_new(temporary.name(), file); !renamed) {
    if (renamed.error().code == ErrorCode::refused) return refuse(relative, "exists already", "");
    return renamed;
  }
  temporary.let_go();
  if (has_versions(relative)) note_made(vault, relative, bytes, begun);
  return sync_folder(files, file.parent_path());
}

bool can_exchange(const Vault& vault) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(vault.dot_loci(), ignored)) return true;
  const auto folder = WriteFolder::lock(vault);
  if (!folder) return true;
  const auto probe = [&] { return TemporaryFile::write(vault, new_file_name("probe", make_id(vault.clock().now())), "", 0600); };
  const auto one = probe(), other = probe();
  if (!one || !other) return true;
  const auto exchanged = vault.files().exchange(one->name(), other->name());
  return exchanged || exchanged.error().code != ErrorCode::refused;
}

}  // namespace loci
