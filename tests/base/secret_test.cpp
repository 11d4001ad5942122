#include "base/secret.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>

#include <utility>

namespace loci {
namespace {

TEST(Secret, TakesTheTextOverAndLeavesNothingOfIt) {
  std::string text = "a key that is long enough for the heap";
  const char* const bytes = text.data();
  const size_t size = text.size();
  const Secret secret(std::move(text));
  EXPECT_EQ(secret.text(), "a key that is long enough for the heap");
  EXPECT_EQ(std::string(bytes, size), std::string(size, '\0')) << "the buffer is still the string's own";
}

TEST(Secret, IsWhereItWasMovedTo) {
  Secret first{std::string("one")};
  Secret second(std::move(first));
  EXPECT_EQ(second.text(), "one");
  EXPECT_TRUE(first.empty());
  Secret third;
  EXPECT_TRUE(third.empty());
  third = std::move(second);
  EXPECT_EQ(third.text(), "one");
}

TEST(Secret, WithItTheProcessIsNotDumpable) {
  ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  const Secret none{std::string()};
  EXPECT_EQ(::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0), 1);
  const Secret some{std::string("x")};
  EXPECT_EQ(::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0), 0);
  ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

}  // namespace
}  // namespace loci
