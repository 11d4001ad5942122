// What a text shows at a glance, told once when it is indexed: ranking asks for it of every match. Pure; English words and digits,
// because the questions that ask for them are told by English words too.
#pragma once

#include <string_view>

namespace loci {

struct TextTraits {
  bool asks = false;          // a sentence of it is a question
  bool first_person = false;  // somebody speaks of himself
  bool number = false;        // digits, or a number in words
  bool time = false;          // a weekday, a month, "yesterday"

  bool operator==(const TextTraits&) const = default;
};

TextTraits traits_of(std::string_view text);

}  // namespace loci
