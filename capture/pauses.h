// When nothing is to be remembered: `loci pause`, of one conversation or of all, and #nomemory in a prompt, which pauses its
// conversation until the turn is over. Whoever stores a turn, gives context to an agent, lets one write, or takes turns in from
// elsewhere asks here.
//
// Pauses stand in .loci/pauses/<host>.jsonl, for good: a transcript that is imported years later must not bring back what was said
// in one. They hold on every machine that has that log. Messages that are not to be remembered are noted beside that
// (capture/private_messages.h): the answer comes later, and alone. Any thread; fails as reading and writing files does.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "capture/private_messages.h"
#include "memory/authority.h"
#include "memory/exported_entry.h"
#include "vault/layout/vault.h"
#include "vault/purge/store.h"

namespace loci {

struct Pause {
  Instant from;
  std::optional<Instant> until = {};  // none: until it is ended
  std::string session = {};           // empty: all conversations
  bool is_ended = false;              // somebody ended it
  bool is_turn = false;               // of one turn, as its prompt asked
  std::string message = {};           // of a turn: a hash of the session and the prompt's id; empty in logs of earlier versions
};

// All that ever were, in the order in which they began. On one machine an end is one of what was begun before it, whatever the
// clock said.
Result<std::vector<Pause>> read_pauses(const Vault& vault);

// Does it hold at that moment, as is known by now? One that begins later than now was begun before the clock was set back: it holds
// until it is ended.
bool covers(const Pause& pause, Instant at, Instant now);

// The pause that this moment of the session falls into, the one that ends last; null if there is none. An empty session is in none
// but those of all. Those of a turn are left out: of other turns something may be said meanwhile.
const Pause* pause_at(const std::vector<Pause>& pauses, std::string_view session, Instant at, Instant now);

// From now on, for so long. A longer pause that stands already stays.
Status begin_pause(const Vault& vault, const std::string& session, std::optional<std::chrono::milliseconds> length);
// Ends those of one session, or, with none named, all. False: there was none.
Result<bool> end_pause(const Vault& vault, const std::string& session);

// Of a turn whose prompt asks for no memory, told by its message: until its agent tells that this turn is over, or goes on to
// another. Of an agent that died in the middle, for a day. Begun twice it is one, also after its end: a hook may come late.
Status begin_turn_pause(const Vault& vault, const std::string& session, const std::string& message);
Status end_turn_pause(const Vault& vault, const std::string& session, const std::string& message);
// Those of all turns of the session but this one; with an empty message, of all.
Status end_other_turn_pauses(const Vault& vault, const std::string& session, const std::string& message);

// Does the prompt say #nomemory, as a word of its own, whatever its case?
bool asks_for_no_memory(std::string_view as_written);

// Whether the actor may write something down now: what a person wants kept out of the memory for a while, an agent does not write
// down either. ErrorCode::refused in a pause, of the session or of all; without a session, and with one of which nothing was ever
// said here, in any: it may be the paused one's.
Status check_no_pause(const Vault& vault, Actor actor, const std::string& session);

// What is asked of a memory is said, too: whether a log may hold that an agent, or somebody in its shell, asked this.
bool may_be_noted(const Vault& vault, const std::string& session, std::string_view question);

// What is not to be remembered, as it was noted when it was read: for many questions.
class KeptOut {
 public:
  static Result<KeptOut> read(const Vault& vault);

  // Is what was said then in this session, as this message, not to be remembered? The texts may be empty, the time unknown.
  bool has(const std::string& session, const std::string& message, std::string_view prompt, std::optional<Instant> at) const;
  // Of what was said at another time, under whatever session's name: is it a message that was kept out, told by its words and its
  // time? A copy of a conversation may have new ids. The same words at another time are another message.
  bool was_kept_out(std::string_view prompt, Instant at) const;

 private:
  Instant now_;  // when they were read
  std::vector<Pause> pauses_;
  PrivateMessages messages_;
};
Result<bool> is_not_to_be_remembered(const Vault& vault, const std::string& session, const std::string& message,
                                     std::string_view prompt, Instant at);

// The ids of those that an import must leave out: what was said in a conversation while it was not to be remembered, or in a turn
// whose user asked for that, with what was made of it.
Result<std::set<std::string>> ids_kept_out(const Vault& vault, const std::vector<ExportedEntry>& entries);

extern const Store pause_store;

}  // namespace loci
