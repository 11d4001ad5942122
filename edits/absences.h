// What is missing from its file: another entry has its words, or once it was gone for absence_settles it was taken out, or it was
// only moved.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "edits/decisions.h"
#include "edits/edit_context.h"

namespace loci {

// The ledger says that these words of the entry stand, or stood, somewhere without its comment, and that its facts rest on them.
bool rests_on_its_words(const Chronicle& logs, const std::string& id, const std::string& hash);

// Lives as long as the understanding that it is part of; what was decided goes into `context.understood`.
class AbsenceSettlement {
 public:
  explicit AbsenceSettlement(EditContext& context) : context_(context), vault_(context.vault), state_(context.state) {}

  Status settle(const std::string& file);

  // What is missing from other files stands in this one, as was seen just now: it was moved, and that it left them is no deletion,
  // whatever becomes of it here.
  Status let_go_of_moved(const std::string& file, std::string_view bytes);

 private:
  enum class Verdict : std::uint8_t {
    waits,
    held,  // from now on, by its words
    unsaid,
    let_go,  // its words went, and nobody took them out: what rested on them is folded anew
    not_meant,
    merged,
    settled,
  };

  Result<Verdict> judge(const FileRecord& record, Absence& absence);
  // The file in which its words stand, be it in other marks; empty: in none. That in which they stood is asked first: to look at
  // all of them takes long.
  Result<std::string> where_said(const FileRecord& record, const Absence& absence, const std::string& loose);
  void let_words_hold(const Chronicle& logs, const Absence& absence, const std::string& loose, bool was_nowhere);
  std::string text_in(const std::string& file, const Absence& absence, const std::string& loose);
  Result<const SeenFile*> file_then(const std::string& file, const Absence& entry);
  Result<bool> is_read(const std::string& file);
  Result<bool> has_left_with_git(const FileRecord& record, const Absence& absence, const SeenEntry* stood);
  Result<std::string> merged_into(const std::string& file, const SeenFile& then, const SeenEntry& gone);  // empty: into none
  bool is_undecided(const FileRecord& record);
  bool is_asked_about(const std::string& id) const;

  EditContext& context_;
  const Vault& vault_;
  EditState& state_;
  std::vector<MergedEntry> merges_;                               // of the file that is being settled
  std::map<std::string, bool> read_;                              // files whose last save is understood, while one is being settled
  std::map<std::pair<std::string, std::string>, SeenFile> then_;  // by file and version
};

}  // namespace loci
