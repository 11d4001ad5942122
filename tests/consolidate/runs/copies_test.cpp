#include "consolidate/runs/store.h"
#include "consolidate/runs/undo.h"
#include "parser/parser.h"
#include "tests/consolidate/consolidate_fixture.h"
#include "vault/logs/chronicle.h"

namespace loci {
namespace {

class CopyTest : public ConsolidateTest {
 protected:
  static constexpr const char* other_file = "consolidated/copies.md";

  // An entry that stands in two files.
  std::string copied(const std::string& text) {
    say(text);
    run_builtin();
    const std::string id = entry_with(text).id;
    const size_t begin = read(file).find("<!--m");
    const std::string block = read(file).substr(begin);
    write(other_file, "# Copies\n\n" + block);
    EXPECT_TRUE(memory->take_in({other_file}));
    return id;
  }
  size_t times(const std::string& text) {
    size_t count = 0;
    for (const std::string& bytes : {read(file), read(other_file)})
      for (const ParsedEntry& entry : parse(bytes).entries) count += entry.text == text ? 1 : 0;
    return count;
  }
};

TEST_F(CopyTest, WhatARunSaysAnewItSaysInAllOfThem) {
  const std::string id = copied("Works at Google.");
  ASSERT_EQ(times("Works at Google."), 2u);
  say("Works at Microsoft now.");
  run([&](const Material& all) {
    return std::vector{to_replace(all, "Works at Google.", {"Works at Microsoft now."}, "Works at Microsoft; before at Google")};
  });
  EXPECT_EQ(times("Works at Google."), 0u);
  EXPECT_EQ(times("Works at Microsoft; before at Google"), 2u);
  EXPECT_EQ(entry_with("Works at Microsoft; before at Google").id, id);
}

TEST_F(CopyTest, WhatARunMadeAndAPersonCopiedGoesFromAllOfThemWithItsUndo) {
  copied("Likes tea.");
  write(file, read(file) + "\nA person's own text.\n");
  EXPECT_TRUE(memory->take_in({file}));
  ASSERT_TRUE(undo_run(*memory, std::string(Chronicle::read(memory->vault())->last_run())));
  EXPECT_EQ(times("Likes tea."), 0u);
  EXPECT_EQ(times("A person's own text."), 1u);
}

TEST_F(CopyTest, WhatIsMergedIntoAnotherGoesFromAllOfThemAndComesBackWithAnUndo) {
  copied("Likes tea.");
  say("Drinks green tea.");
  run_builtin();
  const std::string before = read(file), before_other = read(other_file);
  const std::string merge = run([&](const Material& all) {
    return std::vector{to_remove(all, "Likes tea.", "Drinks green tea."),
                       to_replace(all, "Drinks green tea.", {}, "Likes tea, and drinks green tea.")};
  });
  EXPECT_EQ(durable_texts(), Texts{"Likes tea, and drinks green tea."});
  EXPECT_EQ(times("Likes tea."), 0u);
  ASSERT_TRUE(undo_run(*memory, merge));
  EXPECT_EQ(read(file), before);
  EXPECT_EQ(read(other_file), before_other);
}

}  // namespace
}  // namespace loci
