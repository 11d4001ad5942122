#include "cli/editor.h"

#include <algorithm>
#include <sstream>

#include "base/child_process.h"

namespace loci::cli {

namespace {

constexpr std::string_view means_something_to_a_shell = "|&;<>()$`\\\"'*?[]#~=%{}\n";

bool needs_shell(const std::string& editor) { return editor.find_first_of(means_something_to_a_shell) != std::string::npos; }

// What the first word of the command comes to, as far as quotes and backslashes go.
std::string program_of(std::string_view editor) {
  std::string program;
  char quote = 0;
  for (size_t i = std::min(editor.find_first_not_of(" \t"), editor.size()); i < editor.size(); ++i) {
    const char c = editor[i];
    if (quote == 0 && (c == ' ' || c == '\t')) break;
    if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else if (c == quote)
      quote = 0;
    else if (c == '\\' && quote != '\'' && i + 1 < editor.size())
      program += editor[++i];
    else
      program += c;
  }
  return path(program).filename().string();
}

std::vector<std::string> at_line(const std::string& program, const path& file, int line) {
  constexpr std::string_view with_goto[] = {"code", "codium", "cursor"};
  constexpr std::string_view with_colon[] = {"subl", "hx", "zed", "micro"};
  const std::string number = std::to_string(line), place = file.string() + ":" + number;
  if (std::ranges::find(with_goto, program) != std::end(with_goto)) return {"--goto", place};
  if (std::ranges::find(with_colon, program) != std::end(with_colon)) return {place};
  return {"+" + number, file.string()};
}

}  // namespace

std::vector<std::string> editor_command(const std::string& editor, const path& file, int line) {
  std::vector<std::string> words;
  std::istringstream split(editor);
  for (std::string word; split >> word;) words.push_back(word);
  if (words.empty()) return words;
  if (needs_shell(editor)) words = {"/bin/sh", "-c", editor + " \"$@\"", editor};
  std::ranges::move(at_line(program_of(editor), file, line), std::back_inserter(words));
  return words;
}

Status open_editor(const std::string& editor, const path& file, int line) {
  const auto words = editor_command(editor, file, line);
  if (words.empty())
    return fail(ErrorCode::failed, "no editor is set",
                "set $VISUAL or $EDITOR, or use --text; the entry is in " + file.string() + ":" + std::to_string(line));
  const auto status = TRY(run_program(words));
  if (status != 0) return fail(ErrorCode::failed, "'" + editor + "' ended with status " + std::to_string(status));
  return {};
}

}  // namespace loci::cli
