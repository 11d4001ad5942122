#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/extract.h"
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
  ASSERT_THAT(completed->summary, SizeIs(1));
  EXPECT_TRUE(completed->searchable.yes);
  const Entry entry = find_entry(memory, completed->summary[0].id).value();
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
  EXPECT_THAT(again->summary, IsEmpty());
  task.conclusions = "The index was slow.";
  EXPECT_THAT(complete_task(another, task)->summary, SizeIs(1));
  task.task = "T-8";
  EXPECT_THAT(complete_task(another, task)->summary, SizeIs(1));
}

TEST_F(Tasks, WhatWasForgottenAndIsSaidAgainIsNew) {
  Memory memory = open();
  const auto first = complete_task(memory, task);
  ASSERT_TRUE(forget(memory, {first->summary[0].id}, {}));
  const auto again = complete_task(memory, task);
  ASSERT_THAT(again->summary, SizeIs(1));
  EXPECT_TRUE(find_entry(memory, again->summary[0].id));
}

TEST_F(Tasks, ATaskThatSaysNothingIsAnError) {
  Memory memory = open();
  for (TaskInput wrong : {TaskInput{.task = "T", .state = " ", .conclusions = "\n", .project = {}, .session = {}, .tags = {}},
                          TaskInput{.task = " ", .state = "s", .conclusions = {}, .project = {}, .session = {}, .tags = {}}})
    EXPECT_EQ(complete_task(memory, wrong).error().code, ErrorCode::usage);
  EXPECT_FALSE(folder.has("vault/archive"));
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
