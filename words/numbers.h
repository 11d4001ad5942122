// How numbers and their units are written. Pure; thread-safe; never fails.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace loci {

// Every decimal digit of Unicode becomes an ASCII one.
std::string with_ascii_digits(std::string_view text);

// "13" of "thirteen", for folded words; also of a language's own ("de": "dreizehn").
std::optional<std::string> number_of_word(std::string_view word);
std::optional<std::string> number_of_word(std::string_view word, std::string_view language);

// Written in one way: "1,000" is "1000", "08:30" is "8:30".
std::string whole_number(std::string number, bool is_negative);

// Does the folded word behind a number belong to it? "mg", "percent".
bool is_unit(std::string_view word);
// In one spelling: "milligrams" is "mg". What is no known unit comes back as it is.
std::string unit_named(std::string_view word);
// Of a symbol right behind, or right before, a number in what stands there: "%", "$"; empty if there is none.
std::string unit_behind(std::string_view gap);
std::string unit_before(std::string_view gap);

}  // namespace loci
