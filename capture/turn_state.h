// What this machine keeps about conversations beside the archive: <state>/turns/<hash of the session>.jsonl, mode 0600. Turns that
// are counted and not stored; with [capture] turns = "summary" their words, until the session ends; and how far extraction is. It
// may be lost: then numbers go on from the archive, and what was extracted is shown to the model as known.
//
// The folder's lock keeps apart all processes that give out numbers or note what they extracted. It is held for moments, never
// while a model is asked.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/process_lock.h"
#include "base/result.h"
#include "memory/authority.h"
#include "vault/layout/vault.h"

namespace loci {

struct CountedTurn {
  std::int64_t number = 0;
  std::string message = {};  // hash of the caller's message id; empty if it had none
  bool has_words = false;
  std::string user = {}, assistant = {}, project = {};
  Actor told_by = Actor::person;  // an agent may say that the user said anything: no quote is looked for in that
  std::optional<Instant> at = {};

  bool operator==(const CountedTurn&) const = default;
};

struct TurnState {
  std::vector<CountedTurn> turns;    // in the order counted
  std::set<std::int64_t> extracted;  // [capture] extract = "turn" has looked at them
  std::int64_t gap_filled = -1;      // the last turn that a session's end has looked at

  bool operator==(const TurnState&) const = default;
};

path turn_folder(const Vault& vault);

// Without the lock: for whoever only reads. A missing file is an empty state; broken lines are skipped.
Result<TurnState> read_turn_state(const Vault& vault, const std::string& session);

class TurnFolder {
 public:
  // ErrorCode::locked if another process holds it for 10 s.
  static Result<TurnFolder> lock(const Vault& vault);

  Result<TurnState> read(const std::string& session) const { return read_turn_state(*vault_, session); }
  Status count(const std::string& session, const CountedTurn& turn) const;
  Status note_extracted(const std::string& session, std::int64_t turn) const;
  Status note_gap_filled(const std::string& session, std::int64_t last_turn) const;
  // The words of these turns leave the file, for good: they are summarised, or nobody may have them. They stay counted.
  Status drop_words(const std::string& session, const std::function<bool(std::int64_t turn)>& are_of) const;

 private:
  TurnFolder(const Vault& vault, ProcessLock lock) : vault_(&vault), lock_(std::move(lock)) {}
  Status append(const std::string& session, const Json& line) const;

  const Vault* vault_;
  ProcessLock lock_;
};

}  // namespace loci
