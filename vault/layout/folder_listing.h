// The names in one folder and, of those that may be markdown files, what the file system says of them. Where there are many,
// several threads ask: a sweep waits for little else, and loci's own archive is one folder with a file a day.
// Internal to the sweep; belongs to one thread. Linear in the number of names.
#pragma once

#include <dirent.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vault/layout/scan.h"

namespace loci {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};
using OpenFolder = std::unique_ptr<DIR, CloseFolder>;

class FolderListing {
 public:
  struct Item {
    size_t name_at;
    unsigned char type;    // DT_REG, DT_DIR, …
    int error_number = 0;  // of asking for `state`
    FileState state{};     // of a regular file that is named like markdown, without path and trust; else empty
  };

  // Leaves out names that begin with a dot. Reads `folder` from where it stands to the end.
  explicit FolderListing(const OpenFolder& folder);

  std::vector<Item>& items() { return items_; }
  const char* name(const Item& item) const { return names_.data() + item.name_at; }
  int error_number() const { return error_number_; }  // why the names may not be all; 0: they are

 private:
  void read(DIR* folder);
  void examine_all(int folder);
  void examine(int folder, size_t from, size_t end);

  std::string names_;  // each with a NUL at its end
  std::vector<Item> items_;
  int error_number_ = 0;
};

}  // namespace loci
