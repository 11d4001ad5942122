// What one time of understanding works with: what the logs, git and the files say, each read once, and what was found out so far.
// Lives as long as the lock on the state is held. One thread.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>

#include "edits/edit_state.h"
#include "edits/evidence.h"
#include "edits/other_places.h"
#include "edits/present_files.h"
#include "edits/understand.h"

namespace loci {

class EditContext {
 public:
  // `git_marks`: of git_fingerprint_around(), from before `git` was asked for.
  EditContext(Memory& memory_of_vault, EditState& state_before, const GitStand& git, std::string git_marks);

  // Asks the index, too, which has to know the files as they are: it is brought up to date first.
  OtherPlaces& other_places();
  bool is_under_git() const { return !git_marks_.empty(); }
  void other_places_changed() { other_places_.reset(); }

  // Those of `before` that are not in `after`, the entries of `file`, and stand elsewhere: what left a file for another one is
  // neither gone nor does it tell from which version a save was made. Ids.
  Result<std::set<std::string>> that_stand_elsewhere(const std::string& file, std::span<const SeenEntry> before,
                                                     std::span<const SeenEntry> after);

  // Where these stand: files of consolidated/ but for `file`.
  std::set<std::string> other_files_with(const std::string& file, std::span<const SeenEntry> before,
                                         std::span<const SeenEntry> after);

  // If one of these is so, everything is looked at again at once.
  bool is_being_saved(const std::string& file);  // what was read is perhaps half of it
  bool git_has_moved();                          // the files may be those of another commit by now
  bool git_is_busy();                            // or those of two

  Memory& memory;
  const Vault& vault;
  EditState& state;
  const Instant now;
  Evidence evidence;
  PresentFiles present;
  Understood understood;
  bool waits = false;  // some save does, for a stash or a sync tool: where git stood then is still of use

 private:
  bool look_again();

  const std::string git_marks_;  // where git stood when this began
  std::optional<OtherPlaces> other_places_;
};

}  // namespace loci
