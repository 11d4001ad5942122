#include "edits/other_places.h"

#include "tests/edits/edits_fixture.h"

namespace loci {
namespace {

class OtherPlacesTest : public EditsTest {
 protected:
  bool have(const std::string& id, const std::string& text) { return OtherPlaces(*memory).have(id, hash_of_text(text)).value(); }
};

TEST_F(OtherPlacesTest, AnEntryStandsInAnotherFileOfConsolidatedBeforeTheIndexKnows) {
  ASSERT_TRUE(memory->bring_up_to_date());
  EXPECT_FALSE(have("c1", "Owns a boat."));
  write("consolidated/boats.md", entry_of("c1", "Owns a boat."));
  EXPECT_TRUE(have("c1", "Owns a boat."));
}

TEST_F(OtherPlacesTest, WordsStandInANoteThatTheIndexKnows) {
  write("notes/boats.md", "Owns a boat.\n");
  ASSERT_TRUE(memory->bring_up_to_date());
  EXPECT_TRUE(have("c1", "Owns a boat."));
}

TEST_F(OtherPlacesTest, WhatOnlyTheIndexStillKnowsStandsNowhere) {
  write("consolidated/boats.md", entry_of("c1", "Owns a boat."));
  write("notes/boats.md", "Owns a barge.\n");
  ASSERT_TRUE(memory->bring_up_to_date());
  write("consolidated/boats.md", "# Boats\n");
  write("notes/boats.md", "Sold.\n");
  EXPECT_FALSE(have("c1", "Owns a boat."));
  EXPECT_FALSE(have("c2", "Owns a barge."));
}

TEST_F(OtherPlacesTest, AFileThatDoesNotCountIsNone) {
  write("consolidated/boats.md", entry_of("c1", "Owns a boat."));
  ASSERT_TRUE(memory->bring_up_to_date());
  OtherPlaces others(*memory);
  for (const char* id : {"c1", "c2"}) {
    EXPECT_TRUE(others.have(id, hash_of_text("Owns a boat."), {}, "consolidated/memory.md").value());
    EXPECT_FALSE(others.have(id, hash_of_text("Owns a boat."), {}, "consolidated/boats.md").value());
  }
}

TEST_F(OtherPlacesTest, TheArchiveIsNoOtherPlace) {
  write("archive/2026-11-21.md", entry_of("f1", "Owns a boat."));
  ASSERT_TRUE(memory->bring_up_to_date());
  EXPECT_FALSE(have("c1", "Owns a boat."));
}

}  // namespace
}  // namespace loci
