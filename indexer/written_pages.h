// Which pages of records the last commits wrote, as the index itself says: whoever keeps pages of an earlier snapshot learns from
// it which of them are still as they were.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <vector>

#include "indexer/index_reader.h"
#include "indexer/sqlite.h"

namespace loci {

class WrittenPages {
 public:
  static constexpr size_t most_commits = 64, most_pages = 256;  // pages of all commits together

  // What the snapshot of a connection says. None: the connection failed.
  static std::optional<WrittenPages> load(Database& database);
  // In the transaction that writes the pages.
  void store(Database& database) const;

  void add_commit(const std::vector<RowId>& pages);

  // How many commits wrote pages since the index was made.
  std::uint64_t commits() const { return commits_; }
  // What the commits behind the first so many wrote. None: nobody knows any more.
  std::optional<std::set<RowId>> since(std::uint64_t commits) const;

 private:
  void forget_old_ones();

  std::uint64_t commits_ = 0;
  std::deque<std::vector<RowId>> latest_;  // by commit, the last one at the end
};

}  // namespace loci
