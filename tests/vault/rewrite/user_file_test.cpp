#include "vault/rewrite/user_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parser/parser.h"
#include "parser/prompt_text.h"
#include "parser/text_hash.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// --- what goes into a prompt ---

TEST(PromptText, IsTheTextAlone) {
  const struct {
    const char *name, *file, *text;
  } cases[] = {
      {"nothing", "", ""},
      {"text", "a\n\nb\n", "a\n\nb"},
      {"front matter", "---\ntags: [x]\n---\na\n", "a"},
      {"metadata", "<!--m {\"id\":\"one\"}-->\na\n", "a"},
      {"comments", "<!-- a hint\nof two lines -->\n\na <!-- inside --> b\n", "a  b"},
      {"headings with nothing under them", "# User\n\n## Work\n\n<!-- your job -->\n\n## Personal\n", ""},
      {"only the headings that lead somewhere", "# User\n\n## Work\n\n## Personal\n\n- a dog\n", "# User\n## Personal\n- a dog"},
      {"an underlined heading", "Work\n----\n\na\n", "## Work\na"},
      {"a rule", "a\n\n---\n\nb\n", "a\n\nb"},
      {"list items stay together", "- a\n- b\n\n<!--m {\"id\":\"one\"}-->\n- c\n", "- a\n- b\n- c"},
      {"an entry with its end marker", "<!--m {\"id\":\"one\",\"end\":1}-->\na\n\nb\n\n<!--/m-->\n\nc\n", "a\n\nb\n\nc"},
      {"a comment that is text", "<!--m {\"id\":\"one\"}-->\n\\<!-- shown -->\n", "<!-- shown -->"},
      {"a comment that is not closed is text within a line", "a <!-- b\nc\n\nd\n", "a <!-- b\nc\n\nd"},
      {"so it is behind backticks that nothing closes", "a ``<!--`\nb\n\n- c ``<!--\n  d\n", "a ``<!--`\nb\n\n- c ``<!--\n  d"},
      {"and one that begins its line goes on", "a\n\n- b\n  <!-- c\n  d\n", "a\n\n- b"},
      {"a comment that is code", "a `<!-- b -->` c <!-- d -->\n\n> ```\n> <!-- e -->\n> ```\n",
       "a `<!-- b -->` c\n\n> ```\n> <!-- e -->\n> ```"},
      {"a heading about comments", "# Of `<!--`\n\n## Of <!-- too\n\na\n", "# Of `<!--`\n## Of <!-- too\na"},
      {"code", "```\n<!-- code -->\n```\n", "```\n<!-- code -->\n```"},
      {"line ends of Windows", "# A\r\n\r\na\r\n\r\nb\r\n", "# A\na\n\nb"},
      {"a byte order mark", "\xEF\xBB\xBF---\ntags: [x]\n---\na\n", "a"},
  };
  for (const auto& one : cases) EXPECT_EQ(prompt_text(one.file), one.text) << one.name;
}

TEST(CutAtLines, KeepsWholeLinesAndSaysWhatWasLost) {
  const CutText cut = cut_at_lines("äb\ncd\n\nef", 5);
  EXPECT_EQ(cut.text, "äb\ncd");
  EXPECT_THAT(cut.lost, ElementsAre("ef"));
  EXPECT_EQ(cut_at_lines("äb\ncd", 4).text, "äb");
  EXPECT_EQ(cut_at_lines("abc", 2).text, "");
  // A line that would fit again does not move up: what is kept is the start of the text.
  EXPECT_EQ(cut_at_lines("a\nlong line\nb", 5).text, "a");
  EXPECT_THAT(cut_at_lines("a", 1).lost, testing::IsEmpty());
}

// --- user.md ---

class UserFileTest : public testing::Test {
 protected:
  UserFileTest() { std::filesystem::create_directories(folder_ / "vault"); }

  Vault vault() { return *Vault::open(folder_ / "vault", environment_in(folder_), real_file_system(), clock_); }
  void write(std::string_view bytes) const { folder_.write("vault/user.md", bytes); }
  std::string read() const { return folder_.read("vault/user.md"); }

  static Metadata metadata(std::string id) {
    Metadata data;
    data.id = std::move(id);
    data.source = Source::agent;
    return data;
  }

  TemporaryFolder folder_;
  ManualClock clock_;
};

TEST_F(UserFileTest, CountsCodePointsOfWhatIsInjected) {
  write("---\ntags: [x]\n---\n<!-- a hint -->\n\n<!--m {\"id\":\"one\"}-->\n" + std::string(300, 'x') + "\n\nÄÖ😀\n");
  const auto use = user_file_use(vault());
  ASSERT_TRUE(use);
  EXPECT_EQ(use->used, 300U + 2 + 3);
  EXPECT_EQ(use->summary(), "30% - 305/1,000");
  ASSERT_EQ(use->entries.size(), 2U);
  EXPECT_EQ(use->entries[0].characters, 300U);
  EXPECT_EQ(use->entries[1].characters, 3U);
}

TEST_F(UserFileTest, AMissingFileUsesNothingAndAHandEditOverTheLimitIsCutAtALine) {
  EXPECT_EQ(user_file_use(vault())->used, 0U);
  write(std::string(900, 'a') + "\n\n" + std::string(200, 'b') + "\n");
  const auto use = user_file_use(vault());
  EXPECT_TRUE(use->over_limit());
  EXPECT_EQ(use->summary(), "110% - 1,102/1,000");
  EXPECT_EQ(use->injected, std::string(900, 'a'));
  EXPECT_THAT(use->lost, ElementsAre(std::string(200, 'b')));
}

TEST_F(UserFileTest, AddsAndUpdatesUnderASection) {
  write("# User\n\n## Work\n\n## Personal\n\nA dog.\n");
  EXPECT_EQ(*add_to_user_file(vault(), metadata("one"), "Plumber.", "Work"), "one");
  EXPECT_EQ(parse(read()).entries.at(0).section, (std::vector<std::string>{"User", "Work"}));
  EXPECT_EQ(*update_in_user_file(vault(), "one", "Baker."), "one");
  EXPECT_EQ(parse(read()).entries.at(0).text, "Baker.");
  const std::string dog = parse(read()).entries.at(1).id;
  const auto cat = update_in_user_file(vault(), dog, "A cat.");
  EXPECT_EQ(*cat, parse(read()).entries.at(1).id);
  EXPECT_EQ(update_in_user_file(vault(), "two", "x").error().code, ErrorCode::not_found);
}

TEST_F(UserFileTest, AMissingFileIsMade) {
  ASSERT_TRUE(add_to_user_file(vault(), metadata("one"), "Plumber.", "Work"));
  EXPECT_THAT(read(), testing::StartsWith("## Work\n\n<!--m {"));
}

TEST_F(UserFileTest, AWriteThatWouldPassTheLimitIsRefusedAndSaysByWhat) {
  const std::string before = "## Work\n\n" + std::string(600, 'w') + "\n\nshort\n";
  write(before);
  const auto added = add_to_user_file(vault(), metadata("one"), std::string(500, 'x'), "Work");
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, ErrorCode::refused);
  EXPECT_THAT(added.error().message, HasSubstr("61% - 615/1,000"));
  EXPECT_THAT(added.error().hint, HasSubstr(parse(before).entries.at(0).id + " (line 3, 600 characters)"));
  EXPECT_EQ(read(), before);
  EXPECT_TRUE(add_to_user_file(vault(), metadata("one"), std::string(300, 'x'), "Work"));
}

TEST_F(UserFileTest, OverTheLimitAChangeThatMakesItSmallerGoesThrough) {
  write(std::string(900, 'a') + "\n\n" + std::string(500, 'b') + "\n");
  const auto entries = parse(read()).entries;
  EXPECT_FALSE(update_in_user_file(vault(), entries[1].id, std::string(501, 'b')));
  EXPECT_TRUE(update_in_user_file(vault(), entries[1].id, std::string(300, 'b')));
}

}  // namespace
}  // namespace loci
