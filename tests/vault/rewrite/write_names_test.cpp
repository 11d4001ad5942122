#include "vault/rewrite/write_names.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

constexpr const char* id = "01jd8x2k9c4qw0r3";

TEST(WriteNames, GiveBackWhatWentIn) {
  for (const std::string& start :
       {std::string("a.md"), std::string("a.write-b.kept-c.md"), std::string("-"), std::string(100, 'n'), std::string("ä ö.md")}) {
    const WriteName write{.start = start, .before = content_hash("a"), .after = content_hash("b"), .id = id};
    EXPECT_EQ(parse_write_name(format(write)), write);
    EXPECT_FALSE(parse_kept_name(format(write)));
    const KeptName kept{.start = start,
                        .hash = content_hash("a"),
                        .inode = ~std::uint64_t{0},
                        .since = Instant(std::chrono::milliseconds(1'763'000'000'000)),
                        .state = KeptName::State::copy,
                        .id = id};
    EXPECT_EQ(parse_kept_name(format(kept)), kept);
    EXPECT_FALSE(parse_write_name(format(kept)));
    EXPECT_TRUE(is_new_file_name(new_file_name(start, id)));
    EXPECT_EQ(id_of_target_file(target_file_name(id)), id);
  }
}

TEST(WriteNames, FitIntoANameWhateverTheFilesNameIs) {
  const std::string start = start_of_name(std::string(255, 'n'));
  const KeptName kept{.start = start,
                      .hash = content_hash(""),
                      .inode = ~std::uint64_t{0},
                      .since = Instant::max(),
                      .state = KeptName::State::fresh,
                      .id = id};
  EXPECT_LE(format(kept).size(), 255U);
  EXPECT_LE(format(WriteName{start, content_hash("a"), content_hash("b"), id}).size(), 255U);
}

TEST(WriteNames, AreNotTakenForOthers) {
  for (const std::string name :
       {"", "canary", "a.md.write-", "a.md.write-0123456789abcdef-0123456789abcdef-", "a.md.write-1-2-01jd8x2k9c4qw0r3",
        "a.md.write-0123456789abcdef-0123456789abcdef-01jd8x2k9c4qw0r3.tmp-17",
        "a.md.kept-0123456789abcdef-7-8-old-01jd8x2k9c4qw0r3", "a.md.kept-0123456789abcdef--8-still-01jd8x2k9c4qw0r3",
        "a.md.kept-0123456789abcdef-7-x-still-01jd8x2k9c4qw0r3", "a.md.new-short", ".target", "../x.target"}) {
    EXPECT_FALSE(parse_write_name(name)) << name;
    EXPECT_FALSE(parse_kept_name(name)) << name;
    EXPECT_FALSE(is_new_file_name(name)) << name;
    EXPECT_FALSE(id_of_target_file(name)) << name;
  }
}

}  // namespace
}  // namespace loci
