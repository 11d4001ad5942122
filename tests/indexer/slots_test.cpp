#include "indexer/slots.h"

#include <gtest/gtest.h>

#include <random>

#include "indexer/schema.h"
#include "tests/support/temporary_folder.h"

namespace loci {
namespace {

class SlotsOfAFile : public testing::Test {
 protected:
  // Replaces the slots, checks that they come back, and returns how many chunks were written.
  int become(std::vector<Slot> after) {
    const auto before = store_.load(layout_);
    Query count(index_.database, "SELECT total_changes()");
    count.next();
    const auto changes = count.integer(0);
    store_.replace(layout_, before, after);
    Query count_again(index_.database, "SELECT total_changes()");
    count_again.next();
    const int written = static_cast<int>(count_again.integer(0) - changes);
    EXPECT_EQ(store_.load(layout_), after);
    EXPECT_TRUE(index_.database.status().has_value());
    EXPECT_EQ(unpack_layout(pack_layout(layout_)), layout_);
    Query chunks(index_.database, "SELECT count(*) FROM slots");
    chunks.next();
    EXPECT_EQ(static_cast<size_t>(chunks.integer(0)), layout_.size());
    return written;
  }

  static std::vector<Slot> day(RowId count) {
    std::vector<Slot> slots;
    for (RowId i = 0; i < count; ++i) slots.push_back({i + 1, 3 * i + 2, 3 * i + 3, i});
    return slots;
  }

  TemporaryFolder folder_;
  IndexConnection index_ = create_index(real_file_system(), folder_ / "index.1.db").value();
  SlotStore store_{index_.database};
  Layout layout_;
};

TEST_F(SlotsOfAFile, ComeBackAsTheyWere) {
  become(day(5000));
  EXPECT_EQ(count_slots(layout_), 5000u);
  become({});
  EXPECT_TRUE(layout_.empty());
}

TEST_F(SlotsOfAFile, AreOneChunkWrittenForAnAddedLine) {
  become(day(40000));
  auto after = day(40000);
  for (size_t i = 20000; i < after.size(); ++i) ++after[i].line, ++after[i].line_end;
  EXPECT_LE(become(after), 1);
  after.insert(after.begin() + 10000, Slot{50000, after[10000].line, after[10000].line, 7});
  EXPECT_LE(become(after), 2);
}

TEST_F(SlotsOfAFile, AreOneChunkWrittenForAnAppendedEntry) {
  auto slots = day(3);
  become(slots);
  for (RowId i = 0; i < 3000; ++i) {
    slots.push_back({100 + i, 1000 + i, 1000 + i, i});
    const auto before = store_.load(layout_);
    auto after = before;
    after.push_back(slots.back());
    store_.replace(layout_, before, after);
  }
  EXPECT_EQ(store_.load(layout_), slots);
  EXPECT_LE(layout_.size(), 8u);
}

TEST_F(SlotsOfAFile, SurviveAnySequenceOfChanges) {
  std::mt19937 random(11);
  auto slots = day(3000);
  become(slots);
  for (int round = 0; round < 300; ++round) {
    const size_t at = slots.empty() ? 0 : random() % slots.size();
    const size_t many = random() % 5 == 0 ? 700 : 1 + random() % 3;
    const auto here = slots.begin() + static_cast<std::ptrdiff_t>(at);
    switch (random() % 4) {
      case 0:
        slots.insert(here, many, Slot{9, 1, 1, random()});
        break;
      case 1:
        slots.erase(here, here + static_cast<std::ptrdiff_t>(std::min(many, slots.size() - at)));
        break;
      case 2:
        slots.insert(slots.end(), many, Slot{8, 1, 1, random()});
        break;
      default:
        if (!slots.empty()) slots[at].content = random();
    }
    std::uint32_t line = 1;
    for (auto& slot : slots) {
      slot.line = line += 1 + static_cast<std::uint32_t>(slot.content % 3);
      slot.line_end = line;
    }
    become(slots);
  }
}

TEST_F(SlotsOfAFile, ThatAreDamagedAreReported) {
  become(day(100));
  run(index_.database, "UPDATE slots SET slots = substr(slots, 1, 100) || x'ff' || substr(slots, 102)");
  store_.load(layout_);
  EXPECT_TRUE(index_.database.is_damaged());
}

}  // namespace
}  // namespace loci
