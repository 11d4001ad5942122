// Counts terms as a record of rows and their tokens says, which is made quickly: what counts them may lag behind on another thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "indexer/bytes.h"

namespace loci {

// What happens to rows, one after the other.
class TermRecord {
 public:
  void begin_row();
  void add_term(std::string_view term, bool is_stem_of_text);
  // Of the row that began last.
  void count_row(int change);
  void count_fact(int change);

  size_t size() const { return bytes_.size(); }
  std::string take() { return std::exchange(bytes_, {}); }

 private:
  std::string bytes_;
};

class TermCounts {
 public:
  struct Count {
    std::int64_t rows = 0, facts = 0;
    std::uint64_t row = 0;  // the number of the row that had it last
    size_t place = 0;       // there
  };

  // Records are given in the order in which they were made; a row may begin in one and be counted in the next.
  void replay(std::string_view record);

  size_t size() const { return changes_.size(); }
  // By term. A row that began is counted with nothing more.
  std::vector<std::pair<std::string, Count>> take();

 private:
  struct TermOfRow {
    Count* count;
    bool is_stem_of_text;
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view term) const { return std::hash<std::string_view>()(term); }
  };

  void begin_row();
  void add_term(std::string_view term, bool is_stem_of_text);

  std::unordered_map<std::string, Count, Hash, std::equal_to<>> changes_;  // since the last take()
  std::vector<TermOfRow> terms_;                                           // of the row at hand
  std::uint64_t row_ = 0;
};

}  // namespace loci
