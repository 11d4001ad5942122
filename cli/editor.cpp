#include "cli/editor.h"

#include <algorithm>
#include <sstream>

#include "cli/child_process.h"

namespace loci::cli {

std::vector<std::string> editor_command(const std::string& editor, const path& file, int line) {
  std::vector<std::string> words;
  std::istringstream split(editor);
  for (std::string word; split >> word;) words.push_back(word);
  if (words.empty()) return words;
  const std::string name = path(words.front()).filename().string();
  constexpr std::string_view with_goto[] = {"code", "codium", "cursor"};
  constexpr std::string_view with_colon[] = {"subl", "hx", "zed", "micro"};
  const std::string number = std::to_string(line);
  if (std::ranges::find(with_goto, name) != std::end(with_goto)) {
    words.insert(words.end(), {"--goto", file.string() + ":" + number});
  } else if (std::ranges::find(with_colon, name) != std::end(with_colon)) {
    words.push_back(file.string() + ":" + number);
  } else {
    words.insert(words.end(), {"+" + number, file.string()});
  }
  return words;
}

Status open_editor(const std::string& editor, const path& file, int line) {
  const auto words = editor_command(editor, file, line);
  if (words.empty())
    return fail(ErrorCode::failed, "no editor is set",
                "set $VISUAL or $EDITOR, or use --text; the entry is in " + file.string() + ":" + std::to_string(line));
  const auto status = run_program(words);
  if (!status) return std::unexpected(status.error());
  if (*status != 0) return fail(ErrorCode::failed, "'" + editor + "' ended with status " + std::to_string(*status));
  return {};
}

}  // namespace loci::cli
