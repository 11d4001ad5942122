// When nothing is to be remembered: `loci pause`, of one conversation or of all, and #nomemory in a prompt. Whoever stores a turn,
// gives context to an agent, or takes turns in from elsewhere asks here.
//
// Pauses stand in .loci/pauses/<host>.jsonl, for good: a transcript that is imported years later must not bring back what was said
// in one. They hold on every machine that has that log. Messages that are private by themselves are noted in
// <state>/turns/private.jsonl, by a hash: the answer comes later, and alone. Any thread; fails as reading and writing files does.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "vault/layout/vault.h"
#include "vault/purge/store.h"

namespace loci {

struct Pause {
  Instant from;
  std::optional<Instant> until;  // none: until it is ended
  std::string session;           // empty: all conversations
};

// All that ever were, in the order in which they began.
Result<std::vector<Pause>> read_pauses(const Vault& vault);

// The pause that this moment of the session falls into, the one that ends last; null if there is none. An empty session is in none
// but those of all.
const Pause* pause_at(const std::vector<Pause>& pauses, std::string_view session, Instant at);

// From now on, for so long. A longer pause that stands already stays.
Status begin_pause(const Vault& vault, const std::string& session, std::optional<std::chrono::milliseconds> length);
// Ends those of one session, or, with none named, all. False: there was none.
Result<bool> end_pause(const Vault& vault, const std::string& session);

// Does the prompt say #nomemory, as a word of its own?
bool asks_for_no_memory(std::string_view prompt);

Status note_private_message(const Vault& vault, const std::string& session, const std::string& message);
bool is_private_message(const Vault& vault, const std::string& session, const std::string& message);

// Is what was said then in this session, as this message, not to be remembered? The texts may be empty.
Result<bool> is_not_to_be_remembered(const Vault& vault, const std::string& session, const std::string& message,
                                     std::string_view prompt, Instant at);

extern const Store pause_store;

}  // namespace loci
