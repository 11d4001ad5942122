// The names in one folder, and what each is. Internal to the sweep; belongs to one thread. Linear in the number of names.
#pragma once

#include <dirent.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

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
    int error_number = 0;  // of asking for the type, where the folder does not say it
  };

  // Leaves out names that begin with a dot. Reads `folder` from where it stands to the end.
  explicit FolderListing(const OpenFolder& folder);

  const std::vector<Item>& items() const { return items_; }
  const char* name(const Item& item) const { return names_.data() + item.name_at; }
  int error_number() const { return error_number_; }  // why the names may not be all; 0: they are

 private:
  std::string names_;  // each with a NUL at its end
  std::vector<Item> items_;
  int error_number_ = 0;
};

}  // namespace loci
