// What was said in one conversation and what is known of it: from the index, and from what this machine keeps beside the archive.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "capture/turn_state.h"
#include "memory/memory.h"

namespace loci {

// Without what was forgotten.
struct SaidTurn {
  std::int64_t number = 0;
  std::string user, assistant;         // one of them may be empty
  std::vector<std::string> users_own;  // texts of the user's that came by a road that counts: what a quote is looked for in
  std::optional<Instant> at;
  std::string project;
  bool is_private = false;     // one half may not be sent: in no prompt, as a whole
  bool is_unstored = false;    // words of it are not in the vault ([capture] turns = "summary"), and must not get there
  bool was_forgotten = false;  // a fact of it was deleted or corrected: it must not be taken down again
};

struct Conversation {
  std::string session;
  std::vector<SaidTurn> turns;     // whose words are known, by number
  std::vector<Entry> facts;        // active ones of this session
  std::vector<Entry> summaries;    // likewise, by turn
  std::int64_t summarised = -1;    // the last turn that a summary covers, a forgotten one too
  std::int64_t last_counted = -1;  // the highest number that was given out
  TurnState state;
};

// Brings the index up to date, and waits for it if somebody else is writing it. ErrorCode::not_found if nothing is known of the
// session.
Result<Conversation> read_conversation(Memory& memory, const std::string& session);

// Is all that was said in these turns still known as it was, and the summary that was shown beside them, if one was? Asked after a
// model has answered, before anything of it is stored: what was forgotten, edited or purged meanwhile must not come back.
Result<bool> still_stand(Memory& memory, const std::string& session, std::span<const SaidTurn> turns,
                         const Entry* summary = nullptr);

}  // namespace loci
