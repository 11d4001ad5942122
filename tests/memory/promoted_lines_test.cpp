#include "memory/promoted_lines.h"

#include <gmock/gmock.h>

#include <functional>
#include <map>

#include "memory/add.h"
#include "memory/correct.h"
#include "memory/forget.h"
#include "memory/remember.h"
#include "memory/restore.h"
#include "parser/core_file.h"
#include "parser/entry_edit.h"
#include "parser/text_hash.h"
#include "tests/memory/memory_fixture.h"
#include "tests/support/interrupting_file_system.h"
#include "vault/logs/logs.h"
#include "vault/rewrite/versions.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* durable = "consolidated/memory.md";

// Two durable entries, each of one fact, whose lines a run has promoted.
class PromotedLinesTest : public MemoryTest {
 protected:
  PromotedLinesTest() {
    write("MEMORY.md", "Mine.\n\n<!-- loci:core begin -->\n<!-- loci:core end -->\n\nMine too.\n");
    Memory memory = open();
    const auto facts = add(memory, {NewEntry{{}, "Drinks tea."}, NewEntry{{}, "Walks to work."}}).value().entries;
    settle(memory, facts[0], "c-tea", "Drinks tea.");
    settle(memory, facts[1], "c-walk", "Walks to work.");
    promote(memory, {{"c-tea", "Drinks tea."}, {"c-walk", "Walks to work."}});
  }

  void settle(Memory& memory, const Appended& fact, const std::string& id, const std::string& text) {
    Metadata metadata;
    metadata.id = id;
    metadata.source = Source::user;
    metadata.from = {fact.id};
    const bool is_new = !folder.has("vault/" + std::string(durable));
    write(durable, insert_entry(is_new ? std::string() : read(durable), metadata, text).value());
    LedgerEntry line{1, "run-1", clock.now(), fact.id, fact.hash, LedgerEntry::Outcome::added, id, stored_text_hash(text), {}, {}};
    ASSERT_TRUE(append_ledger(memory.vault(), {line}));
    clock.advance(std::chrono::milliseconds(10));
    ASSERT_TRUE(memory.bring_up_to_date());
  }

  void promote(Memory& memory, const std::vector<NewCoreLine>& lines) {
    PromotedLines promoted{1, "run-1", clock.now(), {}, std::vector<std::string>{}};
    for (const NewCoreLine& line : lines) promoted.lines.emplace_back(line.ref, stored_text_hash(line.text));
    ASSERT_TRUE(append_promotion(memory.vault(), promoted));
    std::vector<std::string> refs;
    for (const NewCoreLine& line : lines) refs.push_back(line.ref);
    write("MEMORY.md", replace_core_lines(read("MEMORY.md"), refs, lines).value());
    clock.advance(std::chrono::milliseconds(10));
    ASSERT_TRUE(memory.bring_up_to_date());
  }

  Texts shown() {
    Texts texts;
    const auto core = read_core(read("MEMORY.md"));
    for (const CoreLine& line : core.value().lines) texts.push_back(as_core_line(line.text));
    return texts;
  }
  void change(const std::string& file, const std::string& from, const std::string& to) {
    std::string bytes = read(file);
    const size_t at = bytes.find(from);
    ASSERT_NE(at, std::string::npos);
    write(file, bytes.replace(at, from.size(), to));
  }
};

TEST_F(PromotedLinesTest, ACorrectionTakesThePlaceOfWhatItCorrects) {
  Memory memory = open();
  const auto corrected = correct(memory, "c-tea", "Drinks coffee.", {Source::correction, "user"});
  ASSERT_TRUE(corrected) << corrected.error().message;
  EXPECT_THAT(shown(), ElementsAre("Drinks coffee.", "Walks to work."));
  EXPECT_THAT(corrected->files, testing::Contains("MEMORY.md"));
  ASSERT_TRUE(correct(memory, corrected->id == "c-tea" ? "c-tea" : id_of(memory, "Drinks coffee."), "Drinks mate.",
                      {Source::correction, "user"}));
  EXPECT_THAT(shown(), ElementsAre("Drinks mate.", "Walks to work."));
}

TEST_F(PromotedLinesTest, WhatComesBackTakesThePlaceOfWhatGivesWayToIt) {
  Memory memory = open();
  const std::string fact = add(memory, {NewEntry{{}, "Rests on Sundays."}}).value().entries.front().id;
  promote(memory, {{fact, "Rests on Sundays."}});
  const Texts before = shown();
  const Edit edited{.text = "Rests on Mondays.", .tags = std::nullopt};
  for (const auto& [id, change] : std::map<std::string, std::function<bool()>>{
           {"c-tea", [&] { return correct(memory, "c-tea", "Drinks coffee.").has_value(); }},
           {fact, [&] { return edit(memory, fact, edited).has_value(); }}}) {
    SCOPED_TRACE(id);
    ASSERT_TRUE(change());
    EXPECT_THAT(shown(), testing::AnyOf(testing::Contains("Drinks coffee."), testing::Contains("Rests on Mondays.")));
    ASSERT_TRUE(restore(memory, id));
    EXPECT_EQ(shown(), before);
  }
}

TEST_F(PromotedLinesTest, WhatComesBackHasTheLineThatWentWithItsForgottenCorrection) {
  const Author person{Source::correction, "user"};
  Memory memory = open();
  ASSERT_TRUE(correct(memory, "c-tea", "Drinks coffee.", person));
  ASSERT_TRUE(correct(memory, id_of(memory, "Drinks coffee."), "Drinks mate.", person));
  ASSERT_TRUE(forget(memory, {id_of(memory, "Drinks mate.")}, {}));
  ASSERT_THAT(shown(), ElementsAre("Walks to work."));
  ASSERT_TRUE(restore(memory, "c-tea"));
  EXPECT_THAT(shown(), testing::UnorderedElementsAre("Drinks tea.", "Walks to work."));
}

TEST_F(PromotedLinesTest, WhatComesBackHasNoLineIfThatOfItsCorrectionWasTakenOut) {
  Memory memory = open();
  const std::string id = correct(memory, "c-tea", "Drinks coffee.", {Source::correction, "user"})->id;
  ASSERT_THAT(shown(), ElementsAre("Drinks coffee.", "Walks to work."));
  write("MEMORY.md", replace_core_lines(read("MEMORY.md"), {id}, {}).value());
  clock.advance(std::chrono::seconds(1));
  ASSERT_TRUE(append_tombstones(memory.vault(), {{clock.now(), id, {}, Tombstone::Reason::demoted, "user", {}}}));
  clock.advance(std::chrono::seconds(1));
  ASSERT_TRUE(forget(memory, {id}, {}));
  ASSERT_TRUE(restore(memory, "c-tea"));
  EXPECT_THAT(shown(), ElementsAre("Walks to work."));
}

TEST_F(PromotedLinesTest, AnEditByCommandIsShownAtOnce) {
  Memory memory = open();
  ASSERT_TRUE(edit(memory, "c-tea", {.text = "Drinks green\ntea.", .tags = std::nullopt}));
  EXPECT_THAT(shown(), ElementsAre("Drinks green tea.", "Walks to work."));
}

TEST_F(PromotedLinesTest, AnAgentsUpdateKeepsThePlace) {
  Memory memory = open();
  RememberRequest request;
  request.action = RememberRequest::Action::update;
  request.target_id = "c-walk";
  request.content = "Cycles to work.";
  const auto remembered = remember(memory, request);
  ASSERT_TRUE(remembered) << remembered.error().message;
  EXPECT_THAT(shown(), ElementsAre("Drinks tea.", "Cycles to work."));
}

TEST_F(PromotedLinesTest, WhatTakesTheFactsPlaceTakesThatOfItsEntry) {
  Memory memory = open();
  EntryFilter filter;
  filter.kinds = {EntryKind::fact};
  const auto entries = memory.reader().value()->list(filter, 100).value();
  const auto fact = std::ranges::find_if(
      entries, [](const Entry& entry) { return entry.place == Place::archive && entry.text == "Walks to work."; });
  ASSERT_NE(fact, entries.end());
  const auto corrected = correct(memory, fact->id, "Runs to work.", {Source::correction, "user"});
  ASSERT_TRUE(corrected) << corrected.error().message;
  EXPECT_THAT(shown(), ElementsAre("Drinks tea.", "Runs to work."));
}

TEST_F(PromotedLinesTest, AnEditByHandIsShownByTheNextCommandThatWrites) {
  change(durable, "Drinks tea.", "Drinks white tea.");
  Memory memory = open();
  ASSERT_TRUE(edit(memory, "c-walk", {.text = {}, .tags = std::vector<std::string>{"legs"}}));
  EXPECT_THAT(shown(), ElementsAre("Drinks white tea.", "Walks to work."));
}

TEST_F(PromotedLinesTest, AShortenedWordingStaysAsLongAsItsTextDoes) {
  Memory memory = open();
  promote(memory, {{"c-walk", "Walks."}});
  EXPECT_FALSE(bring_lines_in_step(memory).value());
  EXPECT_THAT(shown(), ElementsAre("Drinks tea.", "Walks."));
  change(durable, "Walks to work.", "Walks to work in the rain.");
  EXPECT_TRUE(bring_lines_in_step(memory).value());
  EXPECT_THAT(shown(), ElementsAre("Drinks tea.", "Walks to work in the rain."));
}

TEST_F(PromotedLinesTest, WordsThatWereTakenBackBeforeARunFiledThemAreTakenBackHereToo) {
  Memory memory = open();
  change(durable, "Drinks tea.", "Drinks white tea.");
  EXPECT_TRUE(bring_lines_in_step(memory).value());
  EXPECT_THAT(shown(), ElementsAre("Drinks white tea.", "Walks to work."));
  clock.advance(std::chrono::milliseconds(10));
  change(durable, "Drinks white tea.", "Drinks tea.");
  EXPECT_TRUE(bring_lines_in_step(memory).value());
  EXPECT_THAT(shown(), ElementsAre("Drinks tea.", "Walks to work."));
  EXPECT_FALSE(bring_lines_in_step(memory).value());
}

TEST_F(PromotedLinesTest, APersonsWordingIsNeverOverwritten) {
  change("MEMORY.md", "- Drinks tea.", "- Drinks a lot of tea.");
  change("MEMORY.md", "<!-- loci:core end -->",
         "<!--m {\"ref\":\"c-tea\"}-->\n- A copy of mine.\n- Without a ref.\n<!-- loci:core end -->");
  change(durable, "Drinks tea.", "Drinks white tea.");
  Memory memory = open();
  EXPECT_FALSE(bring_lines_in_step(memory).value());
  EXPECT_THAT(shown(), ElementsAre("Drinks a lot of tea.", "Walks to work.", "A copy of mine.", "Without a ref."));
}

TEST_F(PromotedLinesTest, TwoLinesThatBecameOneAreShownOnce) {
  const std::string before = read("MEMORY.md");
  Memory memory = open();
  for (const char* id : {"c-tea", "c-walk"}) ASSERT_TRUE(correct(memory, id, "Takes the tram.", {Source::correction, "user"}));
  ASSERT_THAT(shown(), ElementsAre("Takes the tram."));
  for (const char* retyped : {"Drinks tea.", "Walks to work."}) {
    SCOPED_TRACE(retyped);
    write("MEMORY.md", before);
    change("MEMORY.md", retyped, "Takes the tram.");  // by a person, who has not seen the correction
    ASSERT_TRUE(bring_lines_in_step(memory, {}));
    EXPECT_THAT(shown(), ElementsAre("Takes the tram."));
  }
}

TEST_F(PromotedLinesTest, TheRestOfTheFileStaysByteForByte) {
  Memory memory = open();
  std::string wanted = read("MEMORY.md");
  ASSERT_TRUE(edit(memory, "c-tea", {.text = "Drinks coffee.", .tags = std::nullopt}));
  wanted.replace(wanted.find("Drinks tea."), 11, "Drinks coffee.");
  EXPECT_EQ(read("MEMORY.md"), wanted);
}

TEST_F(PromotedLinesTest, WhatBecomesPrivateLeavesTheCore) {
  write(".loci/config.toml", "[privacy]\nnever_send = [\"#health\"]\n");
  Memory memory = open();
  ASSERT_TRUE(edit(memory, "c-tea", {.text = std::nullopt, .tags = Texts{"health"}}));
  EXPECT_THAT(shown(), ElementsAre("Walks to work."));
}

TEST_F(PromotedLinesTest, WhatIsForgottenOrTooLongLeavesTheCore) {
  Memory memory = open();
  ASSERT_TRUE(edit(memory, "c-walk", {.text = std::string(longest_core_line + 1, 'x'), .tags = std::nullopt}));
  EXPECT_THAT(shown(), ElementsAre("Drinks tea."));
  ASSERT_TRUE(forget(memory, {"c-tea"}, {}));
  EXPECT_THAT(shown(), IsEmpty());
}

TEST_F(PromotedLinesTest, AnEntryThatIsOnlyMissingKeepsItsLine) {
  change(durable, "Drinks tea.", "");
  Memory memory = open();
  EXPECT_FALSE(bring_lines_in_step(memory).value());
  EXPECT_THAT(shown(), ElementsAre("Drinks tea.", "Walks to work."));
}

TEST_F(PromotedLinesTest, WhatACommandEndedDoesNotWaitForAnEntryThatStandsNowhere) {
  Memory memory = open();
  const Appended fact = add(memory, {NewEntry{{}, "Drinks coffee."}}).value().entries.front();
  settle(memory, fact, "c-coffee", "Drinks coffee.");
  change(durable, "Drinks coffee.", "");  // as after a save that is asked about
  Tombstone corrected{clock.now(), "c-tea", {}, Tombstone::Reason::corrected, "user", fact.id};
  ASSERT_TRUE(append_tombstones(memory.vault(), {corrected}));
  EXPECT_FALSE(bring_lines_in_step(memory).value());  // for all that is known it is on its way
  EXPECT_TRUE(bring_lines_in_step(memory, {.ended = {"c-tea"}}).value());
  EXPECT_THAT(shown(), ElementsAre("Walks to work."));
}

TEST_F(PromotedLinesTest, WhereMuchWasChangedAtOnceNothingIsShownUnasked) {
  Memory memory = open();
  std::vector<NewCoreLine> lines;
  for (int i = 0; i < 6; ++i) {
    const std::string id = "c-" + std::to_string(i), text = "Fact " + std::to_string(i) + ".";
    settle(memory, add(memory, {NewEntry{{}, text}}).value().entries.front(), id, text);
    lines.push_back({id, text});
  }
  promote(memory, lines);
  for (int i = 0; i < 6; ++i) change(durable, "Fact " + std::to_string(i), "Changed " + std::to_string(i));
  EXPECT_FALSE(bring_lines_in_step(memory).value());
  // What a command changed is no question.
  ASSERT_TRUE(edit(memory, "c-tea", {.text = "Drinks coffee.", .tags = std::nullopt}));
  EXPECT_EQ(shown().front(), "Drinks coffee.");
  EXPECT_EQ(shown()[2], "Fact 0.");
  // Nor is what was understood, by and by or with an answer.
  ASSERT_TRUE(note_version(memory.vault(), durable, Version::Kind::understood, read(durable)));
  EXPECT_TRUE(bring_lines_in_step(memory).value());
  EXPECT_EQ(shown()[2], "Changed 0.");
}

TEST_F(PromotedLinesTest, KilledBeforeAnyWriteItIsInStepAfterTheNextCommand) {
  struct Killed {};
  bool was_killed = true;
  for (size_t at = 0; was_killed; at += 2) {
    const std::string text = "Drinks cup " + std::to_string(at) + ".";
    bool is_armed = true;
    size_t writes = 0;
    InterruptingFileSystem files([&](size_t, const std::string& call) {
      const bool is_write = !call.starts_with("open ") && !call.starts_with("read_all ") && !call.starts_with("status ");
      if (is_armed && is_write && writes++ == at) throw Killed{};
    });
    was_killed = false;
    try {
      Memory memory = Memory::open(folder / "vault", environment_in(folder), files, clock).value();
      ASSERT_TRUE(edit(memory, "c-tea", {.text = text, .tags = std::nullopt}));
    } catch (const Killed&) {
      was_killed = true;
    }
    is_armed = false;
    clock.advance(std::chrono::milliseconds(10));
    Memory memory = open();
    (void)edit(memory, "c-tea", {.text = text, .tags = std::nullopt});
    ASSERT_TRUE(add(memory, {NewEntry{{}, "Another thing " + std::to_string(at) + "."}}));
    ASSERT_TRUE(bring_lines_in_step(memory));
    ASSERT_THAT(shown(), ElementsAre(text, "Walks to work.")) << "killed before write " << at;
  }
}

// A checkout that is under way has brought the lines of one commit, and still has the entries of another.
TEST_F(PromotedLinesTest, WhatWasReadWhileGitWroteDecidesNothing) {
  write(".git/HEAD", "ref: refs/heads/main\n");
  write(".git/index", "1");
  change(durable, "Drinks tea.", "Drinks white tea.");
  bool is_checking_out = true;
  InterruptingFileSystem files([&](size_t number, const std::string& call) {
    if (is_checking_out && call.starts_with("open ") && call.contains("MEMORY.md")) write(".git/index", std::string(number, 'x'));
  });
  Memory memory = Memory::open(folder / "vault", environment_in(folder), files, clock).value();
  EXPECT_FALSE(bring_lines_in_step(memory));
  EXPECT_THAT(shown(), ElementsAre("Drinks tea.", "Walks to work."));
  is_checking_out = false;
  EXPECT_TRUE(bring_lines_in_step(memory).value());
  EXPECT_THAT(shown(), ElementsAre("Drinks white tea.", "Walks to work."));
}

TEST_F(PromotedLinesTest, AVaultWithoutACoreHasNoLines) {
  std::filesystem::remove(folder / "vault/MEMORY.md");
  Memory memory = open();
  EXPECT_FALSE(bring_lines_in_step(memory).value());
  EXPECT_FALSE(folder.has("vault/MEMORY.md"));
}

TEST_F(PromotedLinesTest, WhatStandsBetweenGitsMarkersIsNotWrittenIntoAndWhatStandsBesideIs) {
  const std::string tea = "<!--m {\"ref\":\"c-tea\"}-->\n- Drinks tea.\n";
  change("MEMORY.md", tea, "<<<<<<< HEAD\n" + tea + "=======\n<!--m {\"ref\":\"c-other\"}-->\n- Drinks water.\n>>>>>>> other\n");
  Memory memory = open();
  ASSERT_TRUE(correct(memory, "c-walk", "Cycles to work.", {Source::correction, "user"}));
  EXPECT_THAT(shown(), ElementsAre("Drinks tea.", "Drinks water.", "Cycles to work."));
  const std::string bytes = read("MEMORY.md");
  const auto forgotten = forget(memory, {"c-tea"}, {});
  ASSERT_TRUE(forgotten) << forgotten.error().message;
  EXPECT_EQ(read("MEMORY.md"), bytes);
  EXPECT_THAT(forgotten->notes, ElementsAre(testing::HasSubstr("git's conflict markers")));
  ASSERT_TRUE(restore(memory, "c-tea"));
  EXPECT_EQ(read("MEMORY.md"), bytes);
  ASSERT_TRUE(correct(memory, "c-tea", "Drinks coffee.", {Source::correction, "user"}));
  EXPECT_EQ(read("MEMORY.md"), bytes);
  write("MEMORY.md", "<!-- loci:core begin -->\n" + tea + "<!-- loci:core end -->\n");
  ASSERT_TRUE(add(memory, {NewEntry{{}, "Rests on Sundays."}}));
  ASSERT_TRUE(bring_lines_in_step(memory, {}));
  EXPECT_THAT(shown(), ElementsAre("Drinks coffee."));
}

TEST_F(PromotedLinesTest, AConflictThatIsOnlyQuotedBesideTheCoreHoldsNoLine) {
  change("MEMORY.md", "Mine too.", "<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> other");
  Memory memory = open();
  ASSERT_TRUE(correct(memory, "c-tea", "Drinks coffee.", {Source::correction, "user"}));
  ASSERT_TRUE(forget(memory, {"c-walk"}, {}));
  EXPECT_THAT(shown(), ElementsAre("Drinks coffee."));
  ASSERT_TRUE(restore(memory, "c-walk"));
  EXPECT_THAT(shown(), ElementsAre("Drinks coffee.", "Walks to work."));
}

}  // namespace
}  // namespace loci
