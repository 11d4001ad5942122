// What a person may have meant by a # in a text: the one rule for what must not be missed, [privacy] never_send and #nomemory.
// Where tags that are searched stand behind a blank (parser/tags.h), a mark may stand anywhere a person would see one: behind
// punctuation, an escape or an emoji, in HTML, as an entity, with something that is not shown in between. In prose, what a comment
// names under a key for tags is marked, too (parser/comment_tags.h). Pure; `text` is valid UTF-8.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace loci {

enum class MarksIn : std::uint8_t {
  prose,     // not in code (parser/code_parts.h), inside a word ("a#b"), nor the anchor of an address ("http://x/#b")
  anything,  // there, too
};

// Is there a mark whose name is meant? Of a name come the code points behind the #, from its first letter on and with what is not
// shown, entities and escapes read, and once more without what is glued to it in another script: to be compared as tag_readings()
// has it. Those of code may be asked about, too.
bool has_mark(std::string_view text, MarksIn where, const std::function<bool(std::string_view name)>& is_meant);

// The names of all, repeated ones too.
std::vector<std::string> marks_in_prose(std::string_view text);
// Those that can be tags: a number is none.
std::vector<std::string> marked_tags(std::string_view text);

// Is there a word that is no such tag, and stands in no comment and no tag of HTML?
bool says_something(std::string_view text);
// Is there nothing but comments and such tags? Other marks may stand around them, tags of HTML, emoji, and blanks of any kind.
bool says_only_tags(std::string_view text);

}  // namespace loci
