// Text of strangers inside a prompt: one line a record, so that nothing in it can end its fence, forge a record or look like an
// instruction of ours. Pure.
#pragma once

#include <string>
#include <string_view>

namespace loci {

// `text` as a JSON string in quotes, with `<`, `>` and `&` as \u003c, \u003e, \u0026: no tag, no line break, no fence can stand in
// it.
std::string fenced(std::string_view text);

// "<facts>\n" + lines + "</facts>\n". `name` is ours; `lines` are made with fenced().
std::string fence(std::string_view name, std::string_view lines);

}  // namespace loci
