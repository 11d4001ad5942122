// What is missing from its file: another entry has its words, or once it was gone for absence_settles it was taken out, or it was
// only moved.
#pragma once

#include <string>

#include "edits/edit_context.h"

namespace loci {

// Lives as long as the understanding that it is part of; what was decided goes into `context.understood`.
class AbsenceSettlement {
 public:
  explicit AbsenceSettlement(EditContext& context) : context_(context), vault_(context.vault), state_(context.state) {}

  Status settle(const std::string& file);

 private:
  enum class Verdict : std::uint8_t { waits, not_meant, merged, settled };

  Result<Verdict> judge(const FileRecord& record, Absence& absence);
  Result<std::string> merged_into(const std::string& file, const SeenFile& then, const SeenEntry& gone);  // empty: into none
  bool is_undecided(const FileRecord& record);
  bool is_asked_about(const std::string& id) const;

  EditContext& context_;
  const Vault& vault_;
  EditState& state_;
};

}  // namespace loci
