#include "capture/summarise.h"

#include <array>

#include "base/unicode.h"
#include "capture/excerpt.h"
#include "capture/prompts.h"
#include "capture/said_lines.h"
#include "model/fence.h"
#include "model/json_answer.h"
#include "parser/writer.h"

namespace loci {
namespace {

constexpr std::int64_t most_answer_tokens = 4'096;

Json summary_schema() {
  return Json(Json::Object{{"type", "object"},
                           {"properties", Json(Json::Object{{"summary", Json(Json::Object{{"type", "string"}})}})},
                           {"required", Json::Array{"summary"}},
                           {"additionalProperties", false}});
}

std::unexpected<Error> unusable(const std::string& why) {
  return fail(ErrorCode::remote, "the model's answer cannot be used: " + why, "nothing of it was stored; try again");
}

Result<std::string> parse_summary(std::string_view answer) {
  constexpr std::array<std::string_view, 1> keys = {"summary"};
  const auto object = find_json_answer(answer, keys);
  if (!object) return unusable(object.error().message);
  const std::string* summary = object->string_at("summary");
  if (!summary || object->as_object()->size() != 1) return unusable("it has other fields than were asked for");
  if (summary->contains('\0')) return unusable("it holds a NUL");
  std::string text = normalise_text(*summary);
  if (text.empty()) return unusable("it is empty");
  if (count_code_points(text) > longest_summary) text.resize(whole_sentences(text, longest_summary).size());
  if (text.empty()) return unusable("no sentence of it ends within " + std::to_string(longest_summary) + " characters");
  return text;
}

// One level: each window becomes one text.
class Level {
 public:
  Level(LanguageModel& model, const std::stop_token& stop, ModelSummary& sum) : model_(model), stop_(stop), sum_(sum) {}

  Result<std::vector<std::string>> run(const SummaryTask& task, const std::vector<Window>& windows,
                                       const ProgressCallback& progress) {
    std::vector<std::string> texts;
    for (const Window& window : windows) {
      if (progress) progress({.what = "asking the model", .done = texts.size(), .total = windows.size()});
      auto text = TRY(ask(task, window.text));
      texts.push_back(std::move(text));
    }
    return texts;
  }

 private:
  Result<std::string> ask(const SummaryTask& task, std::string_view window) {
    const ModelRequest request{.task = task.task,
                               .instructions = capture_prompt(task.prompt),
                               .input = task.before + fence(task.name, window),
                               .schema = summary_schema(),
                               .max_output_tokens = most_answer_tokens};
    ++sum_.calls;
    const auto answer = TRY(model_.ask(request, stop_));
    sum_.tokens.input += answer.tokens.input;
    sum_.tokens.output += answer.tokens.output;
    return parse_summary(answer.text);
  }

  LanguageModel& model_;
  const std::stop_token& stop_;
  ModelSummary& sum_;
};

}  // namespace

Result<ModelSummary> summarise(LanguageModel& model, const SummaryTask& task, const std::vector<std::string>& lines,
                               const std::stop_token& stop, const ProgressCallback& progress) {
  ModelSummary sum;
  Level level(model, stop, sum);
  auto texts = level.run(task, windows_of(lines, window_tokens), progress);
  const SummaryTask together{.task = "digest-together/1", .prompt = "digest-together-1.md", .name = "parts", .before = {}};
  while (texts && texts->size() > 1) {
    std::vector<std::string> parts;
    for (const std::string& text : *texts) parts.push_back("{\"text\":" + fenced(text) + "}\n");
    texts = level.run(together, windows_of(parts, window_tokens, 2), progress);
  }
  if (!texts) return std::unexpected(texts.error());
  sum.text = std::move(texts->front());
  return sum;
}

}  // namespace loci
