#include "capture/content_words.h"

#include <algorithm>
#include <unordered_set>

#include "base/unicode.h"
#include "recall/function_words.h"
#include "recall/query_words.h"

namespace loci {

std::vector<std::string> content_words(std::string_view text, size_t most) {
  std::vector<std::string> words;
  std::unordered_set<std::string> seen;
  for (size_t begin = 0; begin < text.size() && words.size() < most;) {
    const size_t end = std::min(text.find_first_of(" \t\r\n", begin), text.size());
    for (const QueryWord& word : split_words(text.substr(begin, end - begin))) {
      std::string folded = fold(without_clitics(word.text));
      if (folded.empty() || is_function_word(folded) || words.size() == most || !seen.insert(folded).second) continue;
      words.push_back(std::move(folded));
    }
    begin = end + 1;
  }
  return words;
}

}  // namespace loci
