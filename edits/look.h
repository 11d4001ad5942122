// One look of the observer: compares the files with what was seen last, and settles what has been pending for long enough. Lives as
// long as the lock on the state is held.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "edits/edit_state.h"
#include "edits/log_evidence.h"
#include "edits/observer.h"
#include "edits/other_places.h"
#include "edits/seen_file.h"

namespace loci {

class Look {
 public:
  Look(Memory& memory, EditState& state, PendingSince& since, const LookTimes& times, const std::string& git)
      : memory_(memory),
        state_(state),
        since_(since),
        times_(times),
        git_(git),
        by_git_(!state.files.empty() && state.git != git) {}

  Result<Observed> at(const std::vector<std::string>& changed);
  Result<Observed> at_everything();

 private:
  struct Present {
    bool exists = false;
    bool readable = true;
    std::string bytes;
    SeenFile seen;
  };

  Result<Observed> look_at(const std::set<std::string>& files);
  Status compare(const std::string& file);
  Status compare(const std::string& file, const std::string& accepted, const Present& now);
  Status take_note(FileRecord& record, const SaveVerdict& verdict, const std::string& accepted, const SeenFile& then,
                   const Present& now);
  Result<SaveEvidence> evidence_of(Place place, const SeenFile& then, const Present& now);

  Status settle(FileRecord& record);
  Status settle_absences(FileRecord& record);
  Status settle_rewordings(FileRecord& record);
  Result<PendingVerdict> judge(const FileRecord& record, const Absence& absence);
  Result<PendingVerdict> judge(const FileRecord& record, Rewording& rewording);
  PendingVerdict judge_since(const std::string& key, PendingEvidence evidence, std::chrono::milliseconds settles);

  const Present& present(const std::string& file);
  bool is_undecided(const FileRecord& record);
  Result<const LogEvidence*> logs();
  Status write_state();
  void forget_what_is_settled();

  Memory& memory_;
  EditState& state_;
  PendingSince& since_;
  const LookTimes& times_;
  const std::string& git_;
  const bool by_git_;
  Observed observed_;
  std::map<std::string, Present> present_;
  std::map<std::string, std::string> to_accept_;  // file -> bytes: copied once the records are saved
  std::set<std::string> still_pending_;           // keys of since_
  std::optional<LogEvidence> logs_;
  std::optional<OtherPlaces> other_places_;
};

}  // namespace loci
