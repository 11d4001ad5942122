// What makes two texts the same memory: one function for the ids of text without metadata, tombstones, the ledger and `sum`.
#pragma once

#include <string>
#include <string_view>

namespace loci {

// The text in NFC, white space collapsed to single blanks, case kept, the first block's own marker (bullet, number, `>`, fence
// lines) taken off; checkboxes and nested items kept.
std::string normalise_for_hash(std::string_view text);

// 64 hex digits of SHA-256 over normalise_for_hash(text).
std::string text_hash(std::string_view text);

// What of it stands in files of the vault and in the index: the first 32 digits.
inline constexpr size_t stored_hash_digits = 32;
inline std::string stored_text_hash(std::string_view text) { return text_hash(text).substr(0, stored_hash_digits); }

// As normalise_for_hash, and also without emphasis and, on every line, without list markers and checkboxes: what a line keeps when
// it is made a task, or bold. Two texts that differ in nothing else say the same.
std::string normalise_loosely(std::string_view text);

// 32 digits. Equal to stored_text_hash of a text that has no such marks.
std::string loose_text_hash(std::string_view text);

// "h-" and the first 20 digits of a text hash: the id of an entry without metadata.
std::string id_from_hash(std::string_view hash);

// The first 8 digits: the `sum` of an entry that code writes.
std::string sum_from_hash(std::string_view hash);
// Somebody gave the text other words than those that loci wrote. Of one without a `sum` nothing is known.
bool is_edited(std::string_view sum, std::string_view hash);
// ... and not only other marks, as far as a sum can tell.
bool has_other_words(std::string_view sum, std::string_view text);

}  // namespace loci
