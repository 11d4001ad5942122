#include "memory/private_tag.h"

#include "memory/doctor.h"
#include "memory/stores.h"
#include "tests/memory/memory_fixture.h"

namespace loci {
namespace {

constexpr const char* day = "archive/2026-11-20.md";
constexpr const char* two_private_facts =
    "<!--m {\"id\":\"f1\"}-->\nThe safe opens with 4711. #private\n\n<!--m {\"id\":\"f2\"}-->\nLikes tea.\n\n"
    "<!--m {\"id\":\"f3\",\"tags\":[\"Private\"]}-->\nSees a doctor on Mondays.\n";

Config with_rules(std::vector<std::string> rules) {
  Config config;
  config.never_send = std::move(rules);
  return config;
}

TEST(OpenPrivateTag, IsOnWhatIsMarkedPrivateWithoutARuleThatNamesIt) {
  const OpenPrivateTag open(with_rules({}));
  EXPECT_TRUE(open.is_on({"private"}, {}, {}, "Earns 70,000."));
  EXPECT_TRUE(open.is_on({"private/money"}, {}, {}, "Earns 70,000."));
  EXPECT_TRUE(open.is_on({}, {}, {}, "Earns 70,000. #private"));
  EXPECT_FALSE(open.is_on({"private-school"}, {}, {}, "Is in its third year."));
  EXPECT_FALSE(open.is_on({}, {}, {}, "This is private."));
}

TEST(OpenPrivateTag, IsOnNothingThatARuleNames) {
  EXPECT_FALSE(OpenPrivateTag(with_rules({"#private"})).is_on({"private"}, {}, {}, "Earns 70,000."));
  EXPECT_FALSE(OpenPrivateTag(with_rules({"journal/**"})).is_on({"private"}, {}, "journal/a.md", "Earns 70,000."));
  EXPECT_FALSE(OpenPrivateTag(with_rules({"project:house"})).is_on({"private"}, "house", {}, "The rent is 900."));
  EXPECT_TRUE(OpenPrivateTag(with_rules({"#secret"})).is_on({"private"}, {}, {}, "Earns 70,000."));
}

class ADoctor : public MemoryTest {
 protected:
  std::vector<Problem> problems() {
    Memory memory = open();
    const auto report = examine_vault(memory, false, memory_stores());
    EXPECT_TRUE(report);
    return report->problems;
  }
};

TEST_F(ADoctor, SaysThatATagHidesNothing) {
  write(day, two_private_facts);
  const auto found = problems();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].code, "open-private-tag");
  EXPECT_EQ(found[0].file, day);
  EXPECT_EQ(found[0].line, 2);
  EXPECT_TRUE(found[0].message.starts_with("2 entries bear the tag private")) << found[0].message;
}

TEST_F(ADoctor, IsContentOnceARuleNamesIt) {
  write(day, two_private_facts);
  write(".loci/config.toml", "[privacy]\nnever_send = [\"#private\"]\n");
  EXPECT_TRUE(problems().empty());
  Memory memory = open();
  EXPECT_EQ(examine_vault(memory, false, memory_stores())->kept_from_agents, (std::map<std::string, size_t>{{day, 2}}));
}

}  // namespace
}  // namespace loci
