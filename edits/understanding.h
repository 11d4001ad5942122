// One time of understanding: the files are compared with their versions, what was found is carried out, and what has been pending
// for long enough is settled. Lives as long as the lock on the state is held.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "edits/acts.h"
#include "edits/edit_state.h"
#include "edits/evidence.h"
#include "edits/file_questions.h"
#include "edits/other_places.h"
#include "edits/present_files.h"
#include "edits/saves.h"
#include "edits/seen_file.h"
#include "edits/understand.h"
#include "vault/git/git_operation.h"
#include "vault/rewrite/versions.h"

namespace loci {

class Understanding {
 public:
  Understanding(Memory& memory, EditState& state, const GitStand& git)
      : memory_(memory),
        vault_(memory.vault()),
        state_(state),
        git_(git),
        now_(memory.now()),
        git_marks_(git_fingerprint_around(vault_.root())),
        evidence_(vault_, state.git, git),
        present_(vault_, now_),
        questions_(memory, state, evidence_, present_, now_) {}

  Result<Understood> of(std::set<std::string> files);

  // Whether some save waits, for a stash or a sync tool: where git stood then is still of use.
  bool waits() const { return waits_; }

  FileQuestions& questions() { return questions_; }

 private:
  Status look_at(const std::string& file);
  Status look_at_or_ask(const std::string& file);
  Status ask_about_refusal(const std::string& file, const Error& why);
  Status look_at_missing(const std::string& file, const std::vector<Version>& versions);
  Status look_at_unreadable(const std::string& file, const std::vector<Version>& versions);
  Result<std::vector<Absence>> hidden_in(const std::string& file, const PresentFile& now, const std::vector<Version>& versions);
  Status see_first(const std::string& file, const PresentFile& present);
  // What a save can mean: the version that it was made from, and what differs from that.
  struct Meaning {
    SaveReading reading;
    Version base;
    // With the bytes of now: what an old buffer lacked is lacking where loci has written over it since, too.
    Save standing;
    std::optional<std::string> joined;  // with what loci wrote since an old buffer was opened
    std::optional<Error> apart;         // why these two cannot be put together
  };
  Result<bool> understand_save(const std::string& file, const Save& save, Instant saved_at);  // false: it waits, or is asked about
  Status put_back_meanwhile(const std::string& file, const Save& save);
  Result<std::optional<Meaning>> meaning_of(const std::string& file, const Save& save);
  Result<bool> carry_out(const std::string& file, const Save& save, Meaning& meaning, Instant saved_at);
  Result<bool> waits_for_others(const std::string& file, const Save& save, const Meaning& meaning);
  Result<bool> must_wait(const std::string& file, const Save& save);
  Result<bool> asks_about(const std::string& file, const Meaning& meaning);
  Status note_understood(const std::string& file, const Save& save);
  Result<std::set<std::string>> that_stand_elsewhere(const std::string& file, std::span<const SeenEntry> before,
                                                     std::span<const SeenEntry> now);

  Status take_note(const std::string& file, const Save& save, const Version& base, const SaveReading& reading, Instant saved_at);
  // `by_hand`: ids that a person took out since the base, and wants again where they stand.
  Result<Result<std::string>> with_what_came_since(const std::string& file, const Save& save, const Version& base,
                                                   const std::set<std::string>& elsewhere, std::set<std::string> by_hand);
  Status put_back(const std::string& file, const Save& save, const Version& base, const SaveReading& reading,
                  const std::string& bytes);
  Status look_for_forgotten(const std::string& file, const PresentFile& present);

  bool is_being_saved(const std::string& file);
  bool git_has_moved();  // the files may be those of another commit by now: what was read is looked at again
  Status settle(const std::string& file);
  Status let_go_of_copies();
  OtherPlaces& other_places();

  Memory& memory_;
  const Vault& vault_;
  EditState& state_;
  const GitStand& git_;
  const Instant now_;
  const std::string git_marks_;  // where git stood when this began
  Evidence evidence_;
  Understood understood_;
  PresentFiles present_;
  FileQuestions questions_;
  std::optional<OtherPlaces> other_places_;
  bool waits_ = false, has_saves_ = false;
};

}  // namespace loci
