// Answers of a model on disk until the run that asked for them ends, so that a kill never pays twice, and a rebuild goes on where
// it was stopped: <state folder>/answers/<hash of the request>.txt (0600). Whoever calls holds the consolidation lock.
#pragma once

#include <optional>

#include "model/language_model.h"
#include "vault/layout/vault.h"
#include "vault/purge/store.h"

namespace loci {

class KeptAnswers {
 public:
  explicit KeptAnswers(const Vault& vault) : vault_(vault) {}

  // Costs nothing: its tokens are 0.
  std::optional<ModelAnswer> find(const ModelRequest& request) const;
  Status keep(const ModelRequest& request, const ModelAnswer& answer) const;
  // It cannot be used: the same request is asked again.
  void drop(const ModelRequest& request) const;
  void drop_all() const;

 private:
  const Vault& vault_;
};

extern const Store answer_store;

}  // namespace loci
