// Everything that the fuzzer was seeded with or ever found, without a fuzzer.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "parse_target.h"

namespace loci {
namespace {

TEST(FuzzCorpus, HoldsWhatHasToHold) {
  size_t files = 0;
  for (const auto& file : std::filesystem::directory_iterator(LOCI_FUZZ_CORPUS "/parse")) {
    std::ifstream in(file.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    EXPECT_EQ(check_parse(bytes), "") << file.path();
    ++files;
  }
  EXPECT_GT(files, 20U);
}

}  // namespace
}  // namespace loci
