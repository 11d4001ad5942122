#include "recall/similar_entries.h"

#include <algorithm>
#include <functional>

namespace loci {
namespace {

constexpr size_t most_looked_at = 2'000;  // texts, most of which a filter may leave out

double share_of(double score, double best) { return best > 0 ? score / best : 0; }

}  // namespace

Status SimilarEntries::find(IndexReader& reader, const Admission& admission, SimilarTexts& source, ReadEntries& entries,
                            bool without_history) {
  size_t looked_at = 0;
  for (std::vector<SimilarText> texts; found_.size() < most_fused && looked_at < most_looked_at; looked_at += texts.size()) {
    texts = source.at(looked_at, most_fused);
    if (texts.empty()) break;
    for (const SimilarText& text : texts) {
      auto same = TRY(reader.find_text(text.hash, {}));
      for (Entry& entry : same) {
        const RowId row = entry.row;
        const EntryColumns columns = reader.columns(row);
        if (entry.hash != text.hash || !admission.may_show(row, columns)) continue;
        if (without_history && columns.layer == Layer::L2) continue;
        if (entries.keep(std::move(entry))) found_.push_back({{row, RelevanceScorer::no_match}, columns, text.similarity});
      }
    }
  }
  if (!found_.empty()) nearness_ = {found_.front().similarity, found_.back().similarity, found_.size()};
  return {};
}

void SimilarEntries::fuse(std::vector<ScoredEntry>& candidates, const EntryWeigher& weigher, size_t limit) {
  const double best = candidates.empty() ? 0 : candidates.front().score;
  std::unordered_map<RowId, size_t> by_words;
  for (size_t place = 0; place < candidates.size(); ++place) by_words.emplace(candidates[place].ranked->row, place);
  std::vector<double> by_vector(candidates.size(), 0);
  for (const SimilarEntry& found : found_) {
    const auto [place, is_new] = by_words.try_emplace(found.ranked.row, candidates.size());
    if (is_new) {
      candidates.push_back(weigher.of(found.ranked, found.columns));
      by_vector.push_back(0);
    }
    const double nearness = by_vector[place->second] = nearness_.of(found.similarity);
    parts_.emplace(found.ranked.row, Part{fused_part_of_vector(nearness), found.similarity});
  }
  for (size_t i = 0; i < candidates.size(); ++i)
    candidates[i].score = fused_score(share_of(candidates[i].score, best), by_vector[i]);
  std::ranges::stable_sort(candidates, std::ranges::greater(), &ScoredEntry::score);
  if (candidates.size() > limit) candidates.resize(limit);
}

void SimilarEntries::fuse(std::vector<ShownThread>& threads, const EntryWeigher& weigher, size_t limit) const {
  const double best = threads.empty() ? 0 : threads.front().score;
  std::unordered_map<ThreadId, size_t> numbers;
  for (const ShownThread& thread : threads) numbers.emplace(thread.thread, numbers.size());
  std::vector<double> by_vector(threads.size(), 0);
  for (const SimilarEntry& found : found_) {
    if (found.columns.thread == 0) continue;
    const auto [number, is_new] = numbers.emplace(found.columns.thread, threads.size());
    if (is_new) {
      threads.push_back({found.columns.thread, 0, weigher.of(found.ranked, found.columns)});
      by_vector.push_back(0);
    }
    by_vector[number->second] = std::max(by_vector[number->second], nearness_.of(found.similarity));
  }
  for (size_t i = 0; i < threads.size(); ++i) threads[i].score = fused_score(share_of(threads[i].score, best), by_vector[i]);
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
