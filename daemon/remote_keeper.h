// A daemon's index as a command sees it: over the vault's socket. Any thread.
#pragma once

#include "base/json.h"
#include "memory/index_keeper.h"
#include "vault/layout/environment.h"
#include "vault/layout/vault.h"

namespace loci {

class RemoteKeeper final : public IndexKeeper {
 public:
  explicit RemoteKeeper(path socket) : socket_(std::move(socket)) {}

  Result<ReconcileReport> take_in(const std::vector<std::string>& written, std::chrono::milliseconds patience) override;
  Status wait_until_clean(std::chrono::milliseconds patience) override;
  Result<ReconcileReport> reindex(bool clear, const ProgressCallback& progress) override;
  Result<Freshness> freshness() override;
  bool holds_lock() const override { return false; }

  // The status shape of the daemon, after waiting for everything that was saved before the call if `wait` says how long at most.
  // ErrorCode::not_found if no daemon listens.
  Result<Json> status(std::optional<std::chrono::milliseconds> wait = std::nullopt);

 private:
  Status is_alive() const;

  path socket_;
};

// The "index" part of a status shape.
Freshness freshness_from(const Json& status);

}  // namespace loci
