// From clusters to what may be done about them: a model decides, code checks, a model reads what passed, and what failed goes back
// once with its reasons. Several clusters share a second reading and a mending. One thread; asks the model and writes nothing.
#pragma once

#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "consolidate/decide/clusters.h"
#include "consolidate/decide/decide_prompt.h"
#include "consolidate/decide/operations.h"
#include "consolidate/decide/second_reading.h"
#include "consolidate/model_account.h"

namespace loci {

// What came of a cluster. Facts that stand in none of the three stay pending, and nothing counts against them: a call failed.
struct Deliberated {
  Cluster cluster;
  Decision decision;                      // what may be done
  std::vector<size_t> failed;             // facts of agents that failed twice
  std::vector<RefusedOperation> refused;  // every one, also what was mended
  std::optional<Error> failure;           // of a call, or of an answer that is none
  std::int64_t decided = 0;               // operations that the model answered, with those of a mending
};

// What nothing could be done about, of `facts`: a person's is kept word for word beside everything else, an agent's has failed.
void keep_word_for_word(Deliberated& deliberated, const std::vector<size_t>& facts, const Material& material);

class Deliberation {
 public:
  struct Settings {
    bool verify = true;  // [consolidation] verify
    std::string today;   // "2026-11-20"
  };
  // All have to outlive it.
  Deliberation(const Material& material, ModelAccount& account, Settings settings, std::stop_token stop)
      : material_(material), account_(account), settings_(std::move(settings)), stop_(stop) {}

  // Asks about more clusters, in one call. What comes is one decision about all of them; if no answer can be used, the
  // halves are asked about by themselves.
  void decide(const std::vector<Cluster>& clusters);
  // Enough for a call of the second reading.
  bool is_full() const;
  // Reads, mends and reads again; then it is empty. What a person said and failed twice is kept word for word.
  std::vector<Deliberated> conclude();

 private:
  struct Open {
    Deliberated result;
    size_t known = 0;                       // operations of the decision that were read, or need not be
    std::vector<size_t> again;              // facts to decide about once more
    std::vector<RefusedOperation> reasons;  // for that
  };

  Result<Decision> ask(ModelRequest request, const Cluster& cluster);
  void check(Open& open, const Decision& decision);
  void refuse(Open& open, const Decision& decision, const Violations& violations);
  void read_what_is_new();
  std::optional<Violations> read(const std::vector<OperationToRead>& portion, std::string& why_not);
  std::vector<std::vector<size_t>> portions_to_mend() const;
  void mend_together(const std::vector<size_t>& portion);

  const Material& material_;
  ModelAccount& account_;
  const Settings settings_;
  std::stop_token stop_;
  std::vector<Open> open_;
};

}  // namespace loci
