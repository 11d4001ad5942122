// The names of entries and lines across what gave them another one, which an editor that does not read the file again goes on
// without, in all that it saves and undoes. Both are one, and what the person makes of it is told from what it said last.
//
//   - A line of MEMORY.md that a person reworded gets the ref of the entry that takes the place of the one it showed.
//   - Of an entry that two machines wrote word for word, under two ids, one gave way to the other; so do lines that showed it.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "edits/acts.h"
#include "parser/metadata.h"
#include "vault/layout/vault.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/versions.h"

namespace loci {

// The bytes with the line's metadata naming another entry; as they are if no such line stands between the markers.
std::string with_ref(std::string_view file, const std::string& from, const std::string& to);

// Entries that gave way to what a person made of their lines.
Result<std::set<std::string>> reworded_in_core(const Vault& vault);

class EarlierNames {
 public:
  // `newest`: the entries or lines as loci wrote them last; `saved`: those of a save. Few names are asked for, and the log of acts
  // and `version`, the newest one, are read only if one of them gave way.
  static Result<EarlierNames> between(const Vault& vault, const std::string& file, const Chronicle& logs, const Version& version,
                                      std::span<const SeenEntry> newest, std::span<const SeenEntry> saved);

  // Earlier names become the present one, but where that stands as well.
  void bring_up_to_date(std::vector<SeenEntry>& entries) const;

  bool empty() const { return saved_.empty(); }

  // The bytes of the file with the present names in the place of those of the save, in the comments of the newest version.
  std::string in_file(std::string_view file) const;
  // What they became, with the names of the save.
  void as_saved(std::vector<Change>& changes) const;

 private:
  std::map<std::string, std::string> present_;  // by earlier name
  std::map<std::string, std::string> saved_;    // that of the save, by the present one
  std::map<std::string, Metadata> comments_;    // of entries, by the present name; a line's says nothing but its ref
};

}  // namespace loci
