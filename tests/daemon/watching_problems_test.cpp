#include "daemon/watching_problems.h"

#include <gtest/gtest.h>

#include "memory/json_shapes.h"

namespace loci {
namespace {

TEST(ProblemsThatADaemonTells, AreListedOnceWithThoseThatACommandFoundItself) {
  const Problem found{"consolidated/memory.md", 3, "stands-after-forget", "it was deleted", {"c-1", "c-2"}};
  const Problem told{"", 0, "polling", "no watches are left"};
  Json status = Json::object();
  status.set("problems", problems_to_json({found, told}));
  std::vector<Problem> problems{found};
  add_problems_of(status, problems);
  EXPECT_EQ(problems, (std::vector<Problem>{found, told}));
}

}  // namespace
}  // namespace loci
