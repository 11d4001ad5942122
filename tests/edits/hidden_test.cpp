#include <functional>

#include "edits/hidden_entries.h"
#include "edits/in_question.h"
#include "edits/resolve.h"
#include "tests/edits/edits_fixture.h"

namespace loci {
namespace {

using Ids = std::vector<std::string>;

struct Slip {
  const char* name;
  int line;  // where to look
  std::function<std::string(const std::string& before, const std::string& entry, const std::string& after)> make;
};

std::string with_prefix(const std::string& prefix, const std::string& entry) {
  const size_t text = entry.find('\n') + 1;
  return prefix + entry.substr(0, text) + prefix + entry.substr(text);
}

std::string in_front_of_text(const std::string& prefix, std::string entry) { return entry.insert(entry.find('\n') + 1, prefix); }

// What a person does by mistake to the third of nine entries, of which the comment stands in line 7.
const Slip slips[] = {
    {"AnOpenFence", 7, [](const auto& before, const auto& entry, const auto& after) { return before + "```\n" + entry + after; }},
    {"AFenceInFrontOfTheText", 8,
     [](const auto& before, const auto& entry, const auto& after) { return before + in_front_of_text("```\n", entry) + after; }},
    {"AQuote", 7,
     [](const auto& before, const auto& entry, const auto& after) { return before + with_prefix("> ", entry) + after; }},
    {"AHeading", 7,
     [](const auto& before, const auto& entry, const auto& after) { return before + in_front_of_text("# ", entry) + after; }},
    {"AComment", 7, [](const auto& before, const auto& entry, const auto& after) { return before + "<!-- " + entry + after; }},
};

class HiddenEntries : public EditsTest, public testing::WithParamInterface<Slip> {
 protected:
  static std::string whole() { return numbered(9); }
  std::string with_slip(const std::string& after = numbered(9, {1, 2, 3})) const {
    return GetParam().make(numbered(2), entry_of("e3", "fact number 3"), after);
  }
};

INSTANTIATE_TEST_SUITE_P(By, HiddenEntries, testing::ValuesIn(slips), [](const auto& slip) { return slip.param.name; });

TEST_P(HiddenEntries, AreListedWithTheirLineAndWholeAgainOnceMendedHoweverLate) {
  save(file, whole());
  settle_in_ledger("r1", "e3", hash_of_text("fact number 3"));
  settle_in_ledger("r1", "e4", hash_of_text("fact number 4"));
  save(file, with_slip());
  pass(std::chrono::days(40));
  EXPECT_EQ(settle().deleted, Ids{});
  restart();
  const Understood hidden = settle();
  EXPECT_EQ(hidden.deleted, Ids{});
  ASSERT_EQ(hidden.waiting.size(), 1u);
  EXPECT_EQ(hidden.waiting[0].kind, Question::Kind::hidden);
  const auto facts = facts_in_question(*memory);
  EXPECT_TRUE(facts->contains("f-e3") || facts->contains("f-e4"));
  std::vector<Problem> problems;
  add_edit_problems(*memory, problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].file, file);
  EXPECT_EQ(problems[0].line, GetParam().line);
  EXPECT_FALSE(keep_edits(*memory, file));
  const std::string first = hidden.waiting[0].gone.at(0).id;
  const auto asked_for = id_after_edits(memory->vault(), first);
  ASSERT_EQ(asked_for.error().code, ErrorCode::refused);
  EXPECT_TRUE(asked_for.error().message.contains(file)) << asked_for.error().message;
  EXPECT_EQ(id_after_edits(memory->vault(), "e1"), "e1");
  EXPECT_TRUE(save(file, whole()).waiting.empty());
  EXPECT_EQ(id_after_edits(memory->vault(), first), first);
  EXPECT_EQ(settle().deleted, Ids{});
  EXPECT_EQ(tombstones().size(), 0u);
  EXPECT_EQ(texts(*memory).size(), 9u);
}

TEST_P(HiddenEntries, AreDeletedIfTheyAreTakenOutInstead) {
  save(file, whole());
  save(file, with_slip());
  pass(std::chrono::hours(1));
  look();
  EXPECT_TRUE(save(file, numbered(9, {3})).waiting.empty());
  pass(std::chrono::minutes(9));
  EXPECT_EQ(look().deleted, Ids{});
  EXPECT_EQ(settle().deleted, Ids{"e3"});
}

TEST_P(HiddenEntries, AreNotForgottenByWhatIsWrittenMeanwhile) {
  save(file, whole());
  save(file, with_slip());
  const std::string other = GetParam().make(numbered(2, {1}), entry_of("e3", "fact number 3"), numbered(9, {1, 2, 3}));
  loci_writes(file, other);  // it took out e1
  clock.advance(std::chrono::seconds(1));
  ASSERT_TRUE(append_tombstones(memory->vault(),
                                {{clock.now(), "e1", hash_of_text("fact number 1"), Tombstone::Reason::deleted, "user", {}}}));
  EXPECT_EQ(settle().waiting.size(), 1u);
  EXPECT_TRUE(save(file, numbered(9, {1})).waiting.empty());
  EXPECT_EQ(settle().deleted, Ids{});
  EXPECT_EQ(tombstones().size(), 1u);
}

TEST_P(HiddenEntries, AreNotMissingThoughNothingIsKnownOfTheFile) {
  write(file, with_slip());
  settle_in_ledger("r1", "e3", hash_of_text("fact number 3"));
  settle_in_ledger("r1", "e4", hash_of_text("fact number 4"));
  const Understood first = look();
  ASSERT_EQ(first.waiting.size(), 1u);
  EXPECT_EQ(first.waiting[0].kind, Question::Kind::hidden);
  EXPECT_TRUE(save(file, whole()).waiting.empty());
  EXPECT_EQ(settle().deleted, Ids{});
}

TEST(FindHiddenEntries, NamesTheLineOfTheTextThatTheCommentIsReadAsAPartOf) {
  const std::string comment = R"(<!--m {"id":"e1"}-->)";
  const auto hidden_in = [](const std::string& bytes) { return find_hidden_entries(Place::consolidated, bytes, parse(bytes)); };
  const std::vector<HiddenEntry> first{{"e1", 1, "Words."}}, second{{"e1", 2, "Words."}};
  EXPECT_EQ(hidden_in("~~~\n" + comment + "\nWords.\n~~~\n"), first);
  EXPECT_EQ(hidden_in("    " + comment + "\n    Words.\n"), first);
  EXPECT_EQ(hidden_in("- " + comment + "\n  Words.\n"), first);
  EXPECT_EQ(hidden_in("\n" + comment + "\nWords.\n---\n"), second);
  EXPECT_EQ(hidden_in("Said before. " + comment + "\nWords.\n"), first);
  EXPECT_EQ(hidden_in(comment + " Words.\n"), first);
  EXPECT_EQ(hidden_in("<!--m {\"id\" : \"e1\",}-->\nWords.\n"), first);
  EXPECT_TRUE(hidden_in(comment + "\nWords.\n\n> " + comment + "\n> Words.\n").empty());
  EXPECT_TRUE(hidden_in(comment + "\n\n---\n" + R"(<!--m {"id":"e2"}-->)" + "\nOther words.\n").empty());
}

TEST_P(Rows, ACommentThatIsLeftOfATextThatWasTakenOutHidesNothing) {
  const std::string first = "## Kitchen\n\n" + entry_of("e1", "The oven is from 1987."),
                    second = "## Garden\n\n" + numbered(9, {1});
  const std::string comment = first.substr(0, first.find("The oven"));
  for (const std::string& left : {comment + "\n" + second, comment + "- \n\n" + second, comment + "\n" + numbered(9, {1})}) {
    const std::string name = "consolidated/of-" + std::to_string(left.size()) + ".md";
    save(name, first + second);
    EXPECT_TRUE(save(name, left).waiting.empty()) << left;
    perhaps_restart();
    std::filesystem::remove(folder / "vault" / name);
  }
}

TEST_P(Rows, APromotedLineThatIsHiddenIsNotDemoted) {
  const auto core_with = [](const std::string& lines) {
    return "Mine.\n\n<!-- loci:core begin -->\n" + lines + "<!-- loci:core end -->\n";
  };
  const std::string one = "<!--m {\"ref\":\"e1\"}-->\n- fact number 1\n", two = "<!--m {\"ref\":\"e2\"}-->\n- fact number 2\n";
  save(file, numbered(9));
  save("MEMORY.md", core_with(one + two));
  for (const std::string& hidden : {one + with_prefix("  ", two), one + "```\n" + two + "```\n", one + with_prefix("> ", two)}) {
    const Understood observed = save("MEMORY.md", core_with(hidden));
    ASSERT_EQ(observed.waiting.size(), 1u);
    EXPECT_EQ(observed.waiting[0].kind, Question::Kind::hidden);
    EXPECT_EQ(observed.corrected, Ids{});
    perhaps_restart();
    EXPECT_EQ(settle().demoted, Ids{});
    EXPECT_TRUE(save("MEMORY.md", core_with(one + two)).waiting.empty());
    EXPECT_EQ(settle().demoted, Ids{});
  }
  EXPECT_EQ(tombstones().size(), 0u);
}

}  // namespace
}  // namespace loci
