// Changing one entry in the bytes of a markdown file. Pure functions over parse(): the rest of the file stays byte for byte, and
// the result is parsed again: if any other entry would read differently, the edit is refused (ErrorCode::refused) instead.
// Files with CRLF keep it. An id that is not in the file is ErrorCode::not_found. Of two entries with one id the first counts, and
// with the same text they are one: what is done to it is done to its copies in the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "parser/metadata.h"

namespace loci {

enum class KeepSum : bool { no, yes };

// New text under the same metadata, unknown keys included. KeepSum::yes leaves `sum` as it was, so that the text counts as a
// person's. A text without metadata gets none: of a list item the bullet stays.
Result<std::string> replace_entry_text(std::string_view file, std::string_view id, std::string_view text,
                                       KeepSum keep_sum = KeepSum::no);

// Another entry in the place of this one: new metadata, new text.
Result<std::string> replace_entry(std::string_view file, std::string_view id, const Metadata& metadata, std::string_view text);

// Sets the metadata's tags. ErrorCode::refused for an entry without metadata.
Result<std::string> set_entry_tags(std::string_view file, std::string_view id, const std::vector<std::string>& tags);

// Sets the `sum` of an entry: one that is not that of its text says that a person changed it.
Result<std::string> set_entry_sum(std::string_view file, std::string_view id, const std::string& sum);

// Sets what the entry rests on; `sum` stays, so that what a person wrote there stays a person's. ErrorCode::refused as above.
Result<std::string> set_entry_from(std::string_view file, std::string_view id, const std::vector<std::string>& from);

// Takes the metadata off the entry whose text begins at `line`: its words stay, as text of their own. ErrorCode::not_found if it
// has none, ErrorCode::refused as above, and for a text that would be several entries then.
Result<std::string> remove_metadata(std::string_view file, int line);

// Takes the entry out with its metadata and the blank lines that only it needed.
Result<std::string> remove_entry(std::string_view file, std::string_view id);

// Adds an entry at the end of the file or, if `section` is not empty, at the end of the section with that heading, which is made
// (`## …`) at the end of the file if there is none. Case does not count in the heading.
Result<std::string> insert_entry(std::string_view file, const Metadata& metadata, std::string_view text,
                                 std::string_view section = {});

}  // namespace loci
