#include "agents/other_hooks.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"

namespace loci {
namespace {

std::string settings(const std::string& event, const std::string& handler) {
  return R"({"hooks": {")" + event + R"(": [{"hooks": [)" + handler + "]}]}}";
}

constexpr const char* ours = R"({"type":"command","command":"/usr/bin/loci --vault /v hook stop"})";
constexpr const char* ours_in_words = R"({"type":"command","command":"/usr/bin/loci","args":["--vault","/v","hook","stop"]})";
constexpr const char* theirs = R"({"type":"command","command":"run-the-tests"})";

TEST(OtherHooks, AreThoseThatAreCalledAtAStopAndAreNotLocis) {
  for (const char* event : {"Stop", "AfterAgent"}) {
    EXPECT_TRUE(calls_others_at_stop(settings(event, theirs))) << event;
    EXPECT_TRUE(calls_others_at_stop(settings(event, std::string(ours) + "," + theirs))) << event;
    EXPECT_FALSE(calls_others_at_stop(settings(event, ours))) << event;
    EXPECT_FALSE(calls_others_at_stop(settings(event, ours_in_words))) << event;
  }
  const std::string theirs_in_our_words = R"({"type":"command","command":"/usr/bin/memtool --vault /x hook stop"})";
  EXPECT_TRUE(calls_others_at_stop(settings("Stop", theirs_in_our_words)));
  const std::string this_program = std::filesystem::read_symlink("/proc/self/exe");
  EXPECT_FALSE(
      calls_others_at_stop(settings("Stop", R"({"type":"command","command":")" + this_program + R"( --vault /v hook stop"})")));
  EXPECT_TRUE(calls_others_at_stop("// mine\n" + settings("Stop", R"({"type":"prompt","prompt":"Is it done?"})")));
  for (const char* none : {"", "{}", "{", R"({"hooks":[]})", R"({"hooks":{"Stop":"x"}})"})
    EXPECT_FALSE(calls_others_at_stop(none)) << none;
  EXPECT_FALSE(calls_others_at_stop(settings("SessionStart", theirs)));
}

TEST(OtherHooks, APluginOfSomebodyElsesMayHaveAny) {
  EXPECT_TRUE(calls_others_at_stop(R"({"enabledPlugins":{"tests@tools":true}})"));
  EXPECT_FALSE(calls_others_at_stop(R"({"enabledPlugins":{"tests@tools":false,"loci@mine":true}})"));
  EXPECT_FALSE(calls_others_at_stop(R"({"enabledPlugins":["x"]})"));
}

TEST(OtherHooks, CountFromTheUsersAndFromTheProjectsSettings) {
  for (const char* file :
       {"home/.claude/settings.json", "work/.claude/settings.local.json", "home/.codex/hooks.json", "work/.gemini/settings.json"}) {
    TemporaryFolder folder;
    std::filesystem::create_directories(folder / "work");
    const auto environment = environment_in(folder);
    EXPECT_FALSE(others_may_make_it_go_on(environment, folder / "work", real_file_system()));
    folder.write(file, settings("Stop", theirs));
    EXPECT_TRUE(others_may_make_it_go_on(environment, folder / "work", real_file_system())) << file;
  }
}

}  // namespace
}  // namespace loci
