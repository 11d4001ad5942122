#include "watcher/change_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace loci {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

SteadyTime at(int ms) { return SteadyTime(milliseconds(10'000 + ms)); }
int in_ms(SteadyTime time) { return static_cast<int>(std::chrono::duration_cast<milliseconds>(time - at(0)).count()); }

constexpr Glance is_new{.held_text = false, .holds_text = true};
constexpr Glance is_there{.held_text = true, .holds_text = true};
constexpr Glance has_vanished{.held_text = true, .holds_text = false};
constexpr Glance never_held{.held_text = false, .holds_text = false};

auto seeing(Glance glance) {
  return [glance](const std::string&) { return glance; };
}

struct DueCase {
  const char* what;
  int first, last;
  bool finished;
  Glance glance;
  int due;
};

TEST(DueAt, FollowsTheTable) {
  const DueCase cases[] = {
      {"a closed file", 0, 0, true, is_there, 0},
      {"a new closed file", 0, 0, true, is_new, 0},
      {"closed after long writing", 0, 9'000, true, is_there, 9'000},
      {"a new empty file that was closed", 0, 0, true, never_held, 0},
      {"a file that came and went", 0, 40, true, never_held, 40},
      {"one write, not closed", 0, 0, false, is_there, 300},
      {"a new file, not closed", 0, 0, false, is_new, 300},
      {"a new empty file, not closed", 0, 0, false, never_held, 300},
      {"writes that go on", 0, 4'000, false, is_there, 4'300},
      {"writes that go on longer than one waits", 0, 4'900, false, is_there, 5'000},
      {"a removed file", 0, 0, true, has_vanished, 2'000},
      {"a file cut to nothing, not closed", 0, 0, false, has_vanished, 2'000},
      {"a file cut to nothing at the end of long writing", 0, 4'900, false, has_vanished, 6'900},
      {"an empty file that is touched for ever", 0, 60'000, false, has_vanished, 7'000},
      {"a removed file that had been written for long", 0, 60'000, true, has_vanished, 60'000},
  };
  for (const DueCase& c : cases) EXPECT_EQ(in_ms(due_at({at(c.first), at(c.last), c.finished}, c.glance)), c.due) << c.what;
}

TEST(ChangeSet, AFinishedFileIsGivenOutAtOnce) {
  ChangeSet changes;
  changes.add_finished("a.md", at(0));
  EXPECT_EQ(changes.next_due(), at(0));
  EXPECT_THAT(changes.take_due(at(0), seeing(is_there)), ElementsAre("a.md"));
  EXPECT_TRUE(changes.empty());
  EXPECT_EQ(changes.next_due(), std::nullopt);
}

TEST(ChangeSet, AnUnfinishedFileWaitsForQuiet) {
  ChangeSet changes;
  changes.add_unfinished("a.md", at(0));
  changes.add_unfinished("a.md", at(200));
  EXPECT_EQ(in_ms(*changes.next_due()), 500);
  EXPECT_THAT(changes.take_due(at(499), seeing(is_there)), IsEmpty());
  EXPECT_THAT(changes.take_due(at(500), seeing(is_there)), ElementsAre("a.md"));
}

TEST(ChangeSet, AWriterWhoNeverStopsIsReadAfterFiveSeconds) {
  ChangeSet changes;
  for (int ms = 0; ms <= 4'900; ms += 100) {
    changes.add_unfinished("a.md", at(ms));
    EXPECT_THAT(changes.take_due(at(ms), seeing(is_there)), IsEmpty());
  }
  EXPECT_EQ(in_ms(*changes.next_due()), 5'000);
  EXPECT_THAT(changes.take_due(at(5'000), seeing(is_there)), ElementsAre("a.md"));
}

TEST(ChangeSet, AVanishedFileWaitsUntilItIsWrittenAgain) {
  ChangeSet changes;
  changes.add_finished("a.md", at(0));
  EXPECT_THAT(changes.take_due(at(1), seeing(has_vanished)), IsEmpty());
  EXPECT_EQ(in_ms(*changes.next_due()), 2'000);
  changes.add_unfinished("a.md", at(50));
  changes.add_finished("a.md", at(60));
  EXPECT_THAT(changes.take_due(at(60), seeing(is_there)), ElementsAre("a.md"));
}

TEST(ChangeSet, AVanishedFileIsGivenOutInTheEnd) {
  ChangeSet changes;
  changes.add_finished("a.md", at(0));
  EXPECT_THAT(changes.take_due(at(1'999), seeing(has_vanished)), IsEmpty());
  EXPECT_THAT(changes.take_due(at(2'000), seeing(has_vanished)), ElementsAre("a.md"));
}

TEST(ChangeSet, APathIsGlancedAtOnceACallAndOnlyIfItMatters) {
  ChangeSet changes;
  changes.add_unfinished("early.md", at(0));
  changes.add_finished("due.md", at(0));
  std::vector<std::string> asked;
  const auto glance = [&](const std::string& path) {
    asked.push_back(path);
    return has_vanished;
  };
  changes.take_due(at(10), glance);
  EXPECT_THAT(asked, ElementsAre("due.md")) << "early.md has to wait whatever it is";
  asked.clear();
  changes.take_due(at(20), glance);
  EXPECT_THAT(asked, IsEmpty()) << "what was told holds until there is an event";
  EXPECT_THAT(changes.take_due(at(9'000), glance), UnorderedElementsAre("early.md", "due.md"));
  EXPECT_THAT(asked, IsEmpty()) << "after that time no answer could make a difference";
}

TEST(ChangeSet, ATouchDoesNotFinishAWrite) {
  ChangeSet changes;
  changes.add_unfinished("writing.md", at(0));
  changes.add_touched("writing.md", at(100));
  changes.add_finished("written.md", at(0));
  changes.add_touched("written.md", at(100));
  changes.add_touched("alone.md", at(100));
  EXPECT_THAT(changes.take_due(at(100), seeing(is_there)), UnorderedElementsAre("written.md", "alone.md"));
  EXPECT_THAT(changes.take_due(at(399), seeing(is_there)), IsEmpty());
  EXPECT_THAT(changes.take_due(at(400), seeing(is_there)), ElementsAre("writing.md"));
}

TEST(ChangeSet, AScanLeavesAWriterThatIsDoneDone) {
  ChangeSet changes;
  changes.add_finished("saved.md", at(0));
  for (const char* file : {"saved.md", "unheard-of.md", "heard-of-later.md"}) changes.add_found(file, at(10));
  changes.add_finished("heard-of-later.md", at(20));
  EXPECT_THAT(changes.take_due(at(20), seeing(is_there)), UnorderedElementsAre("saved.md", "heard-of-later.md"));
  EXPECT_THAT(changes.take_due(at(309), seeing(is_there)), IsEmpty());
  EXPECT_THAT(changes.take_due(at(310), seeing(is_there)), ElementsAre("unheard-of.md"));
}

TEST(ChangeSet, OtherRulesHoldForWhatWaitsAlready) {
  ChangeSet changes;
  changes.add_unfinished("a.md", at(0));
  EXPECT_THAT(changes.take_due(at(10), seeing(is_there), {.quiet = milliseconds(20)}), IsEmpty());
  EXPECT_EQ(in_ms(*changes.next_due()), 20);
  EXPECT_THAT(changes.take_due(at(20), seeing(is_there), {.quiet = milliseconds(20)}), ElementsAre("a.md"));
}

TEST(ChangeSet, TakingAllLeavesNothingButTheWantedRescan) {
  ChangeSet changes;
  changes.add_unfinished("a.md", at(0));
  changes.add_finished("b.md", at(0));
  changes.want_rescan("start");
  EXPECT_EQ(changes.size(), 2);
  EXPECT_THAT(changes.take_all(), UnorderedElementsAre("a.md", "b.md"));
  EXPECT_FALSE(changes.empty());
  EXPECT_EQ(changes.take_rescan(), "start");
  EXPECT_TRUE(changes.empty());
  EXPECT_EQ(changes.next_due(), std::nullopt);
}

TEST(ChangeSet, ReasonsOfARescanAreJoinedAndEachSaidOnce) {
  ChangeSet changes;
  EXPECT_EQ(changes.take_rescan(), std::nullopt);
  changes.want_rescan("overflow");
  changes.want_rescan("a folder was moved");
  changes.want_rescan("overflow");
  EXPECT_EQ(changes.take_rescan(), "overflow; a folder was moved");
  EXPECT_FALSE(changes.wants_rescan());
}

TEST(ChangeSet, ARescanWantedWhileChangesAreTakenStays) {
  ChangeSet changes;
  changes.want_rescan("first");
  EXPECT_EQ(changes.take_rescan(), "first");
  changes.want_rescan("second");  // while the first one runs
  changes.take_all();
  EXPECT_EQ(changes.take_rescan(), "second");
}

// What editors do, as events, and when the file is looked at. "d" removed or moved away, "c" created, "w" written, "x" closed after
// writing or moved in, "a" permissions; each at its millisecond.
struct Save {
  const char* editor;
  std::vector<std::pair<int, char>> events;
  std::vector<std::pair<int, int>> absent_or_empty;  // from, until
  int looked_at;
};

TEST(ChangeSet, EverySaveOfAnEditorIsLookedAtOnceAndWhole) {
  const Save saves[] = {
      {"vim", {{0, 'd'}, {1, 'c'}, {3, 'w'}, {5, 'w'}, {8, 'x'}, {9, 'a'}}, {{0, 3}}, 8},
      {"vim, on a slow disk", {{0, 'd'}, {1, 'c'}, {1'600, 'w'}, {1'800, 'x'}}, {{0, 1'600}}, 1'800},
      {"emacs, first save", {{0, 'd'}, {2, 'c'}, {3, 'w'}, {4, 'a'}, {5, 'x'}}, {{0, 3}}, 5},
      {"nano", {{0, 'w'}, {1, 'w'}, {2, 'x'}}, {{0, 1}}, 2},
      {"sed -i", {{0, 'x'}}, {}, 0},
      {"git", {{0, 'd'}, {1, 'c'}, {2, 'w'}, {3, 'x'}}, {{0, 2}}, 3},
      {"a writer in small pieces", {{0, 'w'}, {250, 'w'}, {500, 'w'}, {750, 'w'}, {760, 'x'}}, {}, 760},
      {"a writer that keeps the file open", {{0, 'w'}, {250, 'w'}, {500, 'w'}}, {}, 800},
      {"a person who removes it", {{0, 'd'}}, {{0, 100'000}}, 2'000},
      {"a person who empties it", {{0, 'w'}, {1, 'x'}}, {{0, 100'000}}, 2'001},
      {"chmod", {{0, 'a'}}, {}, 0},
  };
  for (const Save& save : saves) {
    ChangeSet changes;
    std::vector<int> looked_at;
    size_t next = 0;
    for (int ms = 0; ms < 8'000; ++ms) {
      const auto glance = [&](const std::string&) {
        const bool is_gone =
            std::ranges::any_of(save.absent_or_empty, [&](const auto& span) { return span.first <= ms && ms < span.second; });
        return is_gone ? has_vanished : is_there;
      };
      for (; next < save.events.size() && save.events[next].first == ms; ++next) {
        const char event = save.events[next].second;
        if (event == 'a')
          changes.add_touched("f.md", at(ms));
        else if (event == 'c' || event == 'w')
          changes.add_unfinished("f.md", at(ms));
        else
          changes.add_finished("f.md", at(ms));
      }
      if (!changes.take_due(at(ms), glance).empty()) looked_at.push_back(ms);
    }
    ASSERT_FALSE(looked_at.empty()) << save.editor;
    EXPECT_EQ(looked_at.front(), save.looked_at) << save.editor;
  }
}

struct Expected {
  PendingChange change;
  std::optional<Glance> told;  // since the last event
};

// Every path that had an event is given out exactly when due_at() says, whatever the order of events and questions.
RC_GTEST_PROP(ChangeSet, NoPathIsLostAndNoneIsEarly, ()) {
  ChangeSet changes;
  std::map<std::string, Expected> expected;
  std::set<std::string> reasons;
  int now = 0;
  const int steps = *rc::gen::inRange(1, 200);
  for (int i = 0; i < steps; ++i) {
    now += *rc::gen::element(0, 1, 50, 299, 300, 700, 2'500);
    const std::string path(1, *rc::gen::inRange('a', 'f'));
    const int what = *rc::gen::inRange(0, 6);
    if (what == 5) {
      changes.want_rescan(path);
      reasons.insert(path);
    } else if (what >= 3) {
      std::map<std::string, Glance> glances;
      for (const auto& [name, unused] : expected) glances[name] = *rc::gen::element(is_new, is_there, has_vanished, never_held);
      std::set<std::string> asked;
      const auto taken = changes.take_due(at(now), [&](const std::string& asked_path) {
        RC_ASSERT(asked.insert(asked_path).second);
        return glances.at(asked_path);
      });
      std::set<std::string> due;
      for (auto& [name, one] : expected) {
        if (asked.contains(name)) one.told = glances[name];
        if (due_at(one.change, one.told.value_or(has_vanished)) <= at(now)) due.insert(name);
      }
      RC_ASSERT(std::set<std::string>(taken.begin(), taken.end()) == due);
      for (const std::string& name : due) expected.erase(name);
    } else {
      auto& [change, told] = expected.try_emplace(path, Expected{{at(now), at(now), true}, {}}).first->second;
      change.last = at(now);
      if (what < 2) change.finished = what == 0;
      told.reset();
      if (what == 0) changes.add_finished(path, at(now));
      if (what == 1) changes.add_unfinished(path, at(now));
      if (what == 2) changes.add_touched(path, at(now));
    }
    RC_ASSERT(changes.size() == expected.size());
    RC_ASSERT(changes.wants_rescan() == !reasons.empty());
    std::optional<SteadyTime> next;
    for (const auto& [name, one] : expected) {
      const SteadyTime due = due_at(one.change, one.told.value_or(Glance{}));
      next = next ? std::min(*next, due) : due;
    }
    RC_ASSERT(changes.next_due() == next);
  }
  const auto rest = changes.take_all();
  RC_ASSERT(rest.size() == expected.size());
  for (const std::string& path : rest) RC_ASSERT(expected.contains(path));
}

}  // namespace
}  // namespace loci
