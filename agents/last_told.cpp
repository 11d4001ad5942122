#include "agents/last_told.h"

#include <sys/file.h>
#include <unistd.h>

#include <initializer_list>

#include "base/hash.h"
#include "base/leftovers.h"

namespace loci {
namespace {

constexpr std::chrono::hours keep_told{24};

constexpr const char* folder_name = "claims";

std::string hash_of(std::initializer_list<std::string_view> words) {
  std::string all;
  for (const std::string_view word : words) (all += word) += '\0';
  return hex(as_bytes(sha256(all)), 32);
}

// Whether the file says something else. From then on it says this. True if it cannot be read.
bool exchange(FileSystem& files, const path& file, const std::string& told) {
  const auto fd = files.open(file, O_RDWR | O_CREAT);
  if (!fd || ::flock(fd->get(), LOCK_EX) != 0) return true;
  const auto before = files.read_all(*fd, file, told.size());
  if (before && *before == told) return false;
  if (::lseek(fd->get(), 0, SEEK_SET) == 0) (void)files.write_once(*fd, told, file);
  return true;
}

}  // namespace

bool is_told_first(const path& state_home, FileSystem& files, const HookInput& input) {
  const path folder = state_home / "loci" / folder_name;
  if (!make_folders(files, folder)) return true;
  const std::string_view event = name_of(input.event), words = input.event == HookEvent::stop ? input.answer : input.prompt;
  const bool differs = exchange(files, folder / hash_of({input.session}), hash_of({event, input.message, input.source, words}));
  if (input.message.empty()) return differs;
  return exchange(files, folder / hash_of({input.session, event, input.message}), hash_of({words}));
}

void prune_last_told(const Vault& vault) { remove_older(vault.state_folder().parent_path() / folder_name, keep_told); }

}  // namespace loci
