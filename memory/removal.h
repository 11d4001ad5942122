// What goes when something is forgotten or corrected, besides what was named: every text that says the same, and what loci had made
// of the facts that go. The vault and its index; one thread.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "memory/file_changes.h"
#include "memory/memory.h"
#include "vault/logs/chronicle.h"

namespace loci {

// The tombstone of an entry, with both hashes of its text. `at`, `by` and `superseded_by` are the caller's.
Tombstone tombstone_for(const Entry& entry, Tombstone::Reason reason, Instant at, std::string by, std::string superseded_by = {});

// A person has given it other words, and not only other marks, than loci had: it says nothing of what it was made of.
Result<bool> says_otherwise(const Vault& vault, Entry entry);

// The tombstones of facts that go along with what `named` ends, and of those that say the same in the archive and stand in no entry
// yet: one that another entry rests on is that entry's. A fact with other words than that goes by its id alone: who says them
// elsewhere, in a note or in a copy, still says them. `Equals::stay`: what says the same is left alone.
enum class Equals : std::uint8_t { end, stay };
Result<std::vector<Tombstone>> ends_of_facts(Memory& memory, const std::vector<std::string>& facts, const Tombstone& named,
                                             const std::string& superseded_by = {}, Equals equals = Equals::end);

// Other entries with the same text, or one that differs in marks only. Not those of consolidated/ that rest on facts: their facts
// decide about them.
Result<std::vector<Entry>> equal_entries(Memory& memory, const Entry& entry);

// Facts that a run filed of the words that a person gave this entry of consolidated/, and that it could not settle because it was
// cut off: they go where the entry goes, whatever it says by now.
Result<std::vector<Entry>> filed_and_not_settled(Memory& memory, const std::string& entry_id);

// The ids of the facts that an entry of consolidated/ was made of: `from`, which it names itself, those of other entries that were
// merged into it, but for what a person has split off again, and those filed and not settled.
Result<std::vector<std::string>> facts_of_entry(Memory& memory, const Chronicle& chronicle, const std::string& id,
                                                const std::vector<std::string>& from);
// Of these, the facts of entries that were merged into it, but for those on which an entry rests that stands again.
Result<std::vector<std::string>> facts_merged_into(Memory& memory, const Chronicle& chronicle, const std::string& id);
// The same of any entry: what rests on nothing names none, and one with a person's words none that another entry holds by now.
Result<std::vector<std::string>> facts_of_entry(Memory& memory, const Chronicle& chronicle, const Entry& entry);

// A fact has an entry of its own again, or never lost it: what it had been merged into, `home`, tells nothing of it.
Result<bool> stands_by_itself(Memory& memory, const std::string& fact, const std::string& home = {});

// The facts that had gone into an entry of consolidated/ when a person's words in it were filed as this one, or as one that it
// corrects: it overruled them, and what those had overruled, and they do not come back when it goes, wherever they rest by now.
Result<std::set<std::string>> facts_overruled_by(Memory& memory, const Chronicle& chronicle, const Entry& fact);
// Of these, those that have no entry of their own: they end with the fact.
Result<std::vector<std::string>> facts_that_end_with(Memory& memory, const Chronicle& chronicle, const Entry& fact);
// These facts, and all that end with them.
Result<std::vector<std::string>> with_overruled(Memory& memory, const Chronicle& chronicle, std::vector<std::string> facts);

// The consolidated entries that facts were folded into. What becomes of them when the facts go:
struct FoldedEntries {
  std::vector<Entry> gone;             // rests on nothing else: it goes with them
  std::vector<Entry> apart;            // rests on others too: it leaves its file, and the others are pending again
  std::vector<Entry> kept;             // a person's words, or those of a fact that stays: it stays, and rests on the others
  std::vector<std::string> overtaken;  // facts filed of a person's words that those of `gone` and `apart` do not say any more

  bool empty() const { return gone.empty() && apart.empty() && kept.empty(); }
};
// `facts`: the ids that go. An entry whose own id is among them is not listed.
Result<FoldedEntries> folded_entries(Memory& memory, const std::set<std::string>& facts);

// The lines that let go of the facts that these entries rest on besides `facts`: they are pending again.
Result<std::vector<LedgerEntry>> lines_that_let_go(Memory& memory, const Chronicle& chronicle, const std::vector<Entry>& entries,
                                                   const std::set<std::string>& facts, const std::string& run,
                                                   const std::string& why);

// The moment for new lines of the ledger: now, or just behind the latest of those in the logs.
Instant next_ledger_time(const Vault& vault, const Chronicle& chronicle);

// Plans to take `facts` out of what an entry rests on, in its file, and to put `instead` there, if it is not empty.
Status rest_on_others(DecidedChanges& changes, const Entry& entry, const std::set<std::string>& facts,
                      const std::string& instead = {});

}  // namespace loci
