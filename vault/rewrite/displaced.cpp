#include "vault/rewrite/displaced.h"

#include <algorithm>

#include "vault/layout/inside.h"
#include "vault/rewrite/conflict_file.h"
#include "vault/rewrite/save_copy.h"
#include "vault/rewrite/write_folder.h"

namespace loci {
namespace {

Instant due(const KeptName& kept) {
  return kept.state == KeptName::State::still ? kept.since + displaced_keeps : kept.since + displaced_first_look;
}

class Look {
 public:
  explicit Look(const WriteFolder& folder) : folder_(folder), files_(folder.vault().files()), now_(folder.vault().clock().now()) {}

  Result<DisplacedReport> run() {
    for (KeptName& kept : folder_.list().kept) {
      const auto looked = look_at(kept);
      if (looked) continue;
      if (!first_failure_) first_failure_ = looked.error();
      look_again(now_ + displaced_first_look);
    }
    if (auto forgotten = folder_.remove_unused_targets(); !forgotten && !first_failure_) first_failure_ = forgotten.error();
    if (first_failure_) return std::unexpected(*first_failure_);
    return report_;
  }

 private:
  void look_again(Instant at) { report_.next = std::min(report_.next.value_or(at), at); }

  Status look_at(KeptName& kept) {
    // A clock that was ahead when the file was displaced must not keep it for longer than a day from now.
    if (kept.since > now_) TRY(rename(kept, now_, kept.state));
    const path name = folder_.file(format(kept));
    const auto fd = TRY(files_.open(name, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW));
    const auto info = TRY(files_.status(fd, name));
    const bool is_copy = kept.state == KeptName::State::copy;
    if (now_ < due(kept) && (is_copy || modified_at(info) < kept.since)) {
      look_again(due(kept));
      return {};
    }
    const auto bytes = TRY(files_.read_all(fd, name, size_t{1} << 30));
    if (is_copy) return look_at_copy(kept, bytes);
    // Another inode under this name: loci itself put it there, without what was purged.
    const bool is_saved = info.st_ino == kept.inode && content_hash(bytes) != kept.hash;
    if (is_saved && !bytes.empty()) return show(kept);
    return is_saved ? wait_for_bytes(kept) : keep_on(kept);
  }

  Status rename(KeptName& kept, Instant since, KeptName::State state) {
    const std::string before = format(kept);
    kept.since = since;
    kept.state = state;
    return files_.rename(folder_.file(before), folder_.file(format(kept)));
  }

  Status remove(const KeptName& kept) { return files_.remove(folder_.file(format(kept))); }

  Status show(const KeptName& kept) {
    auto made = TRY(make_conflict_file(folder_.vault(), folder_.file(format(kept)), folder_.target_of(kept.id, kept.start)));
    report_.conflict_files.push_back(std::move(made));
    return {};
  }

  Status look_at_copy(const KeptName& kept, const std::string& bytes) {
    const auto file = TRY(resolve_inside(folder_.vault(), folder_.target_of(kept.id, kept.start)));
    const auto now = TRY(read_file_if_any(files_, file));
    return now && every_line_stands_in(bytes, *now) ? remove(kept) : show(kept);
  }

  // An editor has emptied it and is about to write.
  Status wait_for_bytes(const KeptName& kept) {
    if (now_ >= kept.since + displaced_keeps) return remove(kept);
    look_again(now_ + displaced_first_look);
    return {};
  }

  Status keep_on(KeptName& kept) {
    if (now_ >= kept.since + displaced_keeps) return remove(kept);
    if (kept.state == KeptName::State::fresh && now_ >= due(kept)) TRY(rename(kept, kept.since, KeptName::State::still));
    look_again(due(kept));
    return {};
  }

  const WriteFolder& folder_;
  FileSystem& files_;
  Instant now_;
  DisplacedReport report_;
  std::optional<Error> first_failure_;
};

}  // namespace

Result<DisplacedReport> check_displaced(const Vault& vault) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(vault.temporary_folder(), ignored)) return DisplacedReport{};
  const auto folder = TRY(WriteFolder::lock(vault));
  return Look(folder).run();
}

bool is_displaced_name(std::string_view name) { return parse_kept_name(name) || id_of_target_file(name); }

}  // namespace loci
