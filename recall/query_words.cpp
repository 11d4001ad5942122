#include "recall/query_words.h"

#include <algorithm>

#include "recall/code_point.h"

namespace loci {
namespace {

constexpr size_t longest_unspaced_phrase = 4;  // code points; a longer run becomes overlapping pairs

// Joins the characters on both sides of it into one identifier: foo_bar, a-b, v1.2.3, me@example.org, O'Brien.
bool is_connector(char32_t c) { return std::u32string_view(U"_-.:@'’#+~").contains(c); }

// A slash joins only in what looks like a path: "src/main.cpp", "/etc/hosts", "a/b/c", but not "coffee/tea".
bool looks_like_a_path(std::string_view chunk) {
  return chunk.starts_with('/') || chunk.starts_with('~') || chunk.starts_with('.') || std::ranges::count(chunk, '/') > 1 ||
         (chunk.contains('/') && chunk.find_first_of("._\\") != std::string_view::npos);
}

// "Self-care", not "e-mail", "a-b" or "v1-2": words of their own that happen to be joined, found together or apart.
bool is_compound(std::string_view word) {
  constexpr size_t shortest_part = 3;
  if (!word.contains('-')) return false;
  for (size_t begin = 0; begin <= word.size();) {
    const size_t end = std::min(word.find('-', begin), word.size());
    const std::string_view part = word.substr(begin, end - begin);
    const bool letters = std::ranges::all_of(part, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
    if (part.size() < shortest_part || !letters) return false;
    begin = end + 1;
  }
  return true;
}

class WordSplitter {
 public:
  explicit WordSplitter(std::string_view chunk) : chunk_(chunk), path_(looks_like_a_path(chunk)) {}

  std::vector<QueryWord> split() {
    for (size_t position = 0; position < chunk_.size();) {
      const CodePoint c = code_point_at(chunk_, position);
      size_t end = c.end;
      if (c.kind == CharacterClass::word) {
        end = word_end(position);
        add_word(position, end);
      } else if (c.kind == CharacterClass::cjk) {
        end = add_unspaced_run(position);
      } else if (c.kind == CharacterClass::emoji) {
        words_.push_back({chunk_.substr(position, end - position), false, end});
      }
      position = end;
    }
    return std::move(words_);
  }

 private:
  size_t word_end(size_t position) const {
    for (;;) {
      const CodePoint c = code_point_at(chunk_, position);
      if (c.kind == CharacterClass::word || c.kind == CharacterClass::mark) {
        position = c.end;
        continue;
      }
      const bool joins = is_connector(c.value) || (path_ && (c.value == U'/' || c.value == U'\\'));
      if (!joins || code_point_at(chunk_, c.end).kind != CharacterClass::word) return position;
      position = c.end;
    }
  }

  void add_word(size_t begin, size_t end) {
    if (!is_compound(chunk_.substr(begin, end - begin))) {
      words_.push_back({chunk_.substr(begin, end - begin), true, end});
      return;
    }
    while (begin < end) {
      const size_t part_end = std::min(chunk_.find('-', begin), end);
      words_.push_back({chunk_.substr(begin, part_end - begin), true, part_end});
      begin = part_end + 1;
    }
  }

  size_t add_unspaced_run(size_t begin) {
    std::vector<size_t> starts;
    size_t end = begin;
    for (CodePoint c = code_point_at(chunk_, end); c.kind == CharacterClass::cjk || c.kind == CharacterClass::mark;
         c = code_point_at(chunk_, end)) {
      if (c.kind == CharacterClass::cjk) starts.push_back(end);
      end = c.end;
    }
    if (starts.size() <= longest_unspaced_phrase) {
      words_.push_back({chunk_.substr(begin, end - begin), false, end});
      return end;
    }
    for (size_t i = 0; i + 1 < starts.size(); ++i) {
      const size_t pair_end = i + 2 < starts.size() ? starts[i + 2] : end;
      words_.push_back({chunk_.substr(starts[i], pair_end - starts[i]), false, end});
    }
    return end;
  }

  std::string_view chunk_;
  bool path_;
  std::vector<QueryWord> words_;
};

}  // namespace

std::vector<QueryWord> split_words(std::string_view chunk) { return WordSplitter(chunk).split(); }

// "Caroline's" -> "Caroline", "l'histoire" -> "histoire"; "O'Brien" and "don't" stay.
std::string_view without_clitics(std::string_view word) {
  for (const std::string_view apostrophe : {"'", "’"}) {
    const size_t at = word.find(apostrophe);
    if (at == std::string_view::npos || at == 0) continue;
    const std::string_view before = word.substr(0, at), after = word.substr(at + apostrophe.size());
    if (after == "s" || after == "S") return before;
    const std::string elided = fold(before);
    if (elided == "qu" || (elided.size() == 1 && std::string_view("cdjlmnst").contains(elided[0]) && after.size() > 2))
      return after;
  }
  return word;
}

bool has_term_character(std::string_view text) {
  for (size_t position = 0; position < text.size();) {
    const CodePoint c = code_point_at(text, position);
    if (is_term_character(c.kind)) return true;
    position = c.end;
  }
  return false;
}

}  // namespace loci
