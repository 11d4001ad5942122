// Worked examples: for each examples/NAME.request.json both blocks, to the byte. Where there is no NAME.system.txt, the system
// block was not given.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "context/read_request.h"
#include "tests/context/context_fixture.h"

namespace loci {
namespace {

const path examples = LOCI_CONTEXT_EXAMPLES;

std::string bytes_of(const path& file) {
  std::ifstream in(file, std::ios::binary);
  EXPECT_TRUE(in) << file;
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return std::move(bytes).str();
}

// The last line of an example ends as any line of a file does, that of a block does not.
std::string block_in(const path& file) {
  std::string text = bytes_of(file);
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

std::vector<std::string> names() {
  constexpr std::string_view end = ".request.json";
  std::vector<std::string> found;
  for (const auto& file : std::filesystem::directory_iterator(examples))
    if (std::string name = file.path().filename(); name.ends_with(end)) found.push_back(name.substr(0, name.size() - end.size()));
  std::ranges::sort(found);
  return found;
}

class ContextExample : public ContextTest, public testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override {
    const path root = examples / "vault";
    for (const auto& file : std::filesystem::recursive_directory_iterator(root))
      if (file.is_regular_file()) write(file.path().lexically_relative(root).string(), bytes_of(file.path()));
    write("consolidated/others.md", others());
    settings("[privacy]\nnever_send = [\"#secret4711\"]\n");
    clock.set("2026-11-20T12:00:00Z");
  }
  static path example(const char* end) { return examples / (GetParam() + end); }
};

TEST_P(ContextExample, GivesItsBlocksToTheByte) {
  const auto json = parse_json(bytes_of(example(".request.json")));
  ASSERT_TRUE(json);
  auto request = read_context_request(*json, clock.now());
  ASSERT_TRUE(request) << request.error().message;
  request->has_system_block = std::filesystem::exists(example(".system.txt"));
  Memory memory = open();
  const auto found =
      memory.ask_fresh<ContextEntries>([&](IndexReader& reader) { return find_candidates(memory, reader, *request); });
  ASSERT_TRUE(found) << found.error().message;
  const auto context = context_of(memory, *request, found->first);
  ASSERT_TRUE(context) << context.error().message;
  if (*request->has_system_block) {
    EXPECT_EQ(context->system, block_in(example(".system.txt")));
  }
  EXPECT_EQ(context->message.text, block_in(example(".message.txt")));
}

INSTANTIATE_TEST_SUITE_P(All, ContextExample, testing::ValuesIn(names()), [](const auto& example) {
  std::string name = example.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace loci
