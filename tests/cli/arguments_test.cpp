#include "cli/arguments.h"

#include <gtest/gtest.h>

namespace loci::cli {
namespace {

constexpr OptionSpec options[] = {
    {"--tag", "TAG", ValueKind::tag, "", true}, {"--layer", "LAYER", ValueKind::layer, "", true},
    {"--limit", "N", ValueKind::number, ""},    {"--confidence", "SHARE", ValueKind::share, ""},
    {"--since", "DATE", ValueKind::date, ""},   {"--json", "", ValueKind::none, ""},
    {"--vault", "DIR", ValueKind::folder, ""},
};
constexpr PositionalSpec text[] = {{"TEXT", ValueKind::text, true, true}};
constexpr PositionalSpec one_id[] = {{"ID", ValueKind::entry_id, true}};

Result<Arguments> parse(std::vector<std::string> words, std::span<const PositionalSpec> positionals = text) {
  return parse_arguments(words, options, positionals);
}

TEST(Arguments, OptionsMayStandAnywhereAmongTheWords) {
  const auto arguments = parse({"--limit", "3", "deploy", "--json", "on", "Fridays", "--tag=a"});
  ASSERT_TRUE(arguments);
  EXPECT_EQ(arguments->joined(), "deploy on Fridays");
  EXPECT_EQ(arguments->number("--limit"), 3);
  EXPECT_TRUE(arguments->has("--json"));
  EXPECT_EQ(arguments->all("--tag"), std::vector<std::string>{"a"});
}

TEST(Arguments, EverythingBehindTwoDashesIsText) {
  const auto arguments = parse({"--json", "--", "-not", "--tag", "x"});
  ASSERT_TRUE(arguments);
  EXPECT_EQ(arguments->joined(), "-not --tag x");
  EXPECT_FALSE(arguments->has("--tag"));
}

TEST(Arguments, AListMayBeRepeatedOrHaveCommas) {
  const auto arguments = parse({"--tag", "a,b", "--tag", "c", "x"});
  ASSERT_TRUE(arguments);
  EXPECT_EQ(arguments->all("--tag"), (std::vector<std::string>{"a", "b", "c"}));
}

TEST(Arguments, AnEmptyListCountsAsGiven) {
  const auto arguments = parse({"--tag", "", "x"});
  ASSERT_TRUE(arguments);
  EXPECT_TRUE(arguments->has("--tag"));
  EXPECT_TRUE(arguments->all("--tag").empty());
}

TEST(Arguments, BracketsAreText) {
  for (const std::string word : {"[one,two]", "[[a page]]", "[]", "[\"x\"]", "\x01[", "[", "{}", "[x]"}) {
    const auto arguments = parse({word, "--vault", word, "--", "--tag=[y]"});
    ASSERT_TRUE(arguments) << word;
    EXPECT_EQ(arguments->joined(), word + " --tag=[y]");
    EXPECT_EQ(arguments->text("--vault"), word);
    EXPECT_EQ(parse({"x", "--vault=" + word})->text("--vault"), word);
  }
}

TEST(Arguments, ASingleDashIsAWord) {
  const auto arguments = parse({"-"});
  ASSERT_TRUE(arguments);
  EXPECT_EQ(arguments->joined(), "-");
}

struct WrongCase {
  std::vector<std::string> words;
  std::string message, hint;
};

TEST(Arguments, WhatIsWrongIsSaidWithAWayOut) {
  const WrongCase cases[] = {
      {{"--limt", "3", "x"}, "unknown option '--limt'", "did you mean '--limit'?"},
      {{"--frobnicate", "x"}, "unknown option '--frobnicate'", "put '--' in front of text that starts with a dash"},
      {{"--limit", "many", "x"}, "--limit: 'many' is not a whole number", ""},
      {{"--limit", "-1", "x"}, "--limit: '-1' is not a whole number", ""},
      {{"--confidence", "1.5", "x"}, "--confidence: '1.5' is not a number from 0 to 1", ""},
      {{"--layer", "L3", "x"}, "--layer: 'L3' is none of L0, L1, L2", ""},
      {{"--since", "soon", "x"},
       "--since: 'soon' is not a date",
       "write 2026, 2026-11, 2026-11-21, yesterday, 7d or \"2 weeks ago\""},
      {{}, "TEXT is missing", ""},
  };
  for (const WrongCase& wrong : cases) {
    const auto arguments = parse(wrong.words);
    ASSERT_FALSE(arguments) << wrong.message;
    EXPECT_EQ(arguments.error().code, ErrorCode::usage);
    EXPECT_EQ(arguments.error().message, wrong.message);
    EXPECT_EQ(arguments.error().hint, wrong.hint);
  }
}

TEST(Arguments, AnArgumentTooManyIsNamed) {
  const auto arguments = parse({"a1", "b2"}, one_id);
  ASSERT_FALSE(arguments);
  EXPECT_EQ(arguments.error().message, "'b2' is one argument too many");
}

TEST(Arguments, WhatCannotBeAnIdIsNoId) {
  const auto arguments = parse({"../etc"}, one_id);
  ASSERT_FALSE(arguments);
  EXPECT_EQ(arguments.error().code, ErrorCode::usage);
}

TEST(Nearest, OffersOnlyWhatCanHaveBeenMeant) {
  constexpr std::string_view known[] = {"search", "show", "status"};
  EXPECT_EQ(nearest("serach", known), "search");
  EXPECT_EQ(nearest("stats", known), "status");
  EXPECT_EQ(nearest("xyzzy", known), "");
}

}  // namespace
}  // namespace loci::cli
