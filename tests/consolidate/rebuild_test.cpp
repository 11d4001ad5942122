#include "tests/consolidate/consolidator_fixture.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class Rebuild : public ConsolidatorTest {
 protected:
  Rebuild() {
    use_model("cluster_max = 5");
    for (int i = 0; i < 20; ++i) say("Fact " + std::to_string(i) + " about subject " + std::to_string(i % 4) + " of the list.");
    EXPECT_FALSE(consolidate_now().failure);
    before = read(file);
  }

  Consolidated rebuild() {
    return consolidate_now({.force = false, .dry_run = false, .rebuild = true, .stop = {}, .progress = {}});
  }
  static bool is_of_refused_cluster(const ModelRequest& request) { return request.input.contains("Fact 0 about"); }
  void refuse_one_cluster() {
    model.answer_always([](const ModelRequest& request) -> Result<std::string> {
      if (request.task.starts_with("decide/") && is_of_refused_cluster(request)) return "no";
      return add_everything(request);
    });
  }
  void accept_all() { model.answer_always(add_everything); }

  std::string before;
};

TEST_F(Rebuild, IsAllOrNothing) {
  refuse_one_cluster();
  const auto failed = rebuild();
  ASSERT_TRUE(failed.failure);
  EXPECT_THAT(failed.failure->message, HasSubstr("nothing was changed yet"));
  EXPECT_EQ(read(file), before);
  EXPECT_THAT(material().facts, IsEmpty());
  EXPECT_THAT(material().entries, SizeIs(20));
}

TEST_F(Rebuild, GoesOnWithTheClustersThatAreNotDecidedYet) {
  refuse_one_cluster();
  ASSERT_TRUE(rebuild().failure);
  const size_t asked = model.requests().size();
  accept_all();
  ASSERT_FALSE(rebuild().failure);
  for (size_t i = asked; i < model.requests().size(); ++i) {
    const ModelRequest& request = model.requests()[i];
    EXPECT_TRUE(!request.task.starts_with("decide/") || is_of_refused_cluster(request)) << request.input;
  }
  EXPECT_THAT(material().entries, SizeIs(20));
  EXPECT_FALSE(consolidate_now().gates.open()) << "nothing is pending";
}

TEST_F(Rebuild, KeepsOrdinaryRunsAwayUntilItIsDoneOrGivenUp) {
  refuse_one_cluster();
  ASSERT_TRUE(rebuild().failure);
  say("Said meanwhile.");
  EXPECT_THAT(consolidate_now().gates.closed, ElementsAre(testing::Field(&Gate::name, "rebuild")));
  EXPECT_TRUE(abandon_rebuild(memory->vault()).value());
  EXPECT_FALSE(abandon_rebuild(memory->vault()).value());
  accept_all();
  EXPECT_TRUE(consolidate_now().ran);
  EXPECT_THAT(material().entries, SizeIs(21));
}

TEST_F(Rebuild, TakesInWhatWasSaidWhileItWaited) {
  refuse_one_cluster();
  ASSERT_TRUE(rebuild().failure);
  say("Said meanwhile.");
  accept_all();
  ASSERT_FALSE(rebuild().failure);
  EXPECT_THAT(durable(), testing::Contains("Said meanwhile."));
  EXPECT_THAT(material().facts, IsEmpty());
}

}  // namespace
}  // namespace loci
