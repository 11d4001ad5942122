#include "recall/question_cues.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <string>

#include "recall/phrases.h"

namespace loci {
namespace {

bool is_one_of(std::string_view word, std::span<const std::string_view> list) {
  return std::ranges::find(list, word) != list.end();
}

bool contains_any(const Words& words, std::span<const std::string_view> phrases) {
  return std::ranges::any_of(phrases, [&](std::string_view phrase) { return contains_phrase(words, phrase); });
}

// Verbs of saying and advising, as they stand behind "did you" and in the past behind "you".
constexpr std::string_view saying[] = {"advise", "answer",  "describe", "explain", "give",      "guide", "help",
                                       "list",   "mention", "promise",  "provide", "recommend", "say",   "share",
                                       "show",   "suggest", "tell",     "warn",    "write"};
constexpr std::string_view said[] = {"advised", "answered",  "described", "explained", "gave",        "guided", "helped",
                                     "listed",  "mentioned", "promised",  "provided",  "recommended", "said",   "shared",
                                     "showed",  "suggested", "told",      "warned",    "wrote"};
constexpr std::string_view to_remind[] = {"remind me",   "remember what you", "your suggestion",     "your suggestions",
                                          "your advice", "your answer",       "your recommendation", "your recommendations"};

bool asks_of_assistant(const Words& words) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] != "you") continue;
    if (i + 1 < words.size() && is_one_of(words[i + 1], said)) return true;
    if (i > 0 && i + 1 < words.size() && (words[i - 1] == "did" || words[i - 1] == "had") && is_one_of(words[i + 1], saying))
      return true;
  }
  return contains_any(words, to_remind);
}

constexpr std::string_view of_numbers[] = {
    "how many",  "how much", "how old",  "how far", "how often",  "how long",        "how tall",   "how big", "how fast",
    "how high",  "how wide", "how late", "number",  "percentage", "what percentage", "what price", "average", "version",
    "wie viele", "wie viel", "combien",  "cuanto",  "cuantos",    "quanto",          "quanti",     "hoeveel"};
constexpr std::string_view of_times[] = {"when",        "what time", "what date",  "what day", "which day", "what month",
                                         "which month", "what year", "which year", "how long", "deadline",  "date",
                                         "wann",        "quand",     "cuando",     "quando",   "wanneer"};

// --- days ---

std::optional<double> number_of(std::string_view word) {
  constexpr std::string_view names[] = {"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"};
  if (word == "a" || word == "an") return 1;
  if (word == "couple") return 2;
  if (word == "few") return 3;
  const auto named = std::ranges::find(names, word);
  if (named != std::end(names)) return static_cast<double>(named - std::begin(names));
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || value > 1000) return std::nullopt;
  return value;
}

struct Unit {
  std::string_view one, many;
  double days, width;  // what is said to be so many units ago was about then
};
constexpr Unit units[] = {
    {"day", "days", 1, 1}, {"week", "weeks", 7, 3}, {"month", "months", 30.4, 10}, {"year", "years", 365, 60}};
constexpr std::string_view weekdays[] = {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"};

// "two weeks ago": words[at] is "ago".
std::optional<QuestionCues::Day> days_before(const Words& words, size_t at) {
  if (at < 2) return std::nullopt;
  const auto unit = std::ranges::find_if(units, [&](const Unit& u) { return words[at - 1] == u.one || words[at - 1] == u.many; });
  if (unit == std::end(units)) return std::nullopt;
  std::optional<double> number = number_of(words[at - 2]);
  if (!number && at > 2 && words[at - 2] == "of") number = number_of(words[at - 3]);
  if (!number || *number <= 0) return std::nullopt;
  return QuestionCues::Day{*number * unit->days, unit->width};
}

// "last friday": `word` stands behind "last" or "past".
std::optional<QuestionCues::Day> last_day(std::string_view word, int weekday) {
  const auto back_to = [&](int day) { return (weekday - day + 7) % 7 == 0 ? 7 : (weekday - day + 7) % 7; };
  const auto named = std::ranges::find(weekdays, word);
  if (named != std::end(weekdays)) return QuestionCues::Day{static_cast<double>(back_to(static_cast<int>(named - weekdays))), 1};
  if (word == "weekend") return QuestionCues::Day{back_to(5) - 0.5, 1.5};
  if (word == "week") return QuestionCues::Day{6, 4};
  if (word == "month") return QuestionCues::Day{25, 14};
  if (word == "year") return QuestionCues::Day{365, 180};
  return std::nullopt;
}

std::optional<QuestionCues::Day> day_of(const Words& words, int weekday) {
  for (size_t i = 0; i < words.size(); ++i) {
    std::optional<QuestionCues::Day> day;
    if (words[i] == "ago") day = days_before(words, i);
    if (words[i] == "yesterday") day = {1, 1};
    if (words[i] == "today") day = {0, 1};
    if (i > 0 && (words[i - 1] == "last" || words[i - 1] == "past")) day = last_day(words[i], weekday);
    if (day) return day;
  }
  return std::nullopt;
}

}  // namespace

bool belongs_to_a_day(std::string_view folded) {
  return folded == "weekend" || number_of(folded).has_value() || is_one_of(folded, weekdays);
}

QuestionCues cues_of(std::string_view question, int weekday) {
  const Words words = words_of(question);
  return {asks_of_assistant(words), contains_any(words, of_numbers), contains_any(words, of_times), day_of(words, weekday)};
}

}  // namespace loci
