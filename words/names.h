// The names that stand in a text: of people, places, firms and things. Pure; any thread; never fails.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "words/writing.h"

namespace loci {

struct Name {
  std::string folded, written;
  size_t word = 0;
  bool opens = false;  // a sentence: any word begins with a capital there, and this one is followed as a name is

  bool operator==(const Name&) const = default;
};

// Words with a capital inside a sentence, and those with one in their middle ("PostgreSQL"). German writes every noun so: there
// only what a person word stands before ("Schwester Clara"), and what is written unlike a noun.
std::vector<Name> names_of(const std::vector<WrittenWord>& words, std::string_view language);

// Does a text have the name, in whatever case: also in the genitive, and as a part of an address?
bool has_name(const std::vector<WrittenWord>& words, std::string_view folded_name);

}  // namespace loci
