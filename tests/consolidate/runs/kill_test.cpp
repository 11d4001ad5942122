// A run, an undo and a rebuild that are killed before any one of their writes, and what the next one makes of it.
#include <set>

#include "consolidate/runs/undo.h"
#include "tests/consolidate/consolidate_fixture.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/interrupting_file_system.h"

namespace loci {
namespace {

struct Killed {};

bool is_write(const std::string& call) {
  return !call.starts_with("open ") && !call.starts_with("read_all ") && !call.starts_with("status ");
}

class KillTest : public ConsolidateTest {
 protected:
  using Step = std::function<void()>;

  // What stands at the end, whatever happened on the way.
  struct Outcome {
    Texts durable, pending;
    std::int64_t settled = 0, deleted = 0;
    std::multiset<std::string> lines;  // of the ledger, without times and runs

    bool operator==(const Outcome&) const = default;
  };

  Outcome outcome() {
    const FactCounts facts = counts();
    EXPECT_EQ(facts.total, facts.pending + facts.settled + facts.deleted);
    Outcome all{durable_texts(), pending_texts(), facts.settled, facts.deleted, {}};
    std::map<std::string, std::string> texts;  // a fact that the step appends has another id each time
    EntryFilter filter;
    filter.inactive = true;
    const auto entries = memory->reader().value()->list(filter, 1000).value();
    for (const Entry& entry : entries) texts[entry.id] = entry.text;
    for (const LedgerEntry& line : ledger())
      all.lines.insert(texts[line.fact] + ' ' + line.fact_hash + ' ' + std::string(name_of(line.outcome)) + ' ' + line.entry + ' ' +
                       line.into);
    return all;
  }

  void keep() { std::filesystem::copy(folder / "vault", kept / "vault", std::filesystem::copy_options::recursive); }
  void put_back() {
    memory.reset();
    for (const char* part : {"vault", "home"}) std::filesystem::remove_all(folder / part);
    std::filesystem::copy(kept / "vault", folder / "vault", std::filesystem::copy_options::recursive);
  }
  void reopen(FileSystem& files) {
    memory.emplace(Memory::open(folder / "vault", environment_in(folder), files, clock).value());
    EXPECT_TRUE(memory->bring_up_to_date());
  }

  // Does `step` once for every write that it makes, killed before it, and once more after that; every time the end is the same.
  void expect_the_same_end(const Step& step) {
    memory.reset();
    keep();
    reopen(real_file_system());
    step();
    const Outcome wanted = outcome();
    const Instant start = clock.now();
    bool was_killed = true;
    for (size_t at = 0; was_killed; ++at) {
      put_back();
      clock = ManualClock(format_rfc3339(start));
      was_killed = kill_at(at, step);
      reopen(real_file_system());
      step();
      ASSERT_EQ(outcome(), wanted) << "killed before write " << at;
    }
  }

  bool kill_at(size_t at, const Step& step) {
    size_t writes = 0;
    bool is_armed = false;
    InterruptingFileSystem files([&](size_t, const std::string& call) {
      if (is_armed && is_write(call) && writes++ == at) throw Killed{};
    });
    try {
      reopen(files);
      is_armed = true;
      step();
      is_armed = false;
      memory.reset();
      return false;
    } catch (const Killed&) {
      is_armed = false;
      memory.reset();
      return true;
    }
  }

  TemporaryFolder kept;
};

TEST_F(KillTest, ARunEndsAsOneThatNobodyKilled) {
  say("Likes green tea.");
  say("Drinks tea every day.");
  say("The name is Jon.");
  run_builtin();
  say("Has tea at five.");
  say("The name is John, not Jon.", Source::correction);
  say("Hello.");
  say("Lives in Oslo.");
  say("Likes green tea.");
  expect_the_same_end([this] {
    ASSERT_TRUE(settle_unfinished(*memory));
    const Material all = material();
    if (all.facts.empty()) return;
    ASSERT_EQ(all.facts.size(), 5u);
    RunRecord record = start();
    const auto done = carry_out_decision(
        all,
        {to_replace(all, "Likes green tea.", {"Has tea at five."}, "Drinks green tea every day at five."),
         to_remove(all, "Drinks tea every day.", "Likes green tea."), same_as_entry(all, {"Likes green tea."}, "Likes green tea."),
         to_replace(all, "The name is Jon.", {"The name is John, not Jon."}, "The name is John.", true), to_ignore(all, {"Hello."}),
         to_add(all, {"Lives in Oslo."}, "Lives in Oslo.")},
        record);
    ASSERT_TRUE(done) << done.error().message;
    finish(record);
  });
}

TEST_F(KillTest, AMergeFromOneFileIntoAnotherLosesNothing) {
  const std::string a = say("Likes green tea."), b = say("Drinks tea every day.");
  write(file, written("c-a", "Likes green tea.", {a}));
  write("consolidated/other.md", written("c-b", "Drinks tea every day.", {b}));
  ASSERT_TRUE(memory->bring_up_to_date());
  ASSERT_EQ(settle_unfinished(*memory).value(), 2u);
  say("Has tea at five.");
  expect_the_same_end([this] {
    ASSERT_TRUE(settle_unfinished(*memory));
    const Material all = material();
    const bool is_merged = std::ranges::find(all.entries, "c-b", &DurableEntry::id) == all.entries.end();
    if (all.facts.empty() && is_merged) return;
    RunRecord record = start();
    // Killed between the two files: the text is merged already, and the other entry still stands.
    const std::string target = all.facts.empty() ? "Drinks green tea every day at five." : "Likes green tea.";
    std::vector<Operation> operations{to_remove(all, "Drinks tea every day.", target)};
    operations.push_back(
        to_replace(all, target, all.facts.empty() ? Words{} : Words{"Has tea at five."}, "Drinks green tea every day at five."));
    const auto done = carry_out_decision(all, operations, record);
    ASSERT_TRUE(done) << done.error().message;
    finish(record);
  });
}

TEST_F(KillTest, AnUndoEndsAsOneThatNobodyKilled) {
  say("Likes green tea.");
  say("The name is Jon.");
  run_builtin();
  say("Has tea at five.");
  say("The name is John, not Jon.", Source::correction);
  say("Lives in Oslo.");
  expect_the_same_end([this] {
    ASSERT_TRUE(settle_unfinished(*memory));
    if (read(file).find("John") == std::string::npos && ledger().back().outcome != LedgerEntry::Outcome::undone) {
      run([&](const Material& all) {
        return std::vector{to_replace(all, "Likes green tea.", {"Has tea at five."}, "Drinks green tea at five."),
                           to_replace(all, "The name is Jon.", {"The name is John, not Jon."}, "The name is John.", true),
                           to_add(all, {"Lives in Oslo."}, "Lives in Oslo.")};
      });
    }
    const auto runs = list_runs(memory->vault()).value();
    const auto done = std::ranges::find(runs, "consolidate", &RunRecord::kind);
    ASSERT_NE(done, runs.end());
    if (!done->undone_by.empty()) return;
    const auto undone = undo_run(*memory, done->run);
    ASSERT_TRUE(undone) << undone.error().message;
  });
}

TEST_F(KillTest, AFiledEditIsFiledOnce) {
  say("Works at Google.");
  run_builtin();
  std::string bytes = read(file);
  bytes.replace(bytes.find("Google"), 6, "Amazon");
  write(file, bytes);
  expect_the_same_end([this] {
    ASSERT_TRUE(settle_unfinished(*memory));
    RunRecord record = start();
    const auto filed = file_edited_entries(*memory, identity_of(record), record);
    ASSERT_TRUE(filed) << filed.error().message;
    finish(record);
    EXPECT_EQ(counts().total, 2);
  });
}

TEST_F(KillTest, ARebuildEndsAsOneThatNobodyKilled) {
  say("Likes tea.");
  say("Likes coffee.");
  run([&](const Material& all) { return std::vector{to_add(all, {"Likes tea.", "Likes coffee."}, "Likes tea and coffee.")}; });
  memory.reset();
  keep();
  const auto rebuild = [&] {
    ASSERT_TRUE(settle_unfinished(*memory));
    const auto all = read_rebuild_material(*memory);
    ASSERT_TRUE(all) << all.error().message;
    RunRecord record = start();
    record.kind = "rebuild";
    record.generation = all->next_generation;
    record.clusters.emplace_back();
    const Plan plan = make_plan(Decision{add_all(all->material)}, all->material, everything(all->material), identity_of(record));
    ASSERT_TRUE(apply_rebuild(*memory, plan, record));
    finish(record);
  };
  bool was_killed = true;
  for (size_t at = 0; was_killed; ++at) {
    put_back();
    was_killed = kill_at(at, rebuild);
    reopen(real_file_system());
    rebuild();
    ASSERT_EQ(durable_texts(), (Texts{"Likes coffee.", "Likes tea."})) << "killed before write " << at;
    ASSERT_EQ(counts().pending, 0) << "killed before write " << at;
    ASSERT_EQ(counts().settled, 2) << "killed before write " << at;
  }
}

TEST_F(KillTest, ADiskThatIsFullLeavesNothingHalfDone) {
  say("Likes green tea.");
  say("Drinks tea every day.");
  run_builtin();
  say("Has tea at five.");
  memory.reset();
  keep();
  bool failed = true;
  for (size_t at = 0; failed; ++at) {
    put_back();
    FaultyFileSystem files;
    reopen(files);
    const Material all = material();
    RunRecord record = start();
    const std::string before = read(file);
    files.fail_from(at, ENOSPC);
    failed = !carry_out_decision(all,
                                 {to_replace(all, "Likes green tea.", {"Has tea at five."}, "Drinks green tea every day at five."),
                                  to_remove(all, "Drinks tea every day.", "Likes green tea.")},
                                 record);
    const bool is_done = read(file) != before;
    if (failed && at > 200) FAIL() << "it never comes to an end";
    files.fail_nothing();
    memory.reset();
    reopen(real_file_system());
    ASSERT_TRUE(settle_unfinished(*memory));
    EXPECT_EQ(durable_texts(),
              is_done ? Texts{"Drinks green tea every day at five."} : (Texts{"Drinks tea every day.", "Likes green tea."}));
    EXPECT_EQ(counts().pending, is_done ? 0 : 1) << "full from call " << at << " on";
    EXPECT_EQ(counts().settled, is_done ? 3 : 2) << "full from call " << at << " on";
  }
}

}  // namespace
}  // namespace loci
