#include "base/log.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

struct Log : testing::Test {
  void TearDown() override { start_log(LogLevel::warning, false); }

  template <typename Write>
  std::string printed(Write write) {
    testing::internal::CaptureStderr();
    write();
    return testing::internal::GetCapturedStderr();
  }
};

TEST_F(Log, AJournalGetsThePriorityOfEachLineAndNoTime) {
  start_log(LogLevel::debug, true);
  EXPECT_EQ(printed([] {
              log_debug("a");
              log_info("b");
              log_notice("c");
              log_warning("d");
              log_error("e");
            }),
            "<7>a\n<6>b\n<5>c\n<4>d\n<3>e\n");
}

TEST_F(Log, WhatIsBelowTheLevelIsNotPrinted) {
  start_log(LogLevel::warning, true);
  EXPECT_EQ(printed([] {
              log_info("quiet");
              log_warning("loud");
            }),
            "<4>loud\n");
}

TEST_F(Log, AMessageIsOneLineWhateverIsInIt) {
  start_log(LogLevel::info, true);
  EXPECT_EQ(printed([] { log_info("a file named\n<0>x\x1b[31m"); }), "<6>a file named <0>x [31m\n");
}

TEST_F(Log, BracesInAMessageAreText) {
  start_log(LogLevel::info, true);
  EXPECT_EQ(printed([] { log_info("{} {0} {:d}"); }), "<6>{} {0} {:d}\n");
}

}  // namespace
}  // namespace loci
