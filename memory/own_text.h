// What stands in user.md, and in MEMORY.md around the lines that loci promoted: it is in every prompt because it stands there. So
// an export says of an entry where in these two files it stands and as what, and an import puts it there again.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/json.h"
#include "memory/memory.h"
#include "parser/core_file.h"
#include "vault/rewrite/user_file.h"

namespace loci {

inline constexpr const char* own_text_files[] = {core_file_name, user_file_name};

struct OwnText {
  std::string file;
  std::vector<std::string> section;     // the headings above it, outermost first
  std::int64_t line = 0, line_end = 0;  // of its text there
  std::string written;                  // without metadata: its lines as they stand, bullet included; else empty

  bool operator==(const OwnText&) const = default;
};

// The two files of a vault, by the ids of what stands there. A promoted line is no text of its own.
class OwnTexts {
 public:
  explicit OwnTexts(const Vault& vault);  // a file that cannot be read now has none

  const std::vector<OwnText>& of(const std::string& id) const;

 private:
  std::map<std::string, std::vector<OwnText>> by_id_;
};

Json own_texts_to_json(const std::vector<OwnText>& texts);
// What is none is left out.
std::vector<OwnText> own_texts_from(const Json& json);

}  // namespace loci
