// What a string that names tags says, and when two spellings are one tag: the one rule for named tags (`--tag`, "tags" of JSON and
// of front matter), for tags in texts and headings, for the names in `never_send` and for filters. A person sees which tags a
// string names, so what they see decides: what is not shown counts as nothing, every white space as a blank, "＃Ｐｒｉｖａｔｅ" as
// "#private", and so do punctuation and # around a name. Pure; `written` is valid UTF-8.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loci {

bool is_number_sign(char32_t code_point);  // # in any width
bool is_tag_character(char32_t code_point);

// As it is compared: folded, what is not shown left out, white space one blank, none at the ends.
std::string name_seen(std::string_view written);

// Of one tag: name_seen() without punctuation and # in front and punctuation but a # ("c#") at the end. Empty if it names nothing.
std::string tag_name(std::string_view written);

// The words of a list, as they are spelled, without # in front: "deploy, #Private" gives "deploy" and "Private". White space and
// what stands between the items of a list separates them.
std::vector<std::string> tag_words(std::string_view written);

// The tags of a list as tag_name(): its items ("two words, c++" gives "two words" and "c++").
std::vector<std::string> tag_items(std::string_view written);

// What entries with that tag are found under: its items and their words.
std::vector<std::string> tag_names(std::string_view written);

// Every tag that a person may see in it, for what must not be missed: those of tag_names(), what stands between any other marks
// ("tag:private", "(deploy|private)"), and both readings of what is not shown: as nothing, and as a blank.
std::vector<std::string> tag_readings(std::string_view written);

}  // namespace loci
