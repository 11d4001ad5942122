// What is missing from its file: once it was gone for absence_settles it was taken out, merged into another entry, or only moved.
#pragma once

#include <functional>
#include <string>

#include "edits/edit_state.h"
#include "edits/evidence.h"
#include "edits/other_places.h"
#include "edits/present_files.h"
#include "edits/understand.h"

namespace loci {

// Lives as long as the understanding that it is part of; what was decided goes into `understood`.
class AbsenceSettlement {
 public:
  using FindOtherPlaces = std::function<OtherPlaces&()>;  // asked only if something is to be decided

  AbsenceSettlement(Memory& memory, EditState& state, Evidence& evidence, PresentFiles& present, FindOtherPlaces other_places,
                    Understood& understood)
      : memory_(memory),
        vault_(memory.vault()),
        state_(state),
        evidence_(evidence),
        present_(present),
        other_places_(std::move(other_places)),
        understood_(understood),
        now_(memory.now()) {}

  Status settle(const std::string& file);

 private:
  enum class Verdict : std::uint8_t { waits, not_meant, merged, settled };

  Result<Verdict> judge(const FileRecord& record, Absence& absence);
  std::string merged_into(const SeenFile& then, const SeenEntry& gone);  // empty: into none
  bool is_undecided(const FileRecord& record);
  bool is_asked_about(const std::string& id) const;

  Memory& memory_;
  const Vault& vault_;
  EditState& state_;
  Evidence& evidence_;
  PresentFiles& present_;
  FindOtherPlaces other_places_;
  Understood& understood_;
  const Instant now_;
};

}  // namespace loci
