#include "consolidate/runs/store.h"
#include "memory/forget.h"
#include "tests/consolidate/consolidate_fixture.h"

namespace loci {
namespace {

using Ids = std::vector<std::string>;

class ReadMaterial : public ConsolidateTest {};

TEST_F(ReadMaterial, PendingFactsAndDurableEntriesAreTheMaterial) {
  const std::string first = say("Likes tea.", Source::user);
  write(file, written("c-1", "Lives in Oslo.", {"f0"}) + "A person's own text.\n");
  const Material material = this->material();
  ASSERT_EQ(material.facts.size(), 1u);
  EXPECT_EQ(material.facts[0].id, first);
  EXPECT_EQ(material.facts[0].hash, stored_text_hash("Likes tea."));
  EXPECT_EQ(material.facts[0].source, Source::user);
  EXPECT_EQ(material.facts[0].day, "2026-11-21");
  ASSERT_EQ(material.entries.size(), 1u);
  EXPECT_EQ(material.entries[0].id, "c-1");
  EXPECT_EQ(material.entries[0].from, Ids{"f0"});
  EXPECT_TRUE(material.entries[0].writable);
}

TEST_F(ReadMaterial, EntriesOfAFileWithConflictMarkersAreNotWritable) {
  write(file, written("c-1", "Lives in Oslo.") + "<<<<<<< HEAD\nhere\n=======\nthere\n>>>>>>> other\n");
  ASSERT_EQ(material().entries.size(), 1u);
  EXPECT_FALSE(material().entries[0].writable);
}

TEST_F(ReadMaterial, WhatIsForgottenIsNoMaterialAndItsIdIsTaken) {
  say("Likes tea.");
  run_builtin();
  const std::string id = entry_with("Likes tea.").id;
  ASSERT_TRUE(forget(*memory, {id}, {}));
  EXPECT_EQ(material().facts.size(), 0u);
  EXPECT_EQ(material().entries.size(), 0u);
  EXPECT_TRUE(std::ranges::binary_search(material().ended, id));
}

TEST_F(ReadMaterial, WhatMustNotBeSentIsPrivateAndSoIsWhatRestsOnIt) {
  write(".loci/config.toml", "[privacy]\nnever_send = [\"#health\"]\n");
  memory.emplace(open());
  say("Has asthma. #health");
  say("Likes tea.");
  run([&](const Material& all) {
    return std::vector{to_add(all, {"Has asthma. #health", "Likes tea."}, "Has asthma and likes tea.")};
  });
  say("Takes a spray. #health");
  const Material material = this->material();
  EXPECT_TRUE(material.facts.at(0).is_private);
  EXPECT_TRUE(material.entries.at(0).is_private);
}

}  // namespace
}  // namespace loci
