// Why the system gives no events of a folder: its limits, or a file system that has none.
#pragma once

#include <string>

#include "base/file_system.h"

namespace loci {

// For a person, of what errno says of inotify; `watches`: how many there are already.
std::string why_without_events(int error_number, size_t watches);

// Tries to watch this one folder, and lets go of it again. Empty if that works.
std::string why_no_events_of(const path& folder);

}  // namespace loci
