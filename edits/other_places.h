// Whether what left a file of consolidated/ stands somewhere else in the vault: then it was moved, and nobody meant to delete it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "memory/memory.h"

namespace loci {

// The files whose edits mean something and that are there, relative: consolidated/**, MEMORY.md, user.md.
std::set<std::string> watched_files(const Vault& vault);

// The id of a text in the file that has this hash, or is loosely the same; empty: it has none.
Result<std::string> text_saying(const Vault& vault, const std::string& file, const std::string& hash, const std::string& loose);

// Reads consolidated/ as it is when it is made; asks the index about everything else.
class OtherPlaces {
 public:
  explicit OtherPlaces(Memory& memory);

  // Under its id, or its words under another, as a task or in bold too: in consolidated/, in a note, in a person's part of
  // MEMORY.md. Not in the archive, where the fact that it was made of stays for ever. `loose`: the text's loose hash; without
  // it, as if the text had no marks. `but_for`: a file that does not count, as what it said was read at another time.
  Result<bool> have(const std::string& id, const std::string& hash, std::string loose = {}, std::string_view but_for = {});

  // The file in which its words stand, as for have(), and not its id; empty: in none.
  Result<std::string> that_says(const std::string& hash, std::string loose, std::string_view but_for = {});

  // An entry of consolidated/ has this id.
  bool name(const std::string& id, std::string_view but_for = {}) const { return !stands_outside(id, but_for).empty(); }

  // The files of consolidated/ in which an entry of this id, or with these words, stands.
  std::set<std::string> files_with(const std::string& id, const std::string& hash, const std::string& loose) const;

  // The entries of consolidated/ whose text has this one in it, as whole words.
  std::vector<std::string> that_say(std::string_view text) const;

 private:
  std::string stands_outside(const std::string& name, std::string_view but_for) const;
  Result<std::string> among(const Entry& entry, const std::string& hash, const std::string& loose, std::string_view but_for) const;

  Memory& memory_;
  std::map<std::string, std::set<std::string>> files_;      // where an id, a hash of a text or a loose one stands
  std::vector<std::pair<std::string, std::string>> texts_;  // by id
};

}  // namespace loci
