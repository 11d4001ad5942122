#include "capture/said_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/json.h"
#include "base/unicode.h"
#include "capture/content_words.h"
#include "capture/excerpt.h"
#include "tests/support/manual_clock.h"
#include "tokens/estimate.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

// Text of all kinds of scripts, with line ends and quotes.
std::string some_text() {
  static const std::vector<std::string> parts = {"a", "word ", "\n", "語", "é", "😀", "\"", "</turn>", "\\", std::string(50, 'x')};
  std::string text;
  for (const int part : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, static_cast<int>(parts.size()))))
    text += parts[static_cast<size_t>(part)];
  return text;
}

RC_GTEST_PROP(Pieces, HoldTheWholeTextAndAreSmall, ()) {
  const std::string text = some_text();
  const auto most = *rc::gen::inRange<std::int64_t>(1, 20);
  std::string joined;
  for (const std::string_view piece : pieces_of(text, most)) {
    RC_ASSERT(estimate_tokens(piece) <= most);
    RC_ASSERT(is_valid_utf8(piece));
    joined += piece;
  }
  RC_ASSERT(joined == text);
}

RC_GTEST_PROP(Windows, HoldEveryLineOnceInOrder, ()) {
  const auto lines = *rc::gen::container<std::vector<std::string>>(rc::gen::string<std::string>());
  const auto most = *rc::gen::inRange<std::int64_t>(1, 20);
  const auto at_least = *rc::gen::inRange<size_t>(1, 4);
  size_t next = 0;
  const auto windows = windows_of(lines, most, at_least);
  for (const Window& window : windows) {
    RC_ASSERT(window.begin == next);
    RC_ASSERT(window.end > window.begin);
    std::string text;
    for (size_t i = window.begin; i < window.end; ++i) text += lines[i];
    RC_ASSERT(text == window.text);
    RC_ASSERT(window.end - window.begin >= at_least || window.end == lines.size());
    next = window.end;
  }
  RC_ASSERT(next == lines.size());
}

RC_GTEST_PROP(Excerpts, AreOneLineOfBoundedLength, ()) {
  const std::string text = some_text();
  const auto most = *rc::gen::inRange<size_t>(2, 30);
  for (const auto& [line, longest] : {std::pair(excerpt(text, most), most + 2), {first_sentences(text, most), 3 * most + 2}}) {
    RC_ASSERT(!line.contains('\n'));
    RC_ASSERT(is_valid_utf8(line));
    RC_ASSERT(count_code_points(line) <= longest);
  }
}

RC_GTEST_PROP(Lines, AreJsonWhateverWasSaid, ()) {
  const ManualClock clock;
  const SaidTurn turn{
      .number = 7, .user = some_text(), .assistant = some_text(), .users_own = {}, .at = clock.now(), .project = {}};
  for (const std::string& line : lines_of(clock, turn, 5)) {
    RC_ASSERT(line.find('\n') == line.size() - 1);
    RC_ASSERT(line.find("</") == std::string::npos);
    const auto value = parse_json(line.substr(0, line.size() - 1));
    RC_ASSERT(value.has_value());
    RC_ASSERT(value->count_at("turn") == 7u);
  }
}

TEST(Lines, SayTheDayAndItsName) {
  const ManualClock clock;
  EXPECT_EQ(day_with_weekday(clock, clock.now()), "2026-11-21 (Saturday)");
  EXPECT_EQ(day_with_weekday(clock, parse_time("2024-02-29")), "2024-02-29 (Thursday)");
  EXPECT_EQ(day_with_weekday(clock, std::nullopt), "");
}

TEST(ContentWords, AreFoldedOnceAndCarryMeaning) {
  EXPECT_THAT(content_words("The user's Café is THE café in Zürich", 10), ElementsAre("user", "cafe", "zurich"));
  EXPECT_THAT(content_words("one two three four", 2), SizeIs(2));
}

}  // namespace
}  // namespace loci
