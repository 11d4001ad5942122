// What a person is asked about a file (Question in edits/edit_state.h): how a question comes about, what it takes in of what was
// absent before, and when it is over. Lives as long as the understanding that it is part of.
#pragma once

#include <string>
#include <vector>

#include "edits/acts.h"
#include "edits/edit_context.h"
#include "edits/save_meaning.h"
#include "vault/rewrite/versions.h"

namespace loci {

// The file is as it was, or little of it is changed by now. What is missing from all files is no matter of this one, and what loci
// wrote meanwhile, an empty file in the place of one that is gone, answers nothing. What had gone before that is absent as it was.
void close_question(FileRecord& record, const Version& newest);

// What keeps an edit from being carried out.
void give_reason(Question& question, const Error& why);

class FileQuestions {
 public:
  explicit FileQuestions(EditContext& context) : context_(context), vault_(context.vault), state_(context.state) {}

  // Nothing is known of any file: the entries that the ledger names and that stand nowhere are asked about.
  Status ask_about_missing();
  // What stands again, or has ended on another machine, is missing no more.
  Status look_for_what_was_missing();

  Status ask(const std::string& file, Question::Kind kind, const Version& base, const SaveReading& reading);

  // An earlier save is asked about, and loci has written since: what has gone behind that is asked about with the rest. `present`:
  // what stands there now.
  Status add_gone_since(const std::string& file, const Save& present);

  // What a person is asked about the file as a whole; null: nothing.
  const Question* about_all(const std::string& file) const;

  // Whether nobody but a person can say what is to stand; then they are asked.
  Result<bool> asks_about(const std::string& file, const SaveMeaning& meaning);

  // What a person was asked about is all there again, and nothing else is missing: what loci has written meanwhile, or what ended
  // by a command, is no matter of theirs.
  Result<bool> is_put_back(const std::string& file, const PresentFile& now, const std::vector<Version>& versions);

  // What is hidden is in question, and with it the file, until somebody mends it. What is no longer hidden then, and does not stand
  // there, was taken out. Another question about the file stands first.
  void wait_until_mended(const std::string& file, const PresentFile& now, std::vector<Absence> hidden, const std::string& newest);

  // With the fact that its words were filed as while it was missing.
  Result<Absence> absence_of(const std::string& file, const SeenEntry& entry, Instant since, const Version& version);

 private:
  Result<bool> lacks_unheard_correction(const std::string& file, const SaveMeaning& meaning);
  Status add_absent(const std::string& file, std::vector<Absence> earlier, Question& question);

  EditContext& context_;
  const Vault& vault_;
  EditState& state_;
};

}  // namespace loci
