#include "vault/rewrite/put_back.h"

#include <utility>

#include "vault/rewrite/save_copy.h"

namespace loci {
namespace {

// A program that saves faster than we look, for that long, is left alone: its last save but one is then what stands aside.
constexpr int most_rounds = 100;
constexpr int most_looks = 10;

bool is_missing(const Status& status) { return !status && status.error().code == ErrorCode::not_found; }

// False: the file was not there, and `temporary` has become it.
Result<bool> exchange_or_become(FileSystem& files, const path& temporary, const path& file, const Sleep& pause) {
  Settling settling(pause);
  while (true) {
    const auto exchanged = files.exchange(temporary, file);
    if (exchanged) return true;
    if (!is_missing(exchanged)) return std::unexpected(exchanged.error());
    if (settling.wait()) continue;
    const auto renamed = files.rename_new(temporary, file);
    if (renamed) return false;
    if (renamed.error().code != ErrorCode::refused) return std::unexpected(renamed.error());
    settling = Settling(pause);  // it came back just now
  }
}

// A copy of what stands under the temporary's name, and its hash. Programs that save in place write on into what was displaced, so
// the copy is looked at again until it has kept still. What has no bytes to read (a folder, say) goes back as well. A copy that
// fails, on a full disk, say, is less urgent than to put it back.
std::string keep_copy_of_whole_save(const WriteFolder& folder, const WriteName& write, const path& temporary) {
  std::string copied = "unreadable";
  for (int looks = 0; looks < most_looks; ++looks) {
    const auto bytes = read_file(folder.vault().files(), temporary);
    if (!bytes) break;
    std::string hash = content_hash(*bytes);
    if (hash == copied) break;
    (void)keep_save_copy(folder, write, *bytes);
    copied = std::move(hash);
  }
  return copied;
}

// What was put back is looked at once more: the last bytes of a save may have come between the last look and the exchange.
void keep_copy_of_late_bytes(const WriteFolder& folder, const WriteName& write, const path& file, const std::string& put) {
  const auto bytes = read_file(folder.vault().files(), file);
  if (bytes && content_hash(*bytes) != put) (void)keep_save_copy(folder, write, *bytes);
}

}  // namespace

Result<std::string> hash_of_file(FileSystem& files, const path& file) {
  const auto bytes = TRY(read_file(files, file));
  return content_hash(bytes);
}

Result<std::string> put_back(const WriteFolder& folder, const WriteName& write, const path& file, std::string expected,
                             const Sleep& pause) {
  FileSystem& files = folder.vault().files();
  const path temporary = folder.file(format(write));
  for (int round = 0;; ++round) {
    std::string put = keep_copy_of_whole_save(folder, write, temporary);
    const auto exchanged = TRY(exchange_or_become(files, temporary, file, pause));
    if (!exchanged) return std::string();
    keep_copy_of_late_bytes(folder, write, file, put);
    auto out = hash_of_file(files, temporary);
    if (!out || *out == expected || round == most_rounds) return out;
    expected = std::move(put);
  }
}

}  // namespace loci
