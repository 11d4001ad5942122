#include "context/candidates.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/unicode.h"
#include "context/block_lines.h"
#include "context/data_text.h"
#include "memory/json_shapes.h"
#include "memory/may_send.h"
#include "recall/query.h"
#include "recall/search.h"

namespace loci {
namespace {

constexpr double more_relevant_history = 2;  // times as relevant as the best fact: then it is shown unasked
constexpr size_t nearest_of_the_past = 3;

std::string end_of(const std::string& text) {
  const size_t characters = count_code_points(text);
  size_t position = 0;
  for (size_t skipped = context_characters; skipped < characters; ++skipped) (void)decode_code_point(text, position);
  return text.substr(position);
}

// The last text of a role, without the message itself.
std::string last_said(const std::vector<Utterance>& recent, std::string_view role, const std::string& message) {
  for (auto said = recent.rbegin(); said != recent.rend(); ++said)
    if (said->role == role && said->text != message) return end_of(said->text);
  return {};
}

// A message is no query: a dash in front of a word, or a colon in it, means nothing.
SearchQuery plain_query(const std::string& message) {
  SearchQuery query = parse_query(message);
  std::ranges::move(query.excluded, std::back_inserter(query.terms));
  query.excluded.clear();
  query.filter = {};
  query.without.clear();
  query.since.clear();
  query.until.clear();
  query.history = false;
  return query;
}

class Finder {
 public:
  Finder(Memory& memory, IndexReader& reader, const ContextRequest& request)
      : memory_(memory), reader_(reader), request_(request), sendable_(memory) {}

  Result<ContextEntries> run() {
    TRY(read_recent_turns());
    const std::string user = last_said(recent_, "user", request_.message), answer = last_said(recent_, "assistant", "");
    const std::string& message = request_.message.empty() ? user : request_.message;
    if (message.empty() && answer.empty()) {
      TRY(take_all());
    } else {
      auto similarity = TRY(Similarity::to(reader_, request_.message + '\n' + user + '\n' + answer));
      found_.context = similarity.context();
      TRY(take_answers(message, similarity));
    }
    if (request_.since || request_.until) TRY(take_period());
    return std::move(found_);
  }

 private:
  const Config& config() const { return memory_.vault().config(); }

  // What a session stored, if the caller sent nothing along.
  Status read_recent_turns() {
    recent_ = request_.recent;
    if (!recent_.empty() || request_.session.empty()) return {};
    EntryFilter filter;
    filter.session = request_.session;
    filter.kinds = {EntryKind::turn};
    constexpr size_t looked_at = 16;
    for (const Turn& turn : turns_of(TRY(reader_.recent(filter, looked_at)))) {
      if (turn.assistant.empty() || is_this_turn(turn.number)) continue;
      recent_ = {{"user", turn.user}, {"assistant", turn.assistant}};
      break;
    }
    return {};
  }

  bool is_this_turn(const std::optional<std::int64_t>& turn) const { return request_.turn && turn && *turn >= *request_.turn; }

  SearchOptions options() const {
    SearchOptions wanted;
    wanted.limit = most_candidates;
    wanted.recency_half_life_days = config().recall.recency_half_life_days;
    wanted.recency_floor = config().recall.recency_floor;
    return wanted;
  }

  // Without what tells nothing, which may be nearer than all that does.
  Result<SearchResult> found_in_history(LayeredSearch& search) {
    auto result = TRY(search.in({Layer::L2}));
    const bool answered = std::ranges::any_of(result.hits, &Hit::confident);  // else they are the newest, which were asked for
    std::erase_if(result.hits, [&](const Hit& hit) { return is_said_now(hit.entry) || tells_nothing(hit.entry); });
    if (answered) result.confident = std::ranges::any_of(result.hits, &Hit::confident);
    return result;
  }

  // The hits that answer, of those that may be sent. The best of a search with no confident hit answers nothing.
  Result<std::vector<Hit>> answers(const SearchResult& result) {
    std::vector<Hit> hits;
    if (!result.confident) return hits;
    const bool are_ranked = std::ranges::any_of(result.hits, &Hit::confident);  // else they are the newest, which were asked for
    for (const Hit& hit : result.hits) {
      const bool answers = !are_ranked || (hit.confident && is_near_the_best(hit.score, result.hits.front().score));
      if (answers && TRY(sendable_.may_send(hit.entry))) hits.push_back(hit);
    }
    return hits;
  }

  // What was said is not among these, so nothing has to be left out before it is known which hit is the best.
  Result<std::vector<Hit>> facts_that_answer(LayeredSearch& search) {
    return answers(TRY(search.in({Layer::L0, Layer::L1}, true)));
  }

  // What answers; where nothing does with confidence, the few that come nearest: the past was asked for, and words such as "last
  // week" stand in no conversation.
  Result<std::vector<Hit>> best_of_the_past(LayeredSearch& search) {
    auto nearest = TRY(found_in_history(search));
    auto hits = TRY(answers(nearest));
    if (!hits.empty()) return hits;
    if (nearest.hits.size() > nearest_of_the_past) nearest.hits.resize(nearest_of_the_past);
    for (Hit& hit : nearest.hits)
      if (TRY(sendable_.may_send(hit.entry))) hits.push_back(std::move(hit));
    return hits;
  }

  Status take_answers(const std::string& message, Similarity& similarity) {
    LayeredSearch search(reader_, plain_query(message), options(), memory_.now());
    const auto facts = TRY(facts_that_answer(search));
    for (const Hit& hit : facts)
      if (hit.entry.kind == EntryKind::fact) TRY(add_fact(hit.entry, hit.score, similarity));
    keep_project(message);
    std::ranges::sort(found_.facts, [](const ContextEntry& a, const ContextEntry& b) {
      return a.rank != b.rank ? a.rank > b.rank : a.entry.id < b.entry.id;
    });
    if (request_.since || request_.until) return {};
    if (asks_about_history(message)) return add_history(TRY(best_of_the_past(search)));
    const double wanted = facts.empty() ? 0 : more_relevant_history * relevance_of(facts.front());
    if (wanted > 1 || !search.may_reach(wanted, Layer::L2)) return {};
    const auto history = TRY(answers(TRY(found_in_history(search))));
    if (!history.empty() && relevance_of(history.front()) >= wanted) TRY(add_history(history));
    return {};
  }

  Status add_fact(const Entry& entry, double relevance, Similarity& similarity) {
    const double near = TRY(similarity.of(entry.text));
    const double rank = near * config().recall.similarity_weight + confidence_of(entry) * config().recall.confidence_weight;
    found_.facts.push_back({entry, relevance, near, rank});
    return {};
  }

  // What another project's entries say is wanted only if the message names that project, or nothing else answers.
  void keep_project(const std::string& message) {
    if (request_.project.empty()) return;
    const std::string words = joined_words_of(message);
    const auto is_foreign = [&](const ContextEntry& candidate) {
      const std::string& project = candidate.entry.project;
      return !project.empty() && project != request_.project && !words.contains(joined_words_of(project));
    };
    if (!std::ranges::all_of(found_.facts, is_foreign)) std::erase_if(found_.facts, is_foreign);
  }

  // One after the other: all of them at once may be more than there is memory for.
  Status take_all() {
    const auto comes_before = [](const ContextEntry& a, const ContextEntry& b) {
      return std::tie(b.rank, b.entry.updated, a.entry.id) < std::tie(a.rank, a.entry.updated, b.entry.id);
    };
    EntryFilter filter;
    filter.layers = {Layer::L1};
    std::vector<ContextEntry>& best = found_.facts;
    for (const RowId row : TRY(reader_.rows_matching(filter))) {
      auto entry = TRY(reader_.entry(row));
      const double confidence = confidence_of(entry);
      ContextEntry candidate{std::move(entry), 0, 0, confidence};
      if (best.size() == most_candidates && !comes_before(candidate, best.back())) continue;
      if (!TRY(sendable_.may_send(candidate.entry))) continue;
      best.insert(std::ranges::upper_bound(best, candidate, comes_before), std::move(candidate));
      if (best.size() > most_candidates) best.pop_back();
    }
    return {};
  }

  Status take_period() {
    EntryFilter filter;
    filter.layers = {Layer::L2};
    filter.kinds = {EntryKind::turn, EntryKind::session_summary, EntryKind::task_summary};
    filter.since = request_.since;
    filter.until = request_.until;
    std::vector<Hit> hits;
    for (Entry& entry : TRY(reader_.recent(filter, 4 * most_candidates)))
      if (TRY(sendable_.may_send(entry))) hits.push_back({std::move(entry), 0, {}, {}});
    return add_history(hits);
  }

  // A turn that a summary covers is told by the summary.
  Status add_history(const std::vector<Hit>& hits) {
    std::set<std::string> seen;
    for (const Hit& hit : hits) {
      if (hit.entry.kind == EntryKind::fact || is_said_now(hit.entry)) continue;
      Entry entry = hit.entry;
      if (entry.kind == EntryKind::turn)
        if (auto summary = TRY(summary_of(entry))) entry = std::move(*summary);
      if (seen.insert(entry.id).second) found_.history.push_back({std::move(entry), hit.score, 0, hit.score});
      if (found_.history.size() == most_candidates) break;
    }
    return {};
  }

  // To who asks: the same question, whenever it was asked before, or one that nobody answered.
  bool tells_nothing(const Entry& entry) {
    if (entry.kind != EntryKind::turn) return false;
    const EntryColumns turn = reader_.columns(entry.row);
    if (turn.speaker != Speaker::user) return false;
    if (!request_.message.empty() && joined_words_of(entry.text) == joined_words_of(request_.message)) return true;
    return turn.traits.asks && (turn.next == 0 || reader_.columns(turn.next).speaker != Speaker::assistant);
  }

  // The message itself, stored before it is answered.
  bool is_said_now(const Entry& entry) const {
    if (entry.kind != EntryKind::turn || request_.session.empty() || entry.session != request_.session) return false;
    return is_this_turn(entry.turn) || entry.text == request_.message;
  }

  Result<std::optional<Entry>> summary_of(const Entry& turn) {
    if (turn.session.empty()) return std::nullopt;
    const auto [known, is_new] = summaries_.try_emplace(turn.session);
    if (is_new) {
      EntryFilter filter;
      filter.session = turn.session;
      filter.kinds = {EntryKind::session_summary};
      filter.layers = {Layer::L2};
      for (Entry& entry : TRY(reader_.recent(filter, most_candidates)))
        if (TRY(sendable_.may_send(entry))) known->second.push_back(std::move(entry));
    }
    for (const Entry& summary : known->second)
      if (!summary.turn || (turn.turn && *turn.turn <= *summary.turn)) return summary;
    return std::nullopt;
  }

  Memory& memory_;
  IndexReader& reader_;
  const ContextRequest& request_;
  Sendable sendable_;
  std::vector<Utterance> recent_;
  std::map<std::string, std::vector<Entry>> summaries_;  // by session
  ContextEntries found_;
};

}  // namespace

Result<ContextEntries> find_candidates(Memory& memory, IndexReader& reader, const ContextRequest& request) {
  return Finder(memory, reader, request).run();
}

}  // namespace loci
