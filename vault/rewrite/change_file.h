// Read a file, work out its new bytes, put them in its place; again from the start if somebody saved in between. The one place
// where a refused replace is tried again.
//
// Any thread, any process. What was worked out for bytes that are gone is thrown away: `change` may be called several times, and
// may keep something durably on its way (a copy, a line of a log) only if that does no harm where the file stays as it was.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "vault/layout/vault.h"

namespace loci {

// The bytes as they should be, of the bytes as they are.
using ChangeBytes = std::function<Result<std::string>(std::string_view)>;

enum class IfMissing : std::uint8_t {
  fail,    // ErrorCode::not_found
  create,  // `change` gets no bytes; what it returns becomes a new file
};

// False if the bytes came back as they were: nothing was written. Fails like read_file(), `change`, replace_file() and
// create_file(); ErrorCode::refused also if somebody saved at every one of five tries, which only a program does.
Result<bool> change_file(const Vault& vault, const std::string& file, const ChangeBytes& change,
                         IfMissing if_missing = IfMissing::fail);

}  // namespace loci
