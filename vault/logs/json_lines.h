// Files of one JSON value a line that are only appended to: the journal and the logs of the state folder, which may lose their last
// moments in a power cut. (vault/logs has those that decide what is true.)
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/file_system.h"
#include "base/json.h"

namespace loci {

// One write, no sync, mode 0600; makes the file and its folder. True if it made the file.
Result<bool> append_json_line(FileSystem& files, const path& file, const Json& value);

// Calls `visit` with the number (1-based) and the value of every line that is not empty; with none for a line that is torn or
// broken.
void visit_json_lines(std::string_view bytes, JsonLimits limits, const std::function<void(int line, const Json* value)>& visit);

}  // namespace loci
