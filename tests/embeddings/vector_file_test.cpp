#include "embeddings/vector_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "parser/text_hash.h"
#include "tests/support/temporary_folder.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::string hash_of(const std::string& text) { return stored_text_hash(text); }

class VectorFile : public testing::Test {
 protected:
  VectorFile() { std::filesystem::create_directories(vector_folder(folder.path())); }

  void add(const std::string& text, std::vector<float> vector, const std::string& model = "small") {
    const std::vector<TextVector> vectors{{hash_of(text), std::move(vector)}};
    ASSERT_TRUE(add_vectors(real_file_system(), folder.path(), model, vectors));
  }
  std::shared_ptr<const Vectors> open(const std::string& model = "small") const {
    auto opened = Vectors::open(real_file_system(), folder.path(), model);
    EXPECT_TRUE(opened);
    return *opened;
  }
  static std::vector<std::string> order(const std::shared_ptr<const Vectors>& vectors, const std::vector<float>& query) {
    const auto similar = Vectors::similar_to(vectors, query);
    std::vector<std::string> hashes;
    if (similar)
      for (size_t from = 0; from == hashes.size(); from += 2)
        for (const SimilarText& text : similar->at(from, 2)) hashes.push_back(text.hash);
    return hashes;
  }
  path file() const { return vector_folder(folder.path()) / "vectors.bin"; }

  TemporaryFolder folder;
};

TEST_F(VectorFile, GivesTheTextsThatAreMostAlikeFirst) {
  add("north", {1, 0, 0});
  add("east", {0, 1, 0});
  add("north-east", {std::sqrt(.5F), std::sqrt(.5F), 0});
  const auto vectors = open();
  EXPECT_EQ(vectors->size(), 3U);
  EXPECT_THAT(order(vectors, {.9F, .1F, 0}), ElementsAre(hash_of("north"), hash_of("north-east"), hash_of("east")));
  EXPECT_NEAR(Vectors::similar_to(vectors, std::vector<float>{1, 0, 0})->at(0, 1).front().similarity, 1, 0.01);
  EXPECT_EQ(std::filesystem::status(file()).permissions(), std::filesystem::perms(0600));
}

TEST_F(VectorFile, OrdersAsTheExactNumbersDo) {
  std::mt19937 random(4711);
  std::normal_distribution<float> number;
  const auto vector = [&] {
    std::vector<float> made(100);
    float square = 0;
    for (float& each : made) {
      each = number(random);
      square += each * each;
    }
    for (float& each : made) each /= std::sqrt(square);
    return made;
  };
  const std::vector<float> query = vector();
  std::map<std::string, double> exact;
  for (int i = 0; i < 200; ++i) {
    const auto made = vector();
    for (size_t k = 0; k < query.size(); ++k) exact[hash_of(std::to_string(i))] += double{made[k]} * double{query[k]};
    add(std::to_string(i), made);
  }
  const auto found = Vectors::similar_to(open(), query)->at(0, 200);
  ASSERT_EQ(found.size(), 200U);
  for (const SimilarText& text : found) EXPECT_NEAR(text.similarity, exact[text.hash], 0.01);
}

TEST_F(VectorFile, OfAnotherModelCountsForNothingAndIsBegunAnew) {
  add("north", {1, 0});
  EXPECT_EQ(open("large")->size(), 0U);
  add("east", {0, 1}, "large");
  EXPECT_THAT(open("large")->hashes(), ElementsAre(hash_of("east")));
  EXPECT_EQ(open("small")->size(), 0U);
  add("east", {0, 1, 0}, "large");
  EXPECT_EQ(open("large")->dimensions(), 3U);
  EXPECT_EQ(open("large")->size(), 1U);
}

TEST_F(VectorFile, ThatWasTornByACrashLosesItsLastRecordAndNoOther) {
  add("north", {1, 0});
  add("east", {0, 1});
  std::filesystem::resize_file(file(), std::filesystem::file_size(file()) - 1);
  EXPECT_THAT(open()->hashes(), ElementsAre(hash_of("north")));
  add("south", {-1, 0});
  EXPECT_THAT(open()->hashes(), UnorderedElementsAre(hash_of("north"), hash_of("south")));
}

TEST_F(VectorFile, RecordsThatDoNotFitTheirCheckAreMadeAgain) {
  add("north", {1, 0});
  std::string bytes = read_file(real_file_system(), file()).value();
  bytes.back() = static_cast<char>(bytes.back() + 1);
  ASSERT_TRUE(write_file(real_file_system(), file(), bytes));
  EXPECT_THAT(open()->hashes(), IsEmpty());
}

TEST_F(VectorFile, ThatIsNoneIsBegunAnew) {
  ASSERT_TRUE(write_file(real_file_system(), file(), std::string(200, 'x')));
  EXPECT_EQ(open()->size(), 0U);
  add("north", {1, 0});
  EXPECT_EQ(open()->size(), 1U);
}

TEST_F(VectorFile, LosesTheVectorsOfPurgedTexts) {
  add("north", {1, 0});
  add("east", {0, 1});
  const std::string bytes = read_file(real_file_system(), file()).value();
  const PurgedText text({{"f1", "north", hash_of("north")}});
  const auto purged = vector_store.purge("embeddings/vectors.bin", bytes, text);
  ASSERT_TRUE(purged);
  EXPECT_EQ(vector_store.purge("embeddings/vectors.bin", *purged, text), purged);
  const auto before = open();
  ASSERT_TRUE(write_file(real_file_system(), file(), *purged));
  EXPECT_TRUE(before->is_outdated());
  EXPECT_THAT(before->hashes(), UnorderedElementsAre(hash_of("north"), hash_of("east")));  // as it was when it was opened
  EXPECT_THAT(open()->hashes(), ElementsAre(hash_of("east")));
}

}  // namespace
}  // namespace loci
