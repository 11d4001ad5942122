// A vault that came from somewhere may hold links in the place of folders and files: nothing is written where they lead.
#include <gtest/gtest.h>

#include "memory/correct.h"
#include "memory/forget.h"
#include "memory/purge.h"
#include "memory/remember.h"
#include "memory/restore.h"
#include "memory/stores.h"
#include "tests/memory/memory_fixture.h"
#include "vault/logs/logs.h"

namespace loci {
namespace {

class Links : public MemoryTest {
 protected:
  void lay_down() {
    write("user.md", "Sails.\n");
    write("MEMORY.md", "# Memory\n");
    write("archive/2026-01-02.md",
          "<!--m {\"id\":\"f1\",\"at\":\"2026-01-02T03:00:00Z\"}-->\nRows.\n\n"
          "<!--m {\"id\":\"f2\",\"at\":\"2026-01-02T03:00:00Z\"}-->\nSwims.\n");
    write("archive/sessions/2026-01-02-s.md", "");
    write("consolidated/memory.md",
          "<!--m {\"id\":\"c1\",\"source\":\"user\"}-->\nDives.\n\n"
          "<!--m {\"id\":\"c2\",\"source\":\"user\"}-->\nWalks.\n");
    for (const char* name : {"tmp", "hosts", "removed", "tombstones", "ledger", "recall"})
      std::filesystem::create_directories(folder / "vault/.loci" / name);
  }

  // The folder's contents move out of the vault, and a link to them takes its place.
  void link_away(const std::string& relative) {
    std::filesystem::create_directories(folder / "outside");
    std::filesystem::rename(folder / ("vault/" + relative), folder / "outside/target");
    std::filesystem::create_symlink(folder / "outside/target", folder / ("vault/" + relative));
  }

  // Everything that writes; whether it succeeds is not the question.
  void write_all() {
    Memory memory = open();
    (void)memory.bring_up_to_date();
    Metadata turn;
    turn.kind = EntryKind::turn;
    turn.session = "s";
    turn.turn = 1;
    (void)add(memory, {NewEntry{turn, "Said."}});
    (void)add(memory, {NewEntry{{}, "Stored."}});
    for (const char* json :
         {R"({"action":"add","layer":"L0","content":"Added."})", R"({"action":"update","target_id":"f1","content":"Rowed."})",
          R"({"action":"update","target_id":"c1","content":"Dived."})", R"({"action":"remove","target_id":"f2"})"})
      (void)remember(memory, parse_remember_request(json).value());
    (void)correct(memory, "c2", "Walked.");
    (void)forget(memory, {"c2"}, {});
    (void)restore(memory, "c2");
    (void)edit(memory, "c1", Edit{"Dives deep.", {}});
    LedgerEntry line;
    line.run = "r";
    line.fact = "f2";
    (void)append_ledger(memory.vault(), {line});
    (void)append_promotion(memory.vault(), PromotedLines{1, "r", clock.now(), {}});
    if (const auto wanted = entries_to_purge(memory, {"f2"}, {}); wanted) (void)purge(memory, *wanted, memory_stores());
    (void)memory.reindex(true);
  }
};

TEST_F(Links, LeadNothingOutOfTheVault) {
  for (const char* relative :
       {".loci", ".loci/tmp", ".loci/hosts", ".loci/removed", ".loci/tombstones", ".loci/ledger", ".loci/recall", "archive",
        "archive/sessions", "consolidated", "consolidated/memory.md", "archive/2026-01-02.md", "user.md", "MEMORY.md"}) {
    std::filesystem::remove_all(folder / "vault");
    std::filesystem::remove_all(folder / "outside");
    std::filesystem::remove_all(folder / "home/.local");
    std::filesystem::create_directories(folder / "vault");
    lay_down();
    link_away(relative);
    const auto before = folder.contents("outside");
    write_all();
    EXPECT_EQ(folder.contents("outside"), before) << relative;
  }
}

}  // namespace
}  // namespace loci
