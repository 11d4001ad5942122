// The lists of phrases that many rows have, kept by one connection from a question to the next. Over a later snapshot, too, if no
// text was taken out of the index meanwhile: then the rows that came stand behind all others, and only these have to be read.
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "indexer/match_merge.h"

namespace loci {

class KeptLists {
 public:
  static constexpr size_t most_bytes = size_t{4} << 20;  // of all lists together
  // A shorter list is read as quickly; one with more rows and places takes the room of too many others.
  static constexpr size_t fewest_rows = 128, most_numbers = most_bytes / 8;

  // What of the texts a snapshot shows.
  struct Texts {
    std::int64_t removals = 0;  // how often one was taken out, since the index was made
    RowId last_row = 0;
  };
  // Another snapshot is shown now; until is_at() says of which texts, nothing may be asked.
  void leave() { is_known_ = false; }
  bool is_known() const { return is_known_; }
  void is_at(const Texts& texts);
  const Texts& texts() const { return texts_; }

  // A list that is kept, with the row up to which it was read: what stands behind that is for the caller to read, and to add_on().
  struct Found {
    PhraseRows list;
    RowId until = 0;
  };
  std::optional<Found> find(std::string_view phrase);
  // What stands behind the rows of a list that was found, up to texts().last_row.
  void add_on(std::string_view phrase, const PhraseRows& more);
  // Of the rows up to texts().last_row. Those that nobody asked for in the longest time make room.
  void add(const std::string& phrase, const PhraseRows& rows);
  void clear();

 private:
  struct List {
    std::string phrase;  // as it stands in an expression
    RowId last_row = 0, until = 0;
    size_t rows = 0, positions = 0;  // how many
    std::string packed;
  };

  void make_room();

  bool is_known_ = false;
  Texts texts_;
  std::list<List> lists_;  // the latest that was asked for first
  std::unordered_map<std::string_view, std::list<List>::iterator> by_phrase_;
};

}  // namespace loci
