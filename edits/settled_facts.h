// What becomes of the facts of an entry of consolidated/ when a person gives it other words, takes them back, or makes one of it
// and another one. Durable when a function returns; each may be called again after a failure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "edits/edit_state.h"
#include "edits/seen_file.h"
#include "memory/memory.h"
#include "vault/logs/chronicle.h"

namespace loci {

// A person's words in an entry that is missing now. What the entry was made of says what it said before, and would be found again:
// the words become a fact of the archive that overrules it, settled in the entry, as a run files them in one that stands. Returns
// the fact's id; empty if these are loci's words, or nothing was ever folded into the entry. `version`: the bytes that it stood in.
Result<std::string> file_missing_words(Memory& memory, std::string_view version, const SeenEntry& entry);

// The facts that went into an entry since it was `before` are pending again: a person's text, `now`, stands there.
Status let_go_of_facts(Memory& memory, const SeenEntry& written, const SeenEntry& before, const SeenEntry& now);

// A fact of the entry, which stands, went where a person had merged it into, or was let go of with it, by an undo say, and it has a
// person's words by now: they stand for what it was made of. With loci's own words a run settles it again.
bool stands_again(const Chronicle& logs, const SeenEntry& entry);

struct StandsAgain {
  SeenEntry before, now;
};
// The facts that went into an entry when it was `before`, and that an undo let go of with it, or a person merged with it into
// another one, are settled there again: it stands, and says `now`.
Status settle_facts_again(Memory& memory, const std::vector<StandsAgain>& entries);

// An entry says again what it said before a run filed the words of a person's that were in it: that fact ends, and neither a
// rebuild nor what becomes of the entry brings those words back. Not what it rests on otherwise.
Status take_words_back(Memory& memory, const SeenEntry& before, const SeenEntry& now);

// Entries that stand nowhere: their facts are pending again.
Status let_go_of_missing(const Vault& vault, const std::vector<Absence>& entries);

}  // namespace loci
