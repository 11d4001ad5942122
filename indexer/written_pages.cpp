#include "indexer/written_pages.h"

#include "indexer/bytes.h"

namespace loci {

std::optional<WrittenPages> WrittenPages::load(Database& database) {
  WrittenPages written;
  Query row(database, "SELECT value FROM about WHERE name = 'written pages'");
  if (!row.next()) return database.failed() ? std::nullopt : std::optional(written);
  const auto content = unseal(row.blob(0));
  if (!content) {
    database.report_damage("the list of written pages");
    return std::nullopt;
  }
  ByteReader in(*content);
  written.commits_ = in.varint();
  while (!in.at_end()) {
    auto& pages = written.latest_.emplace_back();
    for (auto left = in.varint(); left > 0 && in.ok(); --left) pages.push_back(static_cast<RowId>(in.varint()));
  }
  return written;
}

void WrittenPages::store(Database& database) const {
  std::string bytes;
  ByteWriter out(bytes);
  out.varint(commits_);
  for (const auto& pages : latest_) {
    out.varint(pages.size());
    for (const RowId page : pages) out.varint(page);
  }
  seal(bytes);
  run(database, "INSERT OR REPLACE INTO about VALUES ('written pages', ?)", Blob{bytes});
}

void WrittenPages::add_commit(const std::vector<RowId>& pages) {
  ++commits_;
  latest_.push_back(pages);
  forget_old_ones();
}

void WrittenPages::forget_old_ones() {
  size_t commits = 0, pages = 0;
  for (auto commit = latest_.rbegin(); commit != latest_.rend() && commits < most_commits; ++commit, ++commits) {
    pages += commit->size();
    if (pages > most_pages) break;
  }
  latest_.erase(latest_.begin(), latest_.end() - static_cast<std::ptrdiff_t>(commits));
}

std::optional<std::set<RowId>> WrittenPages::since(std::uint64_t commits) const {
  if (commits > commits_ || commits_ - commits > latest_.size()) return std::nullopt;
  std::set<RowId> pages;
  for (auto commit = latest_.end() - static_cast<std::ptrdiff_t>(commits_ - commits); commit != latest_.end(); ++commit)
    pages.insert(commit->begin(), commit->end());
  return pages;
}

}  // namespace loci
