#include "indexer/kept_lists.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/indexer/indexed_vault.h"

namespace loci {
namespace {

bool operator==(const PhraseRows& a, const PhraseRows& b) {
  return a.rows == b.rows && a.ends == b.ends && a.positions == b.positions;
}

PhraseRows some_rows(size_t count, RowId behind = 0) {
  std::mt19937_64 random(count + behind);
  PhraseRows list;
  for (size_t i = 0; i < count; ++i) {
    list.rows.push_back(behind += static_cast<RowId>(1 + random() % (i % 10 == 0 ? 1'000'000 : 3)));
    int position = 0;
    for (auto left = random() % 4; left > 0; --left)
      list.positions.push_back(position += static_cast<int>(random() % 500) + (position > 0 ? 1 : 0));
    for (auto left = random() % 3; left > 0; --left) list.positions.push_back(PhraseRows::in_context);
    list.ends.push_back(static_cast<std::uint32_t>(list.positions.size()));
  }
  return list;
}

TEST(KeptLists, GiveBackWhatTheyWereGivenAndWhatCameToIt) {
  KeptLists kept;
  kept.is_at({.removals = 0, .last_row = 1'000'000'000});
  PhraseRows all = some_rows(2'000);
  kept.add("\"word\"", all);
  const PhraseRows more = some_rows(5, all.rows.back());
  kept.leave();
  kept.is_at({.removals = 0, .last_row = 1'500'000'000});
  ASSERT_TRUE(kept.find("\"word\""));
  EXPECT_TRUE(kept.find("\"word\"")->list == all);
  EXPECT_EQ(kept.find("\"word\"")->until, 1'000'000'000u);
  kept.add_on("\"word\"", more);
  const auto before = static_cast<std::uint32_t>(all.positions.size());
  all.rows.insert(all.rows.end(), more.rows.begin(), more.rows.end());
  all.positions.insert(all.positions.end(), more.positions.begin(), more.positions.end());
  for (const std::uint32_t end : more.ends) all.ends.push_back(before + end);
  EXPECT_TRUE(kept.find("\"word\"")->list == all);
  EXPECT_EQ(kept.find("\"word\"")->until, 1'500'000'000u);
}

TEST(KeptLists, AreForgottenWhenATextWasTakenOut) {
  KeptLists kept;
  const KeptLists::Texts texts{.removals = 3, .last_row = 1'000'000'000};
  for (const KeptLists::Texts& later : {KeptLists::Texts{4, texts.last_row}, KeptLists::Texts{3, texts.last_row - 1}}) {
    kept.is_at(texts);
    kept.add("\"word\"", some_rows(500));
    EXPECT_TRUE(kept.find("\"word\""));
    kept.is_at(later);
    EXPECT_FALSE(kept.find("\"word\""));
  }
}

TEST(KeptLists, AreThoseThatWereAskedForLast) {
  KeptLists kept;
  kept.is_at({});
  kept.add("short", some_rows(KeptLists::fewest_rows - 1));
  EXPECT_FALSE(kept.find("short"));
  kept.add("long", some_rows(KeptLists::most_numbers));
  EXPECT_FALSE(kept.find("long"));
  const PhraseRows large = some_rows(100'000);  // some bytes a row
  kept.add("first", large);
  for (int number = 0; number < 20; ++number) {
    kept.add(std::to_string(number), large);
    EXPECT_TRUE(kept.find("first"));
  }
  EXPECT_FALSE(kept.find("0"));
  EXPECT_TRUE(kept.find("19"));
}

std::string shown(const Matches& matches) {
  std::string text;
  for (size_t match = 0; match < matches.rows.size(); ++match) {
    text += std::to_string(matches.rows[match]) + ':';
    for (const Matches::Cell& cell : matches.of(match))
      text += ' ' + std::to_string(cell.weight) + '/' + std::to_string(cell.in_context) + (cell.leads ? "l" : "") +
              (cell.beside_next ? "b" : "");
    text += '\n';
  }
  return text;
}

std::string text_of(std::mt19937_64& random) {
  std::string text;
  const char* words[] = {"common", "often", "kettle", "garden", "window"};
  for (auto left = 2 + random() % 4; left > 0; --left)
    text += std::string(text.empty() ? "" : " ") + words[random() % std::size(words)];
  return text;
}

// Adds, rewords and removes entries, and asks after each change a reader that stays and one that is new.
TEST(AReaderThatStays, FindsWhatANewOneFinds) {
  std::mt19937_64 random(1);
  IndexedVault vault;
  std::string day;
  size_t number = 0;
  const auto add = [&](size_t count) {
    for (; count > 0; --count) day += fact("f" + std::to_string(number++), text_of(random));
  };
  add(3 * KeptLists::fewest_rows);
  vault.write("archive/2026-05-01.md", day);
  vault.reconcile();
  auto reader = vault.reader();
  const std::string questions[] = {"\"common\" OR \"often\"", "\"kettl\" OR \"garden\" OR \"common\"",
                                   "\"common often\" OR \"windo\"*"};
  for (int change = 0; change < 40; ++change) {
    for (const std::string& question : questions) {
      const auto stays = reader.match(question), fresh = vault.reader().match(question);
      ASSERT_TRUE(stays && fresh);
      ASSERT_FALSE(fresh->rows.empty());
      ASSERT_EQ(shown(*stays), shown(*fresh)) << question << " after change " << change;
    }
    reader.release();
    switch (random() % 4) {
      case 0:
        vault.write("notes/" + std::to_string(change % 3) + ".md", text_of(random) + "\n");  // new, or another text
        break;
      case 1:
        vault.remove("notes/" + std::to_string(change % 3) + ".md");
        break;
      default:
        add(1 + random() % 3);
        vault.write("archive/2026-05-01.md", day);
    }
    vault.reconcile();
    ASSERT_TRUE(reader.renew());
  }
}

}  // namespace
}  // namespace loci
