// The daemon of one vault: it opens the parts, joins them, runs a thread for each, and takes them down again.
//
// Threads: watch (the watcher's events), index (IndexLoop), write (WriteQueue and what has to be done from time to time), serve
// (the HTTP server's own), consolidate (ConsolidateLoop), sync (SyncLoop), embeddings (EmbeddingLoop, where they are on), and the
// caller's, which waits for signals and keeps the heartbeat.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/result.h"
#include "daemon/opened_vault.h"
#include "daemon/service_manager.h"
#include "daemon/signals.h"
#include "vault/layout/environment.h"
#include "vault/layout/problem.h"

namespace loci {

struct ServiceOptions {
  path root;
  Environment environment;
  FileSystem& files;
  const Clock& clock;
  ServiceManager& manager;
  std::chrono::milliseconds heartbeat{120'000};
  std::chrono::milliseconds heartbeat_grace{5'000};  // within it every loop answers, and the watcher's canary comes through
  std::optional<OpenedVault> opened = std::nullopt;  // with the settings that shall count; none: what the root says now
};

class Service {
 public:
  // Lock, index, watcher, socket, in this order; threads run when it returns. ErrorCode::locked says who keeps the vault already.
  static Result<std::unique_ptr<Service>> start(ServiceOptions options);
  // Stops everything in under 5 s, whatever is going on.
  ~Service();

  enum class End : std::uint8_t { stopped, reload };  // reload: SIGHUP, or settings changed
  // Until a signal comes or a reload is wanted.
  End run(Signals& signals);

  // Goes on with the settings that it has, and says so in its status.
  void keep_settings(Problem why);

  path socket() const;
  std::uint16_t tcp_port() const;

 private:
  struct Impl;
  explicit Service(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace loci
