// What happened in a period, or was said in one conversation: its turns and summaries, window by window, then together. Without a
// model: the timeline, grouped by day and thread. Nothing is stored.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "memory/memory.h"
#include "model/language_model.h"

namespace loci {

struct DigestDay {
  std::string day;
  struct Thread {
    std::string session;  // empty: facts of the day
    std::vector<Entry> entries;
  };
  std::vector<Thread> threads;
};

struct Digest {
  std::string text;             // markdown
  std::vector<DigestDay> days;  // what it rests on
  bool by_model = false;
  std::int64_t calls = 0;
  TokenUse tokens;
  std::vector<std::string> notes;
};

struct DigestScope {
  std::optional<Instant> since = {}, until = {};  // [since, until)
  std::string session = {};                       // this conversation only
  bool is_for_agent = false;                      // what is private is left out of the timeline too, and nobody hears of it
};

// Of what the index knows. ErrorCode::remote if the model fails; the timeline needs none. What is private ([privacy] never_send) is
// in no prompt, and counted in the notes; of a turn both halves are. ErrorCode::not_found if there is no such session.
Result<Digest> make_digest(Memory& memory, LanguageModel* model, const DigestScope& scope, std::stop_token stop,
                           const ProgressCallback& progress = {});

}  // namespace loci
