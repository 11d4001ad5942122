// How much two texts are about the same: the cosine of their TF-IDF vectors, with sublinear term frequency (1 + ln tf) and BM25's
// inverse document frequency (recall/class_weights.h), over the stems of content words and, with more weight, topic keys. Finds the
// nearest ones through inverted lists. One object belongs to one thread; it keeps its working memory from one search to the next.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loci {

struct TopicText {
  std::string_view text;
  std::span<const std::string> about;  // topic keys
};

// In ten-thousandths, so that the last bit of a logarithm decides nothing: 10,000 is the same text.
using Similarity = std::int32_t;

struct Neighbor {
  size_t index = 0;
  Similarity similarity = 0;

  bool operator==(const Neighbor&) const = default;
};

class SimilarityIndex {
 public:
  // Of a shared mark alone, a topic key, a name or a value: it joins two texts that have no word in common. One that stands in more
  // than `most_with_mark` of them tells nothing apart, and joins nothing by itself.
  static constexpr Similarity least_with_shared_mark = 2'000;
  static constexpr size_t most_with_mark = 20;

  // Nothing of the texts is kept.
  explicit SimilarityIndex(std::span<const TopicText> texts);

  // The `count` texts of [begin, end) that are nearest to text `index`, itself left out, with at least that similarity; nearest
  // first, of equal ones the first. A search looks at its rarest terms first and at a bounded number of places: terms that are
  // everywhere are then not looked at, which lowers the similarity a little.
  std::vector<Neighbor> nearest(size_t index, size_t begin, size_t end, size_t count, Similarity least);

 private:
  struct Feature {
    std::uint32_t term;
    float weight;
  };
  struct Place {
    std::uint32_t text;
    float weight;
  };

  class Builder;

  std::span<const Feature> features_of(size_t index) const;
  std::span<const Place> places_of(std::uint32_t term, size_t begin, size_t end) const;

  std::vector<Feature> features_;  // of all texts, each one's rarest first
  std::vector<size_t> first_feature_;
  std::vector<Place> places_;  // of all terms, each one's by text
  std::vector<size_t> first_place_;
  std::vector<bool> is_key_, is_mark_;  // by term

  // Of one search.
  std::vector<double> scores_;
  std::vector<bool> shares_mark_;
  std::vector<std::uint32_t> touched_;
};

}  // namespace loci
