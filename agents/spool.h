// What hooks have to store, until somebody has the time: <state>/spool/, a file of mode 0600 each, or where the state folder takes
// nothing .loci/spool/ of the vault. A hook only enqueues, because its agent waits for it; the daemon, or the next process that
// opens the vault, puts it into the archive. Doing so twice changes nothing, so a file goes away only when all of it is done.
//
// Any thread and process may enqueue; of those that drain, one at a time does.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "capture/turn.h"
#include "memory/memory.h"

namespace loci {

// Durable when it returns.
Status enqueue_turn(const Vault& vault, const TurnInput& turn);

// An answer that came before its prompt, which it names: it waits until a hook has noted that one, and goes where the user said
// that nothing of the turn is stored. After an hour nobody asked.
Status enqueue_answer(const Vault& vault, const TurnInput& turn);

// What was stored under the id of this prompt goes: told again, it asks for no memory.
Status enqueue_forgetting(const Vault& vault, const TurnInput& turn);

// The summary of a conversation is due; asked for twice it is made once.
Status enqueue_session_end(const Vault& vault, const std::string& session);
Status finish_session_end(const Vault& vault, const std::string& session);    // it was made
Status postpone_session_end(const Vault& vault, const std::string& session);  // it could not be made: in an hour again

// How many wait. Reads one folder.
size_t count_spooled(const Vault& vault);

struct SpoolActions {
  std::function<void(Memory&, const StoredTurn&)> stored = {};  // after each new turn
  // The summary of a conversation is due. Whoever is told finishes or postpones it, now or later. Empty: it stays for somebody
  // else.
  std::function<void(Memory&, const std::string& session)> ended = {};
};

// In the order in which it was enqueued, until nothing is left. What fails stays, with all that its session said later, and the
// first error says why; other sessions do not wait for it. What can never be stored (its file is broken, say) is dropped.
// ErrorCode::locked if another process drains for longer than `patience`.
Status drain_spool(Memory& memory, const SpoolActions& actions, std::chrono::milliseconds patience);

}  // namespace loci
