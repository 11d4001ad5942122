// What a save can mean: the version that it was made from, what differs from that, and, of an old buffer, what both say together.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "edits/acts.h"
#include "edits/earlier_names.h"
#include "edits/edit_context.h"
#include "edits/saves.h"

namespace loci {

using Wording = std::pair<std::string, std::string>;  // an entry's id, or a line's ref, and the hash of its text

struct SaveMeaning {
  SaveReading reading;
  Version base;
  // With the bytes of now: what an old buffer lacked is lacking where loci has written over it since, too.
  Save standing;
  std::optional<std::string> joined;  // with what loci wrote since an old buffer was opened
  std::optional<Error> apart;         // why these two cannot be put together
  bool waits = false;                 // nothing is known as long as git is writing
  std::vector<Change> by_words = {};  // left the file, and only their words stand somewhere
  EarlierNames names = {};            // of the save, which have another one by now
  std::set<Wording> heard_of = {};    // if the save equals an older version: all that stood in that one, or before
};

// Those of `entries` whose ids are among `ids`, which stand elsewhere: by their words only, and no comment names them.
std::vector<Change> left_by_words(EditContext& context, std::span<const SeenEntry> entries, const std::set<std::string>& ids);

// None: all versions were purged, or are lost. Then it is as if the file were seen for the first time. `was_asked`: about the file
// as a whole; then everything that differs from what stood before stays in question.
Result<std::optional<SaveMeaning>> meaning_of(EditContext& context, const std::string& file, const Save& save, bool was_asked);

// The newest version with what the logs account for: another machine's loci did that, and a buffer that was opened before lacks it.
// None: nothing has come of which they tell.
Result<std::optional<std::string>> work_of_others(EditContext& context, const std::string& file, const Save& save,
                                                  const SaveMeaning& meaning);

// The same of a file that is about to be written over before it is understood, if nobody did anything else to it.
Status note_work_of_others(const Vault& vault, const std::string& file, const Chronicle& logs);

}  // namespace loci
