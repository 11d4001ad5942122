// A vault of a wanted size, the same every time: four notes of a person for every day of the archive, in words that are as unequal
// as those of a language (Zipf). One thread.
#pragma once

#include <string>
#include <vector>

#include "base/file_system.h"

namespace loci::bench {

struct Scale {
  size_t files = 10'000;
  size_t entries_per_file = 1;
};

struct ScaleVault {
  path root;
  Scale scale;
  std::vector<std::string> notes;         // relative
  std::vector<std::string> rare_words;    // each in 3 to 25 of 10,000 entries
  std::vector<std::string> common_words;  // each in a tenth to a half of all entries

  // What a note held when it was made.
  std::string text_of_note(size_t number) const;
};

// Writes it into a folder that is not there yet; the folder's `.loci/` is made, too.
ScaleVault make_scale_vault(const path& root, Scale scale);

// So many ordinary words, from a seed.
std::string sentence(std::uint64_t seed, size_t words);

// A word that stands in no vault: another one for each number.
std::string word_of_its_own(size_t number);

}  // namespace loci::bench
