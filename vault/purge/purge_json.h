// A purge of what is kept as JSON. Pure.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "vault/purge/purged_text.h"

namespace loci {

// Every string that holds a purged text becomes the placeholder, as do all words of an object that tells of a purged entry, by its
// `id` or that of one of its `facts`; hashes of the texts become zeros, and a member whose name is an id made of one goes. True if
// anything changed.
bool purge_json(Json& json, const PurgedText& text);

// The bytes of a file of JSON; no value if they cannot be read and hold the text.
std::optional<std::string> purge_json_file(std::string_view bytes, const PurgedText& text);

// Lines of JSON one by one: `purge` changes a line, or says that it goes. What does not change stays byte for byte, and so does a
// line that cannot be read, unless it holds the text.
enum class PurgedLine : bool { stays, goes };
using PurgeLine = std::function<PurgedLine(Json& line)>;
std::string purge_json_lines(std::string_view bytes, const PurgedText& text, const PurgeLine& purge);

}  // namespace loci
