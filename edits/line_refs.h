// The refs of the lines of MEMORY.md across a person's own rewordings there. A reworded line gets the ref of the entry that takes
// the place of the one it showed; an editor that does not read the file again goes on with the earlier ref, in all that it saves
// and undoes. Both are one line, and what the person makes of it is told from what it said last.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "edits/acts.h"
#include "vault/layout/vault.h"
#include "vault/logs/chronicle.h"

namespace loci {

// The bytes with the line's metadata naming another entry; as they are if no such line stands between the markers.
std::string with_ref(std::string_view file, const std::string& from, const std::string& to);

// Entries that gave way to what a person made of their lines.
Result<std::set<std::string>> reworded_in_core(const Vault& vault);

class LineRefs {
 public:
  // `newest`: the lines as loci wrote them last; `saved`: those of a save. A few refs are asked for, and the log of acts is read
  // only if one of them gave way.
  static Result<LineRefs> between(const Vault& vault, const Chronicle& logs, std::span<const SeenEntry> newest,
                                  std::span<const SeenEntry> saved);

  // Earlier refs become the present one, but where that stands as well.
  void bring_up_to_date(std::vector<SeenEntry>& lines) const;

  bool empty() const { return saved_.empty(); }

  // The bytes of MEMORY.md with the present refs in the place of those of the save.
  std::string in_file(std::string_view file) const;
  // What the lines became, with the refs of the save.
  void as_saved(std::vector<Change>& changes) const;

 private:
  std::map<std::string, std::string> present_;  // by earlier ref
  std::map<std::string, std::string> saved_;    // that of the save, by the present one
};

}  // namespace loci
