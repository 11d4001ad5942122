#include "embeddings/missing_vectors.h"

#include <gmock/gmock.h>

#include <set>

#include "embeddings/vector_file.h"
#include "memory/add.h"
#include "memory/forget.h"
#include "parser/text_hash.h"
#include "tests/memory/memory_fixture.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class FakeModel final : public EmbeddingModel {
 public:
  Result<Embedded> embed(std::span<const std::string> texts, std::chrono::milliseconds, std::stop_token) override {
    ++requests;
    refused_ = std::ranges::any_of(texts, [&](const std::string& text) { return !unwanted.empty() && text.contains(unwanted); });
    if (refused_) return fail(ErrorCode::remote, "status 400");
    if (is_away) return fail(ErrorCode::remote, "away");
    Embedded out;
    for (const std::string& text : texts) {
      sent.push_back(text);
      out.vectors.push_back({1, 0});
      out.tokens += 10;
    }
    if (meanwhile) meanwhile();
    return out;
  }
  bool refused_texts() const override { return refused_; }
  std::optional<std::chrono::milliseconds> retry_after() const override { return std::nullopt; }

  std::vector<std::string> sent;
  std::string unwanted;
  bool is_away = false;
  int requests = 0;
  std::function<void()> meanwhile;

 private:
  bool refused_ = false;
};

class MissingVectors : public MemoryTest {
 protected:
  void settings(const std::string& more = "") {
    folder.write("home/.config/loci/config.toml", "[models.embeddings]\nprovider = \"ollama\"\nmodel = \"small\"\n" + more);
  }
  static void say(Memory& memory, const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      NewEntry fact;
      fact.metadata.source = Source::user;
      fact.text = text;
      ASSERT_TRUE(add(memory, {fact}));
    }
  }
  VectorCounts make(Memory& memory) {
    VectorCounts last;
    outcome = make_missing_vectors(memory, model, {}, [&](const VectorCounts& counts) { last = counts; });
    memory.drop_reader();
    return last;
  }
  std::set<std::string> stored(const Memory& memory) {
    return Vectors::open(real_file_system(), memory.vault().state_folder(), "ollama small").value()->hashes();
  }

  FakeModel model;
  Status outcome;
};

TEST_F(MissingVectors, AreMadeOnceForEachText) {
  settings();
  Memory memory = open();
  say(memory, {"Ana has a tabby.", "The boat is green."});
  auto counts = make(memory);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(counts, (VectorCounts{.entries = 2, .with_vector = 2, .all_seen = true}));
  EXPECT_THAT(model.sent, UnorderedElementsAre("Ana has a tabby.", "The boat is green."));
  ASSERT_TRUE(memory.reindex(true));
  counts = make(memory);
  EXPECT_EQ(counts.with_vector, 2);
  EXPECT_EQ(model.requests, 1) << "a new index costs no vector";
  EXPECT_EQ(tokens_of_embeddings(memory.vault()), 20);
}

TEST_F(MissingVectors, AreNeverMadeOfWhatMayNotBeSent) {
  settings("[privacy]\nnever_send = [\"#private\"]\n");
  write("note.md", "The door code is 4711. #private\n\nThe boat is green.\n");
  Memory memory = open();
  ASSERT_TRUE(memory.take_in({}));
  const auto counts = make(memory);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(counts.kept_back, 1);
  EXPECT_THAT(model.sent, ElementsAre("The boat is green."));
}

TEST_F(MissingVectors, WaitForAnotherDayWhenTheTokensOfThisOneAreSpent) {
  settings("max_tokens_a_day = 5\n");
  Memory memory = open();
  say(memory, {"Ana has a tabby, and the boat that she bought in the summer is green, blue and white."});
  const auto counts = make(memory);
  EXPECT_TRUE(counts.limit_reached);
  EXPECT_FALSE(counts.all_seen);
  EXPECT_EQ(model.requests, 0);
}

TEST_F(MissingVectors, AreNotKeptOfWhatWasForgottenMeanwhile) {
  settings();
  Memory memory = open();
  say(memory, {"Ana has a tabby.", "The boat is green."});
  Memory other = open();
  const std::string id = id_of(other, "Ana has a tabby.");
  model.meanwhile = [&] { ASSERT_TRUE(forget(other, {id}, {})); };
  make(memory);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_THAT(stored(memory), ElementsAre(stored_text_hash("The boat is green.")));
}

TEST_F(MissingVectors, OfATextThatTheServerDoesNotTakeKeepNoOtherWaiting) {
  settings();
  model.unwanted = "tabby";
  Memory memory = open();
  say(memory, {"Ana has a tabby.", "The boat is green.", "Tea is good."});
  const auto counts = make(memory);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(counts.refused, 1);
  EXPECT_EQ(stored(memory).size(), 2U);
}

TEST_F(MissingVectors, StayMissingWhileTheServerIsAway) {
  settings();
  model.is_away = true;
  Memory memory = open();
  say(memory, {"Ana has a tabby."});
  make(memory);
  EXPECT_EQ(outcome.error().code, ErrorCode::remote);
  EXPECT_THAT(stored(memory), IsEmpty());
}

}  // namespace
}  // namespace loci
