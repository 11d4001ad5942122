// What was found out about entries that had gone from their file of the archive, kept in the state folder for a day (verdicts/,
// vault/archive/day_log.h). Written by whoever holds the writer lock, but for mark_as_told(). If it is lost, an entry may come back
// that somebody took out on purpose.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "vault/layout/problem.h"
#include "vault/layout/vault.h"

namespace loci {

struct CameBack {
  std::string file;   // to which it was appended again
  std::string git;    // git_moves_around then
  std::string index;  // git_fingerprint_around then
  int times = 1;      // that it came back while git did not move
  bool is_told = false;
};

struct TailVerdict {
  bool is_meant = false;              // somebody took it out on purpose
  std::optional<CameBack> came_back;  // it was appended again, the last time
};

using TailVerdicts = std::map<std::string, TailVerdict, std::less<>>;  // by the entry's id

Result<TailVerdicts> read_tail_verdicts(const Vault& vault);

// It was taken out on purpose; or stands in its file again, so that another loss is another question.
Status note_as_meant(const Vault& vault, const std::vector<std::string>& ids, bool is_meant);
Status note_as_back(const Vault& vault, const std::vector<std::string>& ids, const CameBack& back);

// For `status`: which entries came back and nobody was told yet, one problem a file.
std::vector<Problem> entries_that_came_back(const Vault& vault);
// A person has seen them.
Status mark_as_told(const Vault& vault);

}  // namespace loci
