#include "daemon/metrics.h"

#include <gtest/gtest.h>

#include <limits>

#include "daemon/metrics_text.h"

namespace loci {
namespace {

TEST(MetricsText, IsTheExpositionFormat) {
  MetricsText text;
  text.counter("a_total", "Counted.", 7);
  text.family("b", "gauge", "Two\nlines \\ here.");
  text.sample({{"name", "quo\"te\\\n"}, {"other", "x"}}, std::uint64_t{18446744073709551615U});
  text.sample({}, 0.5);
  EXPECT_EQ(text.take(),
            "# HELP a_total Counted.\n# TYPE a_total counter\na_total 7\n"
            "# HELP b Two\\nlines \\\\ here.\n# TYPE b gauge\n"
            "b{name=\"quo\\\"te\\\\\\n\",other=\"x\"} 18446744073709551615\nb 0.5\n");
}

TEST(MetricsText, NumbersAreShortAndExact) {
  EXPECT_EQ(MetricsText::number(0.0025), "0.0025");
  EXPECT_EQ(MetricsText::number(5), "5");
  EXPECT_EQ(MetricsText::number(std::numeric_limits<double>::infinity()), "+Inf");
}

TEST(Histograms, CountAValueInTheFirstBucketThatHoldsIt) {
  const std::array<double, 3> bounds{1, 2, 4};
  Histogram<3> histogram;
  for (const double value : {0.5, 1.0, 1.5, 4.0, 9.0}) histogram.add(bounds, value);
  EXPECT_EQ(histogram.counts, (std::array<std::uint64_t, 4>{2, 1, 1, 1}));
  EXPECT_EQ(histogram.sum, 16.0);
}

}  // namespace
}  // namespace loci
