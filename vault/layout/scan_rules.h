// What the stat sweep and the look at a single file share, so that both see the same vault: the compiled rules of one vault and
// the record of one file. The class is internal to scan.cpp and examine.cpp and belongs to one thread;
// the functions are for whoever has to do with names of files.
#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "vault/layout/ignore.h"
#include "vault/layout/scan.h"

namespace loci {

// [vault] ignore and untrusted, and the .lociignore files from the root down to the folder that one stands in. Configuration
// and files are asked apart: no .lociignore takes back what the configuration ignores.
class ScanRules {
 public:
  explicit ScanRules(const Vault& vault);

  // Reads the .lociignore of a folder, whose path is given with its slash (the root's is empty): its rules, null if there is none.
  // If there are, leave() it when the folder is done. Of all files that count at one place no more than PathRules::most_patterns
  // do.
  Result<const PathRules*> enter(int folder, std::string_view prefix);
  void leave();

  // By the rules, not by the name. The folders above `path` are not ignored and have been entered.
  bool ignores(std::string_view path, bool is_folder) const;
  bool distrusts(std::string_view path) const { return covers(untrusted_, path); }

 private:
  struct IgnoreFile {
    size_t prefix_size;
    PathRules rules;
  };

  FileSystem& file_system_;
  PathRules configured_, untrusted_;
  std::vector<IgnoreFile> files_;  // the deepest one last: it has the first word
  size_t patterns_ = 0;            // of files_
};

inline constexpr const char* ignore_file_name = ".lociignore";

// A file of such rules, in any folder.
bool is_ignore_file(std::string_view path);

FileState state_of(std::string path, const struct stat& info, bool untrusted);

// .loci/tombstones/NAME.jsonl and .loci/ledger/NAME.jsonl.
bool is_log_path(std::string_view path);

// Valid UTF-8 without line breaks: JSON can carry it, and a line of output stays one line.
bool is_printable_name(std::string_view name);

// Opens a folder by its name in another one, without following links. An empty Fd and errno if that fails.
Fd open_folder_at(int parent, const char* name);

}  // namespace loci
