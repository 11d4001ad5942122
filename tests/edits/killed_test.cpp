// Whoever is killed while an edit is understood leaves nothing half done: the next look finds out the same.
#include "memory/correct.h"
#include "memory/forget.h"
#include "tests/edits/edits_fixture.h"
#include "tests/support/interrupting_file_system.h"

namespace loci {
namespace {

class KilledTest : public EditsTest {
 protected:
  struct Killed {};

  KilledTest() { write(core, core_of({})); }

  static constexpr const char* core = "MEMORY.md";

  static std::string core_of(const std::string& lines) {
    return "# Memory\n\n<!-- loci:core begin -->\n" + lines + "<!-- loci:core end -->\n";
  }

  // A fact that a run settled in an entry of its own; loci has written the entry.
  std::string settled(const std::string& id, const std::string& text) {
    NewEntry fact;
    fact.text = text;
    const auto added = add(*memory, {fact});
    EXPECT_TRUE(added);
    LedgerEntry line;
    line.generation = 1;
    line.run = "run-" + id;
    line.at = clock.now();
    line.fact = added->entries.front().id;
    line.fact_hash = line.entry_hash = hash_of_text(text);
    line.outcome = LedgerEntry::Outcome::added;
    line.entry = id;
    EXPECT_TRUE(append_ledger(memory->vault(), {line}));
    clock.advance(std::chrono::seconds(1));
    return entry_of(id, text, line.fact);
  }

  void promote(const std::string& id, const std::string& text) {
    folder.append("vault/.loci/ledger/test.jsonl", R"({"gen":1,"run":"run-of-)" + id + R"(","at":")" + format_rfc3339(clock.now()) +
                                                       R"(","promoted":[{"ref":")" + id + R"(","line_hash":")" +
                                                       hash_of_text(text) + "\"}],\"dropped\":[]}\n");
    loci_writes(core, core_of("<!--m {\"ref\":\"" + id + "\"}-->\n- " + text + "\n"));
  }

  // A person puts the words of two entries into the first one, and nobody has looked yet. The file as it was.
  std::string join_two(const std::string& number) {
    const std::string tea = settled("t" + number, "Likes tea " + number + ".");
    const std::string apart = tea + settled("h" + number, "Has hat " + number + ".");
    write(file, apart);
    look();
    std::string merged = tea;
    write(file, merged.replace(merged.rfind("Likes"), std::string::npos, "Likes tea " + number + ". Has hat " + number + ".\n\n"));
    return apart;
  }

  // A person rewords a promoted line, and nobody has looked yet. The core as it was.
  std::string reword_a_line(const std::string& number) {
    write(file, settled("c" + number, "The cup " + number + " is red."));
    look();
    promote("c" + number, "The cup " + number + " is red.");
    look();
    const std::string opened = read(core);
    write(core, core_of("<!--m {\"ref\":\"c" + number + "\"}-->\n- The cup " + number + " is blue.\n"));
    return opened;
  }

  // Of one try after the other: killed in front of its first write, `step` later, and so on until it was not. `prepare` is told the
  // number of the try, `check` is asked when the next process has understood. `meanwhile`: before that.
  void kill_everywhere(
      const std::function<void(const std::string&)>& prepare, const std::function<void(const std::string&)>& check,
      const std::function<void(const std::string&)>& meanwhile = [](const std::string&) {}, size_t step = 2) {
    bool was_killed = true;
    for (size_t at = 0; was_killed; at += step) {
      const std::string number = std::to_string(at);
      prepare(number);
      memory.reset();
      was_killed = understand_and_die(at);
      clock.advance(std::chrono::seconds(10));
      meanwhile(number);
      restart();
      look();
      settle();
      SCOPED_TRACE("killed before write " + number);
      check(number);
      ASSERT_FALSE(HasFailure());
    }
  }

  bool understand_and_die(size_t at) {
    bool is_armed = false;
    size_t writes = 0;
    InterruptingFileSystem files([&](size_t, const std::string& call) {
      const bool is_write = !call.starts_with("open ") && !call.starts_with("read_all ") && !call.starts_with("status ");
      if (is_armed && is_write && writes++ == at) throw Killed{};
    });
    try {
      Memory dying = Memory::open(folder / "vault", environment_in(folder), files, clock).value();
      is_armed = true;
      EXPECT_TRUE(understand(dying));
      is_armed = false;
    } catch (const Killed&) {
      is_armed = false;
      return true;
    }
    return false;
  }

  std::vector<std::string> found() {
    EXPECT_TRUE(memory->bring_up_to_date());
    std::vector<std::string> said;
    const auto entries = memory->reader().value()->list(EntryFilter{}, 10000).value();
    for (const Entry& entry : entries)
      if (entry.place == Place::consolidated) said.push_back(entry.text);
    return said;
  }

  void forget_saying(const std::string& text) {
    const auto forgotten = forget(*memory, {id_saying(text)}, {});
    EXPECT_TRUE(forgotten) << forgotten.error().message;
  }
};

using testing::UnorderedElementsAre;

TEST_F(KilledTest, ALineOfTheCoreThatWasRewordedCorrectsItsEntryOnce) {
  kill_everywhere([&](const std::string& number) { reword_a_line(number); },
                  [&](const std::string& number) {
                    EXPECT_THAT(found(), UnorderedElementsAre("The cup " + number + " is blue."));
                    EXPECT_THAT(read(core), testing::HasSubstr("- The cup " + number + " is blue.\n"));
                    forget_saying("The cup " + number + " is blue.");
                    look();
                  });
}

// The entry may have given way already when the line says again what it said.
TEST_F(KilledTest, ALineOfTheCoreThatWasRewordedCanBeUndone) {
  std::string opened;
  kill_everywhere([&](const std::string& number) { opened = reword_a_line(number); },
                  [&](const std::string& number) {
                    EXPECT_THAT(found(), UnorderedElementsAre("The cup " + number + " is red."));
                    EXPECT_THAT(read(core), testing::HasSubstr("- The cup " + number + " is red.\n"));
                    forget_saying("The cup " + number + " is red.");
                    look();
                  },
                  [&](const std::string&) { write(core, opened); });
}

TEST_F(KilledTest, ALineOfTheCoreCanBeUndoneInTheSaveThatRewordsAnotherOne) {
  const auto line = [](const std::string& id, const std::string& text) {
    return "<!--m {\"ref\":\"" + id + "\"}-->\n- " + text + "\n";
  };
  kill_everywhere(
      [&](const std::string& number) {
        const std::string cup = "The cup " + number + " is red.", pan = "The pan " + number + " is old.";
        write(file, settled("c" + number, cup) + settled("p" + number, pan));
        look();
        promote("c" + number, cup);
        promote("p" + number, pan);
        loci_writes(core, core_of(line("c" + number, cup) + line("p" + number, pan)));
        look();
        write(core, core_of(line("c" + number, "The cup " + number + " is blue.") + line("p" + number, pan)));
        look();
        write(core, core_of(line("c" + number, cup) + line("p" + number, "The pan " + number + " is new.")));
      },
      [&](const std::string& number) {
        const std::string cup = "The cup " + number + " is red.", pan = "The pan " + number + " is new.";
        EXPECT_THAT(found(), UnorderedElementsAre(cup, pan));
        EXPECT_THAT(read(core), AllOf(testing::HasSubstr("-->\n- " + cup + "\n"), testing::HasSubstr("-->\n- " + pan + "\n")));
        forget_saying(cup);
        forget_saying(pan);
        look();
      },
      [](const std::string&) {}, 9);
}

// In the file of its entry, if that has given way already: the line follows.
TEST_F(KilledTest, WhatALineOfTheCoreWasRewordedToCanBeRewordedOnceMore) {
  std::string says;
  int times = 0;
  kill_everywhere([&](const std::string& number) { reword_a_line(number); },
                  [&](const std::string&) {
                    EXPECT_THAT(found(), UnorderedElementsAre(says));
                    EXPECT_THAT(read(core), testing::HasSubstr("-->\n- " + says + "\n<!-- loci:core end"));
                    forget_saying(says);
                    look();
                  },
                  [&](const std::string& number) {
                    says = "The cup " + number + " is blue.";
                    std::string bytes = read(file);
                    const size_t at = bytes.find(says);
                    if (at == std::string::npos) return;
                    ++times;
                    const size_t size = says.size();
                    says = "The cup " + number + " is new.";
                    write(file, bytes.replace(at, size, says));
                  });
  EXPECT_GT(times, 3);
}

TEST_F(KilledTest, EntriesThatAPersonPutTogetherEndTogether) {
  kill_everywhere([&](const std::string& number) { join_two(number); },
                  [&](const std::string& number) {
                    EXPECT_THAT(found(), UnorderedElementsAre("Likes tea " + number + ". Has hat " + number + "."));
                    forget_saying("Likes tea " + number + ". Has hat " + number + ".");
                    EXPECT_EQ(memory->reader().value()->pending_counts().pending, 0);
                    look();
                  });
}

TEST_F(KilledTest, AMergeThatWasTakenBackJoinsNothing) {
  kill_everywhere(
      [&](const std::string& number) {
        const std::string apart = join_two(number);
        look();
        settle();
        write(file, apart);
      },
      [&](const std::string& number) {
        EXPECT_THAT(found(), UnorderedElementsAre("Likes tea " + number + ".", "Has hat " + number + "."));
        forget_saying("Likes tea " + number + ".");
        EXPECT_THAT(found(), UnorderedElementsAre("Has hat " + number + "."));
        EXPECT_EQ(memory->reader().value()->pending_counts().pending, 0);
        forget_saying("Has hat " + number + ".");
        look();
      });
}

}  // namespace
}  // namespace loci
