#include "edits/acts.h"

#include <gtest/gtest.h>

#include "parser/text_hash.h"
#include "tests/support/processor_time.h"

namespace loci {
namespace {

// "a:text b:text ~text #heading" as a file, "~" in front of text without metadata; each "_" in front of one is a blank line there.
SeenFile file_of(const std::string& said) {
  SeenFile file;
  for (size_t begin = 0; begin < said.size();) {
    const size_t end = std::min(said.find(' ', begin), said.size());
    const size_t blank_lines = said.find_first_not_of('_', begin) - begin;
    const std::string one = said.substr(begin + blank_lines, end - begin - blank_lines);
    const std::string id = one.substr(0, one.find(':')), text = one.substr(one.find(':') + 1);
    const bool is_line = one.starts_with('#');
    file.frame.pieces.push_back({(is_line ? "line " : "id ") + id, is_line, blank_lines});
    const bool has_metadata = !one.starts_with('~');
    if (!is_line) file.entries.push_back({.id = id, .hash = stored_text_hash(text), .has_metadata = has_metadata, .text = text});
    begin = end + 1;
  }
  return file;
}

// "=" in front: a version that loci wrote.
std::vector<KnownVersion> versions(const std::vector<std::string>& said) {
  std::vector<KnownVersion> known;
  for (const std::string& one : said) {
    SeenFile file = file_of(one.starts_with('=') ? one.substr(1) : one);
    known.push_back({std::move(file.entries), one.starts_with('='), {}, std::move(file.frame)});
  }
  return known;
}

std::string told(const SaveReading& reading) {
  std::string text = reading.made == Made::from_newest ? "newest" : "version " + std::to_string(reading.base);
  for (const Change& change : reading.changes) text += (change.after ? ", changed " : ", removed ") + change.before.id;
  return text + (reading.undone ? ", undone" : "");
}

struct SaveCase {
  std::vector<std::string> known;
  std::string saved;
  std::string told;
};

void check(const std::vector<SaveCase>& cases, const Explained& explained = {}) {
  for (const SaveCase& one : cases) {
    const SeenFile saved = file_of(one.saved);
    EXPECT_EQ(told(read_save(versions(one.known), saved.entries, saved.frame, explained)), one.told) << one.saved;
  }
}

TEST(Acts, AnEntryThatWasTakenOutAndMadeAgainTellsOfNoLaterVersionUnlessItsTextIsNew) {
  check({{{"a:1 b:2 c:3", "=a:1 b:2", "=a:1 b:2 c:3 d:4 e:5 f:6"}, "a:9 c:3", "version 0, changed a, removed b"},
         {{"a:1 b:2 c:3", "=a:1 b:2", "=a:1 b:2 c:3 d:4 e:5 f:6"},
          "a:9 c:3 d:4",
          "newest, changed a, removed b, removed e, removed f"},
         {{"a:1 c:3", "=a:1", "=a:1 c:3"}, "a:9 c:3", "newest, changed a"},
         {{"a:1 c:3", "=a:1", "=a:1 c:3"}, "c:3", "newest, removed a"},
         {{"a:1 c:3", "=a:1", "=a:1 c:3 d:4"}, "a:1 c:3", "newest, removed d, undone"},
         {{"a:1 c:3", "=a:1", "=a:1 c:4 d:5"}, "a:9 c:4", "newest, changed a, removed d"},
         {{"a:1 c:3", "=a:1", "=a:1 c:4 d:5"}, "a:9 c:3", "version 0, changed a"},
         {{"a:1 b:2 c:3 d:4 e:5", "=e:5", "=e:5 a:1 b:2 c:3 d:4"}, "e:5 a:1", "newest, removed b, removed c, removed d"},
         {{"a:1 b:2 c:3 d:4 e:5", "=e:5", "=e:5 a:1 b:2 c:3 d:4"}, "a:9 e:5 c:3", "newest, changed a, removed b, removed d"}});
}

TEST(Acts, WhatWasMadeAgainAndStandsIsNoSignOfTheVersionBeforeItWent) {
  check({{{"a:1 c:3", "=a:1", "=a:1 c:3", "a:1 c:3 x:5"}, "a:1 c:3", "newest, removed x"}});
}

TEST(Acts, WhatAPersonTakesBackOfTheirOwnTellsOfNoVersionThatLacksWhatLociWrote) {
  check({{{"a:1 b:1 x:1", "=a:1 b:1 y:2", "a:9 b:1 y:2"}, "a:1 b:1", "newest, changed a, removed y"},
         {{"a:1 b:1", "=a:1 b:1 y:2", "a:9 b:1 y:2"}, "a:1 b:5", "version 0, changed b"},
         {{"a:1 b:1 x:1", "=a:1 b:1 y:2", "a:9 b:1 y:2"}, "a:1 b:1 x:5", "version 0, changed x"}});
}

TEST(Acts, TextWithoutMetadataIsLocisWhereAWriteOfItsBroughtOrTookIt) {
  check({{{"~tea ~walk", "=~mint ~walk"}, "~tea ~lamp", "version 0, removed ~walk"},
         {{"~tea", "=~tea ~boat"}, "~lamp ~tea", "version 0"},
         {{"~tea ~walk", "=~walk"}, "~tea ~walk ~lamp", "version 0"},
         {{"~tea", "=~tea ~boat"}, "~tea", "newest, removed ~boat, undone"},
         {{"~tea ~walk", "=~mint ~walk"}, "~tea ~walk", "newest, removed ~mint, undone"},
         {{"~tea ~walk", "=~walk"}, "~walk ~tea", "newest"},
         {{"~tea", "=~tea ~boat"}, "~lamp ~boat ~tea", "newest"}});
}

TEST(Acts, TextWithoutMetadataThatAPersonTypedIsTheirsToTakeOut) {
  check({{{"~tea", "~tea ~boat"}, "~tea", "newest, removed ~boat"},
         {{"~tea", "~tea ~boat"}, "~lamp", "newest, removed ~tea, removed ~boat"},
         {{"~tea", "=~tea a:1", "~tea ~boat a:1"}, "~tea a:1", "newest, removed ~boat"}});
}

TEST(Acts, WhatDiffersFromTheNewestVersionIsThePersons) {
  check({{{"a:1 b:2"}, "a:1 b:2", "newest"},
         {{"a:1 b:2"}, "a:9 b:2", "newest, changed a"},
         {{"a:1 b:2"}, "b:2", "newest, removed a"},
         {{"a:1 b:2"}, "b:2 a:1", "newest"},
         {{"a:1 b:2"}, "a:1 b:2 c:3", "newest"},
         {{"a:1", "=a:1 b:2"}, "a:9 b:2", "newest, changed a"},
         {{"a:1", "=a:1 b:2 c:3"}, "a:1 b:2", "newest, removed c"}});
}

TEST(Acts, AnOldBufferLacksWhatLociWroteSinceAndHasADifferenceOfItsOwn) {
  check({{{"a:1 b:2", "=a:1 b:2 c:3"}, "a:9 b:2", "version 0, changed a"},
         {{"a:1 b:2", "=a:1 b:2 c:3"}, "b:2", "version 0, removed a"},
         {{"a:1 b:2", "=a:1 b:2 c:3"}, "a:1 b:2 x:mine", "version 0"},
         {{"a:1", "=a:1 b:2", "=a:1 b:2 c:3"}, "a:9", "version 0, changed a"},
         {{"a:1", "=a:1 b:2", "=a:1 b:2 c:3"}, "a:9 b:2", "version 1, changed a"},
         {{"a:1 b:2", "=a:both"}, "a:1 b:9", "version 0, changed b"}});
}

TEST(Acts, OrderAndHeadingsTellAnOldBufferAsWordsDo) {
  check({{{"#h a:1 b:2", "=#h a:1 b:2 c:3"}, "#h b:2 a:1", "version 0"},
         {{"#h a:1 b:2", "=#h a:1 b:2 c:3"}, "a:1 b:2", "version 0"},
         {{"#h a:1 b:2", "=#h a:1 b:2 c:3"}, "#h a:1 #mine b:2", "version 0"},
         {{"#h a:1 b:2", "=#h a:9 b:2"}, "#h b:2 a:1", "version 0"},
         {{"#h a:1 b:2", "=#h a:1 b:2 c:3"}, "#h c:3 b:2 a:1", "newest"},
         {{"#h a:1 b:2", "=#h a:1 b:2 c:3"}, "#h a:1 b:2", "newest, removed c, undone"}});
}

TEST(Acts, BlankLinesTellAnOldBufferButForThoseThatADeletionLeaves) {
  check({{{"#h _a:1 _b:2", "=#h _a:1 _b:2 _c:3"}, "#h a:1 _b:2", "version 0"},
         {{"#h _a:1 _b:2", "=#h _a:1 _c:3 _b:2"}, "#h _a:1 __b:2", "newest, removed c, undone"},
         {{"#h _a:1 _b:2", "=#h _a:1 _c:3 _b:2"}, "#h __a:1 __b:2", "version 0"}});
}

TEST(Acts, AFileThatWasEmptiedIsNoOldBuffer) {
  check({{{"#h #comment", "=#h #comment a:1 b:2"}, "#h", "newest, removed a, removed b, undone"},
         {{"", "=#h a:1"}, "", "newest, removed a, undone"},
         {{"#h #comment", "=#h #comment a:1 b:2"}, "#h mine:3", "version 0"}});
}

TEST(Acts, WhatHasNothingOfAVersionWasNotMadeFromIt) {
  check({{{"~plums", "~bees ~walk ~noon", "=~bees ~walk ~dawn"}, "", "newest, removed ~bees, removed ~walk, removed ~dawn"},
         {{"~plums", "~bees ~walk ~noon", "=~bees ~walk ~dawn"}, "~lamp", "newest, removed ~bees, removed ~walk, removed ~dawn"},
         {{"a:1", "=b:2 c:3 d:4"}, "", "newest, removed b, removed c, removed d"},
         {{"a:1", "=b:2 c:3 d:4"}, "~lamp", "newest, removed b, removed c, removed d"},
         {{"~tea_at_four", "=~tea_at_four ~boat"}, "~tea_at_five", "version 0, removed ~tea_at_four"}});
}

// An editor that does not read the file again saves what loci put back away once more, and its person goes on with their line.
TEST(Acts, ALineWithoutMetadataThatGrewIsRewordedHoweverMuchItGrew) {
  check({{{"~ulm", "=~ulm ~works-at-the-harbour", "~bonn", "=~bonn ~works-at-the-harbour"},
          "~bonn,near-the-river",
          "version 2, removed ~bonn"},
         {{"~ulm", "=~ulm ~works-at-the-harbour", "~bonn", "=~bonn ~works-at-the-harbour"},
          "~bonn,near-the-river ~works-at-the-harbour",
          "newest, removed ~bonn"}});
}

TEST(Acts, ALineWithoutMetadataThatWasRewordedIsOneDifference) {
  check({{{"~tea_at_four", "=~tea_at_five", "~tea_at_five ~walk_to_work ~read_at_night"},
          "~tea_at_five_daily ~walk_to_work_daily ~read_at_night_daily",
          "newest, removed ~tea_at_five, removed ~walk_to_work, removed ~read_at_night"},
         {{"~tea_at_four ~boat", "=~boat", "=~boat ~tea_at_four"}, "~boat ~tea_at_five", "newest, removed ~tea_at_four"}});
}

// An editor that is not told of what loci wrote saves once more.
TEST(Acts, WhoeverSavedABufferBeforeLociWroteGoesOnWithThatBuffer) {
  check({{{"~tea", "~tea ~boat_at_one", "=~coffee ~boat_at_one"}, "~tea ~boat_at_two", "version 1, removed ~boat_at_one"},
         {{"~tea", "~tea ~boat", "=~coffee ~boat"}, "~tea ~boat ~walk", "version 1"},
         {{"~tea", "=~coffee", "~coffee ~boat_at_one", "=~milk ~boat_at_one"},
          "~coffee ~boat_at_two",
          "version 2, removed ~boat_at_one"},
         {{"~tea", "=~coffee", "~tea ~boat", "=~coffee ~boat"}, "~tea", "version 2, removed ~boat, undone"}});
}

// Of two editors each saves on, and is not told of what the other one and loci wrote.
TEST(Acts, AWordingThatAnotherOldBufferHasTooTellsOfNoLaterVersion) {
  check({{{"b:1", "b:1 ~plum", "=b:2 ~plum", "b:1 ~quince", "=b:2 ~plum ~quince"}, "b:1 ~plum ~raisin", "version 1"}});
}

TEST(Acts, WhoeverTakesTheirOwnWordsBackSavesNoOldBuffer) {
  check({{{"w:1 b:2 c:3", "=x:4 b:2 c:3", "=b:2 c:3", "b:2 c:5"}, "b:2 c:3", "newest, changed c"}});
}

TEST(Acts, WhereNothingThatLociWroteIsLackingWhatDiffersIsThePersons) {
  check({{{"a:1 b:2", "=a:1 b:2 c:3", "=a:1 b:2", "a:9 b:2"}, "a:1 b:2 ~typed:typed", "newest, changed a"},
         {{"a:1 b:2", "=a:5 b:2", "a:9 b:2"}, "a:1 b:2 ~typed:typed", "version 0"}});
}

TEST(Acts, WhoeverTakesOutWhatTheyAndLociWroteMadeThatOfTheNewestVersion) {
  check({{{"~tea a:1", "~tea ~plum a:1", "=~tea ~plum a:2"}, "~tea", "newest, removed ~plum, removed a"}});
}

TEST(Acts, AWordingOfBeforeTwoWritesIsNoRewordingOfTheLaterOne) {
  check({{{"a:tea_at_four", "=a:coffee", "=a:teas_at_four"}, "a:tea_at_four ~typed", "version 0"},
         {{"a:tea_at_four", "=a:coffee", "=a:teas_at_four"}, "a:teas_at_five ~typed", "newest, changed a"}});
}

TEST(Acts, ARewordedLineIsTakenForTheOneThatItIsNearestTo) {
  check({{{"~tea_at_four ~walk", "=~tea_at_four ~walk y:tea_at_noon", "=~walk y:tea_at_noon"},
          "~tea_at_four! ~walk",
          "version 0, removed ~tea_at_four"},
         {{"~green_tea ~black_tea", "=~black_tea"}, "~green_tea", "version 0, removed ~black_tea"}});
}

TEST(Acts, AHeadingTypedIntoABufferWithoutEntriesIsAnEdit) {
  check({{{"#h #comment", "=#h #comment a:1 b:2"}, "#h #comment #mine", "version 0"},
         {{"#h #comment", "=#h #comment a:1 b:2"}, "#mine #comment", "version 0"}});
}

TEST(Acts, ALineThatStandsOnceMoreIsADifference) {
  check({{{"~tea ~boat", "=~coffee ~boat"}, "~tea ~boat ~tea", "version 0"},
         {{"~tea ~boat", "=~coffee ~boat"}, "~tea ~boat ~boat", "version 0"},
         {{"a:1 b:2", "=a:9 b:2"}, "a:1 b:2 b:2", "version 0"},
         {{"~tea ~boat", "=~coffee ~boat"}, "~coffee ~boat ~coffee", "newest"}});
}

TEST(Acts, OldWordsWithoutThoseThatTookTheirPlaceAreThoseOfAnOldBufferWhereverTheyStand) {
  check({{{"~tea ~boat ~mast", "=~coffee ~boat ~mast"}, "~boat ~mast ~tea ~gate", "version 0"},
         {{"#head ~tea", "=#head ~coffee"}, "#head ~tea _~gate", "version 0"},
         {{"~tea ~boat ~mast", "=~boat ~mast"}, "~boat ~mast ~tea ~gate", "newest"}});  // it was typed again
}

TEST(Acts, ALineThatWasTypedBesideTheNewWordsTellsThatTheyWereRead) {
  check({{{"~tea ~boat", "=~coffee ~boat", "~coffee ~boat ~proof"}, "~tea ~boat ~proof", "newest, removed ~coffee"},
         {{"~tea_at_four ~boat ~mast", "=~mint_at_four ~boat ~mast", "~mint_at_four ~boat"},
          "~tea_at_four ~boat",
          "newest, removed ~mint_at_four"},
         {{"~tea ~boat", "=~coffee ~boat", "~tea ~boat ~proof", "=~coffee ~boat ~proof"}, "~tea ~boat ~proof ~gate", "version 2"}});
}

TEST(Acts, ALineThatLociTookOutIsNotLackingWhereItWasReworded) {
  check({{{"~green-tea ~boat", "=~green-tea ~boat a:1 b:2 c:3", "=~boat a:1 b:2 c:3"},
          "~green-mint ~boat",
          "version 0, removed ~green-tea"}});
}

TEST(Acts, WhoChangedAnEntryLastIsToldByTheVersions) {
  const auto known = versions({"a:1 b:1 c:1 d:1", "a:2 b:1 d:1", "=a:3 b:2 d:1 e:1", "a:4 b:2 d:1 e:1", "=a:4 b:2 e:1"});
  EXPECT_EQ(changed_last_by_loci(known, file_of("a:4 b:2 e:2").entries), (std::set<std::string>{"b", "d"}));
}

TEST(Acts, AFileThatAPersonSavedSinceWasMadeFromOneWithoutEntriesIfItHasItsLines) {
  check({{{"#h #comment", "=#h #comment ~boat", "#h #comment ~boat ~tea ~walk"},
          "#h ~gate",
          "newest, removed ~boat, removed ~tea, removed ~walk"},
         {{"#h #comment", "=#h #comment ~boat", "#h #comment ~boat ~walk"}, "#h #comment ~lamp", "version 0"},
         {{"#h", "=#h ~boat", "#h ~li", "=#h ~li ~boat"}, "#h ~likes_the_sea", "version 2, removed ~li"},
         {{"#h #comment", "=#h #comment ~boat ~tea"}, "#h ~gate", "version 0"}});
}

TEST(Acts, WhatAPersonWroteAfterLociDidTellsThatASaveWasMadeLater) {
  check({{{"#h a:1 b:2", "=#h a:1 b:2 c:3 d:4", "#my #own a:1 b:2 c:3 d:4"}, "#my #own a:1 b:2", "newest, removed c, removed d"},
         {{"a:1 b:2", "=a:1 b:2 c:3 d:4", "a:9 b:2 c:3 d:4"}, "a:9 b:2", "newest, removed c, removed d"},
         {{"a:1 b:2", "=a:1 b:2 c:3 d:4", "b:2 a:1 c:3 d:4"}, "b:2 a:1 c:3", "newest, removed d"}});
}

TEST(Acts, OfATextThatBothChangedTheNearerVersionIsTheOneThatWasEdited) {
  check({{{"a:tea_at_four", "=a:tea_at_four_with_milk"}, "a:tea_at_five_with_milk", "newest, changed a"},
         {{"a:tea_at_four", "=a:coffee_and_cake_at_noon"}, "a:tea_at_five", "version 0, changed a"}});
}

TEST(Acts, AFileThatEqualsAnOlderVersionIsAnUndoOfWordingsOrADeletionOfAdditions) {
  check({{{"a:1 b:2", "=a:9 b:2"}, "a:1 b:2", "newest, changed a, undone"},
         {{"a:1 b:2", "=a:1 b:2 c:3"}, "a:1 b:2", "newest, removed c, undone"},
         {{"a:1", "=a:1 b:2", "=a:1 b:2 c:3"}, "a:1", "newest, removed b, removed c, undone"},
         {{"a:1 b:2", "=a:9 b:2 c:3"}, "a:1 b:2", "version 0, undone"},
         {{"a:1 b:2", "=a:1"}, "a:1 b:2", "version 0, undone"}});
}

TEST(Acts, ASaveWithTheWordsOfWhatLociAddedInAnotherEntryWasMadeAfterwards) {
  check({{{"a:1 b:2", "=a:1 b:2 c:3"}, "a:1,3 b:2", "newest, changed a, removed c"},
         {{"a:1 b:2", "=a:1 b:2 c:3"}, "a:1,33 b:2", "version 0, changed a"},
         {{"a:1,3 b:2", "=a:1,3 b:2 c:3"}, "a:1,3 b:9", "version 0, changed b"}});
}

TEST(Acts, ASaveThatLacksWhatTheLogsExplainIsNotTheVersionBefore) {
  const Explained explained = [](const SeenEntry& before, const SeenEntry* after) { return before.id == "l" && !after; };
  check({{{"k:1 l:2", "k:1 l:4", "=k:1 m:4"}, "k:1", "newest, removed m"}}, explained);
}

TEST(Acts, ASaveThatLacksWhatLociTookOutWasMadeAfterwards) {
  const Explained explained = [](const SeenEntry& before, const SeenEntry*) { return before.id == "c"; };
  check({{{"a:1 b:2 c:3", "=a:1 b:2", "b:2"}, "a:1 b:2", "newest"}}, explained);
}

TEST(Acts, ASaveThatLacksWhatLociTookOutMayHaveBeenMadeBeforeThatCame) {
  check({{{"a:1", "=a:1 b:2 c:3", "=a:1 b:2 c:3 d:4", "=a:1 b:2 c:3"}, "a:9", "version 0, changed a"},
         {{"a:1", "=a:1 b:2 c:3", "=a:1 b:2 c:3 d:4", "=a:1 b:2 c:3"}, "a:9 b:2 c:3", "newest, changed a"},
         {{"a:1", "=a:1 b:2 c:3", "=a:1 b:2 c:3 d:4", "=a:1 b:2 c:3"}, "a:9 b:2 c:3 d:4", "version 2, changed a"}});
}

TEST(Acts, WhatTheLogsExplainIsNobodysAct) {
  const Explained explained = [](const SeenEntry& before, const SeenEntry*) { return before.id == "a"; };
  check({{{"a:1 b:2"}, "b:2", "newest"}, {{"a:1 b:2"}, "a:9", "newest, removed b"}}, explained);
}

TEST(Acts, TheCopyOfALineDoesNotChangeIt) {
  check({{{"a:1 b:2"}, "a:9 a:1 b:2", "newest"}, {{"a:1 b:2"}, "a:1 b:2 a:9", "newest"}});
}

TEST(Acts, TheSameActHasTheSameIdWhereverItIsUnderstood) {
  EXPECT_EQ(act_id("a", "1", "2"), act_id("a", "1", "2"));
  EXPECT_NE(act_id("a", "1", "2"), act_id("a", "1", ""));
  EXPECT_TRUE(act_id("a", "1", "2").starts_with("u-"));
}

// Every save of a file is seen, and the versions that it may be made from.
TEST(ASeenFile, TakesTimeThatGrowsAsTheFileDoes) {
  const auto file_with = [](int entries) {
    std::string bytes;
    for (int i = 0; i < entries; ++i)
      bytes += R"(<!--m {"id":"e)" + std::to_string(i) + "\"}-->\nfact number " + std::to_string(i) + "\n\n";
    return bytes;
  };
  const std::string small = file_with(1'000), large = file_with(8'000);
  const auto time_of = [](const std::string& bytes) {
    return processor_time_of([&] { (void)see_file(Place::consolidated, bytes); });
  };
  (void)time_of(large);
  EXPECT_LT(time_of(large), 24 * time_of(small));  // eight times the file; it was 64 times the time
}

}  // namespace
}  // namespace loci
