// What a person forgets, corrects, edits or purges between the reading and the writing is not written back.
#include "consolidate/runs/still_stands.h"

#include <gmock/gmock.h>

#include "consolidate/runs/run_stores.h"
#include "consolidate/runs/undo.h"
#include "edits/edit_store.h"
#include "memory/correct.h"
#include "memory/forget.h"
#include "memory/purge.h"
#include "memory/stores.h"
#include "tests/consolidate/consolidate_fixture.h"

namespace loci {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class StillStands : public ConsolidateTest {
 protected:
  static constexpr const char* secret = "The password is hunter2zebra.";

  // What becomes of a decision about everything if this happens after the material was read.
  Status decide_while(const std::function<void(Memory&)>& happens, const Decide& decide = add_all) {
    RunRecord record = start();
    const Material before = material();
    const Plan plan = make_plan(Decision{decide(before)}, before, everything(before), identity_of(record));
    Memory other = open();
    EXPECT_TRUE(other.bring_up_to_date());
    happens(other);
    record.clusters.emplace_back();
    return apply_plan(*memory, plan, record);
  }
  static std::vector<Store> stores() {
    std::vector<Store> all = memory_stores();
    for (const Store& store : {edit_store, run_store, failure_store}) all.push_back(store);
    return all;
  }

  static void purge_away(Memory& other, const std::string& id) {
    const auto entries = entries_to_purge(other, {id}, {});
    ASSERT_TRUE(entries) << entries.error().message;
    const auto purged = purge(other, *entries, stores());
    ASSERT_TRUE(purged) << purged.error().message;
    EXPECT_TRUE(purged->complete);
    EXPECT_THAT(purged->still_in, IsEmpty());
  }
  // Files of the vault and of the state folder that hold the word.
  static void expect_refused(const Status& status) {
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::refused);
    EXPECT_THAT(status.error().message, HasSubstr("changed meanwhile"));
  }
};

TEST_F(StillStands, AFactForgottenMeanwhileIsNotWritten) {
  const std::string id = say(secret);
  say("Likes tea.");
  expect_refused(decide_while([&](Memory& other) { EXPECT_TRUE(forget(other, {id}, {})); }));
  EXPECT_THAT(durable_texts(), IsEmpty());
  EXPECT_THAT(pending_texts(), ElementsAre("Likes tea."));
  run_builtin();
  EXPECT_THAT(durable_texts(), ElementsAre("Likes tea."));
}

TEST_F(StillStands, AFactPurgedMeanwhileIsNowhere) {
  const std::string id = say(secret);
  say("Likes tea.");
  expect_refused(decide_while([&](Memory& other) { purge_away(other, id); }));
  EXPECT_THAT(files_with("hunter2zebra"), IsEmpty());
}

TEST_F(StillStands, ATypedFactPurgedMeanwhileIsNowhere) {
  write("archive/2026-11-20.md", std::string(secret) + "\n\nLikes tea.\n");
  const std::string id = id_of(*memory, secret);
  expect_refused(decide_while([&](Memory& other) { purge_away(other, id); }));
  EXPECT_THAT(files_with("hunter2zebra"), IsEmpty());
}

TEST_F(StillStands, AFactCorrectedMeanwhileIsNotWritten) {
  const std::string id = say("Jon is the boss.");
  expect_refused(decide_while([&](Memory& other) { EXPECT_TRUE(correct(other, id, "John is the boss.")); }));
  EXPECT_THAT(durable_texts(), IsEmpty());
}

TEST_F(StillStands, AFactEditedByHandMeanwhileIsNotWritten) {
  write("archive/2026-11-20.md", "The zebra is 5 years old.\n");
  expect_refused(decide_while([&](Memory&) { write("archive/2026-11-20.md", "The zebra is 6 years old.\n"); }));
  EXPECT_THAT(pending_texts(), ElementsAre("The zebra is 6 years old."));
}

TEST_F(StillStands, NothingIsSettledAboutAPurgedFactThatIsIgnored) {
  const std::string id = say(secret);
  const auto ignore = [](const Material& all) { return std::vector{to_ignore(all, {secret})}; };
  expect_refused(decide_while([&](Memory& other) { purge_away(other, id); }, ignore));
  EXPECT_THAT(ledger(), IsEmpty());
}

TEST_F(StillStands, AnEntryWhoseFactIsForgottenMeanwhileIsNotRewritten) {
  const std::string fact = say("Jon is the boss.");
  run_builtin();
  say("Jon is the boss of atlas.");
  const auto replace = [](const Material& all) {
    return std::vector{to_replace(all, "Jon is the boss.", {"Jon is the boss of atlas."}, "Jon is the boss of atlas.")};
  };
  expect_refused(decide_while([&](Memory& other) { EXPECT_TRUE(forget(other, {fact}, {})); }, replace));
  EXPECT_THAT(durable_texts(), IsEmpty());
}

TEST_F(StillStands, ARebuildWritesNothingOfWhatWasForgottenMeanwhile) {
  const std::string id = say(secret);
  say("Likes tea.");
  run_builtin();
  RunRecord record = start();
  const auto rebuild = read_rebuild_material(*memory).value();
  record.generation = rebuild.next_generation;
  const Plan plan =
      make_plan(Decision{add_all(rebuild.material)}, rebuild.material, everything(rebuild.material), identity_of(record));
  Memory other = open();
  ASSERT_TRUE(forget(other, {id}, {}));
  expect_refused(apply_rebuild(*memory, plan, record));
}

TEST_F(StillStands, ARunThatGoesOnAfterAPurgeNotesNothingOfItAgain) {
  const std::string id = say(secret);
  RunRecord record = start();
  const Material first = material();
  ASSERT_TRUE(carry_out_decision(first, add_all(first), record));
  Memory other = open();
  purge_away(other, id);
  say("Likes tea.");
  const Material second = material();
  ASSERT_TRUE(carry_out_decision(second, add_all(second), record));
  EXPECT_THAT(files_with("hunter2zebra"), IsEmpty());
  ASSERT_TRUE(leave_out_purged(memory->vault(), record));
  finish(record);
  EXPECT_THAT(files_with("hunter2zebra"), IsEmpty());
}

TEST_F(StillStands, APurgeTakesTheTextOutOfKeptRunsAndAnUndoDoesNotBringItBack) {
  const std::string id = say(secret);
  say("Likes tea.");
  const std::string first = run_builtin();
  say("Likes cake.");
  const std::string second = run_builtin();
  EXPECT_THAT(files_with("hunter2zebra"), Contains(HasSubstr("/before/")));
  purge_away(*memory, id);
  EXPECT_THAT(files_with("hunter2zebra"), IsEmpty());
  ASSERT_TRUE(read_run(memory->vault(), first));
  for (const std::string& run : {second, first}) EXPECT_TRUE(undo_run(*memory, run)) << run;
  EXPECT_THAT(durable_texts(), IsEmpty());
  EXPECT_THAT(files_with("hunter2zebra"), IsEmpty());
  EXPECT_THAT(files_with("(purged)"), Not(Contains(HasSubstr("consolidated/"))));
}

TEST_F(StillStands, OtherWordsForAPurgedFactLeaveTheKeptRunsToo) {
  const std::string id = say(secret);
  run([](const Material& all) { return std::vector{to_add(all, {secret}, "hunter2zebra opens the door.")}; });
  purge_away(*memory, id);
  EXPECT_THAT(files_with("hunter2zebra"), IsEmpty());
}

}  // namespace
}  // namespace loci
