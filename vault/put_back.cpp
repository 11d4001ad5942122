#include "vault/put_back.h"

#include <utility>

#include "vault/save_copy.h"

namespace loci {
namespace {

// A program that saves faster than we look, for that long, is left alone: its last save but one is then what stands aside.
constexpr int most_rounds = 100;

bool is_missing(const Status& status) { return !status && status.error().code == ErrorCode::not_found; }

// False: the file was not there, and `temporary` has become it.
Result<bool> exchange_or_become(FileSystem& files, const path& temporary, const path& file, const Pause& pause) {
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

}  // namespace

Result<std::string> hash_of_file(FileSystem& files, const path& file) {
  const auto bytes = read_file(files, file);
  if (!bytes) return std::unexpected(bytes.error());
  return content_hash(*bytes);
}

Result<std::string> put_back(const WriteFolder& folder, const WriteName& write, const path& file, std::string expected,
                             const Pause& pause) {
  FileSystem& files = folder.vault().files();
  const path temporary = folder.file(format(write));
  std::string put = "unreadable";  // what has no bytes to read (a folder, say) goes back as well
  if (const auto bytes = read_file(files, temporary)) {
    put = content_hash(*bytes);
    (void)keep_save_copy(folder, write, *bytes);  // on a full disk, say, it is more urgent to put it back
  }
  for (int round = 0;; ++round) {
    const auto exchanged = exchange_or_become(files, temporary, file, pause);
    if (!exchanged) return std::unexpected(exchanged.error());
    if (!*exchanged) return std::string();
    const auto bytes = read_file(files, temporary);
    if (!bytes) return std::unexpected(bytes.error());
    std::string out = content_hash(*bytes);
    if (out == expected || round == most_rounds) return out;
    (void)keep_save_copy(folder, write, *bytes);
    expected = std::exchange(put, std::move(out));
  }
}

}  // namespace loci
