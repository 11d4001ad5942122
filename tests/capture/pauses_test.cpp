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

TEST_F(Pauses, WhatWasSaidInOneIsToldByItsWordsAndItsTimeWhateverItsSessionIsCalled) {
  auto memory = open();
  const Instant start = clock.now();
  ASSERT_TRUE(begin_pause(memory.vault(), "s1", {}));
  const auto at = [&](int minutes) { return start + std::chrono::minutes(minutes); };
  const auto note = [&](int minutes, const std::string& message, const std::string& prompt, std::optional<Instant> said_at = {}) {
    clock.advance(at(minutes) - clock.now());
    ASSERT_TRUE(note_private_message(memory.vault(), "s1", message, prompt, said_at));
  };
  note(10, "m1", "yes");
  note(11, "m1", "");
  note(20, "m2", "The code is 4711.");
  note(21, "m2", "The code is 4711.");
  note(22, "m2", "");
  note(30, "m3", "yes");
  note(31, "m3", "yes", at(30) + std::chrono::milliseconds(7));
  note(32, "m4", "of the turn before", at(30));
  clock.advance(std::chrono::hours(1));
  ASSERT_TRUE(end_pause(memory.vault(), "s1").value());
  const auto kept_out = KeptOut::read(memory.vault()).value();
  EXPECT_TRUE(kept_out.was_kept_out("yes", at(10)));
  EXPECT_TRUE(kept_out.was_kept_out("The  code is 4711.\r\n", at(20) + std::chrono::seconds(2)));
  EXPECT_TRUE(kept_out.was_kept_out("yes", at(30) + std::chrono::milliseconds(7)));
  for (const int other_time : {-1, 12, 15, 20, 25, 30, 31, 40, 200}) EXPECT_FALSE(kept_out.was_kept_out("yes", at(other_time)));
  EXPECT_FALSE(kept_out.was_kept_out("The code is 4711.", at(23)));
  EXPECT_FALSE(kept_out.was_kept_out("Other words.", at(20)));
  EXPECT_FALSE(kept_out.was_kept_out("", at(20)));
}

TEST_F(Pauses, ATurnThatSaysNoMemoryIsNotStoredAndNeitherIsItsAnswer) {
  auto memory = open();
  EXPECT_TRUE(store(memory, "Only this once: #nomemory", "", "m1").is_private);
  EXPECT_TRUE(store(memory, "", "As you wish.", "m1").is_private);
  EXPECT_FALSE(store(memory, "", "Something else.", "m2").is_private);
  for (const auto& [file, bytes] : folder.contents()) EXPECT_FALSE(bytes.contains("As you wish")) << file;
}

TEST_F(Pauses, AnImportLeavesOutWhatAConversationWasNotToLeaveBehind) {
  auto memory = open();
  ASSERT_TRUE(begin_pause(memory.vault(), "", std::chrono::hours(1)));
  const std::string meanwhile = format_rfc3339(clock.now() + std::chrono::minutes(30));
  clock.advance(std::chrono::days(300));
  const std::string later = format_rfc3339(clock.now());
  const auto line = [](const std::string& id, const std::string& at, const std::string& text, const std::string& more) {
    return R"({"id":")" + id + R"(","text":")" + text + R"(","at":")" + at + '"' + more + "}\n";
  };
  const auto entries =
      parse_export(line("paused", meanwhile, "x", R"(,"kind":"turn","role":"user","session":"s1","turn":1)") +
                   line("asked", later, "not this #nomemory", R"(,"kind":"turn","role":"user","session":"s1","turn":2)") +
                   line("answer", later, "y", R"(,"kind":"turn","role":"assistant","session":"s1","turn":2)") +
                   line("fact", later, "z", R"(,"kind":"fact","session":"s1","turn":2)") +
                   line("next", later, "a", R"(,"kind":"turn","role":"user","session":"s1","turn":3)") +
                   line("quoted", later, "#nomemory is a word", R"(,"kind":"turn","role":"assistant","session":"s1","turn":3)") +
                   line("typed", meanwhile, "added by hand", R"(,"kind":"fact")"));
  ASSERT_TRUE(entries) << entries.error().message;
  EXPECT_THAT(ids_kept_out(memory.vault(), *entries).value(), testing::UnorderedElementsAre("paused", "asked", "answer", "fact"));
}

TEST_F(Pauses, AnEntryThatIsATurnIsRefusedLikeATurn) {
  auto memory = open();
  const auto add_turn = [&](const std::string& text) {
    NewEntry entry{.metadata = {}, .text = text};
    entry.metadata.kind = EntryKind::turn;
    entry.metadata.session = "s1";
    entry.metadata.role = "user";
    return add_with_turns(memory, {entry});
  };
  EXPECT_TRUE(add_turn("One."));
  EXPECT_EQ(add_turn("Two. #nomemory").error().code, ErrorCode::refused);
  ASSERT_TRUE(begin_pause(memory.vault(), "", {}));
  EXPECT_EQ(add_turn("Three.").error().code, ErrorCode::refused);
}

TEST_F(Pauses, NoMemoryIsAWordOfItsOwn) {
  for (const char* yes : {"#nomemory",
                          "x #nomemory.",
                          "(#nomemory)",
                          "#nomemory\n",
                          "#nomemoryleak and #nomemory",
                          "#NoMemory",
                          "ja #NOMEMORY!",
                          "#nomemory\u200b tail",
                          "#no\u00admemory",
                          "\u2066#nomemory\u2069",
                          "#nomemory\U000e0061",
                          "\ufeff#nomemory\ufeff",
                          "x#nomemory",
                          "`#nomemory`",
                          "http://x/#nomemory",
                          "\\#nomemory",
                          "&#35;nomemory",
                          "#no\u0001memory",
                          "#nomemory-please",
                          "#nomemory_",
                          "#nomemory/now",
                          "**#nomemory**",
                          "#nomemory\u65e5\u8a18",
                          "#nomemory\U0001F512",
                          "#[[nomemory]]",
                          "\uff03nomemory",
                          "\uff03\uff4e\uff4f\uff4d\uff45\uff4d\uff4f\uff52\uff59"})
    EXPECT_TRUE(asks_for_no_memory(yes)) << yes;
  for (const char* no : {"", "nomemory", "#nomemoryleak", "# nomemory", "#nomemory2"}) EXPECT_FALSE(asks_for_no_memory(no)) << no;
}

}  // namespace
}  // namespace loci
