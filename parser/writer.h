// Entry -> markdown that reads back as exactly that entry, whatever its text looks like.
#pragma once

#include <string>
#include <string_view>

#include "parser/metadata.h"

namespace loci {

// CR and CRLF become LF, blank lines at both ends go. read(write(s)) gives this.
std::string normalise_text(std::string_view text);

// What write_entry() asks of a text: ErrorCode::refused for NUL, invalid UTF-8, or a text that is blank.
Status check_writable(std::string_view text);

// The metadata line, the text with escapes, and <!--/m--> where it is not exactly one block; ends with a line end, has no
// blank lines around it. Sets `sum`, and `end` as needed. Fails like check_writable(), and for metadata that would not
// read back.
Result<std::string> write_entry(Metadata metadata, std::string_view text);

}  // namespace loci
