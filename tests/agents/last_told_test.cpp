#include "agents/last_told.h"

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace loci {
namespace {

// The hooks of two files are called for each event of one session.
class LastTold : public testing::Test {
 protected:
  bool is_first(HookEvent event, const std::string& words = {}, const std::string& id = {}, const std::string& source = {}) {
    HookInput input{.event = event, .session = "s1", .message = id, .source = source};
    (event == HookEvent::stop ? input.answer : input.prompt) = words;
    const bool first = is_told_first(folder.path(), real_file_system(), input);
    EXPECT_FALSE(is_told_first(folder.path(), real_file_system(), input)) << "the other hook";
    return first;
  }

  TemporaryFolder folder;
};

using enum HookEvent;

TEST_F(LastTold, TheSameIsToldAgainOnlyIfNothingHappenedBetween) {
  for (const char* asked : {"Go on.", "Go on.", "And the tests?"}) {
    EXPECT_TRUE(is_first(user_prompt_submit, asked));
    EXPECT_TRUE(is_first(stop, "Done."));
  }
  EXPECT_TRUE(is_first(stop, "Done, I said."));
}

TEST_F(LastTold, WhateverHappensInASessionTellsItsStartsApart) {
  EXPECT_TRUE(is_first(session_start, {}, {}, "startup"));
  EXPECT_TRUE(is_first(session_start, {}, {}, "resume"));
  EXPECT_TRUE(is_first(user_prompt_submit, "Go on.", "p1"));
  EXPECT_TRUE(is_first(session_start, {}, {}, "resume"));
  EXPECT_TRUE(is_first(pre_compact));
  EXPECT_TRUE(is_first(session_start, {}, {}, "compact"));
  EXPECT_TRUE(is_first(post_compact));
  EXPECT_TRUE(is_first(session_end));
  EXPECT_TRUE(is_first(session_start, {}, {}, "resume"));
}

TEST_F(LastTold, WhatHasAnIdIsJudgedByWhatWasToldUnderIt) {
  EXPECT_TRUE(is_first(user_prompt_submit, "Is it green?", "p1"));
  EXPECT_TRUE(is_first(user_prompt_submit, "And blue?", "p2"));
  EXPECT_TRUE(is_first(stop, "It is.", "p1"));
  EXPECT_FALSE(is_first(user_prompt_submit, "Is it green?", "p1")) << "late";
  EXPECT_TRUE(is_first(user_prompt_submit, "Is it green? #nomemory", "p1"));
  EXPECT_TRUE(is_first(stop, "It is.", "p2"));
  EXPECT_TRUE(is_first(stop, "Waiting.", "p1"));
  EXPECT_TRUE(is_first(stop, "It is.", "p1")) << "something else was said at that prompt between";
}

TEST_F(LastTold, WhereNothingCanBeNotedEachIsTheFirst) {
  const HookInput input{.event = stop, .session = "s1", .answer = "Done."};
  for (int time = 0; time < 2; ++time) EXPECT_TRUE(is_told_first("/proc/nowhere", real_file_system(), input));
}

}  // namespace
}  // namespace loci
