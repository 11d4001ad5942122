// What the logs of all machines say about changes in consolidated/ and MEMORY.md: whether loci itself, here or elsewhere, made
// them. loci's own writes are known by what they wrote, never by when.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "memory/vault_logs.h"

namespace loci {

// A run's list of what stands between the markers of MEMORY.md: {"gen":N,"run":…,"promoted":[{"ref":ID,"line_hash":…}]}.
struct Promotion {
  std::int64_t generation = 0;
  std::string run;
  std::map<std::string, std::string> lines;  // ref -> the hash of its line
};

// The promotions in a ledger's bytes, in their order; whatever is no promotion is skipped.
std::vector<Promotion> parse_promotions(std::string_view ledger);

class LogEvidence {
 public:
  static Result<LogEvidence> read(const Vault& vault);
  LogEvidence(VaultLogs logs, std::vector<Promotion> promotions);

  const VaultLogs& logs() const { return logs_; }

  // A consolidated entry: deleted or corrected by name, merged into another, gone with the run that wrote it, or left behind by a
  // rebuild of the ledger.
  bool explains_removal(const std::string& id) const;
  // The ledger says that this is what was written there last.
  bool explains_text(const std::string& id, const std::string& hash) const;
  // The entries that the latest run wrote.
  const std::set<std::string>& last_run() const { return last_run_; }

  // A promoted line: its entry is gone, or what it says was undone; it was demoted already, or promoted once and not the last time.
  bool explains_line_removal(const std::string& ref) const;
  // Some promotion wrote this line; an old one may come back with an editor's old buffer.
  bool explains_line(const std::string& ref, const std::string& hash) const;
  // The refs whose lines the latest promotion wrote anew.
  const std::set<std::string>& last_promoted() const { return last_promoted_; }

 private:
  void note(const LedgerEntry& line);

  VaultLogs logs_;
  std::vector<Promotion> promotions_;  // by generation
  std::set<std::string> removed_, merged_, rebuilt_, last_run_, last_promoted_;
  std::set<std::string> undone_, gone_with_undo_;   // whose latest line is `undone`
  std::map<std::string, std::string> latest_text_;  // entry -> the hash that was written last
};

}  // namespace loci
