#include "cli/resolve_answers.h"

#include <unistd.h>

#include <iostream>
#include <memory>
#include <utility>

namespace loci::cli {
namespace {

ChooseSide side_chosen(const Arguments& arguments, Output& out) {
  return [&](const Disagreement& one) -> std::optional<Side> {
    if (arguments.has("--ours")) return Side::ours;
    if (arguments.has("--theirs")) return Side::theirs;
    if (arguments.has("--both") && one.id.empty()) return Side::both;
    if (arguments.has("--text") || !can_ask(out)) return std::nullopt;
    out.line(out.styled(Style::id, one.id.empty() ? "words without an id" : one.id));
    out.line("  ours    " + one_line(one.ours, text_width));
    out.line("  theirs  " + one_line(one.theirs, text_width));
    const char answer = ask(out, one.id.empty() ? "[o]urs, [t]heirs, [b]oth, or leave it?" : "[o]urs, [t]heirs, or leave it?");
    if (answer == 'o') return Side::ours;
    if (answer == 'b' && one.id.empty()) return Side::both;
    return answer == 't' ? std::optional(Side::theirs) : std::nullopt;
  };
}

}  // namespace

bool can_ask(const Output& out) { return !out.json() && ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1; }

char ask(Output& out, const std::string& question) {
  out.flush();
  std::cerr << question << ' ' << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return answer.empty() ? '\0' : answer.front();
}

std::unexpected<Error> refuse_undecided(const Resolved& resolved) {
  std::string what;
  for (const Disagreement& one : resolved.undecided)
    what += (what.empty() ? "" : ", ") + (one.id.empty() ? "words without an id" : one.id);
  return fail(ErrorCode::refused, "the two sides of " + resolved.file + " say different things: " + what,
              "--ours, --theirs, --both or, of one alone, --text decides; or edit the file by hand");
}

ConflictAnswers answers_of(const Arguments& arguments, Output& out) {
  ConflictAnswers answers{side_chosen(arguments, out), {}, {}};
  answers.must_count = arguments.has("--ours") || arguments.has("--theirs") || arguments.has("--text");
  if (arguments.has("--ours")) answers.whole = Side::ours;
  if (arguments.has("--theirs")) answers.whole = Side::theirs;
  if (arguments.has("--both")) answers.reword = keep_both().reword;
  if (arguments.has("--text"))
    answers.reword = [&arguments, used = std::make_shared<bool>(false)](const Disagreement&) {
      return std::exchange(*used, true) ? std::nullopt : std::optional(arguments.text("--text"));
    };
  return answers;
}

}  // namespace loci::cli
