// Parsing a file that grew from where it grew gives what parsing all of it gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <optional>

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

void PrintTo(const ResumePoint& point, std::ostream* out) {
  *out << point.offset << " line " << point.line << " after " << point.entries << " entries";
  for (const auto& title : point.section) *out << " §" << title;
}

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
  return found.empty() ? found : found + "\nold " + PrintToString(old.entries) + " resumed at " + PrintToString(old.resume);
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

// --- a change in the middle ---

bool same_state(ResumePoint a, const ResumePoint& b) {
  a.offset = b.offset;
  a.line = b.line;
  a.entries = b.entries;
  return a == b;
}

// The entries and problems of `now`, of which everything but [from, until) stands as it did in `old`. None if `until`, a
// checkpoint of `old`, is no place to resume at in `now`.
std::optional<ParsedFile> spliced(const ParsedFile& old, size_t old_size, const ResumePoint& from, const ResumePoint& until,
                                  std::string_view now) {
  const size_t goal = until.offset + now.size() - old_size;
  const size_t line_end = std::min(now.find('\n', goal), now.size() - 1) + 1;
  ParsedFile part = parse_from(now.substr(0, line_end), from, {}, 1);
  if (part.resume.offset != goal || !same_state(part.resume, until)) return std::nullopt;

  const auto at = [](auto& list, size_t index) { return list.begin() + static_cast<std::ptrdiff_t>(index); };
  const int lines = part.resume.line - until.line;
  ParsedFile result;
  result.entries.assign(old.entries.begin(), at(old.entries, from.entries));
  result.entries.insert(result.entries.end(), part.entries.begin(), at(part.entries, part.resume.entries - from.entries));
  for (auto entry = at(old.entries, until.entries); entry != old.entries.end(); ++entry) {
    result.entries.push_back(*entry);
    result.entries.back().line += lines;
    result.entries.back().line_end += lines;
    result.entries.back().begin += goal - until.offset;
    result.entries.back().end += goal - until.offset;
  }
  std::ranges::copy_if(old.problems, std::back_inserter(result.problems),
                       [&](const ParseProblem& problem) { return problem.line < from.line; });
  std::ranges::copy_if(part.problems, std::back_inserter(result.problems),
                       [&](const ParseProblem& problem) { return problem.line < part.resume.line; });
  for (ParseProblem problem : old.problems) {
    if (problem.line < until.line) continue;
    problem.line += lines;
    result.problems.push_back(std::move(problem));
  }
  return result;
}

// Every way of keeping what stands before one checkpoint and behind another.
std::string any_difference_after_edit(const std::string& before, size_t begin, size_t end, const std::string& inserted) {
  const std::string now = before.substr(0, begin) + inserted + before.substr(end);
  const ParsedFile old = parse(before, 1);
  const ParsedFile whole = parse(now, 1);
  const auto has_duplicate = [](const ParsedFile& file) {
    return std::ranges::any_of(file.problems, [](const ParseProblem& problem) { return problem.code == "duplicate-id"; });
  };
  if (has_duplicate(old) || has_duplicate(whole)) return {};  // who has an id is for whoever keeps the entries to know
  std::vector<ResumePoint> starts = {ResumePoint()};
  for (const ResumePoint& point : old.checkpoints)
    if (std::min(before.find('\n', point.offset), before.size()) < begin) starts.push_back(point);
  for (const ResumePoint& until : old.checkpoints) {
    if (until.offset < end) continue;
    for (const ResumePoint& from : starts) {
      const auto found = spliced(old, before.size(), from, until, now);
      if (!found) continue;
      if (!std::ranges::equal(whole.entries, found->entries, equal))
        return "entries\n" + PrintToString(whole.entries) + "\n" + PrintToString(found->entries) + "\nfrom " +
               std::to_string(from.offset) + " until " + std::to_string(until.offset) + " of\n" + shown(before) + "\nnow\n" +
               shown(now);
      if (whole.problems != found->problems)
        return "problems\n" + PrintToString(whole.problems) + "\n" + PrintToString(found->problems) + "\nof\n" + shown(before) +
               "\nnow\n" + shown(now);
    }
  }
  return {};
}

TEST(Checkpoints, AreWhereAChangedMiddleCanBePutBetweenWhatStoodBeforeAndBehindIt) {
  SoupKitchen kitchen(20261122);
  const size_t trials = scaled(30000);
  for (size_t trial = 0; trial < trials; ++trial) {
    const auto soup = kitchen.cook_raw(trial % 3 == 0 ? 60 : 20);
    const size_t size = joined(soup).size();
    const size_t begin = kitchen.below(size + 1);
    const size_t end = begin + kitchen.below(std::min<size_t>(size - begin, 12) + 1);
    const std::string inserted = joined(kitchen.cook_raw(4));
    const auto fails = [&](const Soup& s) {
      const std::string text = joined(s);
      return !any_difference_after_edit(text, std::min(begin, text.size()), std::min(end, text.size()), inserted).empty();
    };
    if (!fails(soup)) continue;
    const std::string text = joined(shrunk(soup, fails));
    FAIL() << any_difference_after_edit(text, std::min(begin, text.size()), std::min(end, text.size()), inserted);
  }
}

TEST(Checkpoints, AreFarEnoughApartAndNoneStandsInALongEntry) {
  std::string day = "# day\n";
  for (int i = 0; i < 3000; ++i) day += "\n<!--m {\"id\":\"e" + std::to_string(i) + "\"}-->\nText of the entry.\n";
  day += "\n<!--m {\"id\":\"long\",\"end\":1}-->\n";
  for (int i = 0; i < 3000; ++i) day += "A paragraph of one entry.\n\n";
  const ParsedFile file = parse(day + "<!--/m-->\n");
  ASSERT_GE(file.checkpoints.size(), 5U);
  size_t last = 0;
  for (const ResumePoint& point : file.checkpoints) {
    EXPECT_GE(point.offset, last + checkpoint_spacing);
    EXPECT_LT(point.offset, last + checkpoint_spacing + 100);
    EXPECT_EQ(day.substr(point.offset, 7), "<!--m {");
    last = point.offset;
  }
  EXPECT_LE(last, file.resume.offset);
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

TEST(Resume, IsKeptInAFewBytes) {
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
  EXPECT_EQ(ResumePoint::deserialise(ResumePoint().serialise()), ResumePoint());
  EXPECT_LE(ResumePoint().serialise().size(), 8U);
}

TEST(Resume, IsRefusedWhenItIsSomethingElse) {
  ResumePoint point;
  point.offset = 300;
  point.section = {"a", "b"};
  point.section_levels = {1, 2};
  point.front_tags = {"x"};
  point.held = true;
  const std::string bytes = point.serialise();
  ASSERT_EQ(ResumePoint::deserialise(bytes), point);
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_EQ(ResumePoint::deserialise(bytes.substr(0, size)), std::nullopt) << size;
  EXPECT_EQ(ResumePoint::deserialise(bytes + "x"), std::nullopt);
  EXPECT_EQ(ResumePoint::deserialise(std::string(12, '\xff')), std::nullopt);
}

}  // namespace
}  // namespace loci
