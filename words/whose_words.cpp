#include "words/whose_words.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "base/unicode.h"
#include "parser/text_hash.h"
#include "words/hedges.h"
#include "words/meaning.h"
#include "words/vocabulary.h"
#include "words/wording.h"

namespace loci {
namespace {

constexpr size_t shortest_quote = 2;  // characters

std::string comparable(std::string_view text) { return fold(normalise_for_hash(text)); }

struct Span {
  size_t begin = 0, end = 0;
};

// --- sentences ---

struct Marks {
  std::string_view open, close;
};
constexpr std::array<Marks, 6> quotation = {{{"\"", "\""}, {"`", "`"}, {"“", "”"}, {"„", "“"}, {"«", "»"}, {"「", "」"}}};

// What is quoted, and code, on one line. A mark that nothing closes is looked for once: a line may be long.
class QuotedParts {
 public:
  explicit QuotedParts(std::string_view line) : line_(line) {}

  // Where the one ends that begins here; 0 if none does.
  size_t end_of(size_t begin) {
    for (size_t i = 0; i < quotation.size(); ++i) {
      const auto& [open, close] = quotation[i];
      if (is_open_[i] || !line_.substr(begin).starts_with(open)) continue;
      const size_t end = line_.find(close, begin + open.size());
      if (end != std::string_view::npos) return end + close.size();
      is_open_[i] = true;
    }
    return 0;
  }

 private:
  std::string_view line_;
  std::array<bool, quotation.size()> is_open_ = {};
};

// Nothing of what is quoted here can be part of a sentence of the user's.
constexpr char gap = '\n';

std::string without_quoted(std::string_view line) {
  std::string own;
  QuotedParts quoted(line);
  for (size_t i = 0; i < line.size();) {
    const size_t end = quoted.end_of(i);
    if (end == 0) {
      own += line[i++];
    } else {
      own += gap;
      i = end;
    }
  }
  return own;
}

std::string_view trimmed(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(" \t\r"), text.size());
  return text.substr(begin);
}

// What the user says in their own words, a line for each line.
std::string own_words(std::string_view said) {
  std::string own;
  bool in_code = false;
  for (size_t begin = 0; begin < said.size();) {
    const size_t end = std::min(said.find('\n', begin), said.size());
    const std::string_view line = said.substr(begin, end - begin);
    const bool is_fence = trimmed(line).starts_with("```") || trimmed(line).starts_with("~~~");
    if (is_fence) in_code = !in_code;
    const bool is_own =
        !is_fence && !in_code && !trimmed(line).starts_with('>') && !line.starts_with("    ") && !line.starts_with('\t');
    if (is_own) own += without_quoted(line);
    own += '\n';
    begin = end + 1;
  }
  return own;
}

bool ends_sentence(std::string_view text, size_t i) {
  if (text[i] == '\n') return true;
  if (text[i] != '.' && text[i] != '!' && text[i] != '?') return false;
  return i + 1 == text.size() || text[i + 1] == ' ' || text[i + 1] == '\n' || text[i + 1] == '\t';
}

struct Sentence {
  std::string text;        // comparable
  std::string as_written;  // with its capitals, which mark names
  bool asks = false;
};

std::vector<Sentence> sentences_of(std::string_view said) {
  const std::string own = own_words(said);
  std::vector<Sentence> sentences;
  for (size_t begin = 0; begin < own.size();) {
    size_t end = begin;
    while (end < own.size() && !ends_sentence(own, end)) ++end;
    end = std::min(end + 1, own.size());
    const std::string_view written = std::string_view(own).substr(begin, end - begin);
    Sentence sentence{comparable(written), std::string(written), written.contains('?') || written.contains("？")};
    if (!sentence.text.empty()) sentences.push_back(std::move(sentence));
    begin = end;
  }
  return sentences;
}

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
}

// Whole words only: "tea" is not said by "team".
bool is_whole(std::string_view text, Span span) {
  const bool joins_before = span.begin > 0 && is_letter_or_digit(text[span.begin - 1]) && is_letter_or_digit(text[span.begin]);
  const bool joins_behind = span.end < text.size() && is_letter_or_digit(text[span.end]) && is_letter_or_digit(text[span.end - 1]);
  return !joins_before && !joins_behind;
}

// --- what a fact says, against the sentences ---

// The one that a fact is about, and how it says so, needs no source.
bool is_about_user(const TextWord& word) { return word.stem == "user"; }

const TextWord* find_word(WordReader& reader, const TextWord& wanted, const TextWords& text) {
  for (const TextWord& word : text.words)
    if (reader.is_among(word, Stems{wanted.stem})) return &word;
  return nullptr;
}

// A word of the sentences is denied in the fact as it is there.
bool denies_alike(WordReader& reader, const TextWords& fact, const TextWords& said) {
  for (const TextWord& word : fact.words) {
    bool stands = false, agrees = false;
    for (const TextWord& other : said.words) {
      if (!reader.is_among(other, Stems{word.stem})) continue;
      stands = true;
      agrees = agrees || other.is_denied == word.is_denied;
    }
    if (stands && !agrees) return false;
  }
  if (said.tells_of_past && !fact.tells_of_past && !fact.denies) return false;
  return said.denies || !fact.denies;
}

// What was a guess or a wish stays one; a wish may be added, a guess may not.
bool hedges_alike(std::string_view fact, std::string_view said) {
  const Hedges in_fact = hedges_in(fact), in_said = hedges_in(said);
  return (in_fact.any() || !in_said.any()) && (in_said.any() || !in_fact.guesses);
}

// "My brother likes tea" says nothing of the user: whom a clause is about must be in the fact.
bool is_about_the_same(WordReader& reader, const TextWords& fact, const TextWords& said) {
  std::set<size_t> used;
  for (const TextWord& word : said.words)
    if (!is_frame_word(word) && find_word(reader, word, fact)) used.insert(word.clause);
  std::set<size_t> begun;
  for (const TextWord& word : said.words) {
    const bool begins = begun.insert(word.clause).second;
    if (!used.contains(word.clause) || word.is_denied) continue;
    const bool is_somebody = is_person_word(word.folded) || (begins && (word.is_value || word.may_be_name) && word.number.empty());
    if (is_somebody && !find_word(reader, word, fact)) return false;
  }
  return true;
}

// Every value and name stands in the user's sentences; every other word there, in what was said before, or in what is corrected.
bool comes_from(WordReader& reader, const TextWords& fact, const TextWords& sentences, const QuotedPlace& said) {
  if (!invented_values(reader, fact, Sources{{sentences}, {}, {said.day}}).empty()) return false;
  const std::array<TextWords, 3> sources = {sentences, reader.read(said.before), reader.read(said.corrected)};
  const auto is_from_them = [&](const TextWord& word) { return find_word(reader, word, sentences) != nullptr; };
  for (const TextWord& word : fact.words) {
    if (word.is_value || is_about_user(word) || is_frame_word(word) || builds_sentence(word)) continue;
    if (std::ranges::none_of(sources, [&](const TextWords& source) { return find_word(reader, word, source) != nullptr; }))
      return false;
  }
  return std::ranges::any_of(fact.words, [&](const TextWord& word) {
    return !is_about_user(word) && (word.is_value || !is_frame_word(word)) && is_from_them(word);
  });
}

bool turns_alike(WordReader& reader, const TextWords& fact, const TextWords& sentences) {
  return !loses_reversal(reader, sentences, fact) && added_reversals(fact, std::span(&sentences, 1)).empty();
}

// The sentences deny what the known fact says, or the fact has another value in its place.
bool corrects(WordReader& reader, const TextWords& fact, const TextWords& sentences, std::string_view corrected) {
  if (corrected.empty()) return false;
  const TextWords known = reader.read(corrected);
  const auto is_denied = [&](const TextWord& word) {
    return word.is_denied && !is_frame_word(word) && find_word(reader, word, known);
  };
  if (std::ranges::any_of(sentences.words, is_denied)) return true;
  const auto only_in = [&](const TextWords& one, const TextWords& other) {
    return std::ranges::any_of(one.words, [&](const TextWord& word) { return word.is_value && !find_word(reader, word, other); });
  };
  const bool is_about_it = std::ranges::any_of(fact.words, [&](const TextWord& word) {
    return !is_about_user(word) && !is_frame_word(word) && !word.is_value && find_word(reader, word, known);
  });
  return is_about_it && only_in(fact, known) && only_in(known, fact);
}

}  // namespace

std::string sentences_with(std::string_view said, std::string_view quote) {
  const std::string wanted = comparable(quote);
  if (count_code_points(wanted) < shortest_quote) return {};
  const auto sentences = sentences_of(said.substr(0, longest_read));
  std::string text;
  std::vector<Span> spans;
  for (const Sentence& sentence : sentences) {
    if (!text.empty()) text += ' ';
    spans.push_back({text.size(), text.size() + sentence.text.size()});
    text += sentence.text;
  }
  for (size_t at = 0; (at = text.find(wanted, at)) != std::string::npos; ++at) {
    const Span found{at, at + wanted.size()};
    if (!is_whole(text, found)) continue;
    std::string with;
    bool asks = false;
    const auto first = std::ranges::partition_point(spans, [&](const Span& span) { return span.end <= found.begin; });
    for (auto i = static_cast<size_t>(first - spans.begin()); i < spans.size() && spans[i].begin < found.end; ++i) {
      asks = asks || sentences[i].asks;
      with += sentences[i].as_written;
      with += '\n';
    }
    if (!asks) return with;
  }
  return {};
}

Whose whose_words(WordReader& reader, const QuotedFact& fact, const QuotedPlace& said) {
  const std::string text = sentences_with(said.user, fact.quote);
  if (text.empty()) return Whose::anothers;
  const TextWords sentences = reader.read(text), words = reader.read(fact.text);
  if (!comes_from(reader, words, sentences, said) || !denies_alike(reader, words, sentences) || !hedges_alike(fact.text, text) ||
      !turns_alike(reader, words, sentences) || !is_about_the_same(reader, words, sentences))
    return Whose::anothers;
  return corrects(reader, words, sentences, said.corrected) ? Whose::users_correction : Whose::users;
}

}  // namespace loci
