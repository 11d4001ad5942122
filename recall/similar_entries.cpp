#include "recall/similar_entries.h"

#include <algorithm>
#include <functional>
#include <unordered_set>

#include "recall/thread_nearness.h"

namespace loci {
namespace {

constexpr size_t most_looked_at = 2'000;  // texts, most of which a filter may leave out
constexpr size_t looked_at_once = 100;

double share_of(double score, double best) { return best > 0 ? score / best : 0; }

}  // namespace

Status SimilarEntries::find(IndexReader& reader, const Admission& admission, SimilarTexts& source, Wanted wanted) {
  const size_t most = wanted.threads ? ThreadNearness::most_entries : most_fused;
  std::unordered_set<RowId> seen;
  size_t looked_at = 0;
  for (std::vector<SimilarText> texts; found_.size() < most && looked_at < most_looked_at; looked_at += texts.size()) {
    texts = source.at(looked_at, looked_at_once);
    if (texts.empty()) break;
    for (const SimilarText& text : texts)
      for (const RowId row : TRY(reader.rows_with_text(text.hash))) {
        const EntryColumns columns = reader.columns(row);
        if (!admission.may_show(row, columns)) continue;
        if (wanted.without_history && columns.layer == Layer::L2) continue;
        if (seen.insert(row).second) found_.push_back({{row, RelevanceScorer::no_match}, columns, text.similarity});
      }
  }
  return {};
}

std::span<const SimilarEntries::SimilarEntry> SimilarEntries::nearest() const {
  return std::span(found_).first(std::min(found_.size(), most_fused));
}

// Neighbours know each other, so that nothing has to be read of what is lent to.
std::unordered_map<RowId, SimilarEntries::Near> SimilarEntries::near_rows() const {
  const auto entries = nearest();
  std::unordered_map<RowId, Near> rows;
  if (entries.empty()) return rows;
  const Nearness nearness(entries.front().similarity, entries.back().similarity, entries.size());
  for (const SimilarEntry& entry : entries) {
    const double own = nearness.of(entry.similarity);
    Near& near = rows[entry.ranked.row];
    near.own = own;
    near.similarity = entry.similarity;
    for (const RowId neighbour : {entry.columns.previous, entry.columns.next})
      if (neighbour != 0) rows[neighbour].lent += lent_by_neighbour(own);
  }
  return rows;
}

void SimilarEntries::add_to(std::vector<ScoredEntry>& candidates, const EntryWeigher& weigher) const {
  std::unordered_set<RowId> known;
  for (const ScoredEntry& candidate : candidates) known.insert(candidate.ranked->row);
  for (const SimilarEntry& entry : nearest())
    if (!known.contains(entry.ranked.row)) candidates.push_back(weigher.of(entry.ranked, entry.columns));
}

void SimilarEntries::fuse(std::vector<ScoredEntry>& candidates, const EntryWeigher& weigher, size_t limit) {
  const double best = candidates.empty() ? 0 : candidates.front().score;
  add_to(candidates, weigher);
  auto rows = near_rows();
  double most = 0;
  for (const ScoredEntry& candidate : candidates) most = std::max(most, rows[candidate.ranked->row].all());
  for (ScoredEntry& candidate : candidates) {
    const Near& near = rows[candidate.ranked->row];
    const double by_vector = share_of(near.all(), most);
    candidate.score = fused_score(share_of(candidate.score, best), by_vector);
    parts_[candidate.ranked->row] = {fused_part_of_vector(by_vector), fused_part_of_vector(share_of(near.lent, most)),
                                     near.similarity};
  }
  std::ranges::stable_sort(candidates, std::ranges::greater(), &ScoredEntry::score);
  if (candidates.size() > limit) candidates.resize(limit);
}

void SimilarEntries::fuse(std::vector<ShownThread>& threads, const EntryWeigher& weigher, size_t limit) const {
  const double best = threads.empty() ? 0 : threads.front().score;
  ThreadNearness by_vector;
  std::unordered_set<ThreadId> known{0};
  for (const ShownThread& thread : threads) known.insert(thread.thread);
  for (const SimilarEntry& entry : found_) {
    const ThreadId thread = entry.columns.thread;
    by_vector.add(thread, entry.similarity);
    if (known.insert(thread).second) threads.push_back({thread, 0, weigher.of(entry.ranked, entry.columns)});
  }
  auto nearness = by_vector.of_threads();
  for (ShownThread& thread : threads) thread.score = fused_score(share_of(thread.score, best), nearness[thread.thread]);
  std::ranges::stable_sort(threads, std::ranges::greater(), &ShownThread::score);
  if (threads.size() > limit) threads.resize(limit);
}

bool SimilarEntries::is_of_vectors_alone(const ScoredEntry& candidate) const {
  return !found_.empty() && candidate.ranked >= &found_.front().ranked && candidate.ranked <= &found_.back().ranked;
}

SimilarEntries::Part SimilarEntries::part_of(RowId row) const {
  const auto found = parts_.find(row);
  return found == parts_.end() ? Part{} : found->second;
}

}  // namespace loci
