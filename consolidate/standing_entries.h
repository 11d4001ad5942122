// The entries of consolidated/ as the files have them now, by id, and what the record of a run says about them. Reads the files
// themselves: after a crash the index may be behind. One thread.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "consolidate/run_record.h"
#include "parser/parser.h"
#include "vault/layout/vault.h"

namespace loci {

class StandingEntries {
 public:
  // Only the files that the record names, those among them whose bytes the run left as they were.
  static Result<StandingEntries> read(const Vault& vault, const RunRecord& record);

  // Null if it is not in the file.
  const ParsedEntry* find(const std::string& file, const std::string& id) const;
  // None if there is no such file.
  const std::optional<std::string>& bytes(const std::string& file) const { return files_.at(file).bytes; }

  // What the run wrote stands there: its file is as the run left it, or, if somebody saved it since, this entry is.
  bool stands_as_after(const EntryRecord& entry) const;
  // It is what it was before the run.
  bool stands_as_before(const EntryRecord& entry) const;

 private:
  struct File {
    std::optional<std::string> bytes;
    ParsedFile parsed;
    std::map<std::string, const ParsedEntry*, std::less<>> ids;
    bool as_after = false;
  };

  Status take_in(const Vault& vault, const std::string& name, const std::string& after);
  std::string markdown_of(const EntryRecord& entry) const;

  std::map<std::string, File> files_;
};

}  // namespace loci
