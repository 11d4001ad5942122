#include "recall/search.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <tuple>
#include <unordered_map>

#include "base/relative_time.h"
#include "base/unicode.h"
#include "recall/best_entries.h"
#include "recall/confidence.h"
#include "recall/entry_filter.h"
#include "recall/fusion.h"
#include "recall/promising.h"
#include "recall/ranking_plan.h"
#include "recall/relevance.h"
#include "recall/score.h"
#include "recall/scorer_of_thread.h"
#include "recall/snippet.h"
#include "recall/spelling.h"
#include "recall/word_forms.h"

namespace loci {
namespace {

constexpr size_t most_similar_looked_at = 2'000;  // texts, most of which a filter may leave out
constexpr double least_of_best = 0.5;             // a precise answer: of the best hit's score

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
      : reader_(reader), query_(std::move(query)), options_(std::move(options)), now_(now) {}

  Result<SearchResult> run() {
    if (!TRY(prepare())) return SearchResult{};
    leaves_history_out_ = !options_.history && !query_.history && !asks_for_history(filter_);
    return answer();
  }

  Result<SearchResult> in(std::vector<Layer> layers) {
    if (!is_prepared_) is_answerable_ = TRY(prepare());
    is_prepared_ = true;
    if (!is_answerable_) return SearchResult{};
    filter_.layers = std::move(layers);
    return answer();
  }

 private:
  // False: the filters let nothing through.
  Result<bool> prepare() {
    cues_ = cues_of(query_.text, weekday_of(now_));
    auto filter = both(options_.filter, query_.filter);
    if (!filter) return false;
    filter_ = std::move(*filter);
    filter_.inactive |= options_.inactive;
    for (const std::string& since : query_.since) filter_.since = std::max(filter_.since, parse_date(since, now_));
    for (const std::string& until : query_.until)
      if (const auto end = parse_date_end(until, now_)) filter_.until = std::min(filter_.until.value_or(*end), *end);
    is_unfiltered_ = is_empty(filter_) && query_.excluded.empty() && query_.without.empty();
    statistics_ = reader_.statistics();
    plan_ = TRY(plan_ranking(reader_, query_.terms, statistics_));
    plan_.cues = cues_;
    plan_.asked_at = now_.time_since_epoch().count();
    TRY(find_hidden());
    return true;
  }

  Result<SearchResult> answer() {
    if (asks_for_newest(query_) && may_show_history()) return newest_of_the_past();
    if (!plan_.expression.empty()) return ranked();
    if (is_unfiltered_ && filter_.layers.empty()) return SearchResult{};
    if (leaves_history_out_) filter_.layers = {Layer::L0, Layer::L1};
    return newest();
  }

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

  bool may_show(RowId row, const EntryColumns& columns) const {
    return passes(filter_, columns) && (!needs_rows(filter_) || std::ranges::binary_search(allowed_, row)) &&
           !std::ranges::binary_search(hidden_, row);
  }

  Status rank() {
    if (relevance_) return {};
    matches_ = TRY(reader_.match(plan_.expression, plan_.meanings));
    TRY(read_unknown_words());
    relevance_ = scorer_->estimate(plan_, matches_, statistics_, columns_, filter_.inactive);
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
    std::vector<ShownThread> threads = options_.threads ? rank_threads() : std::vector<ShownThread>{};
    if (is_fused()) {
      TRY(find_similar(leaves_history_out_ && !result.from_history));
      fuse();
      fuse_threads(threads);
    }
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

  // What vectors found and may be shown, the most alike first.
  Status find_similar(bool without_history) {
    size_t looked_at = 0;
    for (std::vector<SimilarText> texts; similar_.size() < most_fused && looked_at < most_similar_looked_at;
         looked_at += texts.size()) {
      texts = options_.similar->at(looked_at, most_fused);
      if (texts.empty()) break;
      for (const SimilarText& text : texts) {
        auto found = TRY(reader_.find_text(text.hash, {}));
        for (Entry& each : found) {
          const EntryColumns columns = reader_.columns(each.row);
          if (each.hash != text.hash || !may_show(each.row, columns)) continue;
          if (without_history && columns.layer == Layer::L2) continue;
          const RowId row = each.row;
          if (entries_.emplace(row, std::move(each)).second)
            similar_.push_back({{row, RelevanceScorer::no_match}, columns, text.similarity});
        }
      }
    }
    return {};
  }

  // candidates_ by both rankings. Those that only vectors found come behind their equals.
  void fuse() {
    if (!similar_.empty()) nearness_ = {similar_.front().similarity, similar_.back().similarity, similar_.size()};
    const double best = candidates_.empty() ? 0 : candidates_.front().score;
    std::unordered_map<RowId, size_t> by_words;
    for (size_t place = 0; place < candidates_.size(); ++place) by_words.emplace(candidates_[place].ranked->row, place);
    std::vector<double> by_vector(candidates_.size(), 0);
    for (const SimilarEntry& found : similar_) {
      size_t candidate = candidates_.size();
      if (const auto known = by_words.find(found.ranked.row); known != by_words.end()) {
        candidate = known->second;
      } else {
        candidates_.push_back(weighed(found.ranked, found.columns));
        by_vector.push_back(0);
      }
      by_vector[candidate] = nearness_.of(found.similarity);
      vectors_.emplace(found.ranked.row, std::pair(fused_part_of_vector(by_vector[candidate]), found.similarity));
    }
    for (size_t i = 0; i < candidates_.size(); ++i)
      candidates_[i].score = fused_score(i < by_words.size() && best > 0 ? candidates_[i].score / best : 0, by_vector[i]);
    std::ranges::stable_sort(candidates_, std::ranges::greater(), &ScoredEntry::score);
    if (candidates_.size() > options_.limit) candidates_.resize(options_.limit);
  }

  bool may_show_history() const {
    return filter_.layers.empty() || std::ranges::find(filter_.layers, Layer::L2) != filter_.layers.end();
  }

  static bool shows_history(const SearchResult& result) {
    return std::ranges::any_of(result.hits, [](const Hit& hit) { return hit.entry.layer == Layer::L2; });
  }

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
    if (!may_show(entry.row, columns)) return;
    if (leaves_history_out_ && columns.layer == Layer::L2)
      left_out_.push_back(&entry);
    else
      add(entry, columns, best);
  }

  void add(RankedEntry& entry, const EntryColumns& columns, BestEntries& best) {
    ScoredEntry candidate = weighed(entry, columns);
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

  static void keep_what_answers(SearchResult& result) {
    const double least = result.hits.empty() ? 0 : least_of_best * result.hits.front().score;
    std::erase_if(result.hits, [&](const Hit& hit) { return !hit.confident || hit.score < least; });
    if (result.hits.empty()) result.threads.clear();
  }

  ScoredEntry weighed(const RankedEntry& entry, const EntryColumns& columns) const {
    std::optional<Instant> at;
    if (columns.at != std::numeric_limits<std::int64_t>::min()) at = Instant(std::chrono::milliseconds(columns.at));
    const double recency = recency_of(at, now_, options_.recency_half_life_days, options_.recency_floor);
    const double trust = trust_of(columns.source);
    return {&entry, entry.relevance * recency * trust, recency, trust, columns.at, columns.thread};
  }

  Result<const Entry*> entry(RowId row) {
    const auto known = entries_.find(row);
    if (known != entries_.end()) return &known->second;
    auto read = TRY(reader_.entry(row));
    return &entries_.emplace(row, std::move(read)).first->second;
  }

  Status add_hits(SearchResult& result) {
    const std::vector<std::string> words = snippet_words();
    for (const ScoredEntry& candidate : candidates_) {
      const auto read = TRY(entry(candidate.ranked->row));
      const double relevance = candidate.ranked->relevance;
      const bool has_words = !is_similar_alone(candidate);
      const RelevanceParts parts = has_words ? scorer_->parts_of(*candidate.ranked) : RelevanceParts{};
      const double total = parts.own + parts.neighbours + parts.order + parts.thread;
      const double own = total > 0 ? relevance * (parts.own + parts.order) / total : 0;
      HitReasons why{own, relevance - own, candidate.recency, candidate.trust, parts};
      if (const auto found = vectors_.find(candidate.ranked->row); found != vectors_.end())
        std::tie(why.vector, why.similarity) = found->second;
      result.hits.push_back({*read, candidate.score, why, snippet_of(read->text, words), has_words && is_confident(parts)});
    }
    return {};
  }

  bool is_similar_alone(const ScoredEntry& candidate) const {
    return !similar_.empty() && candidate.ranked >= &similar_.front().ranked && candidate.ranked <= &similar_.back().ranked;
  }

  struct ShownThread {
    ThreadId thread = 0;
    double score = 0;
    ScoredEntry best;
  };

  // Each thread names those of its entries that are among the hits, else its best one: a thread more costs at most one entry more
  // to read.
  Status add_threads(const std::vector<ShownThread>& threads, SearchResult& result) {
    for (const ShownThread& thread : threads) {
      ThreadHit& hit = result.threads.emplace_back(reader_.session_of(thread.thread), thread.score, std::vector<std::string>{});
      for (const ScoredEntry& candidate : candidates_)
        if (candidate.thread == thread.thread) hit.hits.push_back(entries_.at(candidate.ranked->row).id);
      if (!hit.hits.empty()) continue;
      const auto best = TRY(entry(thread.best.ranked->row));
      hit.hits.push_back(best->id);
    }
    return {};
  }

  // The best `limit` threads.
  std::vector<ShownThread> rank_threads() {
    std::vector<ShownThread> threads;
    for (const RankedThread& thread : relevance_->threads)
      if (const auto found = best_of_thread_.find(thread.thread); found != best_of_thread_.end()) {
        const ScoredEntry& first = found->second;
        threads.push_back({thread.thread, thread.relevance * first.recency * first.trust, first});
      }
    const auto in_order = [&](const ShownThread& a, const ShownThread& b) {
      if (a.score != b.score) return a.score > b.score;
      const std::int64_t a_at = a.best.at, b_at = b.best.at;
      return a_at != b_at ? a_at > b_at : reader_.session_of(a.thread) < reader_.session_of(b.thread);
    };
    const size_t count = std::min(depth(), threads.size());
    std::ranges::partial_sort(threads, threads.begin() + static_cast<std::ptrdiff_t>(count), in_order);
    threads.resize(count);
    return threads;
  }

  // A thread is as near by vectors as its best entry.
  void fuse_threads(std::vector<ShownThread>& threads) {
    if (!options_.threads) return;
    std::unordered_map<ThreadId, size_t> numbers;
    for (const ShownThread& thread : threads) numbers.emplace(thread.thread, numbers.size());
    const double best = threads.empty() ? 0 : threads.front().score;
    std::vector<double> by_vector(threads.size(), 0);
    for (const SimilarEntry& found : similar_) {
      if (found.columns.thread == 0) continue;
      const auto [number, is_new] = numbers.emplace(found.columns.thread, threads.size());
      if (is_new) {
        threads.push_back({found.columns.thread, 0, weighed(found.ranked, found.columns)});
        by_vector.push_back(0);
      }
      by_vector[number->second] = std::max(by_vector[number->second], nearness_.of(found.similarity));
    }
    for (size_t i = 0; i < threads.size(); ++i)
      threads[i].score = fused_score(best > 0 ? threads[i].score / best : 0, by_vector[i]);
    std::ranges::stable_sort(threads, std::ranges::greater(), &ShownThread::score);
    if (threads.size() > options_.limit) threads.resize(options_.limit);
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

  // The question is about the past and has no word to look for: what is newest, around the day that it names.
  Result<SearchResult> newest_of_the_past() {
    if (const auto& day = cues_.day; day && !filter_.since && !filter_.until) {
      using Days = std::chrono::duration<double, std::ratio<86400>>;
      const auto at = [&](double days_ago) { return now_ - std::chrono::duration_cast<std::chrono::milliseconds>(Days(days_ago)); };
      filter_.since = std::chrono::floor<std::chrono::days>(at(day->days_ago + day->width));
      filter_.until = at(day->days_ago - day->width);
    }
    auto result = TRY(newest());
    if (result.hits.empty() && cues_.day) {
      filter_.since = filter_.until = std::nullopt;
      auto any_time = TRY(newest());
      result = std::move(any_time);
    }
    result.from_history = shows_history(result);
    return result;
  }

  // What the filters let through, newest first.
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
        const HitReasons why{
            0, 0, recency_of(found.at, now_, options_.recency_half_life_days, options_.recency_floor), trust_of(found.source), {}};
        result.hits.push_back({std::move(found), 0, why, std::move(snippet), true});
      }
    }
    result.confident = !result.hits.empty();
    return result;
  }

  struct SimilarEntry {
    RankedEntry ranked;  // by vectors alone: without relevance
    EntryColumns columns;
    double similarity = 0;
  };

  IndexReader& reader_;
  SearchQuery query_;
  SearchOptions options_;
  Instant now_;
  QuestionCues cues_;
  Statistics statistics_;
  RankingPlan plan_;
  bool is_prepared_ = false, is_answerable_ = false, is_unfiltered_ = false, leaves_history_out_ = false;
  ReaderColumns columns_{reader_};
  Matches matches_;
  ScorerOfThread scorer_;
  std::optional<Relevance> relevance_;  // once it was ranked
  std::vector<std::pair<std::string, std::string>> read_as_;
  EntryFilter filter_;
  std::vector<RowId> allowed_, hidden_;  // sorted
  std::vector<ScoredEntry> candidates_;  // the best, in order
  std::vector<RankedEntry*> left_out_;   // because they are of the past
  std::unordered_map<ThreadId, ScoredEntry> best_of_thread_;
  std::unordered_map<RowId, Entry> entries_;  // read so far
  std::vector<SimilarEntry> similar_;
  Nearness nearness_;                                             // of similar_
  std::unordered_map<RowId, std::pair<double, double>> vectors_;  // what they gave, and the similarity
};

}  // namespace

struct LayeredSearch::Impl {
  Search search;
};

LayeredSearch::LayeredSearch(IndexReader& reader, SearchQuery query, SearchOptions options, Instant now)
    : impl_(new Impl{Search(reader, std::move(query), std::move(options), now)}) {}
LayeredSearch::~LayeredSearch() = default;
Result<SearchResult> LayeredSearch::in(std::vector<Layer> layers) { return impl_->search.in(std::move(layers)); }

Result<SearchResult> search(IndexReader& reader, const SearchQuery& query, const SearchOptions& options, Instant now) {
  const auto start = std::chrono::steady_clock::now();
  auto result = Search(reader, query, options, now).run();
  if (result) result->took_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace loci
