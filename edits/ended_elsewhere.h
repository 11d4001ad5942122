// What the logs of all machines together say has ended, and stands in consolidated/ or MEMORY.md all the same: one machine forgot
// or corrected a fact while another one, which did not know, made an entry of it or showed that. Whichever machine sees both first
// takes it out, as forgetting the fact there would have (memory/removal.h). What it writes follows from the logs and the files
// alone, so that two machines which do it at once write the same.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "edits/edit_state.h"
#include "memory/memory.h"
#include "vault/logs/chronicle.h"

namespace loci {

// An entry of consolidated/ with a person's words that rests on a fact which was forgotten or corrected: theirs to decide about.
struct EditedRemainder {
  std::string id;
  std::string file;
  int line = 0;
};

struct EndedElsewhere {
  std::vector<std::string> entries;  // ids that ended, or left their file so that what else they rest on is folded anew
  std::vector<std::string> files;    // that were rewritten
};

// Nothing is written to the files of `open` questions. Call it when the files were understood; doing it again does nothing.
Result<EndedElsewhere> take_out_what_ended(Memory& memory, const std::vector<Question>& open);

// Of these entries those that were deleted or corrected and stand all the same, in words that no person wrote since, leave
// consolidated/ and MEMORY.md: their end and what still has them met only now. Nothing is written to the files of `open` questions.
Result<EndedElsewhere> take_out_after_end(Memory& memory, const std::set<std::string>& ids, const std::vector<Question>& open);

// Of these entries those that were taken back last, and went from consolidated/ with an end that was earlier and came later, stand
// there again. Call it before what came is understood: it would count as deleted by a person. The ids, and the files.
Result<EndedElsewhere> put_back_after_restore(Memory& memory, const std::set<std::string>& ids);

Result<std::vector<EditedRemainder>> edited_remainders(Memory& memory);

// A file in which this entry rests on what is left of `from`: what a person's word that it stays comes to.
Result<std::string> resting_on_what_stands(std::string_view bytes, const std::string& id, std::vector<std::string> from,
                                           const Chronicle& logs);

}  // namespace loci
