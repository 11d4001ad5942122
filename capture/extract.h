// Facts out of conversations, by a model: declarative, with absolute dates, the nearest known facts shown so that they are not
// repeated. Appended with source `agent`, a stated correction with source `correction`. A turn whose fact was forgotten is not
// extracted again.
//
// A model is asked without any lock held. What it answers is checked as a whole: one part that is not as it was asked for, and
// nothing of it is stored (ErrorCode::remote). It may be asked again then.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "capture/run_step.h"
#include "capture/turn.h"
#include "model/language_model.h"

namespace loci {

struct Extracted {
  std::vector<Appended> facts;
  TokenUse tokens;
  std::vector<std::string> notes;
};

// Is something to be extracted from a turn that was just stored? By [capture] extract.
//
// `turn`: by whoever stored it, if it was new. `auto`: by a daemon, while a model is configured and capturing has not spent half of
// the day's tokens; else the end of the session looks at the turn.
bool wants_extraction(const Vault& vault, const StoredTurn& stored);

// Of one turn that has just been stored ([capture] extract = "turn"). Once a turn: again, it finds nothing. Private text ([privacy]
// never_send) is not sent.
Result<Extracted> extract_from_turn(Memory& memory, LanguageModel& model, const std::string& session, std::int64_t turn,
                                    std::stop_token stop, const RunStep& run_step = {});

struct EndedSession {
  Extracted gap_fill;             // corrections, preferences and facts of the user that no entry of this session covers
  std::vector<Appended> summary;  // one session-summary in L2, or none if there is nothing new
  TokenUse tokens;                // of the summary alone
  std::vector<std::string> notes;
  Searchable searchable;
};

// `model` may be null: then nothing is extracted, and the summary is a timeline made by rule. Running it again with no new turn
// adds nothing. ErrorCode::not_found if there is no such session; ErrorCode::remote if the model fails: what is missing then is
// made when the session is ended again.
//
// With [capture] turns = "summary" the words that were kept for it are removed once the summary stands; with "off" there is nothing
// to summarise. With extract = "off" only the summary is made.
Result<EndedSession> end_session(Memory& memory, LanguageModel* model, const std::string& session, std::stop_token stop,
                                 const RunStep& run_step = {});

}  // namespace loci
