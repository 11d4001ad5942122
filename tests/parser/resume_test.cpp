// Parsing a file that grew from where it grew gives what parsing all of it gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "nasty_text.h"
#include "parser/parser.h"

namespace loci {

void PrintTo(const ParsedEntry& entry, std::ostream* out) {
  *out << entry.line << "-" << entry.line_end << " [" << entry.begin << "," << entry.end << ") " << entry.id << " \""
       << shown(entry.text) << "\"";
  for (const auto& title : entry.section) *out << " §" << title;
  for (const auto& tag : entry.tags) *out << " #" << tag;
}

void PrintTo(const ParseProblem& problem, std::ostream* out) {
  *out << problem.line << " " << problem.code << ": " << problem.message;
}

void PrintTo(const ResumePoint& point, std::ostream* out) { *out << point.serialise(); }

namespace {

using testing::PrintToString;

bool equal(const ParsedEntry& a, const ParsedEntry& b) {
  return a.metadata == b.metadata && a.text == b.text && a.hash == b.hash && a.id == b.id && a.line == b.line &&
         a.line_end == b.line_end && a.begin == b.begin && a.end == b.end && a.section == b.section && a.tags == b.tags;
}

// What the index does: keeps of the old result what the resume point says, and adds what parse_from gives.
ParsedFile grown(const ParsedFile& old, const std::string& all) {
  const ResumePoint& resume = old.resume;
  const auto id_before = [&](std::string_view id) {
    return std::any_of(old.entries.begin(), old.entries.begin() + static_cast<std::ptrdiff_t>(resume.entries),
                       [&](const ParsedEntry& entry) { return entry.metadata && entry.metadata->id == id; });
  };
  ParsedFile result = parse_from(all, resume, id_before);
  result.entries.insert(result.entries.begin(), old.entries.begin(),
                        old.entries.begin() + static_cast<std::ptrdiff_t>(resume.entries));
  std::vector<ParseProblem> kept;
  std::ranges::copy_if(old.problems, std::back_inserter(kept),
                       [&](const ParseProblem& problem) { return problem.line < resume.line; });
  result.problems.insert(result.problems.begin(), kept.begin(), kept.end());
  return result;
}

std::string difference(const ParsedFile& whole, const ParsedFile& grown) {
  if (!std::ranges::equal(whole.entries, grown.entries, equal))
    return "entries\n" + PrintToString(whole.entries) + "\n" + PrintToString(grown.entries);
  if (whole.problems != grown.problems) return "problems\n" + PrintToString(whole.problems) + "\n" + PrintToString(grown.problems);
  if (whole.front_date != grown.front_date) return "date";
  if (whole.held != grown.held) return "held";
  if (whole.open_end != grown.open_end) return "open end";
  return {};
}

std::string first_difference(const std::string& all, size_t split) {
  const ParsedFile old = parse(std::string_view(all).substr(0, split));
  std::string found = difference(parse(all), grown(old, all));
  return found.empty() ? found : found + "\nold " + PrintToString(old.entries) + " resumed at " + old.resume.serialise();
}

std::string any_difference(const std::string& all) {
  for (size_t split = 0; split <= all.size(); ++split)
    if (std::string found = first_difference(all, split); !found.empty())
      return found + "\nsplit at " + std::to_string(split) + " of\n" + shown(all);
  return {};
}

// The same when the file grows by a few bytes again and again, each result made of the one before.
std::string difference_in_steps(const std::string& all, size_t step) {
  ParsedFile file = parse({});
  for (size_t size = step; size < all.size() + step; size += step) {
    const std::string now = all.substr(0, size);
    file = grown(file, now);
    if (std::string found = difference(parse(now), file); !found.empty())
      return found + "\nin steps of " + std::to_string(step) + ", at " + std::to_string(size) + " of\n" + shown(all);
  }
  return {};
}

TEST(Resume, EqualsTheWholeForAnyDocumentSplitAnywhere) {
  SoupKitchen kitchen(20261121);
  const size_t trials = scaled(1200);
  for (size_t trial = 0; trial < trials; ++trial) {
    const auto soup = kitchen.cook_raw(trial % 3 == 0 ? 60 : 12);
    if (any_difference(joined(soup)).empty()) continue;
    const auto small = shrunk(soup, [](const auto& s) { return !any_difference(joined(s)).empty(); });
    FAIL() << any_difference(joined(small));
  }
}

TEST(Resume, EqualsTheWholeWhenADocumentGrowsInSteps) {
  SoupKitchen kitchen(11);
  const size_t trials = scaled(2000);
  for (size_t trial = 0; trial < trials; ++trial) {
    const auto soup = kitchen.cook_raw(40);
    const size_t step = 1 + kitchen.below(20);
    const auto fails = [step](const auto& s) { return !difference_in_steps(joined(s), step).empty(); };
    if (fails(soup)) FAIL() << difference_in_steps(joined(shrunk(soup, fails)), step);
  }
}

TEST(Resume, StartsAtTheLastConstruct) {
  std::string day = "# 2026-11-21\n";
  for (int i = 0; i < 1000; ++i) day += "\n<!--m {\"id\":\"e" + std::to_string(i) + "\"}-->\nText of the entry.\n";
  const ResumePoint resume = parse(day).resume;
  EXPECT_EQ(resume.entries, 999U);
  EXPECT_EQ(day.substr(resume.offset), "<!--m {\"id\":\"e999\"}-->\nText of the entry.\n");
  EXPECT_EQ(resume.line, 3000);
  EXPECT_EQ(resume.section, std::vector<std::string>{"2026-11-21"});
}

TEST(Resume, LooksAtNoByteBeforeIt) {
  const std::string old = "---\ntags: a\ndate: 2026-11-21\n---\n# One\n\n## Two\n\nfirst\n\nsecond\n";
  const ResumePoint resume = parse(old).resume;
  std::string all = old + "\nthird\n";
  std::fill_n(all.begin(), resume.offset, '\xff');
  const ParsedFile tail = parse_from(all, resume);
  ASSERT_EQ(tail.entries.size(), 2U);
  EXPECT_EQ(tail.entries[1].text, "third");
  EXPECT_EQ(tail.entries[1].line, 13);
  EXPECT_EQ(tail.entries[1].section, (std::vector<std::string>{"One", "Two"}));
  EXPECT_EQ(tail.entries[1].tags, std::vector<std::string>{"a"});
  EXPECT_EQ(tail.front_date, "2026-11-21");
  EXPECT_TRUE(tail.problems.empty());
}

TEST(Resume, IsKeptAsOneLine) {
  ResumePoint point;
  point.offset = 12345678901;
  point.line = 77;
  point.entries = 5;
  point.section = {"a \"b\"\n", "é"};
  point.section_levels = {1, 3};
  point.front_tags = {"x"};
  point.front_date = "2026-11-21";
  point.held = true;
  EXPECT_EQ(ResumePoint::deserialise(point.serialise()), point);
  EXPECT_EQ(point.serialise().find('\n'), std::string::npos);
  EXPECT_EQ(ResumePoint::deserialise(ResumePoint().serialise()), ResumePoint());
}

TEST(Resume, IsRefusedWhenItIsSomethingElse) {
  for (const char* text :
       {"", "{}", "[]", "null", "[1,2,3]", "[-1,1,0,[],[],[],\"\",false,false]", "[0,1,0,[\"a\"],[],[],\"\",false,false]",
        "[0,1,0,[1],[1],[],\"\",false,false]", "[0,1,0,[],[],[],\"\",0,false]"})
    EXPECT_EQ(ResumePoint::deserialise(text), std::nullopt) << text;
}

}  // namespace
}  // namespace loci
