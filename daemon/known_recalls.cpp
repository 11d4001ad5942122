#include "daemon/known_recalls.h"

#include <sys/stat.h>

#include <set>

namespace loci {
namespace {

std::string state_of_logs(const Vault& vault) {
  std::set<std::string> lines;
  std::error_code ignored;  // no folder: nothing was folded yet
  for (const auto& item : std::filesystem::directory_iterator(vault.dot_loci() / "recall", ignored)) {
    struct stat info{};
    if (::stat(item.path().c_str(), &info) != 0) continue;
    lines.insert(item.path().filename().string() + ' ' + std::to_string(info.st_ino) + ' ' + std::to_string(info.st_size) + ' ' +
                 std::to_string(info.st_mtim.tv_sec) + '.' + std::to_string(info.st_mtim.tv_nsec) + '\n');
  }
  std::string all;
  for (const std::string& line : lines) all += line;
  return all;
}

}  // namespace

std::shared_ptr<const RecallCounts> KnownRecalls::of(const Vault& vault) {
  std::string logs = state_of_logs(vault);  // before they are read: what is appended meanwhile makes it another state
  return known_.with([&](Known& known) {
    if (known.counts && known.logs == logs) return known.counts;
    if (auto read = read_recall_counts(vault)) {
      known.logs = std::move(logs);
      known.counts = std::make_shared<const RecallCounts>(std::move(*read));
    }
    return known.counts;
  });
}

}  // namespace loci
