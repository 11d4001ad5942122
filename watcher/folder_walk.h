// Walks a folder and all below it by descriptors, so that no symbolic link is followed, no path is too long and no folder is
// taken for the one that was there a moment ago. Sets no watch itself: its visitor does, before the names are read, so that what
// is created from then on sends events. Reads names and nothing else. The stack is on the heap; one descriptor is open a level.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace loci {

// As deep as vault/scan goes.
inline constexpr int deepest_watched_folder = 128;

struct WalkVisitor {
  // Is this folder (relative to the root) walked at all? Not asked about the one that the walk starts at.
  std::function<bool(std::string_view folder)> enters;
  // Called with each folder, open, before its names are read. Anything but 0 is an errno that ends the walk.
  std::function<int(int descriptor, const std::string& folder)> opened;
  // Called with everything in it that is no folder. May be empty: then files are passed over.
  std::function<void(const std::string& file)> file;
};

struct Walked {
  int stopped = 0;  // what `opened` ended the walk with
  int missed = 0;   // errno of the last folder that is there and readable, as far as one knows, but could not be walked
};

// `start` is relative to `root`; "" is the root itself. A folder that is gone, is no folder any more or may not be read is no
// failure: whoever gives permission or puts it back makes an event.
Walked walk_folders(int root, const std::string& start, const WalkVisitor& visitor);

}  // namespace loci
