// What the logs make of entries, through the index: a new line changes whom it concerns, and nobody else.
#include <gmock/gmock.h>

#include "parser/text_hash.h"
#include "tests/indexer/indexed_vault.h"
#include "vault/logs/logs.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Truth : public testing::Test {
 protected:
  void end(const std::string& id, const std::string& text, Tombstone::Reason reason = Tombstone::Reason::deleted,
           const std::string& host = "aaaa", const std::string& superseded_by = {}) {
    const auto hash = text.empty() ? std::string() : text_hash(text).substr(0, 32);
    vault_.append(".loci/tombstones/" + host + ".jsonl",
                  format(Tombstone{vault_.clock.now(), id, hash, reason, "user", superseded_by}));
  }
  void settle(const std::string& id, const std::string& text, LedgerEntry::Outcome outcome = LedgerEntry::Outcome::added,
              std::int64_t generation = 1, const std::string& entry = {}, const std::string& into = {}) {
    LedgerEntry line;
    line.generation = generation;
    line.run = "r";
    line.at = vault_.clock.now();
    line.fact = id;
    line.fact_hash = text_hash(text).substr(0, 32);
    line.outcome = outcome;
    line.entry = entry;
    line.into = into;
    vault_.append(".loci/ledger/aaaa.jsonl", format(line));
  }
  bool is_active(const std::string& id) { return vault_.entry(id).active; }

  IndexedVault vault_;
};

TEST_F(Truth, ADeletedEntryIsInactiveAndARestoredOneIsBack) {
  vault_.write("archive/a.md", fact("f1", "one") + fact("f2", "two"));
  vault_.reconcile();
  end("f1", "one");
  EXPECT_EQ(vault_.reconcile().entries_changed, 1u);
  EXPECT_FALSE(is_active("f1"));
  EXPECT_TRUE(is_active("f2"));
  EXPECT_THAT(vault_.found("one"), IsEmpty());
  end("f1", "one", Tombstone::Reason::restored);
  EXPECT_EQ(vault_.reconcile().entries_changed, 1u);
  EXPECT_TRUE(is_active("f1"));
}

TEST_F(Truth, ATombstoneThatCameBeforeItsEntryHolds) {
  end("f1", "one");
  vault_.write("archive/a.md", fact("f1", "one"));
  vault_.reconcile();
  EXPECT_FALSE(is_active("f1"));
}

TEST_F(Truth, DeletedWordsStayDeletedUnderAnyId) {
  vault_.write("notes/a.md", "Deploys on Fridays.\n");
  vault_.write("archive/a.md", fact("f1", "Deploys on Fridays."));
  vault_.reconcile();
  end("f1", "Deploys on Fridays.");
  vault_.reconcile();
  EXPECT_THAT(vault_.found("deploys"), IsEmpty());
  end("f1", "", Tombstone::Reason::restored);
  vault_.reconcile();
  EXPECT_EQ(vault_.found("deploys").size(), 2u);
}

TEST_F(Truth, WordsThatAreSaidAgainLaterAreNew) {
  vault_.write("archive/a.md", fact("f1", "one"));
  end("f1", "one");
  vault_.append("archive/a.md", "<!--m {\"id\":\"f2\",\"at\":\"2027-01-01T00:00:00Z\"}-->\none\n");
  vault_.reconcile();
  EXPECT_FALSE(is_active("f1"));
  EXPECT_TRUE(is_active("f2"));
}

TEST_F(Truth, ALogThatCannotBeReadCountsAsItWasLastRead) {
  vault_.write("archive/a.md", fact("f1", "one"));
  end("f1", "one");
  vault_.reconcile();
  vault_.remove(".loci/tombstones/aaaa.jsonl");
  vault_.write(".loci/tombstones/aaaa.jsonl/x", "");
  vault_.reconcile();
  EXPECT_FALSE(is_active("f1"));
}

TEST_F(Truth, ANoteThatDatesItselfLaterBringsNothingBack) {
  vault_.write("archive/a.md", fact("f1", "one"));
  vault_.write("notes/a.md", "<!--m {\"id\":\"n1\",\"at\":\"2099-01-01T00:00:00Z\"}-->\none\n");
  end("f1", "one");
  vault_.reconcile();
  EXPECT_FALSE(is_active("f1"));
  EXPECT_FALSE(is_active("n1"));
}

TEST_F(Truth, AFileThatIsNotTrustedTakesNoId) {
  vault_.write(".loci/config.toml", "[vault]\nuntrusted = [\"Clippings/**\"]\n");
  vault_.reopen();
  vault_.write("archive/a.md", fact("f1", "the true one"));
  vault_.write("Clippings/a.md", fact("f1", "a stolen one"));
  vault_.reconcile();
  EXPECT_EQ(vault_.entry("f1").text, "the true one");
  EXPECT_EQ(vault_.found("stolen").size(), 1u);
}

TEST_F(Truth, AnEntryFallsWithAFactThatItRestsOn) {
  vault_.write("archive/a.md", fact("f1", "one") + fact("f2", "two"));
  vault_.write("consolidated/memory.md", "<!--m {\"id\":\"c1\",\"from\":[\"f1\",\"f2\"]}-->\none and two\n");
  vault_.reconcile();
  EXPECT_TRUE(is_active("c1"));
  end("f2", "two");
  vault_.reconcile();
  EXPECT_FALSE(is_active("c1"));
}

TEST_F(Truth, AFactThatAPersonsWordsOverruledDoesNotComeBackWithoutItsEntry) {
  vault_.write("archive/a.md", fact("f1", "one") + fact("f2", "two", R"("corrects":"c1")"));
  vault_.write("consolidated/memory.md", "<!--m {\"id\":\"c1\",\"from\":[\"f1\",\"f2\"]}-->\ntwo\n");
  settle("f1", "one", LedgerEntry::Outcome::added, 1, "c1");
  vault_.clock.advance(std::chrono::seconds(1));
  settle("f2", "two", LedgerEntry::Outcome::replaced, 1, "c1");
  vault_.reconcile();
  EXPECT_FALSE(vault_.entry("f2").pending);
  vault_.remove("consolidated/memory.md");
  vault_.reconcile();
  EXPECT_TRUE(vault_.entry("f2").pending);
  EXPECT_FALSE(vault_.entry("f1").pending);
  EXPECT_EQ(vault_.entry("f1").layer, Layer::L2);
}

TEST_F(Truth, AnInactiveEntrySaysWhatSupersedesIt) {
  vault_.write("archive/a.md", fact("f1", "one") + fact("f2", "two", R"("corrects":"f1")"));
  end("f1", "one", Tombstone::Reason::corrected, "aaaa", "f2");
  vault_.reconcile();
  EXPECT_EQ(vault_.entry("f1").superseded_by, "f2");
  EXPECT_EQ(vault_.entry("f2").superseded_by, "");
}

TEST_F(Truth, TheLatestLineOfAnyHostWins) {
  vault_.write("archive/a.md", fact("f1", "one"));
  end("f1", "one", Tombstone::Reason::deleted, "zzzz");
  end("f1", "one", Tombstone::Reason::restored, "aaaa");
  vault_.reconcile();
  EXPECT_TRUE(is_active("f1"));
  end("f1", "one", Tombstone::Reason::corrected, "bbbb");
  vault_.reconcile();
  EXPECT_FALSE(is_active("f1"));
}

TEST_F(Truth, ALogThatIsRewrittenOrGoneCountsAsItIs) {
  vault_.write("archive/a.md", fact("f1", "one") + fact("f2", "two"));
  end("f1", "one");
  vault_.reconcile();
  vault_.write(".loci/tombstones/aaaa.jsonl",
               format(Tombstone{vault_.clock.now(), "f2", "", Tombstone::Reason::deleted, "user", ""}));
  vault_.reconcile();
  EXPECT_TRUE(is_active("f1"));
  EXPECT_FALSE(is_active("f2"));
  vault_.remove(".loci/tombstones/aaaa.jsonl");
  vault_.reconcile();
  EXPECT_TRUE(is_active("f2"));
}

TEST_F(Truth, FactsArePendingSettledOrDeleted) {
  vault_.write("archive/2026-05-01.md", fact("f1", "one") + fact("f2", "two"));
  vault_.write("archive/2026-05-02.md", fact("f3", "three") + fact("f4", "four") + turn("t1", "s", 1, "turn"));
  vault_.write("notes/n.md", "a note\n");
  settle("f1", "one");
  settle("f2", "two", LedgerEntry::Outcome::ignored);
  settle("f3", "three", LedgerEntry::Outcome::quarantined);
  end("f4", "four");
  vault_.reconcile();
  const auto facts = vault_.reader().facts();
  EXPECT_EQ(facts.total, 4);
  EXPECT_EQ(facts.pending, 1);
  EXPECT_EQ(facts.settled, 2);
  EXPECT_EQ(facts.deleted, 1);
  EXPECT_EQ(facts.watermark, "2026-05-02");  // a quarantined fact does not hold it back
  EXPECT_EQ(vault_.entry("f1").layer, Layer::L2);
  EXPECT_EQ(vault_.entry("f2").layer, Layer::L1);
  EXPECT_EQ(vault_.entry("f3").layer, Layer::L1);
  const auto layers = vault_.reader().layers();
  EXPECT_EQ(layers.L0, 0);
  EXPECT_EQ(layers.L1, 3);
  EXPECT_EQ(layers.L2, 2);
}

TEST_F(Truth, AFactWhoseEntryIsLostIsPendingUntilItIsBack) {
  const std::string file = "consolidated/memory.md";
  vault_.write("archive/a.md", fact("f1", "one") + fact("f2", "two"));
  vault_.write(file, fact("c1", "One."));
  settle("f1", "one", LedgerEntry::Outcome::replaced, 1, "c1");
  vault_.reconcile();
  EXPECT_EQ(vault_.entry("f1").layer, Layer::L2);
  vault_.write(file, fact("c0", "An old buffer."));
  EXPECT_EQ(vault_.reconcile({file}).entries_changed, 1u);
  EXPECT_TRUE(vault_.entry("f1").pending);
  EXPECT_EQ(vault_.entry("f1").layer, Layer::L1);
  EXPECT_EQ(vault_.reader().facts().pending, 2);
  EXPECT_EQ(vault_.differences(), "");
  vault_.write(file, fact("c1", "One."));
  vault_.reconcile({file});
  EXPECT_FALSE(vault_.entry("f1").pending);
  EXPECT_EQ(vault_.reader().facts().settled, 1);
  EXPECT_EQ(vault_.differences(), "");
}

TEST_F(Truth, AFactWhoseEntrySomebodyDeletedStaysSettledUntilThatIsTakenBack) {
  vault_.write("archive/a.md", fact("f1", "one"));
  settle("f1", "one", LedgerEntry::Outcome::added, 1, "c1");
  vault_.reconcile();
  EXPECT_TRUE(vault_.entry("f1").pending);
  end("c1", "One.");
  vault_.reconcile();
  EXPECT_FALSE(vault_.entry("f1").pending);
  EXPECT_EQ(vault_.differences(), "");
  end("c1", "One.", Tombstone::Reason::restored);
  vault_.reconcile();
  EXPECT_TRUE(vault_.entry("f1").pending);
}

TEST_F(Truth, AFactIsSettledThroughAllThatItsEntryWasMergedInto) {
  vault_.write("archive/a.md", fact("f1", "one"));
  vault_.write("consolidated/memory.md", fact("c3", "All of it."));
  settle("f1", "one", LedgerEntry::Outcome::added, 1, "c1");
  settle("f2", "two", LedgerEntry::Outcome::merged, 1, "c2", "c3");
  vault_.reconcile();
  EXPECT_TRUE(vault_.entry("f1").pending);
  settle("f2", "two", LedgerEntry::Outcome::merged, 1, "c1", "c2");
  vault_.reconcile();
  EXPECT_FALSE(vault_.entry("f1").pending);
  vault_.remove("consolidated/memory.md");
  vault_.reconcile();
  EXPECT_TRUE(vault_.entry("f1").pending);
  EXPECT_EQ(vault_.differences(), "");
}

TEST_F(Truth, TheWatermarkStandsBeforeTheFirstPendingFact) {
  vault_.write("archive/2026-05-01.md", fact("f1", "one"));
  vault_.write("archive/2026-05-02.md", fact("f2", "two"));
  vault_.reconcile();
  EXPECT_EQ(vault_.reader().facts().watermark, "");
  settle("f1", "one");
  vault_.reconcile();
  EXPECT_EQ(vault_.reader().facts().watermark, "2026-05-01");
}

TEST_F(Truth, OnlyTheHighestGenerationOfTheLedgerCounts) {
  vault_.write("archive/a.md", fact("f1", "one") + fact("f2", "two"));
  settle("f1", "one");
  vault_.reconcile();
  EXPECT_FALSE(vault_.entry("f1").pending);
  settle("f2", "two", LedgerEntry::Outcome::added, 2);
  vault_.reconcile();
  EXPECT_TRUE(vault_.entry("f1").pending);
  EXPECT_FALSE(vault_.entry("f2").pending);
  EXPECT_EQ(vault_.differences(), "");
}

TEST_F(Truth, AnEditedFactIsPendingAgain) {
  vault_.write("archive/a.md", fact("f1", "one"));
  settle("f1", "one");
  vault_.reconcile();
  vault_.write("archive/a.md", fact("f1", "one, edited"));
  vault_.reconcile();
  EXPECT_TRUE(vault_.entry("f1").pending);
}

TEST_F(Truth, ALogIsReadOnFromWhereItGrewAndATornLineIsReportedUntilItIsWhole) {
  vault_.write("archive/a.md", fact("f1", "one") + fact("f2", "two"));
  end("f1", "one");
  const auto line = format(Tombstone{vault_.clock.now(), "f2", "", Tombstone::Reason::deleted, "user", ""});
  vault_.append(".loci/tombstones/aaaa.jsonl", line.substr(0, 20));
  vault_.reconcile();
  EXPECT_FALSE(is_active("f1"));
  EXPECT_TRUE(is_active("f2"));
  EXPECT_EQ(vault_.reader().problems().size(), 1u);
  vault_.append(".loci/tombstones/aaaa.jsonl", line.substr(20));
  vault_.reconcile();
  EXPECT_FALSE(is_active("f2"));
  EXPECT_THAT(vault_.reader().problems(), IsEmpty());
}

}  // namespace
}  // namespace loci
