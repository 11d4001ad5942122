// What a question asks for, beside the words that it shares with its answer. Pure.
#pragma once

#include <optional>
#include <string_view>

namespace loci {

struct QuestionCues {
  bool of_assistant = false;  // what the assistant said: "what did you suggest"
  bool number = false;        // "how many"
  bool time = false;          // "when"

  // A day that the question names by its distance: "two weeks ago". Around it, `width` days are as good.
  struct Day {
    double days_ago = 0, width = 0;
  };
  std::optional<Day> day;
};

// `weekday` is today's, Monday 0.
QuestionCues cues_of(std::string_view question, int weekday);

// A word that names a day only together with others: "two" weeks ago, last "friday". `folded` is in lower case.
bool belongs_to_a_day(std::string_view folded);

}  // namespace loci
