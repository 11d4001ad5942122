// How often each entry was retrieved, for the answers of a process that goes on: read from the vault's logs again only when one of
// them changed, which is about once a day and machine. Any thread.
#pragma once

#include <memory>
#include <string>

#include "base/synchronized.h"
#include "vault/logs/recall_log.h"

namespace loci {

class KnownRecalls {
 public:
  // As of the logs that stand there now; those of before, or null, if they cannot be read.
  std::shared_ptr<const RecallCounts> of(const Vault& vault);

 private:
  struct Known {
    std::string logs;  // names, sizes and times of what was read
    std::shared_ptr<const RecallCounts> counts;
  };
  Synchronized<Known> known_;
};

}  // namespace loci
