// Which words do what in the sentences of a memory: lists, mostly English, with what is common in a few other languages. Words are
// folded, or stems where a parameter says so. Any thread; never fails.
#pragma once

#include <string_view>

namespace loci {

// In several languages, as far as they are no content words of another one.
bool is_negation(std::string_view word);
bool is_past_marker(std::string_view word);
// Behind a "not": no longer, not any more, nicht mehr.
bool continues_negation(std::string_view word);
bool ends_clause(std::string_view word);
// What only German texts have: there every noun begins with a capital, which marks no name.
bool is_german(std::string_view word);
// Languages whose sentences begin with words that the names' rule for English would take for names.
bool is_of_another_language(std::string_view word);
// What a name is followed by, and a verb is not.
bool follows_subject(std::string_view word);
// Verbs and the like with which a memory's sentences begin.
bool is_usual_opening(std::string_view stem);
// Of these, the ones that turn a meaning.
bool is_reversing_opening(std::string_view stem);
// Words that say how something is the case, not what.
bool is_frame_stem(std::string_view stem);
// Somebody else than the user: "brother", "boss".
bool is_person_word(std::string_view word);
// "still", "while", "also".
bool is_connecting(std::string_view stem);

}  // namespace loci
