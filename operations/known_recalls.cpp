#include "operations/known_recalls.h"

#include "vault/logs/host_log.h"

namespace loci {

std::shared_ptr<const RecallCounts> KnownRecalls::of(const Vault& vault) {
  std::string logs =
      HostLog(vault, "recall").signature();  // before they are read: what is appended meanwhile makes it another state
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
