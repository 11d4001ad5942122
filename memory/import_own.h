// What stood in user.md and in a person's part of MEMORY.md (memory/own_text.h), on its way into these files here: what is not in
// them yet goes under the headings that it stood under. user.md has its limit: what it has no room for is told, and becomes a fact.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "memory/exported_entry.h"
#include "memory/memory.h"
#include "parser/insert_entries.h"

namespace loci {

struct ImportedText {
  std::string file;
  std::string entry;  // the id
  EntryToInsert text;
  std::string sum;  // of words that a person had changed under metadata: what loci had written there
};

// Of the two files as they are here.
class OwnFiles {
 public:
  Status load(const Vault& vault);

  bool says(const std::string& file, const Entry& entry) const;
  // Each of its places whose file does not say it yet. Entries come in the order of the export. ErrorCode::refused if git's
  // conflict markers stand in that file.
  Status take(const ExportedEntry& exported);
  const std::vector<ImportedText>& taken() const { return taken_; }

  // The ids of those that cannot stand where they should.
  std::set<std::string> without_room() const;

 private:
  struct File {
    std::string bytes;
    std::set<std::string> ids, hashes;
    bool is_held = false;
  };
  std::map<std::string, File> files_;
  std::vector<ImportedText> taken_;
  const OwnText* last_ = nullptr;  // that was taken
};

// Adds the files that were written to `written`. ErrorCode::refused if one of them was changed meanwhile so that there is no room
// any more: the next import tells of it.
Status write_own_files(const Vault& vault, const std::vector<ImportedText>& texts, std::set<std::string>& written);

}  // namespace loci
