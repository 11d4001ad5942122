#include "capture/task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "indexer/standing.h"
#include "memory/forget.h"
#include "tests/memory/memory_fixture.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Tasks : public MemoryTest {
 protected:
  TaskInput task{.task = "T-7",
                 .state = "tests pass",
                 .conclusions = "The parser was slow.\n\n# Not a heading of ours",
                 .project = "atlas",
                 .session = "s1",
                 .tags = {"speed"}};
};

TEST_F(Tasks, ATaskBecomesASummaryInTheArchive) {
  Memory memory = open();
  const auto completed = complete_task(memory, task);
  ASSERT_TRUE(completed) << completed.error().message;
  ASSERT_THAT(completed->entries, SizeIs(1));
  EXPECT_TRUE(completed->searchable.yes);
  const Entry entry = find_entry(memory, completed->entries[0].id).value();
  EXPECT_EQ(entry.kind, EntryKind::task_summary);
  EXPECT_EQ(entry.layer, Layer::L2);
  EXPECT_EQ(entry.source, Source::agent);
  EXPECT_EQ(entry.task, "T-7");
  EXPECT_EQ(entry.project, "atlas");
  EXPECT_EQ(entry.session, "s1");
  EXPECT_THAT(entry.tags, ElementsAre("speed"));
  EXPECT_EQ(
      entry.text,
      "Task T-7.\n\nConclusions:\n\nThe parser was slow.\n\n# Not a heading of ours\n\nWorking state at its end:\n\ntests pass");
}

TEST_F(Tasks, TheSameAgainAddsNothing) {
  Memory memory = open();
  ASSERT_TRUE(complete_task(memory, task));
  clock.advance(std::chrono::hours(30));
  Memory another = open();
  const auto again = complete_task(another, task);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_THAT(again->entries, IsEmpty());
  task.conclusions = "The index was slow.";
  EXPECT_THAT(complete_task(another, task)->entries, SizeIs(1));
  task.task = "T-8";
  EXPECT_THAT(complete_task(another, task)->entries, SizeIs(1));
}

TEST_F(Tasks, WhatWasForgottenAndIsSaidAgainIsNew) {
  Memory memory = open();
  const auto first = complete_task(memory, task);
  ASSERT_TRUE(forget(memory, {first->entries[0].id}, {}));
  const auto again = complete_task(memory, task);
  ASSERT_THAT(again->entries, SizeIs(1));
  EXPECT_TRUE(find_entry(memory, again->entries[0].id));
}

TEST_F(Tasks, ATaskThatSaysNothingIsAnError) {
  Memory memory = open();
  for (TaskInput wrong : {TaskInput{.task = "T", .state = " ", .conclusions = "\n", .project = {}, .session = {}, .tags = {}},
                          TaskInput{.task = " ", .state = "s", .conclusions = {}, .project = {}, .session = {}, .tags = {}}})
    EXPECT_EQ(complete_task(memory, wrong).error().code, ErrorCode::usage);
  EXPECT_FALSE(folder.has("vault/archive"));
}

TEST_F(Tasks, AnActiveTasksStateIsInL0AndAnUpdateTakesItsPlace) {
  Memory memory = open();
  const auto started = start_task(memory, {.task = "T-7", .state = "reading the parser", .project = "atlas", .session = "s1"});
  ASSERT_TRUE(started) << started.error().message;
  const Entry first = find_entry(memory, started->entries[0].id).value();
  EXPECT_EQ(first.layer, Layer::L0);
  EXPECT_EQ(first.text, "Task T-7, in progress.\n\nreading the parser");

  clock.advance(std::chrono::minutes(5));
  const auto updated = update_task(memory, {.task = "T-7", .state = "measuring"});
  ASSERT_TRUE(updated) << updated.error().message;
  const auto tasks = active_tasks(memory).value();
  ASSERT_THAT(tasks, SizeIs(1));
  EXPECT_EQ(tasks[0].state, "measuring");
  EXPECT_EQ(tasks[0].project, "atlas") << "what an update does not name stays";
  EXPECT_THAT(tasks[0].sessions, ElementsAre("s1"));
  const Entry old = find_entry(memory, first.id, true).value();
  EXPECT_FALSE(old.active);
  EXPECT_EQ(old.superseded_by, updated->entries[0].id);
  EXPECT_THAT(update_task(memory, {.task = "T-7", .state = "measuring"})->entries, IsEmpty());
}

TEST_F(Tasks, AFormerStateMayComeBack) {
  Memory memory = open();
  ASSERT_TRUE(start_task(memory, {.task = "T", .state = "waiting"}));
  ASSERT_TRUE(update_task(memory, {.task = "T", .state = "working"}));
  ASSERT_TRUE(update_task(memory, {.task = "T", .state = "waiting"}));
  EXPECT_EQ(active_tasks(memory).value().at(0).state, "waiting");
}

TEST_F(Tasks, ACompletedTaskIsActiveNoMoreAndItsStateIsInTheSummary) {
  Memory memory = open();
  ASSERT_TRUE(start_task(memory, {.task = "T-7", .state = "half done", .project = "atlas"}));
  const auto completed = complete_task(memory, {.task = "T-7", .conclusions = "It was the cache."});
  ASSERT_TRUE(completed) << completed.error().message;
  EXPECT_THAT(active_tasks(memory).value(), IsEmpty());
  const Entry summary = find_entry(memory, completed->entries[0].id).value();
  EXPECT_EQ(summary.layer, Layer::L2);
  EXPECT_EQ(summary.project, "atlas");
  EXPECT_EQ(summary.text, "Task T-7.\n\nConclusions:\n\nIt was the cache.\n\nWorking state at its end:\n\nhalf done");
  EXPECT_THAT(complete_task(memory, {.task = "T-7", .conclusions = "It was the cache."})->entries, IsEmpty());
}

TEST_F(Tasks, StartingAgainNeitherAddsNorOverwrites) {
  Memory memory = open();
  ASSERT_TRUE(start_task(memory, {.task = "T", .state = "a"}));
  EXPECT_THAT(start_task(memory, {.task = "T"})->entries, IsEmpty());
  EXPECT_EQ(start_task(memory, {.task = "T", .state = "b"}).error().code, ErrorCode::refused);
  EXPECT_EQ(update_task(memory, {.task = "U", .state = "b"}).error().code, ErrorCode::not_found);
}

TEST_F(Tasks, TwoStatesThatAKillLeftEndTogether) {
  Memory memory = open();
  for (const char* state : {"older", "newer"}) {
    Metadata metadata;
    metadata.kind = EntryKind::task_summary;
    metadata.category = working_state;
    metadata.task = "T";
    ASSERT_TRUE(add(memory, {NewEntry{std::move(metadata), std::string("Task T, in progress.\n\n") + state}}));
    clock.advance(std::chrono::minutes(1));
  }
  EXPECT_EQ(active_tasks(memory).value().at(0).state, "newer");
  ASSERT_TRUE(complete_task(memory, {.task = "T"}));
  EXPECT_THAT(active_tasks(memory).value(), IsEmpty());
}

TEST_F(Tasks, TheStateSurvivesTheLossOfEverythingBesideTheVault) {
  {
    Memory memory = open();
    ASSERT_TRUE(start_task(memory, {.task = "T", .state = "a"}));
  }
  std::filesystem::remove_all(folder / "home/.local/state");
  Memory memory = open();
  ASSERT_TRUE(memory.bring_up_to_date());
  EXPECT_EQ(active_tasks(memory).value().at(0).state, "a");
}

TEST(ParseTask, TakesWhatItKnowsAndNothingElse) {
  const auto task = parse_task(R"({"state":"s","conclusions":"c","project":"p","session":"x","tags":["a","b"]})", "T");
  ASSERT_TRUE(task) << task.error().message;
  EXPECT_EQ(task->task, "T");
  EXPECT_EQ(task->state, "s");
  EXPECT_THAT(task->tags, ElementsAre("a", "b"));
  EXPECT_THAT(parse_task(R"({"state":"s","tags":[1]})", "T").error().message, HasSubstr("\"tags\" is no list"));
  EXPECT_THAT(parse_task(R"({"state":"s","kind":"fact"})", "T").error().message, HasSubstr("\"kind\" is not known"));
}

}  // namespace
}  // namespace loci
