#include "indexer/tokens.h"

#include <libstemmer.h>

#include <array>
#include <bit>
#include <cstring>

#include "base/unicode.h"

namespace loci {
namespace {

enum class Byte : std::uint8_t { other, word, upper, apostrophe, wide };

constexpr std::array<Byte, 256> classes = [] {
  std::array<Byte, 256> table{};
  for (int c = 0; c < 256; ++c) {
    auto& entry = table[static_cast<size_t>(c)];
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) entry = Byte::word;
    if (c >= 'A' && c <= 'Z') entry = Byte::upper;
    if (c == '\'') entry = Byte::apostrophe;
    if (c >= 0x80) entry = Byte::wide;
  }
  return table;
}();

Byte class_of(char c) { return classes[static_cast<unsigned char>(c)]; }

bool is_ascii_letters_and_digits(std::string_view word) {
  for (const char c : word)
    if (class_of(c) == Byte::wide) return false;
  return true;
}

bool begins_word(std::string_view text, size_t position) {
  if (position >= text.size()) return false;
  const Byte byte = class_of(text[position]);
  if (byte == Byte::wide) {
    const auto kind = classify(decode_code_point(text, position));
    return kind == CharacterClass::word || kind == CharacterClass::mark;
  }
  return byte == Byte::word || byte == Byte::upper;
}

// Length of a possessive 's at `position`, with either apostrophe; 0 if there is none.
size_t possessive_at(std::string_view text, size_t position) {
  size_t next = position;
  if (next < text.size() && text[next] == '\'')
    ++next;
  else if (text.substr(next, 3) == "\xE2\x80\x99")
    next += 3;
  else
    return 0;
  if (next >= text.size() || (text[next] != 's' && text[next] != 'S') || begins_word(text, next + 1)) return 0;
  return next + 1 - position;
}

}  // namespace

// A folded word, where it stands and where its inner capitals are.
struct Tokenizer::Word {
  static constexpr size_t max_parts = 8;

  std::array<char, max_term_bytes> bytes;
  size_t size = 0;
  size_t begin = 0, end = 0;
  std::array<std::uint8_t, max_parts> capitals;
  size_t capital_count = 0;
  bool after_lower = false;

  std::string_view view() const { return {bytes.data(), size}; }
  void add(std::string_view folded) {
    if (size + folded.size() > bytes.size()) return;
    std::memcpy(bytes.data() + size, folded.data(), folded.size());
    size += folded.size();
  }
  void add_ascii(char c, bool upper) {
    if (size == bytes.size()) return;
    if (upper && after_lower && capital_count < max_parts) capitals[capital_count++] = static_cast<std::uint8_t>(size);
    after_lower = !upper;
    bytes[size++] = upper ? static_cast<char>(c + ('a' - 'A')) : c;
  }
};

// Stems of words met before: stemming is most of the work of indexing, and words repeat. Direct-mapped, so its size is fixed; two
// slots fit a cache line, so that a word that is known costs one look at memory.
struct Tokenizer::Memo {
  static constexpr size_t slots = size_t{1} << 14;
  static constexpr size_t max_bytes = 15;  // a longer word is stemmed each time

  // A word with zeros behind it: no word has a zero inside.
  using Key = std::array<std::uint64_t, 2>;
  struct alignas(32) Slot {
    Key word;
    std::array<char, max_bytes> stem;
    std::uint8_t stem_size;
  };
  static_assert(sizeof(Slot) == 32);

  static Key key_of(std::string_view word) {
    Key key{};
    std::memcpy(key.data(), word.data(), word.size());
    return key;
  }
  Slot& slot_of(const Key& key) {
    const std::uint64_t mixed = (key[0] ^ std::rotl(key[1], 29)) * 0x9E3779B97F4A7C15u;
    return table[mixed >> (64 - std::countr_zero(slots))];
  }

  std::unique_ptr<Slot[]> table{new Slot[slots]()};
};

void Tokenizer::Delete::operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }

Tokenizer::Tokenizer() : stemmer_(sb_stemmer_new("english", nullptr)), memo_(std::make_unique<Memo>()) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

std::string_view Tokenizer::stem(std::string_view word) {
  if (word.size() < 3 || !is_ascii_letters_and_digits(word)) return word;
  if (word.size() > Memo::max_bytes) return stem_anew(word);
  const auto key = Memo::key_of(word);
  auto& slot = memo_->slot_of(key);
  if (slot.word != key) {
    const auto stem = stem_anew(word);
    if (stem.size() > Memo::max_bytes) return stem;
    slot.word = key;
    slot.stem_size = static_cast<std::uint8_t>(stem.size());
    std::memcpy(slot.stem.data(), stem.data(), stem.size());
  }
  return {slot.stem.data(), slot.stem_size};
}

std::string_view Tokenizer::stem_anew(std::string_view word) {
  const auto* stem =
      sb_stemmer_stem(stemmer_.get(), reinterpret_cast<const sb_symbol*>(word.data()), static_cast<int>(word.size()));
  if (stem == nullptr) return word;  // out of memory
  return {reinterpret_cast<const char*>(stem), static_cast<size_t>(sb_stemmer_length(stemmer_.get()))};
}

bool Tokenizer::emit_parts(const Word& word, std::string_view whole, TokenSink& sink) {
  size_t begin = 0;
  for (size_t i = 0; i <= word.capital_count; ++i) {
    const size_t end = i < word.capital_count ? word.capitals[i] : word.size;
    const auto part = stem(word.view().substr(begin, end - begin));
    if (part != whole && !sink.take({part, true, word.begin, word.end})) return false;
    begin = end;
  }
  return true;
}

bool Tokenizer::emit(const Word& word, TokenForm form, TokenSink& sink) {
  if (word.size == 0) return true;
  if (form == TokenForm::plain) return sink.take({word.view(), false, word.begin, word.end});
  const auto stemmed = stem(word.view());
  if (!sink.take({stemmed, false, word.begin, word.end})) return false;
  if (form == TokenForm::query) return true;
  if (stemmed != word.view()) {
    std::array<char, max_term_bytes + 1> marked;
    marked[0] = original_mark;
    std::memcpy(marked.data() + 1, word.bytes.data(), word.size);
    if (!sink.take({{marked.data(), word.size + 1}, true, word.begin, word.end})) return false;
  }
  if (word.capital_count == 0) return true;
  return emit_parts(word, std::string(stemmed), sink);
}

bool Tokenizer::tokenize(std::string_view text, TokenForm form, TokenSink& sink) {
  Word word;
  std::string folded;
  const auto finish = [&](size_t end) {
    word.end = end;
    const bool go_on = emit(word, form, sink);
    word.size = word.capital_count = 0;
    word.after_lower = false;
    return go_on;
  };

  for (size_t position = 0; position < text.size();) {
    const size_t begin = position;
    const char c = text[position];
    const Byte byte = class_of(c);
    if (byte == Byte::word || byte == Byte::upper) {
      if (word.size == 0) word.begin = begin;
      word.add_ascii(c, byte == Byte::upper);
      ++position;
      continue;
    }
    if (byte != Byte::wide) {
      ++position;
      if (word.size == 0) continue;
      if (!finish(begin)) return false;
      if (byte == Byte::apostrophe)
        if (const size_t skip = possessive_at(text, begin); skip > 0) position = begin + skip;
      continue;
    }

    const char32_t code_point = decode_code_point(text, position);
    const auto kind = classify(code_point);
    if (kind == CharacterClass::mark && word.size > 0) continue;
    folded.clear();
    if (kind != CharacterClass::space && kind != CharacterClass::punctuation) append_folded(folded, code_point);
    std::erase(folded, ' ');  // of ligatures that stand for several words
    if (kind == CharacterClass::word || kind == CharacterClass::mark) {
      if (word.size == 0) word.begin = begin;
      word.after_lower = false;
      word.add(folded);
      continue;
    }
    if (word.size > 0) {
      if (!finish(begin)) return false;
      if (const size_t skip = possessive_at(text, begin); skip > 0) position = begin + skip;
    }
    if (!folded.empty() && !sink.take({folded, false, begin, position})) return false;
  }
  return finish(text.size());
}

}  // namespace loci
