#include "vault/layout/layout.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

TEST(Layout, APathSaysWhatPlaceItIs) {
  struct Case {
    std::string path;
    Place place;
  };
  for (const auto& [path, place] : {Case{"archive/2026-11-21.md", Place::archive},
                                    {"archive/sessions/2026-11-21-x.md", Place::archive},
                                    {"consolidated/memory.md", Place::consolidated},
                                    {"consolidated/sub/more.md", Place::consolidated},
                                    {"MEMORY.md", Place::core},
                                    {"user.md", Place::user},
                                    {"memory.md", Place::note},
                                    {"archive.md", Place::note},
                                    {"archived/x.md", Place::note},
                                    {"sub/MEMORY.md", Place::note},
                                    {"sub/user.md", Place::note},
                                    {"sub/archive/x.md", Place::note},
                                    {"notes/a.md", Place::note}})
    EXPECT_EQ(place_of(path), place) << path;
}

TEST(Layout, ThePlaceTheKindAndTheLedgerGiveTheLayer) {
  struct Case {
    Place place;
    EntryKind kind;
    bool settled;
    Layer layer;
  };
  for (const auto& [place, kind, settled, layer] : {Case{Place::core, EntryKind::fact, false, Layer::L0},
                                                    {Place::user, EntryKind::fact, true, Layer::L0},
                                                    {Place::consolidated, EntryKind::fact, true, Layer::L1},
                                                    {Place::note, EntryKind::fact, false, Layer::L1},
                                                    {Place::note, EntryKind::turn, true, Layer::L1},
                                                    {Place::archive, EntryKind::fact, false, Layer::L1},
                                                    {Place::archive, EntryKind::fact, true, Layer::L2},
                                                    {Place::archive, EntryKind::turn, false, Layer::L2},
                                                    {Place::archive, EntryKind::session_summary, false, Layer::L2},
                                                    {Place::archive, EntryKind::task_summary, false, Layer::L2}})
    EXPECT_EQ(layer_of(place, kind, settled), layer) << static_cast<int>(place) << static_cast<int>(kind) << settled;
}

TEST(Layout, ALayerHasANameThatLeadsBackToIt) {
  for (const Layer layer : {Layer::L0, Layer::L1, Layer::L2}) EXPECT_EQ(layer_from(name_of(layer)), layer);
  EXPECT_EQ(layer_from("L3"), std::nullopt);
  EXPECT_EQ(layer_from("l1"), std::nullopt);
}

TEST(Layout, TrustIsNotRaisedOutsideTheMemoryPlacesNorInAnUntrustedFile) {
  struct Case {
    Place place;
    std::optional<Source> claimed;
    bool untrusted;
    Source believed;
  };
  for (const auto& [place, claimed, untrusted, believed] : {Case{Place::archive, Source::correction, false, Source::correction},
                                                            {Place::consolidated, Source::correction, false, Source::correction},
                                                            {Place::core, Source::agent, false, Source::agent},
                                                            {Place::user, Source::correction, false, Source::correction},
                                                            {Place::note, Source::correction, false, Source::user},
                                                            {Place::note, Source::agent, false, Source::agent},
                                                            {Place::note, Source::system, false, Source::system},
                                                            {Place::note, std::nullopt, false, Source::user},
                                                            {Place::archive, std::nullopt, false, Source::user},
                                                            {Place::note, std::nullopt, true, Source::system},
                                                            {Place::note, Source::user, true, Source::system},
                                                            {Place::archive, Source::correction, true, Source::system}})
    EXPECT_EQ(believed_source(place, claimed, untrusted), believed) << static_cast<int>(place) << untrusted;
}

TEST(Layout, WhatClaimsToBeATurnOrASummaryIsAFactOutsideTheArchive) {
  for (const EntryKind kind : {EntryKind::turn, EntryKind::session_summary, EntryKind::task_summary, EntryKind::fact}) {
    EXPECT_EQ(believed_kind(Place::archive, kind), kind);
    for (const Place place : {Place::note, Place::consolidated, Place::core, Place::user})
      EXPECT_EQ(believed_kind(place, kind), EntryKind::fact);
  }
  EXPECT_EQ(believed_kind(Place::archive, std::nullopt), EntryKind::fact);
}

TEST(Layout, AConversationStandsInTheFolderOfConversations) {
  EXPECT_TRUE(is_conversation_file("archive/sessions/2026-11-21-chat.md"));
  for (const char* file : {"archive/2026-11-21.md", "sessions/a.md", "notes/archive/sessions/a.md", "archive/sessions"})
    EXPECT_FALSE(is_conversation_file(file)) << file;
}

TEST(Layout, ADateIsReadOnlyFromTheStartOfTheName) {
  struct Case {
    std::string path;
    std::string date;
  };
  for (const auto& [path, date] : {Case{"archive/2026-11-21.md", "2026-11-21"},
                                   {"archive/2026-11-21.k3f9.md", "2026-11-21"},
                                   {"archive/sessions/2026-11-21-chat.md", "2026-11-21"},
                                   {"2026-11-21 meeting.md", "2026-11-21"},
                                   {"2024-02-29.md", "2024-02-29"},
                                   {"2026-02-29.md", ""},
                                   {"2026-13-01.md", ""},
                                   {"2026-11-211.md", ""},
                                   {"x2026-11-21.md", ""},
                                   {"2026-11-21/notes.md", ""},
                                   {"20261121.md", ""},
                                   {"2026-11.md", ""},
                                   {"", ""}})
    EXPECT_EQ(date_in_name(path), date) << path;
}

}  // namespace
}  // namespace loci
