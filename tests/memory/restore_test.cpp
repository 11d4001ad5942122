#include "memory/restore.h"

#include "memory/correct.h"
#include "memory/forget.h"
#include "memory/vault_logs.h"
#include "tests/memory/memory_fixture.h"

namespace loci {
namespace {

constexpr const char* day = "archive/2026-01-02.md";
constexpr const char* three_facts =
    "<!--m {\"id\":\"f1\",\"at\":\"2026-01-02T03:00:00Z\"}-->\none\n\n"
    "<!--m {\"id\":\"f2\",\"at\":\"2026-01-02T03:00:01Z\"}-->\ntwo\n\n"
    "<!--m {\"id\":\"f3\",\"at\":\"2026-01-02T03:00:02Z\"}-->\nthree\n";

class RestoreTest : public MemoryTest {
 protected:
  // What the logs say about an id: "deleted", "restored", … or nothing.
  static std::string state(Memory& memory, const std::string& id) {
    const auto logs = read_logs(memory.vault());
    const Tombstone* tombstone = state_of(*logs, id);
    return tombstone ? std::string(name_of(tombstone->reason)) : std::string();
  }
};

TEST_F(RestoreTest, ARestoredEntryOfAFileIsPutBackAsItStood) {
  const std::string before = "# Memory\n\n<!--m {\"id\":\"c1\",\"mine\":\"kept\"}-->\nOne, settled.\n";
  write("consolidated/memory.md", before);
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"c1"}, {}));
  EXPECT_EQ(read("consolidated/memory.md").find("settled"), std::string::npos);
  ASSERT_TRUE(restore(memory, "c1"));
  EXPECT_EQ(read("consolidated/memory.md"), before);
  EXPECT_EQ(restore(memory, "c1").error().code, ErrorCode::refused);
}

TEST_F(RestoreTest, WhatWasRemovedSurvivesTheStateFolder) {
  const std::string before = "# Memory\n\n<!--m {\"id\":\"c1\"}-->\nOne, settled.\n";
  write("consolidated/memory.md", before);
  {
    Memory memory = open();
    ASSERT_TRUE(forget(memory, {"c1"}, {}));
    std::filesystem::remove_all(memory.vault().state_folder());
  }
  Memory memory = open();
  ASSERT_TRUE(restore(memory, "c1"));
  EXPECT_EQ(read("consolidated/memory.md"), before);
  EXPECT_EQ(texts(memory), Texts{"One, settled."});
}

TEST_F(RestoreTest, ARestoreThatHasNoTextOrNoRoomChangesNothingAndCanBeTriedAgain) {
  write("user.md", "# User\n\n<!--m {\"id\":\"u1\"}-->\n- Prefers tea.\n");
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"u1"}, {}));
  const std::string without = read("user.md");
  write("user.md", "# User\n\n- " + std::string(980, 'x') + "\n");
  ASSERT_FALSE(restore(memory, "u1"));
  EXPECT_EQ(restore(memory, "u1").error().code, ErrorCode::refused);
  EXPECT_EQ(state(memory, "u1"), "deleted");
  write("user.md", without);
  const std::filesystem::path removed = memory.vault().dot_loci() / "removed";
  std::filesystem::rename(removed, folder / "kept");
  EXPECT_EQ(restore(memory, "u1").error().code, ErrorCode::refused);
  EXPECT_EQ(state(memory, "u1"), "deleted");
  std::filesystem::rename(folder / "kept", removed);
  ASSERT_TRUE(restore(memory, "u1"));
  EXPECT_EQ(texts(memory), Texts{"- Prefers tea."});
}

TEST_F(RestoreTest, WhatComesBackHasTheLineEndsOfItsFile) {
  write("user.md", "## Work\r\n\r\n- Prefers tea.\r\n\r\n- Lives in Oslo.\r\n");
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {id_of(memory, "Prefers tea.")}, {}));
  ASSERT_TRUE(restore(memory, read_logs(memory.vault())->tombstones.front().id));
  std::string lines = read("user.md");
  EXPECT_NE(lines.find("- Prefers tea.\r\n"), std::string::npos);
  for (size_t at = 0; (at = lines.find("\r\n", at)) != std::string::npos;) lines.erase(at, 2);
  EXPECT_EQ(lines.find('\n'), std::string::npos) << lines;
}

TEST_F(RestoreTest, OfTwoThatBelongTogetherNoneComesBackAlone) {
  write("consolidated/memory.md", "<!--m {\"id\":\"c1\"}-->\nPrefers tea.\n");
  write("user.md", "<!--m {\"id\":\"u1\"}-->\nPrefers tea.\n");
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"c1"}, {}));
  EXPECT_EQ(read("user.md").find("tea"), std::string::npos);
  write("user.md", "- " + std::string(990, 'x') + "\n");
  ASSERT_FALSE(restore(memory, "c1"));
  EXPECT_EQ(read("consolidated/memory.md").find("tea"), std::string::npos);
}

TEST_F(RestoreTest, ARestoreTakesBackEveryTombstoneOfTheSameText) {
  write("archive/2026-01-02.md", "<!--m {\"id\":\"f1\",\"at\":\"2026-01-02T03:00:00Z\"}-->\nsaid twice\n");
  write("archive/2026-01-03.md", "<!--m {\"id\":\"f2\",\"at\":\"2026-01-03T03:00:00Z\"}-->\nsaid twice\n");
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"f1"}, {}));
  EXPECT_EQ(texts(memory), Texts{});
  ASSERT_TRUE(restore(memory, "f1"));
  EXPECT_EQ(texts(memory).size(), 2u);
}

TEST_F(RestoreTest, ACorrectionCanBeTakenBack) {
  write(day, three_facts);
  Memory memory = open();
  ASSERT_TRUE(correct(memory, "f1", "eins"));
  EXPECT_EQ(state(memory, "f1"), "corrected");
  ASSERT_TRUE(restore(memory, "f1"));
  EXPECT_EQ(state(memory, "f1"), "restored");
  EXPECT_EQ(texts(memory), (Texts{"eins", "one", "three", "two"}));
}

}  // namespace
}  // namespace loci
