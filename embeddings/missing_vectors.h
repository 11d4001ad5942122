// Makes the vectors that are missing: of the active entries, in batches, of each text once. What [privacy] never_send names is
// sent to nobody (memory/may_send.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "memory/memory.h"
#include "model/embedding_model.h"

namespace loci {

struct VectorCounts {
  std::int64_t entries = 0;  // active ones that were looked at
  std::int64_t with_vector = 0;
  std::int64_t kept_back = 0;  // may not be sent
  std::int64_t refused = 0;    // the server does not take them
  bool all_seen = false;       // else the pass has not come to the end
  bool limit_reached = false;  // of the tokens a day
  bool operator==(const VectorCounts&) const = default;
};

// One pass over all entries. What was made until it failed or was stopped stays. `counted` is told after every batch.
// ErrorCode::remote: the server, also where its vectors have another length than before: those are lost, and the next pass makes
// them anew. Others: the file of vectors, or the index.
Status make_missing_vectors(Memory& memory, EmbeddingModel& model, const std::stop_token& stop,
                            const std::function<void(const VectorCounts&)>& counted);

// Tokens of this day.
std::int64_t tokens_of_embeddings(const Vault& vault);

}  // namespace loci
