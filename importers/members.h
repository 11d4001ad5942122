// The files of an export, wherever they lie: a folder, a zip file as it was downloaded, or one file by itself.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "importers/json_stream.h"
#include "importers/record.h"

namespace loci::importers {

struct Member {
  std::string name;  // relative to the root, with slashes; a file by itself has its own name
  ByteReader read;
};

// In the order of their names. One that cannot be read (ErrorCode::usage) does not keep the others from being read: the first such
// error is returned at the end. Any other error, as of storing, ends it at once. Of a zip file at most 100,000 members are looked
// at and 64 GiB unpacked in all, never to disk. ErrorCode::usage for a zip file that cannot be read, or is encrypted.
Status for_each_member(const ImportSource& source, const std::function<bool(std::string_view name)>& is_wanted,
                       const std::function<Status(Member&)>& each);

// Regular files below a folder of the source whose name passes, sorted, relative to it; no link is followed, and the vault not
// walked into. Empty if there is no such folder. Calls for each folder that cannot be read, with its name relative to it.
std::vector<std::string> files_below(const ImportSource& source, const path& folder,
                                     const std::function<bool(std::string_view name)>& is_wanted,
                                     const std::function<void(const std::string& name)>& unreadable);

// When it was last written; none if that cannot be told.
std::optional<Instant> time_of_file(const path& file);

}  // namespace loci::importers
