// One time of understanding: the files are compared with their versions, what was found is carried out, and what has been pending
// for long enough is settled. Lives as long as the lock on the state is held.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "edits/absences.h"
#include "edits/edit_context.h"
#include "edits/file_questions.h"
#include "edits/save_meaning.h"

namespace loci {

class Understanding {
 public:
  Understanding(Memory& memory, EditState& state, const GitStand& git, std::string git_marks)
      : context_(memory, state, git, std::move(git_marks)),
        vault_(context_.vault),
        state_(state),
        questions_(context_),
        absences_(context_) {}

  Result<Understood> of(std::set<std::string> files);

  // Whether some save waits, for a stash or a sync tool: where git stood then is still of use.
  bool waits() const { return context_.waits; }

  FileQuestions& questions() { return questions_; }

 private:
  Status look_at(const std::string& file);
  Status look_at_or_ask(const std::string& file);
  Status ask_about_refusal(const std::string& file, const Error& why);
  Result<SaveReading> reading_of_missing(const std::string& file, std::span<const SeenEntry> entries,
                                         const std::set<std::string>& elsewhere);
  Status ask_about_what_is_missing(const std::string& file, const KnownVersion& newest, const std::vector<Version>& versions);
  Status look_at_missing(const std::string& file, const std::vector<Version>& versions);
  Status look_at_unreadable(const std::string& file, const std::vector<Version>& versions);
  Status see_first(const std::string& file, const PresentFile& present);
  Result<bool> understand_save(const std::string& file, const Save& save);  // false: it waits, or is asked about
  Result<bool> note_where_they_went(const std::string& file, std::span<const SeenEntry> before, std::span<const SeenEntry> after);
  Status bring_names_up_to_date(const std::string& file, const EarlierNames& names);
  Result<bool> carry_out(const std::string& file, const Save& save, SaveMeaning& meaning);
  Status hold_by_words(const std::string& file, const Version& version, const std::vector<Change>& entries);
  void keep_absent(const std::string& file, std::span<const Absence> before);
  Status note_understood(const std::string& file, const Save& save);
  Status settle_all();
  Status settle(const std::string& file);
  Status let_go_of_copies();

  EditContext context_;
  const Vault& vault_;
  EditState& state_;
  FileQuestions questions_;
  AbsenceSettlement absences_;
  bool has_saves_ = false;
  std::string brought_;  // the hash of what another machine's loci did to the file that is being understood; empty: nothing
  std::set<std::string> in_work_;  // files that are just looked at, one for another
};

}  // namespace loci
