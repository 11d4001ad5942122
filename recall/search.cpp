#include "recall/search.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>

#include "base/unicode.h"
#include "recall/entry_filter.h"
#include "recall/relevance.h"
#include "recall/score.h"
#include "recall/snippet.h"
#include "recall/word_forms.h"

namespace loci {
namespace {

// A best hit below this share of the highest possible relevance says little: see SearchResult::confident.
constexpr double confident_relevance = 0.20;
constexpr size_t ties_looked_at = 256;  // entries of one score and one time whose ids decide who is in

class ReaderColumns final : public ColumnSource {
 public:
  explicit ReaderColumns(IndexReader& reader) : reader_(reader) {}
  EntryColumns entry(RowId row) override { return reader_.columns(row); }
  ThreadColumns thread(ThreadId thread) override { return reader_.thread(thread); }

 private:
  IndexReader& reader_;
};

// An entry that may be shown.
struct Candidate {
  const RankedEntry* ranked = nullptr;
  double score = 0, recency = 1, trust = 1;
};

// Score, then time; the id decides last, where it is known.
bool comes_before(const Candidate& a, const Candidate& b) {
  if (a.score != b.score) return a.score > b.score;
  return a.ranked->columns.at > b.ranked->columns.at;
}
bool is_tied(const Candidate& a, const Candidate& b) { return !comes_before(a, b) && !comes_before(b, a); }

class Search {
 public:
  Search(IndexReader& reader, const SearchQuery& query, const SearchOptions& options, Instant now)
      : reader_(reader), query_(query), options_(options), now_(now) {}

  Result<SearchResult> run() {
    auto filter = both(options_.filter, query_.filter);
    if (!filter) return SearchResult{};
    filter_ = std::move(*filter);
    filter_.inactive |= options_.inactive;
    const bool unfiltered = is_empty(filter_) && query_.excluded.empty() && query_.without.empty();
    if (!options_.history && !query_.history && !asks_for_history(filter_)) filter_.layers = {Layer::L0, Layer::L1};

    const Statistics statistics = reader_.statistics();
    auto plan = TRY(plan_ranking(reader_, query_.terms, statistics));
    TRY(find_hidden());
    if (!plan.expression.empty()) return ranked(plan, statistics);
    if (unfiltered) return SearchResult{};
    return newest();
  }

 private:
  // The rows that an exclusion hides, and those that a filter lets through.
  Status find_hidden() {
    for (const QueryTerm& term : query_.excluded) {
      const std::string expression = expression_of(reader_, term);
      if (expression.empty()) continue;
      auto matches = TRY(reader_.match(expression));
      hidden_.insert(hidden_.end(), matches.rows.begin(), matches.rows.end());
    }
    for (const EntryFilter& without : query_.without) {
      auto rows = TRY(reader_.rows_matching(without));
      hidden_.insert(hidden_.end(), rows.begin(), rows.end());
    }
    std::ranges::sort(hidden_);
    if (!needs_rows(filter_)) return {};
    auto rows = TRY(reader_.rows_matching(filter_));
    allowed_ = std::move(rows);
    return {};
  }

  bool may_show(const RankedEntry& entry) const {
    return passes(filter_, entry.columns) && (!needs_rows(filter_) || std::ranges::binary_search(allowed_, entry.row)) &&
           !std::ranges::binary_search(hidden_, entry.row);
  }

  Result<SearchResult> ranked(const RankingPlan& plan, const Statistics& statistics) {
    auto matches = TRY(reader_.match(plan.expression));
    thread_local RelevanceScorer scorer;
    ReaderColumns columns(reader_);
    const Relevance relevance = scorer.score(plan, matches, statistics, columns, filter_.inactive);
    for (const RankedEntry& entry : relevance.entries)
      if (may_show(entry)) candidates_.push_back(weighed(entry));

    SearchResult result;
    const std::vector<ShownThread> threads = options_.threads ? rank_threads(relevance) : std::vector<ShownThread>{};
    TRY(add_hits(result));
    TRY(add_threads(threads, result));
    result.confident =
        std::ranges::any_of(result.hits, [](const Hit& hit) { return hit.why.bm25 + hit.why.thread >= confident_relevance; });
    return result;
  }

  Candidate weighed(const RankedEntry& entry) const {
    std::optional<Instant> at;
    if (entry.columns.at != std::numeric_limits<std::int64_t>::min()) at = Instant(std::chrono::milliseconds(entry.columns.at));
    const double recency = recency_of(at, now_, options_.recency_half_life_days, options_.recency_floor);
    const double trust = trust_of(entry.columns.source);
    return {&entry, entry.relevance * recency * trust, recency, trust};
  }

  Result<const Entry*> entry(RowId row) {
    const auto known = entries_.find(row);
    if (known != entries_.end()) return &known->second;
    auto read = TRY(reader_.entry(row));
    return &entries_.emplace(row, std::move(read)).first->second;
  }

  // The first `count` of `candidates` in order, ids included.
  void keep_best(std::vector<Candidate>& candidates, size_t count) {
    if (candidates.size() > count) {
      if (count == 0) {
        candidates.clear();
        return;
      }
      const auto last = candidates.begin() + static_cast<std::ptrdiff_t>(count) - 1;
      std::ranges::nth_element(candidates, last, comes_before);
      const Candidate border = *last;
      const auto tied = std::partition(last + 1, candidates.end(), [&](const Candidate& c) { return is_tied(c, border); });
      candidates.erase(std::min(tied, last + 1 + ties_looked_at), candidates.end());
    }
    std::ranges::sort(candidates, comes_before);
    order_ties(candidates);
    if (candidates.size() > count) candidates.resize(count);
  }

  void order_ties(std::vector<Candidate>& candidates) {
    for (size_t begin = 0; begin < candidates.size();) {
      size_t end = begin + 1;
      while (end < candidates.size() && is_tied(candidates[begin], candidates[end])) ++end;
      if (end - begin > 1) {
        std::vector<std::pair<std::string, Candidate>> by_id;
        for (size_t i = begin; i < end; ++i) by_id.emplace_back(reader_.id_of(candidates[i].ranked->row), candidates[i]);
        std::ranges::sort(by_id, {}, &std::pair<std::string, Candidate>::first);
        for (size_t i = begin; i < end; ++i) candidates[i] = by_id[i - begin].second;
      }
      begin = end;
    }
  }

  Status add_hits(SearchResult& result) {
    keep_best(candidates_, options_.limit);
    const std::vector<std::string> words = snippet_words();
    for (const Candidate& candidate : candidates_) {
      const auto read = TRY(entry(candidate.ranked->row));
      const RankedEntry& ranked = *candidate.ranked;
      const HitReasons why{ranked.own, ranked.relevance - ranked.own, candidate.recency, candidate.trust};
      result.hits.push_back({*read, candidate.score, why, snippet_of(read->text, words)});
    }
    return {};
  }

  struct ShownThread {
    ThreadId thread = 0;
    double score = 0;
    Candidate best;
  };

  // Each thread names those of its entries that are among the hits, else its best one: a thread more costs at most one entry more
  // to read.
  Status add_threads(const std::vector<ShownThread>& threads, SearchResult& result) {
    for (const ShownThread& thread : threads) {
      ThreadHit& hit = result.threads.emplace_back(reader_.session_of(thread.thread), thread.score, std::vector<std::string>{});
      for (const Candidate& candidate : candidates_)
        if (candidate.ranked->columns.thread == thread.thread) hit.hits.push_back(entries_.at(candidate.ranked->row).id);
      if (!hit.hits.empty()) continue;
      const auto best = TRY(entry(thread.best.ranked->row));
      hit.hits.push_back(best->id);
    }
    return {};
  }

  // The best `limit` threads.
  std::vector<ShownThread> rank_threads(const Relevance& relevance) {
    std::unordered_map<ThreadId, const Candidate*> best;
    for (const Candidate& candidate : candidates_) {
      const Candidate*& known = best[candidate.ranked->columns.thread];
      if (!known || comes_before(candidate, *known)) known = &candidate;
    }
    std::vector<ShownThread> threads;
    for (const RankedThread& thread : relevance.threads)
      if (const auto found = best.find(thread.thread); found != best.end()) {
        const Candidate& first = *found->second;
        threads.push_back({thread.thread, thread.relevance * first.recency * first.trust, first});
      }
    const auto in_order = [&](const ShownThread& a, const ShownThread& b) {
      if (a.score != b.score) return a.score > b.score;
      const std::int64_t a_at = a.best.ranked->columns.at, b_at = b.best.ranked->columns.at;
      return a_at != b_at ? a_at > b_at : reader_.session_of(a.thread) < reader_.session_of(b.thread);
    };
    const size_t count = std::min(options_.limit, threads.size());
    std::ranges::partial_sort(threads, threads.begin() + static_cast<std::ptrdiff_t>(count), in_order);
    threads.resize(count);
    return threads;
  }

  std::vector<std::string> snippet_words() {
    std::vector<std::string> words;
    for (const QueryTerm& term : query_.terms) {
      const std::string folded = fold(term.text);
      words.push_back(folded);
      for (std::string& token : reader_.tokens_of(term.text))
        if (count_code_points(token) > 1) words.push_back(std::move(token));
      for (const std::string_view form : other_forms(folded)) words.emplace_back(form);
    }
    return words;
  }

  // Only filters and exclusions were given: what they let through, newest first.
  Result<SearchResult> newest() {
    SearchResult result;
    std::string before;
    while (result.hits.size() < options_.limit) {
      auto page = TRY(reader_.recent(filter_, options_.limit, before));
      if (page.empty()) break;
      before = page.back().id;
      for (Entry& found : page) {
        if (result.hits.size() == options_.limit || std::ranges::binary_search(hidden_, found.row)) continue;
        std::string snippet = snippet_of(found.text, {});
        const HitReasons why{0, 0, recency_of(found.at, now_, options_.recency_half_life_days, options_.recency_floor),
                             trust_of(found.source)};
        result.hits.push_back({std::move(found), 0, why, std::move(snippet)});
      }
    }
    result.confident = !result.hits.empty();
    return result;
  }

  IndexReader& reader_;
  const SearchQuery& query_;
  const SearchOptions& options_;
  Instant now_;
  EntryFilter filter_;
  std::vector<RowId> allowed_, hidden_;  // sorted
  std::vector<Candidate> candidates_;
  std::unordered_map<RowId, Entry> entries_;  // read so far
};

}  // namespace

Result<SearchResult> search(IndexReader& reader, const SearchQuery& query, const SearchOptions& options, Instant now) {
  const auto start = std::chrono::steady_clock::now();
  auto result = Search(reader, query, options, now).run();
  if (result) result->took_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace loci
