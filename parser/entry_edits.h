// Many changes of one file at once: as the functions of parser/entry_edit.h one after the other, but with one parse before and one
// after. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "parser/parser.h"

namespace loci {

struct EntryEdit {
  enum class Kind : std::uint8_t {
    replace,  // the entry `id` by another one
    remove,   // it goes
    append,   // a new one, at the end of the file
  };
  Kind kind = Kind::append;
  std::string id = {};  // of replace and remove; no two edits have the same
  Metadata metadata = {};
  std::string text = {};
};

struct EditedFile {
  std::string bytes;
  ParsedFile parsed;
};

// An edit of an entry is one of its copies in the file, too. All of them or none: ErrorCode::not_found for an id that is not there,
// ErrorCode::refused if anything else in the file would read differently. `parsed` is parse(file).
Result<EditedFile> apply_entry_edits(std::string_view file, const ParsedFile& parsed, const std::vector<EntryEdit>& edits);

}  // namespace loci
