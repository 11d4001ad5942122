// What a correction put in the place of ids that count again, gives way to them: by its id alone, so that an equal text of another
// entry stays. What else it rested on is pending again. Words that a person wrote over it since stay, and are named. The vault and
// its index; one thread.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "memory/memory.h"
#include "vault/logs/chronicle.h"

namespace loci {

// The ids that stand at the ends of the chains of corrections which begin at `restored` (their tombstones), each with the one of
// these that it gives way to.
std::map<std::string, std::string> successors_of(const Chronicle& chronicle, const std::vector<Tombstone>& restored);

class SuccessorRemoval {
 public:
  SuccessorRemoval(Memory& memory, const Chronicle& chronicle) : memory_(memory), chronicle_(chronicle) {}

  // Finds out what gives way. Writes nothing. `back`: the ids of the entries that are put back into files; one that has kept its id
  // through the correction changes its text, and does not end.
  Status plan(const std::vector<Tombstone>& restored, std::set<std::string> back);

  const std::vector<std::string>& ids() const { return ids_; }   // that end
  const std::set<std::string>& facts() const { return facts_; }  // of the archive, that end
  const std::vector<Entry>& kept() const { return kept_; }       // a person's words by now
  // What leaves the files that loci rewrites: all that ends there, and what leaves its place to this id.
  std::vector<Entry> leaving() const;
  std::vector<Entry> instead_of(const std::string& restored) const;

  Result<std::vector<Tombstone>> tombstones(Instant at) const;
  // That let go of the other facts of what leaves its file.
  Result<std::vector<LedgerEntry>> lines(const std::string& run) const;

 private:
  Status add(const std::string& id, const std::string& to);
  Status add_filed(const std::vector<std::string>& facts, const std::string& to);
  Status add_what_was_made_of_facts();
  void end(const std::string& id, const std::string& to);

  Memory& memory_;
  const Chronicle& chronicle_;
  std::set<std::string> back_;
  std::set<std::string> chain_;                      // what was restored, and every correction of it
  std::map<std::string, std::string> gives_way_to_;  // an id -> one that was restored
  std::vector<std::string> ids_;
  std::set<std::string> facts_;
  std::vector<Entry> leaving_, apart_, kept_;
};

}  // namespace loci
