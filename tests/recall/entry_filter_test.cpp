#include "recall/entry_filter.h"

#include <gmock/gmock.h>

namespace loci {
namespace {

using testing::ElementsAre;

TEST(EntryFilter, BothHaveToHold) {
  EntryFilter a, b;
  a.layers = {Layer::L0, Layer::L1};
  b.layers = {Layer::L1, Layer::L2};
  a.tags = {"x"};
  b.tags = {"y", "x"};
  a.project = "atlas";
  a.since = parse_time("2026-01");
  b.since = parse_time("2026-03");
  b.until = parse_time("2026-05");
  const auto filter = both(a, b);
  ASSERT_TRUE(filter);
  EXPECT_THAT(filter->layers, ElementsAre(Layer::L1));
  EXPECT_THAT(filter->tags, ElementsAre("x", "y"));
  EXPECT_EQ(filter->project, "atlas");
  EXPECT_EQ(filter->since, parse_time("2026-03"));
  EXPECT_EQ(filter->until, parse_time("2026-05"));
}

TEST(EntryFilter, WhatContradictsItselfLetsNothingThrough) {
  EntryFilter a, b;
  a.kinds = {EntryKind::fact};
  b.kinds = {EntryKind::turn};
  EXPECT_FALSE(both(a, b));
  a = b = {};
  a.session = "s1";
  b.session = "s2";
  EXPECT_FALSE(both(a, b));
}

TEST(EntryFilter, RecordsPassByLayerKindSourceDateAndActivity) {
  EntryColumns columns;
  columns.active = true;
  columns.kind = EntryKind::turn;
  columns.at = parse_time("2026-05-01")->time_since_epoch().count();
  EntryFilter filter;
  EXPECT_TRUE(passes(filter, columns));
  filter.kinds = {EntryKind::turn};
  filter.since = parse_time("2026-05-01");
  filter.until = parse_time("2026-05-02");
  EXPECT_TRUE(passes(filter, columns));
  filter.until = filter.since;
  EXPECT_FALSE(passes(filter, columns));
  filter = {};
  filter.since = parse_time("1970-01-01");
  EntryColumns undated = columns;
  undated.at = std::numeric_limits<std::int64_t>::min();
  EXPECT_FALSE(passes(filter, undated));
  columns.active = false;
  EXPECT_FALSE(passes({}, columns));
  filter = {};
  filter.inactive = true;
  EXPECT_TRUE(passes(filter, columns));
}

}  // namespace
}  // namespace loci
