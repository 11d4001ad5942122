// An agent ends the entry that it names: what a person said in the same words stays, in every file and by every way to the index.
#include <gmock/gmock.h>

#include "memory/forget.h"
#include "memory/remember.h"
#include "memory/restore.h"
#include "parser/text_hash.h"
#include "tests/memory/memory_fixture.h"

namespace loci {
namespace {

using testing::Contains;
using testing::Not;
using testing::UnorderedElementsAre;

constexpr const char* day = "archive/2026-01-02.md";
constexpr const char* words = "Moss grows on the north wall.";

std::string fact(const std::string& id, const std::string& source, const std::string& text = words) {
  return R"(<!--m {"id":")" + id + R"(","at":"2026-01-02T03:00:00Z","source":")" + source + "\"}-->\n" + text + "\n\n";
}

std::string durable(const std::string& id, const std::string& source, const std::string& from, const std::string& text = words) {
  return R"(<!--m {"id":")" + id + R"(","source":")" + source + R"(","from":[)" + from + R"(],"sum":")" +
         sum_from_hash(stored_text_hash(text)) + "\"}-->\n" + text + "\n\n";
}

class AgentsEnds : public MemoryTest {
 protected:
  static Result<Remembered> told(Memory& memory, const std::string& json) {
    return remember(memory, parse_remember_request(json).value());
  }
  static Result<Remembered> removed(Memory& memory, const std::string& id) {
    return told(memory, R"({"action":"remove","target_id":")" + id + "\"}");
  }
  static Result<Remembered> updated(Memory& memory, const std::string& id) {
    return told(memory, R"({"action":"update","target_id":")" + id + R"(","content":"Nothing grows there."})");
  }
  // The ids of all that counts and says these words.
  static std::vector<std::string> ids(Memory& memory) {
    EXPECT_TRUE(memory.bring_up_to_date());
    std::vector<std::string> found;
    const auto all = memory.reader().value()->list(EntryFilter{}, 1000).value();
    for (const Entry& entry : all)
      if (entry.text.contains(words)) found.push_back(entry.id);
    return found;
  }
  // Now, and in an index that was built from the files alone.
  void expect_still_said_by(Memory& memory, const std::vector<std::string>& wanted, const std::string& where) {
    EXPECT_EQ(ids(memory), wanted) << where;
    EXPECT_TRUE(memory.reindex(true));
    EXPECT_EQ(ids(memory), wanted) << where << ", built anew";
  }
};

struct Persons {
  std::string_view file, bytes;
};

TEST_F(AgentsEnds, WhatAPersonSaidInTheSameWordsStaysWhereverItStands) {
  for (const auto& [file, bytes] : {
           Persons{"archive/2026-01-03.md", "<!--m {\"id\":\"p1\",\"source\":\"user\"}-->\nMoss grows on the north wall.\n"},
           {"archive/2026-01-03.md", "<!--m {\"id\":\"p1\",\"source\":\"correction\"}-->\nMoss grows on the north wall.\n"},
           {"consolidated/memory.md", "<!--m {\"id\":\"p1\",\"source\":\"user\"}-->\nMoss grows on the north wall.\n"},
           {"consolidated/memory.md",
            "<!--m {\"id\":\"p1\",\"source\":\"user\",\"from\":[\"f7\"]}-->\nMoss grows on the north wall.\n"},
           {"user.md", "- Moss grows on the north wall.\n"},
           {"user.md", "<!--m {\"id\":\"p1\",\"source\":\"user\"}-->\n- Moss grows on the north wall.\n"},
           {"MEMORY.md", "# Mine\n\n- Moss grows on the north wall.\n"},
           {"note.md", "*Moss grows on the north wall.*\n"},
           {"archive/sessions/2026-01-02-s.md",
            "<!--m {\"id\":\"p1\",\"source\":\"user\",\"kind\":\"turn\",\"session\":\"s\",\"turn\":0,\"role\":\"user\"}-->\n"
            "Moss grows on the north wall.\n"},
       }) {
    for (const bool by_update : {false, true}) {
      const std::string where = std::string(file) + ": " + std::string(bytes) + (by_update ? " (updated)" : " (removed)");
      for (const char* before : {"vault", "home/.local"}) std::filesystem::remove_all(folder / before);
      write(file, bytes);
      Memory memory = open();
      const auto persons = ids(memory);
      ASSERT_EQ(persons.size(), 1U) << where;
      const auto own = told(memory, R"({"action":"add","content":"Moss grows on the north wall."})");
      ASSERT_TRUE(own) << where;
      const auto ended = by_update ? updated(memory, own->id) : removed(memory, own->id);
      ASSERT_TRUE(ended) << where << ": " << ended.error().message;
      expect_still_said_by(memory, persons, where);
      EXPECT_EQ(read(std::string(file)), bytes) << where;
    }
  }
}

TEST_F(AgentsEnds, AnEntryOfItsOwnInAnyFileLeavesAPersonsFact) {
  write(day, fact("p1", "user") + fact("a1", "agent"));
  write("consolidated/memory.md", "<!--m {\"id\":\"a2\",\"source\":\"agent\"}-->\nMoss grows on the north wall.\n");
  write("user.md", "<!--m {\"id\":\"a3\",\"source\":\"agent\"}-->\n- Moss grows on the north wall.\n");
  Memory memory = open();
  EXPECT_THAT(ids(memory), UnorderedElementsAre("p1", "a1", "a2", "a3"));
  for (const char* own : {"a2", "a3", "a1"}) {
    const auto gone = removed(memory, own);
    ASSERT_TRUE(gone) << own << ": " << gone.error().message;
    EXPECT_THAT(ids(memory), Contains("p1")) << own;
    EXPECT_THAT(ids(memory), Not(Contains(own)));
  }
  expect_still_said_by(memory, {"p1"}, "all of the agent's own");
}

TEST_F(AgentsEnds, TheRestGoesOnAsBeforeWhenAPersonForgets) {
  write(day, fact("p1", "user") + fact("a1", "agent"));
  write("user.md", "- Moss grows on the north wall.\n");
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"a1"}, {}));
  expect_still_said_by(memory, {}, "forgotten by a person");
  ASSERT_TRUE(restore(memory, "a1"));
  EXPECT_EQ(ids(memory).size(), 3U);
}

TEST_F(AgentsEnds, OfAnEntryThatRestsOnBothTheAgentTakesItsOwnFactAway) {
  write(day, fact("a1", "agent") + fact("p1", "user"));
  write("consolidated/memory.md", durable("c1", "user", R"("a1","p1")"));
  Memory memory = open();
  ASSERT_TRUE(removed(memory, "a1"));
  expect_still_said_by(memory, {"p1", "c1"}, "rests on both");
  EXPECT_FALSE(read("consolidated/memory.md").contains("\"a1\""));
}

TEST_F(AgentsEnds, AnEntryMadeOfItsOwnFactAloneGoesWithItAndThePersonsStays) {
  write(day, fact("a1", "agent") + fact("p1", "user"));
  write("consolidated/memory.md", durable("c1", "agent", R"("a1")"));
  write("MEMORY.md",
        "<!-- loci:core begin -->\n<!--m {\"ref\":\"c1\"}-->\n- Moss grows on the north wall.\n<!-- loci:core end -->\n");
  Memory memory = open();
  ASSERT_TRUE(removed(memory, "a1"));
  expect_still_said_by(memory, {"p1"}, "rests on its own");
  EXPECT_FALSE(read("consolidated/memory.md").contains(words));
  EXPECT_FALSE(read("MEMORY.md").contains(words));
}

TEST_F(AgentsEnds, WhatItNamesStaysGoneThoughItIsPastedBackAndAPersonsNewWordsCount) {
  const std::string own = "<!--m {\"id\":\"a2\",\"source\":\"agent\"}-->\n";
  write("consolidated/memory.md", own + words + "\n");
  Memory memory = open();
  ASSERT_TRUE(removed(memory, "a2"));
  write("consolidated/memory.md", own + words + "\n");
  expect_still_said_by(memory, {}, "pasted back");
  write("consolidated/memory.md", own + "**" + words + "**\n");
  expect_still_said_by(memory, {}, "pasted back in bold");
  write("consolidated/memory.md", own + words + " And on the roof.\n");
  expect_still_said_by(memory, {"a2"}, "with a person's own words");
}

TEST_F(AgentsEnds, WhatTheAgentRemovedIsTakenBackAlone) {
  write(day, fact("a1", "agent") + fact("p1", "user"));
  Memory memory = open();
  ASSERT_TRUE(removed(memory, "a1"));
  ASSERT_TRUE(forget(memory, {"p1"}, {}));
  expect_still_said_by(memory, {}, "both are gone");
  ASSERT_TRUE(restore(memory, "p1"));
  expect_still_said_by(memory, {"p1"}, "only the person's was taken back");
}

TEST_F(AgentsEnds, ATombstoneOfAnAgentThatCameFromAnotherMachineEndsItsIdAlone) {
  write(day, fact("a1", "agent") + fact("p1", "user"));
  write(".loci/tombstones/elsewhere.jsonl", R"({"at":"2026-01-05T00:00:00Z","id":"a1","text_hash":")" + stored_text_hash(words) +
                                                R"(","reason":"deleted","by":"agent","loose":")" + loose_text_hash(words) +
                                                "\"}\n");
  Memory memory = open();
  expect_still_said_by(memory, {"p1"}, "from another machine");
}

}  // namespace
}  // namespace loci
