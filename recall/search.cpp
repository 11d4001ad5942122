#include "recall/search.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>

#include "base/unicode.h"
#include "recall/admission.h"
#include "recall/best_entries.h"
#include "recall/confidence.h"
#include "recall/entry_filter.h"
#include "recall/newest.h"
#include "recall/promising.h"
#include "recall/ranking_plan.h"
#include "recall/read_entries.h"
#include "recall/relevance.h"
#include "recall/scorer_of_thread.h"
#include "recall/similar_entries.h"
#include "recall/snippet.h"
#include "recall/spelling.h"
#include "recall/word_forms.h"

namespace loci {
namespace {

class ReaderColumns final : public ColumnSource {
 public:
  explicit ReaderColumns(IndexReader& reader) : reader_(reader) {}
  EntryColumns entry(RowId row) override { return reader_.columns(row); }
  void entries(std::span<const RowId> rows, std::span<EntryColumns> found) override { reader_.columns(rows, found); }
  ThreadColumns thread(ThreadId thread) override { return reader_.thread(thread); }

 private:
  IndexReader& reader_;
};

int weekday_of(Instant instant) {
  return static_cast<int>(std::chrono::weekday(std::chrono::floor<std::chrono::days>(instant)).iso_encoding()) - 1;
}

class Search {
 public:
  Search(IndexReader& reader, SearchQuery query, SearchOptions options, Instant now)
      : reader_(reader),
        query_(std::move(query)),
        options_(std::move(options)),
        now_(now),
        weigher_(now, options_.recency_half_life_days, options_.recency_floor) {}

  Result<SearchResult> run() {
    if (!TRY(prepare())) return SearchResult{};
    leaves_history_out_ = !options_.history && !query_.history && !asks_for_history(admission_->filter());
    return answer();
  }

  Result<SearchResult> in(std::vector<Layer> layers, bool precise) {
    options_.precise = precise;
    if (!is_prepared_) TRY(prepare());
    if (!admission_) return SearchResult{};
    admission_->set_layers(std::move(layers));
    return answer();
  }

  bool may_reach(double relevance, Layer layer) {
    if (!relevance_ || relevance <= 0) return true;
    constexpr double rounding = 1 - 1e-9;  // a hit's relevance is the sum of its parts
    return std::ranges::any_of(relevance_->entries, [&](const RankedEntry& entry) {
      return entry.relevance >= relevance * rounding && reader_.columns(entry.row).layer == layer;
    });
  }

 private:
  // False: the filters let nothing through.
  Result<bool> prepare() {
    cues_ = cues_of(query_.text, weekday_of(now_));
    auto admission = TRY(Admission::of(reader_, query_, options_.filter, options_.inactive, now_));
    if (admission) {
      statistics_ = reader_.statistics();
      plan_ = TRY(plan_ranking(reader_, query_.terms, statistics_));
      plan_.cues = cues_;
      plan_.asked_at = now_.time_since_epoch().count();
    }
    admission_ = std::move(admission);
    is_prepared_ = true;
    return admission_.has_value();
  }

  Result<SearchResult> answer() {
    if (asks_for_newest(query_) && admission_->may_show_history())
      return newest_of_the_past(reader_, *admission_, cues_, options_, now_);
    if (!plan_.expression.empty()) return ranked();
    if (admission_->shows_everything()) return SearchResult{};
    EntryFilter filter = admission_->filter();
    if (leaves_history_out_) filter.layers = {Layer::L0, Layer::L1};
    return newest(reader_, *admission_, filter, options_, now_);
  }

  Status rank() {
    if (relevance_) return {};
    matches_ = TRY(reader_.match(plan_.expression, plan_.meanings));
    TRY(read_unknown_words());
    relevance_ = scorer_->estimate(plan_, matches_, statistics_, columns_, admission_->filter().inactive);
    return {};
  }

  Result<SearchResult> ranked() {
    TRY(rank());
    SearchResult result;
    result.read_as = read_as_;
    choose();
    result.confident = any_is_confident();
    if (leaves_history_out_ && !result.confident) {
      choose_of_history_too();
      result.confident = any_is_confident();
      result.from_history = true;
    }
    std::vector<ShownThread> threads;
    if (options_.threads) threads = order_threads(reader_, relevance_->threads, best_of_thread_, depth());
    if (is_fused()) {
      const bool without_history = leaves_history_out_ && !result.from_history;
      TRY(similar_.find(reader_, *admission_, *options_.similar, {without_history, options_.threads}));
      similar_.fuse(candidates_, weigher_, options_.limit);
      if (options_.threads) similar_.fuse(threads, weigher_, options_.limit);
    }
    if (options_.precise && !options_.threads) drop_what_does_not_answer();
    TRY(add_hits(result));
    if (is_fused()) result.confident = std::ranges::any_of(result.hits, &Hit::confident);
    TRY(add_threads(threads, result));
    if (options_.precise) keep_what_answers(result);
    result.from_history = result.from_history && shows_history(result);
    return result;
  }

  bool is_fused() const { return options_.similar != nullptr && !options_.precise; }

  // So many of the best are looked for.
  size_t depth() const { return is_fused() ? std::max(options_.limit, most_fused) : options_.limit; }

  // Words that stand nowhere: at most a few are looked up, since each that is found costs another pass.
  Status read_unknown_words() {
    constexpr size_t most_looked_up = 3;
    size_t looked_up = 0;
    for (size_t term = 0; term < plan_.weights.size() && looked_up < most_looked_up; ++term) {
      if (plan_.words[term].empty() || stands_somewhere(term)) continue;
      ++looked_up;
      const auto nearest = TRY(nearest_word(reader_, plan_.words[term]));
      if (!nearest) continue;
      add_reading(reader_, plan_, term, *nearest);
      read_as_.emplace_back(plan_.words[term], *nearest);
    }
    if (read_as_.empty()) return {};
    matches_ = TRY(reader_.match(plan_.expression, plan_.meanings));
    std::erase_if(read_as_, [&](const auto& read) {
      const auto term = static_cast<size_t>(std::ranges::find(plan_.words, read.first) - plan_.words.begin());
      return !stands_somewhere(term);
    });
    return {};
  }

  // In an active entry: what was forgotten is not told by a guess at it.
  bool stands_somewhere(size_t term) {
    for (size_t match = 0; match < matches_.rows.size(); ++match) {
      const Matches::Cell& cell = matches_.of(match)[term];
      if ((cell.weight > 0 || cell.in_context > 0) && reader_.columns(matches_.rows[match]).active) return true;
    }
    return false;
  }

  void choose() {
    BestEntries best(depth());
    best_of_thread_.clear();
    left_out_.clear();
    const auto entries = relevance_->entries;
    const auto first = options_.threads ? std::vector<RankedEntry*>{} : most_promising(entries, 4 * depth());
    for (RankedEntry* entry : first) consider(*entry, best);
    best.drop_the_rest();
    auto considered = first.begin();
    for (RankedEntry& entry : entries) {
      if (considered != first.end() && *considered == &entry)
        ++considered;
      else
        consider(entry, best);
    }
    candidates_ = best.take(reader_);
  }

  // What was not good enough without the history is not with it.
  void choose_of_history_too() {
    BestEntries best(depth());
    for (const ScoredEntry& candidate : candidates_) best.add(candidate);
    best.drop_the_rest();
    for (RankedEntry* entry : std::exchange(left_out_, {})) add(*entry, reader_.columns(entry->row), best);
    candidates_ = best.take(reader_);
  }

  void consider(RankedEntry& entry, BestEntries& best) {
    if (entry.relevance < best.floor() && !options_.threads) return;  // recency and trust only make it less
    const EntryColumns columns = reader_.columns(entry.row);
    if (!admission_->may_show(entry.row, columns)) return;
    if (leaves_history_out_ && columns.layer == Layer::L2)
      left_out_.push_back(&entry);
    else
      add(entry, columns, best);
  }

  void add(RankedEntry& entry, const EntryColumns& columns, BestEntries& best) {
    ScoredEntry candidate = weigher_.of(entry, columns);
    if (candidate.score < best.floor() && !options_.threads) return;
    if (entry.is_bound) {
      scorer_->settle(entry);
      candidate.score = entry.relevance * candidate.recency * candidate.trust;
    }
    best.add(candidate);
    if (!options_.threads) return;
    const auto [known, is_new] = best_of_thread_.try_emplace(candidate.thread, candidate);
    if (!is_new && comes_before(candidate, known->second)) known->second = candidate;
  }

  bool any_is_confident() const {
    return std::ranges::any_of(candidates_, [&](const ScoredEntry& c) { return is_confident(scorer_->parts_of(*c.ranked)); });
  }

  // Before any of it is read. Threads name hits that are left out later.
  void drop_what_does_not_answer() {
    const double best = candidates_.empty() ? 0 : candidates_.front().score;
    std::erase_if(candidates_, [&](const ScoredEntry& candidate) {
      return !is_near_the_best(candidate.score, best) || !is_confident(scorer_->parts_of(*candidate.ranked));
    });
  }

  static void keep_what_answers(SearchResult& result) {
    const double best = result.hits.empty() ? 0 : result.hits.front().score;
    std::erase_if(result.hits, [&](const Hit& hit) { return !hit.confident || !is_near_the_best(hit.score, best); });
    if (result.hits.empty()) result.threads.clear();
  }

  Status add_hits(SearchResult& result) {
    const std::vector<std::string> words = snippet_words();
    for (const ScoredEntry& candidate : candidates_) {
      const auto read = TRY(entries_.of(candidate.ranked->row));
      const double relevance = candidate.ranked->relevance;
      const bool has_words = !similar_.is_of_vectors_alone(candidate);
      const RelevanceParts parts = has_words ? scorer_->parts_of(*candidate.ranked) : RelevanceParts{};
      const double total = parts.own + parts.neighbours + parts.order + parts.thread;
      const double own = total > 0 ? relevance * (parts.own + parts.order) / total : 0;
      HitReasons why{own, relevance - own, candidate.recency, candidate.trust, parts};
      const auto by_vector = similar_.part_of(candidate.ranked->row);
      why.vector = by_vector.of_score;
      why.of_neighbours = by_vector.of_neighbours;
      why.similarity = by_vector.similarity;
      result.hits.push_back({*read, candidate.score, why, snippet_of(read->text, words), has_words && is_confident(parts)});
    }
    return {};
  }

  // Each thread names those of its entries that are among the hits, else its best one: a thread more costs at most one entry more
  // to read.
  Status add_threads(const std::vector<ShownThread>& threads, SearchResult& result) {
    for (const ShownThread& thread : threads) {
      ThreadHit& hit = result.threads.emplace_back(reader_.session_of(thread.thread), thread.score, std::vector<std::string>{});
      for (const ScoredEntry& candidate : candidates_)
        if (candidate.thread == thread.thread) hit.hits.push_back(TRY(entries_.of(candidate.ranked->row))->id);
      if (!hit.hits.empty()) continue;
      const auto best = TRY(entries_.of(thread.best.ranked->row));
      hit.hits.push_back(best->id);
    }
    return {};
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

  IndexReader& reader_;
  SearchQuery query_;
  SearchOptions options_;
  Instant now_;
  QuestionCues cues_;
  Statistics statistics_;
  RankingPlan plan_;
  bool is_prepared_ = false, leaves_history_out_ = false;
  std::optional<Admission> admission_;  // none: nothing can pass
  ReaderColumns columns_{reader_};
  Matches matches_;
  ScorerOfThread scorer_;
  std::optional<Relevance> relevance_;  // once it was ranked
  std::vector<std::pair<std::string, std::string>> read_as_;
  std::vector<ScoredEntry> candidates_;  // the best, in order
  std::vector<RankedEntry*> left_out_;   // because they are of the past
  std::unordered_map<ThreadId, ScoredEntry> best_of_thread_;
  ReadEntries entries_{reader_};
  EntryWeigher weigher_;
  SimilarEntries similar_;
};

}  // namespace

bool shows_history(const SearchResult& result) {
  return std::ranges::any_of(result.hits, [](const Hit& hit) { return hit.entry.layer == Layer::L2; });
}

struct LayeredSearch::Impl {
  Search search;
};

LayeredSearch::LayeredSearch(IndexReader& reader, SearchQuery query, SearchOptions options, Instant now)
    : impl_(new Impl{Search(reader, std::move(query), std::move(options), now)}) {}
LayeredSearch::~LayeredSearch() = default;
Result<SearchResult> LayeredSearch::in(std::vector<Layer> layers, bool precise) {
  return impl_->search.in(std::move(layers), precise);
}
bool LayeredSearch::may_reach(double relevance, Layer layer) { return impl_->search.may_reach(relevance, layer); }

bool is_near_the_best(double score, double best) {
  constexpr double least_of_best = 0.5;
  return score >= least_of_best * best;
}

Result<SearchResult> search(IndexReader& reader, const SearchQuery& query, const SearchOptions& options, Instant now) {
  const auto start = std::chrono::steady_clock::now();
  auto result = Search(reader, query, options, now).run();
  if (result) result->took_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace loci
