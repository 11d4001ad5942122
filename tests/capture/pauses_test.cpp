#include "capture/pauses.h"

#include <gmock/gmock.h>

#include "capture/turn.h"
#include "tests/memory/memory_fixture.h"

namespace loci {
namespace {

class Pauses : public MemoryTest {
 protected:
  bool is_paused(const Memory& memory, const std::string& session) {
    return is_not_to_be_remembered(memory.vault(), session, "", "", clock.now()).value();
  }
  static StoredTurn store(Memory& memory, const std::string& user, const std::string& assistant, const std::string& message = "") {
    TurnInput turn;
    turn.session = "s1";
    turn.message_id = message;
    turn.user = user;
    turn.assistant = assistant;
    const auto stored = store_turn(memory, turn);
    EXPECT_TRUE(stored) << stored.error().message;
    return stored.value_or(StoredTurn{});
  }
};

TEST_F(Pauses, APauseOfAllHoldsUntilItsTimeIsOver) {
  auto memory = open();
  ASSERT_TRUE(begin_pause(memory.vault(), "", std::chrono::hours(2)));
  EXPECT_TRUE(is_paused(memory, "s1"));
  EXPECT_TRUE(is_paused(memory, ""));
  clock.advance(std::chrono::hours(2));
  EXPECT_FALSE(is_paused(memory, "s1"));
}

TEST_F(Pauses, APauseOfOneConversationIsNoneOfAnother) {
  auto memory = open();
  ASSERT_TRUE(begin_pause(memory.vault(), "s1", {}));
  EXPECT_TRUE(is_paused(memory, "s1"));
  EXPECT_FALSE(is_paused(memory, "s2"));
  clock.advance(std::chrono::minutes(1));
  EXPECT_FALSE(end_pause(memory.vault(), "s2").value());
  EXPECT_TRUE(is_paused(memory, "s1"));
  EXPECT_TRUE(end_pause(memory.vault(), "s1").value());
  EXPECT_FALSE(is_paused(memory, "s1"));
}

TEST_F(Pauses, ResumeEndsAllAndAShorterPauseEndsNoLongerOne) {
  auto memory = open();
  ASSERT_TRUE(begin_pause(memory.vault(), "", std::chrono::hours(5)));
  ASSERT_TRUE(begin_pause(memory.vault(), "s1", std::chrono::minutes(1)));
  clock.advance(std::chrono::hours(1));
  EXPECT_TRUE(is_paused(memory, "s1"));
  EXPECT_TRUE(end_pause(memory.vault(), "").value());
  EXPECT_FALSE(is_paused(memory, "s1"));
  EXPECT_FALSE(end_pause(memory.vault(), "").value());
}

TEST_F(Pauses, WhatWasSaidInAPauseStaysUnknownWhenItIsImportedLater) {
  auto memory = open();
  const Instant before = clock.now() - std::chrono::minutes(1);
  ASSERT_TRUE(begin_pause(memory.vault(), "", std::chrono::hours(1)));
  const Instant meanwhile = clock.now() + std::chrono::minutes(30);
  clock.advance(std::chrono::days(300));
  EXPECT_FALSE(is_not_to_be_remembered(memory.vault(), "s1", "", "", before).value());
  EXPECT_TRUE(is_not_to_be_remembered(memory.vault(), "s1", "", "", meanwhile).value());
}

TEST_F(Pauses, ATurnThatSaysNoMemoryIsNotStoredAndNeitherIsItsAnswer) {
  auto memory = open();
  EXPECT_TRUE(store(memory, "Only this once: #nomemory", "", "m1").is_private);
  EXPECT_TRUE(store(memory, "", "As you wish.", "m1").is_private);
  EXPECT_FALSE(store(memory, "", "Something else.", "m2").is_private);
  for (const auto& [file, bytes] : folder.contents()) EXPECT_FALSE(bytes.contains("As you wish")) << file;
}

TEST_F(Pauses, NoMemoryIsAWordOfItsOwn) {
  for (const char* yes : {"#nomemory", "x #nomemory.", "(#nomemory)", "#nomemory\n", "#nomemoryleak and #nomemory"})
    EXPECT_TRUE(asks_for_no_memory(yes)) << yes;
  for (const char* no : {"", "nomemory", "#nomemoryleak", "# nomemory", "#nomemory2"}) EXPECT_FALSE(asks_for_no_memory(no)) << no;
}

}  // namespace
}  // namespace loci
