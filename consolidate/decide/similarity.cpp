#include "consolidate/decide/similarity.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <unordered_map>

#include "consolidate/decide/topic_keys.h"
#include "recall/class_weights.h"
#include "words/names.h"
#include "words/text_words.h"
#include "words/values.h"

namespace loci {
namespace {

constexpr double key_weight = 3;             // of a topic key, as if a text said so many times what it is about
constexpr size_t most_places = 50'000;       // that one search looks at, beyond its rarest term
constexpr double similarity_scale = 10'000;  // of Similarity
constexpr char key_mark = '#', name_mark = '@', value_mark = '=';  // no word begins with one

// What tells one thing from another: names, and values but for days, which many things share.
std::set<std::string> marks_in(std::string_view text) {
  const auto words = written_words(text);
  const std::string language = language_of(words);
  std::set<std::string> marks;
  for (const Name& name : names_of(words, language)) marks.insert(name_mark + name.folded);
  for (const Value& value : values_of(words, language))
    if (value.kind == Value::Kind::address || (value.kind == Value::Kind::number && value.key.size() > 2 && !value.is_weak))
      marks.insert(value_mark + value.key);
  return marks;
}

}  // namespace

// Counts first, weighs when all is counted.
class SimilarityIndex::Builder {
 public:
  explicit Builder(SimilarityIndex& index) : index_(index) {}

  void build(std::span<const TopicText> texts) {
    index_.first_feature_.push_back(0);
    for (const TopicText& text : texts) count(text);
    for (size_t term = 0; term < texts_with_.size(); ++term)
      if (texts_with_[term] > most_with_mark) index_.is_mark_[term] = false;
    weigh(texts.size());
    invert();
  }

 private:
  void count(const TopicText& text) {
    const size_t begin = index_.features_.size();
    for (const TextWord& word : reader_.read(text.text).words) index_.features_.push_back({number_of(word.stem, false, false), 1});
    for (const std::string& written : text.about)
      if (const std::string key = topic_key(written); !key.empty())
        index_.features_.push_back({number_of(key_mark + key, true, true), 1});
    for (const std::string& mark : marks_in(text.text)) index_.features_.push_back({number_of(mark, false, true), 1});
    merge_repeats(begin);
    for (size_t i = begin; i < index_.features_.size(); ++i) ++texts_with_[index_.features_[i].term];
    index_.first_feature_.push_back(index_.features_.size());
  }

  std::uint32_t number_of(const std::string& term, bool is_key, bool is_mark) {
    const auto [place, is_new] = numbers_.try_emplace(term, static_cast<std::uint32_t>(texts_with_.size()));
    if (is_new) {
      texts_with_.push_back(0);
      index_.is_key_.push_back(is_key);
      index_.is_mark_.push_back(is_mark);
    }
    return place->second;
  }

  void merge_repeats(size_t begin) {
    auto& features = index_.features_;
    std::sort(features.begin() + static_cast<std::ptrdiff_t>(begin), features.end(),
              [](const Feature& a, const Feature& b) { return a.term < b.term; });
    size_t kept = begin;
    for (size_t i = begin; i < features.size(); ++i) {
      if (kept > begin && features[kept - 1].term == features[i].term)
        features[kept - 1].weight += 1;
      else
        features[kept++] = features[i];
    }
    features.resize(kept);
  }

  void weigh(size_t texts) {
    std::vector<double> idf(texts_with_.size());
    for (size_t term = 0; term < idf.size(); ++term)
      idf[term] = inverse_frequency(static_cast<double>(texts), static_cast<double>(texts_with_[term])) *
                  (index_.is_key_[term] ? key_weight : 1);
    for (size_t text = 0; text < texts; ++text) {
      const std::span features(index_.features_.begin() + static_cast<std::ptrdiff_t>(index_.first_feature_[text]),
                               index_.features_.begin() + static_cast<std::ptrdiff_t>(index_.first_feature_[text + 1]));
      std::vector<double> weights;
      double squares = 0;
      for (const Feature& feature : features) {
        const double count = index_.is_key_[feature.term] ? 1 : static_cast<double>(feature.weight);
        weights.push_back((1 + std::log(count)) * idf[feature.term]);
        squares += weights.back() * weights.back();
      }
      for (size_t i = 0; i < features.size(); ++i)
        features[i].weight = static_cast<float>(squares > 0 ? weights[i] / std::sqrt(squares) : 0);
      std::ranges::sort(features, [&](const Feature& a, const Feature& b) {
        return std::pair(texts_with_[a.term], a.term) < std::pair(texts_with_[b.term], b.term);
      });
    }
  }

  void invert() {
    auto& first = index_.first_place_;
    first.assign(texts_with_.size() + 1, 0);
    for (size_t term = 0; term < texts_with_.size(); ++term) first[term + 1] = first[term] + texts_with_[term];
    index_.places_.resize(first.back());
    auto next = first;
    for (size_t text = 0; text + 1 < index_.first_feature_.size(); ++text)
      for (const Feature& feature : index_.features_of(text))
        index_.places_[next[feature.term]++] = {static_cast<std::uint32_t>(text), feature.weight};
    index_.scores_.assign(index_.first_feature_.size() - 1, 0);
    index_.shares_mark_.assign(index_.scores_.size(), false);
  }

  SimilarityIndex& index_;
  WordReader reader_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<size_t> texts_with_;  // by term
};

SimilarityIndex::SimilarityIndex(std::span<const TopicText> texts) { Builder(*this).build(texts); }

std::span<const SimilarityIndex::Feature> SimilarityIndex::features_of(size_t index) const {
  return std::span(features_).subspan(first_feature_[index], first_feature_[index + 1] - first_feature_[index]);
}

std::span<const SimilarityIndex::Place> SimilarityIndex::places_of(std::uint32_t term, size_t begin, size_t end) const {
  const auto all = std::span(places_).subspan(first_place_[term], first_place_[term + 1] - first_place_[term]);
  const auto from = std::ranges::lower_bound(all, begin, {}, [](const Place& place) { return size_t{place.text}; });
  const auto to = std::ranges::lower_bound(from, all.end(), end, {}, [](const Place& place) { return size_t{place.text}; });
  return {from, to};
}

std::vector<Neighbor> SimilarityIndex::nearest(size_t index, size_t begin, size_t end, size_t count, Similarity least) {
  size_t looked_at = 0;
  for (const Feature& feature : features_of(index)) {
    const auto places = places_of(feature.term, begin, end);
    if (looked_at > 0 && looked_at + places.size() > most_places) break;
    looked_at += places.size();
    for (const Place& place : places) {
      if (scores_[place.text] == 0) touched_.push_back(place.text);
      scores_[place.text] += double{feature.weight} * double{place.weight};
      if (is_mark_[feature.term]) shares_mark_[place.text] = true;
    }
  }
  std::vector<Neighbor> found;
  for (const std::uint32_t text : touched_) {
    auto similarity = static_cast<Similarity>(std::lround(scores_[text] * similarity_scale));
    if (shares_mark_[text]) similarity = std::max(similarity, least_with_shared_mark);
    if (text != index && similarity >= least) found.push_back({text, similarity});
    scores_[text] = 0;
    shares_mark_[text] = false;
  }
  touched_.clear();
  const auto nearer = [](const Neighbor& a, const Neighbor& b) {
    return a.similarity != b.similarity ? a.similarity > b.similarity : a.index < b.index;
  };
  const size_t kept = std::min(count, found.size());
  std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(kept), nearer);
  found.resize(kept);
  return found;
}

}  // namespace loci
