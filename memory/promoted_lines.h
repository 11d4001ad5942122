// The lines of MEMORY.md's core that loci wrote, in step with the entries that they show. Whoever changed an entry calls it at the
// end, when the index has looked at the files; it looks at all lines, so that what nobody saw (an edit by hand, another machine's
// correction) is made up for by whoever writes next.
//
// A line is loci's own if it says what the latest promotion of its ref wrote. Any other wording is a person's, and stays: only its
// ref follows, where the successor of its entry says the very same. A line of loci's own
//
//   - says what its entry says now, at its old place, if that was changed: a shortened wording goes with the text that it
//   shortened;
//   - shows what took its entry's place: a correction, an agent's update, the entry that it was merged into;
//   - goes if its entry went, may not be sent to a model any more, or does not fit (characters of a line, of the prompt).
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "memory/memory.h"
#include "vault/logs/chronicle.h"

namespace loci {

inline constexpr size_t longest_core_line = 400;  // characters; what is longer would push the rest out of the prompt

// Whether an entry's text, as one line, can be shown in the core.
bool fits_core_line(const std::string& ref, const std::string& line);

// The ref, and those that its line had after it, one rewording after the other, as far as machines agree, or because its entry
// gave way to one that says the same. `reworded`: entries that gave way to what a person made of their lines.
std::vector<std::string> refs_of_line(const Chronicle& logs, const std::set<std::string>& reworded, const std::string& ref);

struct LinesToFollow {
  std::vector<std::string> changed = {};  // entries that a command changed: their text counts however much of the file differs
  std::vector<std::string> back = {};     // entries that get a line again, if there is room
  std::vector<std::string> ended =
      {};  // entries that a command ended: what took their place, and stands in no file, is not on its way
  // Entries that gave way to what a person made of their lines there: whatever such a line says now, they have saved it since.
  // Asked only if something is out of step; null: none is known.
  std::function<Result<std::set<std::string>>()> reworded = {};
  std::string run = {};  // whose promotion this is; empty: no run's
  // Of git_moves_around(), when it was found that the vault is on its branch: if git has gone elsewhere since, nothing is written,
  // as that would be in the way back. Empty: it does not matter.
  std::string git_moves = {};
};

// True if MEMORY.md was rewritten; the index has been asked to look at it then. A vault without MEMORY.md, or with markers that are
// not in order, has no lines. Fails like commit() of files first, and as reading the index and the logs does.
Result<bool> bring_lines_in_step(Memory& memory, const LinesToFollow& follow = {});

// The same for an operation that did its work whatever becomes of the core: a failure is a note to the person, a rewritten core one
// of the files.
void bring_lines_in_step(Memory& memory, const LinesToFollow& follow, std::vector<std::string>& files,
                         std::vector<std::string>& notes);

}  // namespace loci
