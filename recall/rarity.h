// How rare a word is in what people write, whatever this memory holds. Pure.
//
// A small vault cannot tell: in sixty facts "start" stands as often as "Katrin". The tables of tokens that models read
// (tokens/token_table.h) can: their tokens are in the order in which they were merged from a large corpus of many languages, which
// is near enough that of how often they occur. So a word's rank stands for its place among all words, and by Zipf's law the
// logarithm of its place for how much it says.
#pragma once

#include <string_view>

namespace loci {

// 0 for one of the thousand commonest, 1 for a word that is no token of its own, or where loci was built without tables; between
// them by the logarithm of the rank. As it was typed: with its case and diacritics. The commonest of its forms with a capital
// counts.
double rarity_of(std::string_view word);

}  // namespace loci
