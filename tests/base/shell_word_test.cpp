#include "base/shell_word.h"

#include <gtest/gtest.h>

#include "base/child_process.h"

namespace loci {
namespace {

TEST(ShellWord, APlainNameStaysAsItIs) {
  EXPECT_EQ(shell_word("consolidated/memory.md"), "consolidated/memory.md");
  EXPECT_EQ(shell_word("notes/übung.md"), "notes/übung.md");
}

TEST(ShellWord, AShellReadsOneWord) {
  for (const std::string word :
       {"my notes.md", "it's.md", "$HOME & `id`.md", "a \"b\" (2) [c]*?.md", "~/back\\slash;|<>{x}!#.md", "#first.md"}) {
    const auto said = ask_program({{"sh", "-c", "printf '<%s>' " + shell_word(word)}, own_environment()});
    ASSERT_TRUE(said) << said.error().message;
    EXPECT_EQ(said->output, '<' + word + '>');
  }
}

}  // namespace
}  // namespace loci
