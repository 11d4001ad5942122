// user.md: who the user is, in at most 1,000 characters that are in every prompt. Characters are Unicode code points of what is
// injected (see prompt_text). Everything that writes goes through change_file; a write that would pass the limit is refused.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "parser/metadata.h"
#include "vault/layout/vault.h"

namespace loci {

inline constexpr size_t user_file_limit = 1000;
inline constexpr const char* user_file_name = "user.md";

struct UserFileUse {
  struct Entry {
    std::string id;
    int line = 0;
    size_t characters = 0;
    std::string text;
  };
  size_t used = 0;
  size_t limit = user_file_limit;
  std::vector<Entry> entries;     // in file order
  std::string injected;           // whole lines, at most `limit` characters
  std::vector<std::string> lost;  // lines that did not fit

  bool over_limit() const { return used > limit; }
  std::string summary() const;  // "67% - 670/1,000"
};

UserFileUse measure_user_file(std::string_view bytes);

// What to do if it is full, naming the largest of these entries, without their words.
std::string advice_to_make_room(std::vector<UserFileUse::Entry> entries);

// Of the vault's file; a missing one uses nothing.
Result<UserFileUse> user_file_use(const Vault& vault);

// Puts what `edit` makes of its bytes in their place; again if somebody else wrote in between. ErrorCode::refused with the use and
// the largest entries if the result would pass the limit and is not smaller than before.
using EditUserFile = std::function<Result<std::string>(const std::string& bytes)>;
Status edit_user_file(const Vault& vault, const EditUserFile& edit);
// The same of its bytes, without writing.
Result<std::string> edited_user_file(std::string_view bytes, const EditUserFile& edit);

// Other words in the place of an entry's, and under which id they stand then. Fails likewise; ErrorCode::not_found for an unknown
// id.
struct RewordedUserFile {
  std::string bytes, id;
};
Result<RewordedUserFile> reworded_user_file(std::string_view bytes, std::string_view id, std::string_view text);

// They return the id of the entry, and fail likewise; ErrorCode::not_found for an unknown id.
Result<std::string> add_to_user_file(const Vault& vault, Metadata metadata, std::string_view text, std::string_view section);
Result<std::string> update_in_user_file(const Vault& vault, std::string_view id, std::string_view text);

}  // namespace loci
