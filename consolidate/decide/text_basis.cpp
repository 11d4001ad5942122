#include "consolidate/decide/text_basis.h"

#include <algorithm>

namespace loci {
namespace {

// A text rests on what is trusted less than the rest of what it is made from if it has a value or a name from there alone.
bool has_value_only_of(const Statement& less, const Statement& text, const std::vector<Statement>& others) {
  const auto is_only_there = [&](auto&& in) { return in(less) && in(text) && std::ranges::none_of(others, in); };
  return std::ranges::any_of(less.values,
                             [&](const Value& value) {
                               return !value.is_weak && is_only_there([&](const Statement& one) {
                                 return std::ranges::any_of(one.values, [&](const Value& other) {
                                   return other.kind == value.kind && other.key == value.key;
                                 });
                               });
                             }) ||
         std::ranges::any_of(less.names, [&](const Name& name) {
           return is_only_there([&](const Statement& one) { return has_name(one.words, name.folded); });
         });
}

}  // namespace

// What is trusted more than `source` and says what the operation's text says.
std::vector<const std::string*> TextBasis::texts_above(const Operation& operation, Source source) const {
  std::vector<const std::string*> texts;
  for (const size_t fact : operation.facts)
    if (material_.facts[fact].source > source) texts.push_back(&material_.facts[fact].text);
  if (operation.target && material_.entries[*operation.target].source > source && !operation.is_correction)
    texts.push_back(&material_.entries[*operation.target].text);
  return texts;
}

// It also does if a good part of its words is not from what is trusted more. Of an entry, only words count that stand in it: a
// fact takes its place. Of a fact all others do: no guess gains a person's authority by another wording.
bool TextBasis::has_much_of(const Operation& operation, const std::string& less, Source source, bool is_entry) {
  constexpr size_t good_part = 4;  // one in so many
  const auto above = texts_above(operation, source);
  if (above.empty()) return true;
  std::vector<Statement> others;
  Stems known;
  for (const std::string* other : above) {
    others.push_back(read_statement(*other));
    known.merge(stems_of(reader_.read(*other)));
  }
  if (has_value_only_of(read_statement(less), read_statement(operation.text), others)) return true;
  const Stems there = stems_of(reader_.read(less));
  size_t words = 0, unknown = 0;
  for (const TextWord& word : reader_.read(operation.text).words) {
    if (builds_sentence(word) || is_frame_word(word)) continue;
    ++words;
    unknown += !reader_.is_among(word, known) && (!is_entry || reader_.is_among(word, there));
  }
  return is_entry ? unknown > 0 && good_part * unknown >= words : good_part * unknown >= words;
}

bool TextBasis::rests_on(const Operation& operation, const Fact& fact) {
  return has_much_of(operation, fact.text, fact.source, false);
}

bool TextBasis::rests_on(const Operation& operation, const DurableEntry& target) {
  return !operation.is_correction && !texts_above(operation, target.source).empty() &&
         has_much_of(operation, target.text, target.source, true);
}

}  // namespace loci
