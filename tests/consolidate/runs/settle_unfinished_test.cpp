#include "consolidate/runs/store.h"
#include "memory/forget.h"
#include "tests/consolidate/consolidate_fixture.h"

namespace loci {
namespace {

class SettleUnfinished : public ConsolidateTest {};

TEST_F(SettleUnfinished, AFactThatStandsInAnEntryIsSettledThere) {
  const std::string fact = say("Likes tea.");
  write(file, written("c-1", "Likes tea.", {fact}));
  ASSERT_TRUE(memory->bring_up_to_date());
  EXPECT_EQ(settle_unfinished(*memory).value(), 1u);
  EXPECT_EQ(counts().pending, 0);
  EXPECT_EQ(ledger().at(0).entry, "c-1");
  EXPECT_EQ(settle_unfinished(*memory).value(), 0u);
}

TEST_F(SettleUnfinished, AFactThatWasEditedSinceItWasSettledStaysPending) {
  say("Likes tea.");
  run_builtin();
  std::string bytes = read("archive/2026-11-21.md");
  bytes.replace(bytes.find("tea"), 3, "gin");
  write("archive/2026-11-21.md", bytes);
  ASSERT_TRUE(memory->bring_up_to_date());
  EXPECT_EQ(settle_unfinished(*memory).value(), 0u);
  EXPECT_EQ(pending_texts(), Texts{"Likes gin."});
}

TEST_F(SettleUnfinished, AnEntryWhoseFactIsForgottenLetsTheOthersGo) {
  const std::string secret = say("Earns 70,000."), harmless = say("Works at Google.");
  run([&](const Material& all) {
    return std::vector{to_add(all, {"Earns 70,000.", "Works at Google."}, "Earns 70,000 at Google.")};
  });
  ASSERT_TRUE(forget(*memory, {secret}, {}));
  EXPECT_EQ(durable_texts(), Texts{});
  EXPECT_EQ(pending_texts(), Texts{"Works at Google."});
  EXPECT_EQ(read(file).find("70,000"), std::string::npos);
  EXPECT_EQ(settle_unfinished(*memory).value(), 0u);
  run_builtin();
  EXPECT_EQ(durable_texts(), Texts{"Works at Google."});
  EXPECT_EQ(counts().deleted, 1);
}

}  // namespace
}  // namespace loci
