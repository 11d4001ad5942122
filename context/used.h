// Which memories an answer was given: read from the log of what was retrieved (vault/logs/recall_log.h), as far back as that is
// kept. One thread; fails as reading the log and the index does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "context/message_block.h"

namespace loci {

struct UsedTurn {
  std::string session;
  std::optional<std::int64_t> turn;
  std::string at;  // RFC 3339
  std::vector<GivenEntry> given;
  std::vector<CutEntry> cut;
};

// Of a session, of one of its turns if `turn` says so; oldest first. Without a session: of the only one that was active within the
// hour, and ErrorCode::usage if there are several or none.
Result<std::vector<UsedTurn>> used(Memory& memory, std::string session, std::optional<std::int64_t> turn);

// {"v":1,"turns":[{"session","turn","at","given":[{"id","file","line"}],"cut":[{"id","why"}]}]}
Json used_to_json(const std::vector<UsedTurn>& turns);

Json given_to_json(const std::vector<GivenEntry>& given);
Json cut_to_json(const std::vector<CutEntry>& cut);

}  // namespace loci
